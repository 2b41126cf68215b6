import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../src/core/ports.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import type { Elicitation, ElicitationAction, ElicitationContent } from '../../src/shared/model/elicitation.ts';
import type { ToolOutcome } from '../../src/shared/model/tool-call.ts';
import { startAsking } from '../servers/http/sdk-asks.ts';
import { gateway } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts, type TestAppOptions } from '../support/test-app.ts';

const asks = join(import.meta.dirname, '../servers/stdio/asks.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

class OpeningBrowser implements Browser {
  readonly opened: string[] = [];
  isThere = true;
  async open(url: string): Promise<void> {
    if (!this.isThere) throw new AppError('user/needed', 'No browser could be opened');
    this.opened.push(url);
  }
}

async function open(options: TestAppOptions = {}) {
  const browser = new OpeningBrowser();
  const test = await TestApp.open(parts, { browser, ...options });
  await test.ask('settings.update', { approvals: 'unrestricted' });
  const chatId = await test.newChat();
  /** Runs a tool to its end, and gives what it said. */
  const run = async (serverId: ServerId, tool: string, args: Record<string, unknown> = {}) => said((await test.call(chatId, serverId, tool, args)).outcome);
  const questions = () => test.state.elicitations;
  const asked = async (count = 1): Promise<Elicitation> => {
    await test.until(({ elicitations }) => elicitations.length === count);
    const last = questions().at(-1);
    if (!last) throw new Error('Nothing is asked');
    return last;
  };
  const answer = (action: ElicitationAction, content?: ElicitationContent, id = questions()[0]?.id) => test.ask('dialogue.answer', { id: id ?? 'none' as never, action, ...(content ? { content } : {}) }); // a name that no question has
  return { test, browser, chatId, run, questions, asked, answer, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}
function said(outcome: ToolOutcome): unknown {
  if (outcome.kind !== 'succeeded') return outcome;
  const [part] = outcome.result.parts;
  return part?.type === 'text' ? JSON.parse(part.text) : part;
}

const form = {
  message: 'Where to?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Full name', minLength: 2, maxLength: 20 },
      mail: { type: 'string', format: 'email' },
      day: { type: 'string', format: 'date' },
      seats: { type: 'integer', minimum: 1, maximum: 4, default: 2 },
      price: { type: 'number', maximum: 99.5 },
      window: { type: 'boolean' },
      class: { type: 'string', enum: ['1', '2'], enumNames: ['First', 'Second'], default: '2' },
      meal: { type: 'string', oneOf: [{ const: 'a', title: 'Apples' }, { const: 'b', title: 'Bread' }] },
      extras: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Bike' }, { const: 'y', title: 'Dog' }, { const: 'z', title: 'Skis' }] }, minItems: 1, maxItems: 2 },
    },
    required: ['name', 'seats'],
  },
};

describe('a form that a server of the old era asks for', () => {
  it('names the server, the call and its chat; what does not fit is refused field by field and the question stays; what fits arrives, with what was proposed, without what was left out', async () => {
    await using app = await open();
    const { test, chatId, run, asked, answer, questions } = app;
    const serverId = await test.addServer('travel', asks);
    const told = run(serverId, 'ask', { params: form });
    const question = await asked();
    expect(question).toMatchObject({ serverId, serverName: 'travel', message: 'Where to?', chatId, call: { tool: 'ask', chatId }, ask: { kind: 'form', schema: { type: 'object', required: ['name', 'seats'], additionalProperties: false } } });
    const wrong: readonly (readonly [ElicitationContent, RegExp])[] = [
      [{ seats: 1 }, /name/], [{ name: 'A' }, /name/], [{ name: 'A'.repeat(21) }, /name/], [{ name: 'Ada', seats: 5 }, /seats/], [{ name: 'Ada', seats: 1.5 }, /seats/],
      [{ name: 'Ada', price: 100 }, /price/], [{ name: 'Ada', mail: 'nobody' }, /mail/], [{ name: 'Ada', day: 'soon' }, /day/], [{ name: 'Ada', class: 'First' }, /class/],
      [{ name: 'Ada', meal: 'c' }, /meal/], [{ name: 'Ada', extras: [] }, /extras/], [{ name: 'Ada', extras: ['x', 'y', 'z'] }, /extras/], [{ name: 'Ada', extras: ['x', 'x'] }, /extras/],
      [{ name: 'Ada', window: 'yes' }, /window/], [{ name: 'Ada', other: 'x' }, /other/],
    ];
    for (const [content, about] of wrong) await expect(answer('accept', content), JSON.stringify(content)).rejects.toMatchObject({ code: 'request/invalid', message: expect.stringMatching(about) });
    expect(questions()).toEqual([question]);
    await answer('accept', { name: 'Ada', extras: ['z', 'x'] });
    expect(await told).toEqual({ result: { action: 'accept', content: { name: 'Ada', seats: 2, class: '2', extras: ['z', 'x'] } } });
    expect(questions()).toEqual([]);
    await expect(answer('accept', { name: 'Ada' }, question.id)).rejects.toMatchObject({ code: 'elicitation/not-found' });
  });

  it('the person’s no is a decline, putting it away a cancel, and neither carries content', async () => {
    await using app = await open();
    const { test, run, asked, answer } = app;
    const serverId = await test.addServer('travel', asks);
    for (const action of ['decline', 'cancel'] as const) {
      const told = run(serverId, 'ask', { params: form });
      await asked();
      await answer(action, { name: 'Ada' });
      expect(await told).toEqual({ result: { action } });
    }
  });

  it('what MCP does not allow in a form, and what could deceive, is an error to the server; nobody is asked', async () => {
    await using app = await open();
    const { test, run, questions } = app;
    const serverId = await test.addServer('travel', asks);
    const of = (properties: object, required: readonly string[] = []) => ({ message: 'm', requestedSchema: { type: 'object', properties, required } });
    const bad: readonly object[] = [
      of({ a: { type: 'object', properties: {} } }), of({ a: { type: 'array', items: { type: 'number' } } }), of({ a: { type: 'string', format: 'password' } }), of({ a: { type: 'null' } }),
      of({ a: { type: 'string', minLength: 5, maxLength: 2 } }), of({ a: { type: 'integer', default: 9, maximum: 3 } }), of({ a: { type: 'string', enum: ['x'], default: 'y' } }),
      of({ a: { type: 'string', enum: ['x', 'x'] } }), of({ a: { type: 'array', items: { type: 'string', enum: ['x'] }, minItems: 2 } }), of({ a: { type: 'string' } }, ['b']),
      of({ 'na\u202Eme': { type: 'string' } }), of(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: 'string' }]))),
      { message: 'm', requestedSchema: { type: 'array' } }, { message: 'm' }, { requestedSchema: { type: 'object', properties: {} } }, { message: 'x'.repeat(8_001), requestedSchema: { type: 'object', properties: {} } },
    ];
    for (const params of bad) expect(await run(serverId, 'ask', { params }), JSON.stringify(params).slice(0, 200)).toMatchObject({ error: { code: -32602 } });
    expect(questions()).toEqual([]);
  });

  it('unseen characters of its words are marks, and a secret of ours is not in them', async () => {
    await using app = await open();
    const { test, run, asked, answer } = app;
    await test.ask('vault.open', undefined);
    const { serverId } = await test.ask('servers.add', { name: 'travel', transport: { type: 'stdio', command: process.execPath, args: [asks], env: { API_KEY: { secret: 'canary-5f3a9b' } } } } as never); // as the form of a server sends it
    await test.ask('servers.start', { serverId });
    await test.until(({ servers }) => servers[serverId]?.counts !== undefined);
    const told = run(serverId, 'ask', { params: { message: 'Is canary-5f3a9b \u202Eright?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean', title: 'Go\u200Bod' } } } } });
    const { message, ask } = await asked();
    expect(message).not.toContain('canary');
    expect(message).toContain('⟨U+202E⟩right?');
    expect(JSON.stringify(ask)).toContain('Go⟨U+200B⟩od');
    await answer('decline');
    await told;
    expect(await run(serverId, 'ask', { params: { message: 'm', requestedSchema: { type: 'object', properties: { ok: { type: 'string', default: 'canary-5f3a9b' } } } } })).toMatchObject({ error: { code: -32602 } });
  });
});
