import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ApprovalAnswer, ToolCallView } from '../../src/shared/model/tool-call.ts';
import type { ScriptDetails } from '../../src/shared/model/script.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const calls = join(import.meta.dirname, '../servers/stdio/calls.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** A model that answers the first message with this script, and what comes back with "Done". */
async function scripting(code: string, more: Readonly<Record<string, unknown>> = {}): Promise<ModelServer> {
  const server = await startModelServer();
  server.on({ hasToolResult: false }, { text: 'Let me see.', calls: [{ name: 'mcp_script', args: { code, ...more }, id: 'call_0' }] });
  server.on({ hasToolResult: true }, { text: 'Done' });
  return server;
}
async function withModel(test: TestApp, server: ModelServer): Promise<void> {
  const { providerId } = await test.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: server.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await test.ask('settings.update', { model: { providerId, model: 'm1' } });
}
async function answerNext(test: TestApp, answer: ApprovalAnswer) {
  await test.until((state) => state.approvals.length > 0);
  const [approval] = test.state.approvals;
  if (!approval) throw new Error('nothing asks');
  await test.ask('approvals.answer', { approvalId: approval.id, answer });
  return approval;
}
const atRest = ({ run, items }: ChatState) => run.phase !== 'running' && items.length > 1;
const once: ApprovalAnswer = { decision: 'allow', scope: 'once' };

async function send(test: TestApp, text = 'go'): Promise<ChatId> {
  const chatId = await test.newChat();
  await test.ask('chats.send', { chatId, text });
  return chatId;
}
/** The script's own call, and those that it made. */
function story(chat: ChatState): { readonly script: ToolCallView; readonly inner: readonly ToolCallView[]; readonly details: ScriptDetails; readonly text: string } {
  const script = Object.values(chat.calls).find(({ call }) => call.ref.tool === 'mcp_script');
  if (script?.phase !== 'settled' || !('result' in script.outcome)) throw new Error(`The script has no result: ${JSON.stringify(script)}`);
  const { details, parts: said } = { details: script.outcome.result.script, parts: script.outcome.result.parts };
  if (!details) throw new Error('The script has no details');
  return { script, inner: script.inner.flatMap((id) => chat.calls[id] ?? []), details, text: said.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

describe('mcp_script', () => {
  it('[F-142, O29] asks a person about each call with its own arguments, and tells the script of a denial', async () => {
    await using server = await scripting('const added = await tools.mcp_notes_add_note({ title: "Plums", text: "Buy" }); const gone = await tools.call("delete_note", { id: "none" }, "Notes"); return [added.ok, gone.ok, gone.error.code].join()');
    await using test = await TestApp.open(parts);
    await test.startNotes();
    await withModel(test, server);
    const chatId = await send(test);
    expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'add_note' }, args: { title: 'Plums', text: 'Buy' } } });
    await test.until((state) => state.approvals[0]?.call.ref.tool === 'delete_note');
    await answerNext(test, { decision: 'deny', reason: 'no' });
    const { inner, details, text, script } = story(await test.untilChat(chatId, atRest));
    expect(text).toBe('true,false,approval_denied');
    expect(script.phase === 'settled' && script.outcome.kind).toBe('succeeded');
    expect(inner.map((view) => [view.call.ref.tool, view.call.parentId === script.call.id, view.phase === 'settled' && view.outcome.kind])).toEqual([['add_note', true, 'succeeded'], ['delete_note', true, 'denied']]);
    expect(details.calls.map(({ name, ok, code, callId }) => [name, ok, code, callId])).toEqual([
      ['mcp_notes_add_note', true, undefined, inner[0]?.call.id],
      ['delete_note', false, 'approval_denied', inner[1]?.call.id],
    ]);
    expect(JSON.stringify(server.requests().at(-1)?.body)).toContain('true,false,approval_denied');
  });

  it('[F-133] searches, describes, calls, reads resources and results, emits and logs', async () => {
    const code = `
      const found = await tools.search({ query: 'add note' });
      const tool = await tools.describe({ path: found.items[0].path, server: found.items[0].server });
      const added = await tools.call(found.items[0].path, { title: 'One', text: 'Text' });
      const listed = await tools.resources({ server: 'Notes' });
      const read = await tools.readResource({ server: 'Notes', uri: listed.items[0].uri });
      const back = await tools.readResult({ ref: added.resultRef, path: '/structuredContent' });
      emit(tool.name);
      console.warn('careful');
      return [JSON.stringify(found.coverage).includes('Notes') || found.coverage.knownServers > 0, Object.keys(tool.inputSchema.properties).includes('title'), listed.items.length > 0, back.content.includes('One'), read.ok, read.data.contents[0].text.includes('Text')]`;
    await using server = await scripting(code);
    await using test = await TestApp.open(parts);
    await test.startNotes();
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await withModel(test, server);
    const { text, details } = story(await test.untilChat(await send(test), atRest));
    expect(text).toBe('add_note\n[warn] careful\n[true,true,true,true,true,true]');
    expect(details.calls.map(({ kind }) => kind)).toEqual(['search', 'describe', 'call', 'resources', 'read-resource', 'read-result']);
  });

  it('[F-138] loads no tool by its discovery', async () => {
    await using server = await scripting('return (await tools.search({ query: "note" })).items.length > 0');
    await using test = await TestApp.open(parts);
    await test.startNotes();
    await withModel(test, server);
    const chat = await test.untilChat(await send(test), atRest);
    expect(story(chat).text).toBe('true');
    expect(chat.loaded).toEqual([]);
  });

  it('[F-131] takes its own time limit before the setting, says which held, and may have none', async () => {
    await using server = await scripting('return 1', { timeoutMs: 5_000 });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    expect(story(await test.untilChat(await send(test), atRest)).details.timeoutMs).toBe(5_000);
    const chatId = await test.newChat();
    const run = async () => (await test.ask('own-tools.run', { name: 'mcp_script', args: { code: 'return 1' }, chatId })).outcome;
    expect(await run()).toMatchObject({ result: { script: { timeoutMs: 30_000 } } });
    await test.ask('settings.update', { scriptTimeoutMs: null });
    expect(await run()).toMatchObject({ result: { script: { timeoutMs: null } } });
    for (const timeoutMs of [0, -1, 1.5, 2_147_483_648, 'soon']) {
      const refused = (await test.ask('own-tools.run', { name: 'mcp_script', args: { code: 'return 1', timeoutMs }, chatId })).outcome;
      expect(refused).toMatchObject({ kind: 'tool-error', result: { structured: { json: expect.stringContaining('invalid_arguments') as string } } });
    }
  });

  it('[F-129] is among the tools of every request, until it is switched off', async () => {
    await using server = await scripting('return 1');
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    await test.untilChat(await send(test), atRest);
    const offered = () => JSON.stringify((server.requests().at(-1)?.body as { tools?: unknown } | undefined)?.tools); // only printed
    expect(offered()).toContain('"mcp_script"');
    await test.ask('settings.update', { scriptMode: false });
    await test.untilChat(await send(test, 'again'), atRest);
    expect(offered()).not.toContain('"mcp_script"');
  });

  it('[F-137] dispatches nothing for a name that several servers have, unless it says which', async () => {
    await using server = await scripting('const no = await tools.call("echo", { text: "A" }); const yes = await tools.call("echo", { text: "B" }, "Other"); return [no.error.code, yes.data.content[0].text].join()');
    await using test = await TestApp.open(parts);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await test.addServer('One', calls);
    await test.addServer('Other', calls);
    await withModel(test, server);
    const { text, inner } = story(await test.untilChat(await send(test), atRest));
    expect(text).toBe('ambiguous_tool,B');
    expect(inner.map(({ call }) => call.serverName)).toEqual(['Other']);
  });

  it('goes on after the app was closed while a person was asked: the question comes again, and the run after it', async () => {
    await using server = await scripting('const first = await tools.call("list_notes", {}, "Notes"); const [a, b] = await Promise.all([tools.call("add_note", { title: "A", text: "a" }, "Notes"), tools.call("add_note", { title: "B", text: "b" }, "Notes")]); return [first.ok, a.ok, b.ok].join()');
    const [home, person, keyring] = [tempFolder(), tempFolder(), new MemoryKeyring()];
    let chatId: ChatId;
    {
      await using test = await TestApp.open(parts, { home, person, keyring });
      await test.startNotes();
      await withModel(test, server);
      chatId = await send(test);
      expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'list_notes' } } });
      await test.until((state) => state.approvals.length === 2);
      const [waiting] = test.state.approvals.filter(({ call }) => call.args['title'] === 'A');
      await test.ask('approvals.answer', { approvalId: waiting?.id ?? test.state.approvals[0]!.id, answer: once });
      await test.untilChat(chatId, ({ calls: made }) => Object.values(made).some((view) => view.call.args['title'] === 'A' && view.phase === 'settled'));
      expect(readdirSync(join(home, 'waiting'))).toHaveLength(1);
    }
    await using test = await TestApp.open(parts, { home, person, keyring });
    expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'add_note' }, args: { title: 'B' } } });
    const chat = await test.untilChat(chatId, atRest);
    const { text, inner } = story(chat);
    expect(text).toBe('true,true,true');
    expect(inner.map(({ call, ...view }) => [call.args['title'], view.phase === 'settled' && view.outcome.kind])).toEqual([[undefined, 'succeeded'], ['A', 'succeeded'], ['B', 'cancelled'], ['B', 'succeeded']]);
    expect(chat.items.at(-1)).toMatchObject({ kind: 'assistant', text: 'Done' });
    expect(readdirSync(join(home, 'waiting'))).toEqual([]);
  });

  it('is told that nobody knows, when the app closes while an allowed call of it runs', async () => {
    await using server = await scripting('const [a, b] = await Promise.all([tools.call("wait", {}, "Calls"), tools.call("echo", { text: "b" }, "Calls")]); return [a.error.code, b.ok].join()');
    const [home, person, keyring] = [tempFolder(), tempFolder(), new MemoryKeyring()];
    let chatId: ChatId;
    {
      await using test = await TestApp.open(parts, { home, person, keyring });
      await test.addServer('Calls', calls);
      await withModel(test, server);
      chatId = await send(test);
      await test.until((state) => state.approvals.length === 2);
      const waits = test.state.approvals.find(({ call }) => call.ref.tool === 'wait');
      if (!waits) throw new Error('wait does not ask');
      await test.ask('approvals.answer', { approvalId: waits.id, answer: once });
      await test.untilChat(chatId, ({ calls: made }) => Object.values(made).some(({ call, phase }) => call.ref.tool === 'wait' && phase === 'running'));
    }
    await using test = await TestApp.open(parts, { home, person, keyring });
    expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'echo' } } });
    expect(story(await test.untilChat(chatId, atRest)).text).toBe('ambiguous_outcome,true');
  });

  it('ends for good when a person stops it, and leaves nothing behind', async () => {
    await using server = await scripting('await tools.call("add_note", { title: "A", text: "a" }, "Notes"); return 1');
    const [home, person, keyring] = [tempFolder(), tempFolder(), new MemoryKeyring()];
    await using test = await TestApp.open(parts, { home, person, keyring });
    await test.startNotes();
    await withModel(test, server);
    const chatId = await send(test);
    await test.until((state) => state.approvals.length === 1);
    await test.ask('chats.stop', { chatId });
    const chat = await test.untilChat(chatId, atRest);
    expect(Object.values(chat.calls).map((view) => view.phase === 'settled' && view.outcome.kind)).toEqual(['cancelled', 'cancelled']);
    expect(readdirSync(join(home, 'waiting'))).toEqual([]);
    expect(test.state.approvals).toEqual([]);
  });

  it('is told honestly as lost when what it needs to go on was only in memory', async () => {
    await using server = await scripting('await tools.call("add_note", { title: "A", text: "a" }, "Notes"); return 1');
    const [home, person] = [tempFolder(), tempFolder()];
    let chatId: ChatId;
    {
      await using test = await TestApp.open(parts, { home, person });
      await test.startNotes();
      await withModel(test, server);
      chatId = await send(test);
      await test.until((state) => state.approvals.length === 1);
    }
    // Another keyring: the key is gone.
    await using test = await TestApp.open(parts, { home, person });
    const chat = await test.untilChat(chatId, atRest);
    expect(Object.values(chat.calls).map((view) => view.phase === 'settled' && view.outcome)).toEqual([
      expect.objectContaining({ kind: 'failed', code: 'tool/outcome-unknown' }), expect.objectContaining({ kind: 'cancelled' }),
    ]);
    expect(chat.run).toMatchObject({ phase: 'resting', ending: { how: 'interrupted' } });
  });
});
