import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalDesk } from '../../src/core/approvals/approval-desk.ts';
import { Grants } from '../../src/core/approvals/grants.ts';
import { Catalog } from '../../src/core/catalog/catalog.ts';
import { ToolCalls } from '../../src/core/tool-calls/tool-calls.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createSchemaValidator } from '../../src/node/schema/schema-validator.ts';
import { ServerId, ToolCallId } from '../../src/shared/ids.ts';
import { Settings } from '../../src/shared/model/settings.ts';
import type { Approval, Caller, ToolOutcome } from '../../src/shared/model/tool-call.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { stdio, TestPool, textOf } from '../support/test-pool.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

const offers = join(import.meta.dirname, '../servers/stdio/offers.mjs');
const tool = (name: string, visibility?: readonly string[]) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object', properties: {} }, ...(visibility ? { _meta: { ui: { visibility } } } : {}) });
const tools = [tool('for_all'), tool('for_app', ['app']), tool('for_model', ['model'])];
function toolsFile(): string {
  const file = join(tempFolder(), 'tools.json');
  writeFileSync(file, JSON.stringify(tools));
  return file;
}

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** The gate to a real server, as app windows and models come to it. */
async function openGate() {
  const test = new TestPool();
  const serverId = await test.ready(stdio('offers.mjs', toolsFile()));
  const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => false, onChange: () => undefined });
  catalog.define(serverId, 'srv');
  catalog.set(serverId, test.listing(serverId));
  const definition = { id: serverId, name: 'srv', owner: 'global', enabled: true, transport: stdio('offers.mjs'), options: {}, revision: catalog.tool(serverId, 'for_all')?.ref.revision ?? expect.unreachable() } as const;
  const asked: Approval[] = [];
  const reached: string[] = [];
  const desk: ApprovalDesk = new ApprovalDesk({
    interaction: 'person', onClosed: () => undefined,
    onAsked: (approval) => {
      asked.push(approval);
      queueMicrotask(() => desk.answer(approval.id, { decision: 'allow', scope: 'once' }));
    },
  });
  const calls = new ToolCalls({
    clock: systemClock, newId: randomUUID, log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    schemas: createSchemaValidator({ threads: 0 }), approvals: desk,
    grants: new Grants({ clock: systemClock, newId: randomUUID, documents: { read: () => Promise.resolve(undefined), update: () => Promise.resolve() }, onChange: () => undefined }),
    settings: () => Settings.parse({}), paused: () => false, definition: () => definition, serverApproveTools: () => undefined, target: () => 'srv', packageOf: () => undefined,
    tool: ({ ref }) => catalog.tool(ref.serverId, ref.tool), keptBy: () => undefined, lookAgain: () => Promise.resolve(),
    invoke: async ({ ref }) => {
      reached.push(ref.tool);
      const result = await test.call(serverId, ref.tool);
      return { result: { parts: [{ type: 'text', text: String(textOf(result)) }] }, isError: result.isError };
    },
  });
  const call = (name: string, caller: Caller): Promise<ToolOutcome> => {
    const { ref } = catalog.tool(serverId, name) ?? expect.unreachable();
    const recorder = { waiting: () => Promise.resolve(), started: () => Promise.resolve(), settled: () => Promise.resolve(), progress: () => undefined };
    return calls.execute({ id: ToolCallId.parse(randomUUID()), ref, serverName: 'srv', args: {}, caller }, recorder, new AbortController().signal);
  };
  return { call, asked, reached, serverId };
}

describe('[F-70] tools that a server means for its app window, or for models', () => {
  it('for the window alone: no model is offered it, finds it or calls it, in whatever way', async () => {
    await using server = await scriptedModel(
      [{ name: 'mcp_search', args: { server: 'ui' } }],
      [{ name: 'mcp_search', args: { query: 'select:for_app' } }],
      [{ name: 'mcp_ui_for_app', args: {} }, { name: 'mcp', args: { action: 'call', server: 'ui', tool: 'for_app' } }, { name: 'mcp', args: { action: 'describe', server: 'ui', tool: 'for_app' } }],
      [{ name: 'mcp_script', args: { code: 'return [await tools.call({ server: "ui", tool: "for_app" }), await tools.list({ server: "ui" })];' } }],
    );
    await using test = await TestApp.open(parts);
    await useModel(test, server);
    await test.ask('settings.update', { approvals: 'unrestricted', directTools: true });
    await test.addServer('ui', offers, [toolsFile()]);
    const chat = await runToRest(test, 'go');
    server.requests().forEach((_, at) => expect([...offeredTo(server, at).keys()]).not.toContain('mcp_ui_for_app'));
    expect([...offeredTo(server, 0).keys()]).toEqual(expect.arrayContaining(['mcp_ui_for_all', 'mcp_ui_for_model']));
    const outcomes = JSON.stringify(Object.values(chat.calls).map((view) => (view.phase === 'settled' ? view.outcome : view.phase)));
    expect(outcomes).not.toContain('\\"ran\\"');
    expect(outcomes).not.toContain('Does for_app');
    expect(outcomes).toContain('tool_not_found');
    expect(outcomes).toContain('Does for_model');
  });

  it('for models alone: a call of the window’s leads nowhere and asks nobody; the window’s own is asked about and made', async () => {
    const gate = await openGate();
    const window: Caller = { kind: 'app-window', serverId: gate.serverId };
    expect(await gate.call('for_model', window)).toMatchObject({ kind: 'failed', code: 'tool/not-found' });
    expect([gate.asked, gate.reached]).toEqual([[], []]);
    expect((await gate.call('for_app', window)).kind).toBe('succeeded');
    expect((await gate.call('for_all', window)).kind).toBe('succeeded');
    expect(gate.asked.map(({ call }) => call.ref.tool)).toEqual(['for_app', 'for_all']);
    expect(await gate.call('for_all', { kind: 'app-window', serverId: ServerId.parse('another') })).toMatchObject({ kind: 'denied', by: 'policy' });
    expect(gate.reached).toEqual(['for_app', 'for_all']);
  });
});
