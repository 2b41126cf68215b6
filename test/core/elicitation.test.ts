import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../src/core/ports.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import type { Elicitation, ElicitationAction, ElicitationContent } from '../../src/shared/model/elicitation.ts';
import type { ToolOutcome } from '../../src/shared/model/tool-call.ts';
import { startAsking } from '../servers/http/sdk-asks.ts';
import { startLegacy } from '../servers/http/sdk-legacy.ts';
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
      of(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, { type: 'string', enum: Array.from({ length: 200 }, (_one, value) => `${value} ${'x'.repeat(30)}`) }]))),
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
    const leaking = [{ message: 'm', requestedSchema: { type: 'object', properties: { ok: { type: 'string', default: 'canary-5f3a9b' } } } }, { mode: 'url', message: 'm', elicitationId: 'a', url: 'https://shop.example/?key=canary-5f3a9b' }];
    for (const params of leaking) expect(await run(serverId, 'ask', { params })).toMatchObject({ error: { code: -32602 } });
  });
});

describe('a question', () => {
  const plain = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };

  it('ends with its call, with the server’s own word and with the connection; it is cancelled where the server still waits', async () => {
    await using app = await open();
    const { test, chatId, run, asked, questions } = app;
    const serverId = await test.addServer('travel', asks);
    const { ref } = await test.tool(serverId, 'ask');
    const { callId } = await test.ask('chats.call-tool', { chatId, ref, args: { params: plain } });
    expect((await asked()).call?.id).toBe(callId);
    await test.ask('chats.cancel-call', { chatId, callId });
    await test.until(({ elicitations }) => elicitations.length === 0);

    await run(serverId, 'ask_and_end', { params: plain });
    await test.until(({ elicitations }) => elicitations.length === 0);
    expect(await run(serverId, 'told')).toMatchObject({ late: { result: { action: 'cancel' } } });

    await run(serverId, 'ask_late', { params: plain });
    // Asked beside any call.
    expect((await asked()).call).toBeUndefined();
    await run(serverId, 'withdraw');
    await test.until(({ elicitations }) => elicitations.length === 0);

    await run(serverId, 'ask_late', { params: plain });
    await asked();
    await test.ask('servers.stop', { serverId });
    expect(questions()).toEqual([]);
  });

  it('of several calls at once names the chat alone, and ends when none of them is left', async () => {
    await using app = await open();
    const { test, chatId, asked } = app;
    const serverId = await test.addServer('travel', asks);
    const { ref } = await test.tool(serverId, 'ask');
    const calls = [];
    for (const count of [1, 2]) {
      calls.push((await test.ask('chats.call-tool', { chatId, ref, args: { params: plain } })).callId);
      await asked(count);
    }
    const [first, second] = test.state.elicitations;
    expect([first?.call?.id, second?.call, second?.chatId]).toEqual([calls[0], undefined, chatId]);
    for (const callId of calls) await test.ask('chats.cancel-call', { chatId, callId });
    await test.until(({ elicitations }) => elicitations.length === 0);
  });

  it('is one of at most five of a server, and a person’s time is not the call’s', async () => {
    await using app = await open();
    const { test, run, asked, answer } = app;
    const { serverId } = await test.ask('servers.add', { name: 'travel', transport: { type: 'stdio', command: process.execPath, args: [asks], env: {} }, options: { limits: { callIdleMs: 1_000, callTotalMs: 1_000 } } } as never); // as the form of a server sends it
    await test.ask('servers.start', { serverId });
    await test.until(({ servers }) => servers[serverId]?.counts !== undefined);
    const told = run(serverId, 'ask', { params: plain });
    await asked();
    const waited = performance.now();
    for (let count = 2; count <= 5; count += 1) {
      await run(serverId, 'ask_late', { params: plain });
      await asked(count);
    }
    expect(await run(serverId, 'ask', { params: plain })).toMatchObject({ error: { code: -32603 } });
    // Longer than the call may be silent, and than it may take.
    await expect.poll(() => performance.now() - waited, { timeout: 5_000 }).toBeGreaterThan(1_500);
    await answer('accept', {});
    expect(await told).toEqual({ result: { action: 'accept', content: {} } });
  });

  it('is answered by the person at a window or a terminal, and over HTTP by nobody', async () => {
    await using app = await open();
    const { test, run, asked } = app;
    const serverId = await test.addServer('travel', asks);
    const told = run(serverId, 'ask', { params: plain });
    const { id } = await asked();
    await expect(test.ask('dialogue.answer', { id, action: 'accept' }, { kind: 'http-api' })).rejects.toMatchObject({ code: 'request/forbidden' });
    await test.ask('dialogue.answer', { id, action: 'accept' }, { kind: 'cli' });
    expect(await told).toMatchObject({ result: { action: 'accept' } });
  });
});

describe('questions are advertised', () => {
  it('[F-150] where there is a window with a person, and neither the settings nor their files switch them off; what is asked all the same is refused', async () => {
    const advertised = { form: { applyDefaults: true }, url: {} };
    const of = async (options: TestAppOptions, prepare?: (test: TestApp) => Promise<unknown>) => {
      await using app = await open(options);
      await prepare?.(app.test);
      const serverId = await app.test.addServer('travel', asks);
      const said = (await app.run(serverId, 'capabilities')) as { readonly elicitation?: unknown };
      const asked = said.elicitation === undefined ? await app.run(serverId, 'ask', { params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } }) : undefined;
      return { said: said.elicitation, asked };
    };
    const refused = { said: undefined, asked: { error: { code: -32601 } } };
    expect(await of({})).toEqual({ said: advertised, asked: undefined });
    expect(await of({ interaction: 'none' })).toMatchObject(refused);
    expect(await of({ hasWindow: false })).toMatchObject(refused);
    expect(await of({}, (test) => test.ask('settings.update', { elicitation: false }))).toMatchObject(refused);
    const byFile = async (test: TestApp) => {
      writeFileSync(join(test.home, 'mcp.json'), JSON.stringify({ settings: { elicitation: false }, mcpServers: {} }));
      await test.until(({ settings }) => settings.elicitation === false);
    };
    expect(await of({}, byFile)).toMatchObject(refused);
  });

  it('in the new era with each request, and not where they are off', async () => {
    await using server = await startAsking();
    await using app = await open();
    const { serverId } = await app.test.ask('servers.add', { name: 'asking', transport: { type: 'streamable-http', url: server.url, headers: {} } });
    await app.test.ask('servers.start', { serverId });
    await app.test.until(({ servers }) => servers[serverId]?.counts !== undefined);
    expect(server.said.filter(({ method }) => method === 'tools/list')).toMatchObject([{ capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } } }]);
    const before = server.said.length;
    await app.test.ask('settings.update', { elicitation: false });
    await app.test.ask('servers.restart', { serverId });
    expect(server.said.slice(before).filter(({ method }) => method === 'tools/list')).toMatchObject([{ capabilities: {} }]);
    expect(JSON.stringify(server.said.at(-1))).not.toContain('elicitation');
  });

  it('until the person switches them off: what is asked then is refused', async () => {
    await using app = await open();
    const serverId = await app.test.addServer('travel', asks);
    await app.test.ask('settings.update', { elicitation: false });
    expect(await app.run(serverId, 'ask', { params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } })).toMatchObject({ error: { code: -32601 } });
  });
});

describe('a server of the new era', () => {
  it('gets what it needs within the call, with its state, in a form and by a page', async () => {
    await using server = await startAsking();
    await using app = await open();
    const { test, browser, run, asked, answer } = app;
    const { serverId } = await test.ask('servers.add', { name: 'asking', transport: { type: 'streamable-http', url: server.url, headers: {} } });
    await test.ask('servers.start', { serverId });
    await test.until(({ servers }) => servers[serverId]?.counts !== undefined);
    const order = run(serverId, 'order');
    expect(await asked()).toMatchObject({ message: 'Which fruit?', call: { tool: 'order' } });
    await expect(answer('accept', { fruit: 'p' })).rejects.toMatchObject({ code: 'request/invalid' });
    await answer('accept', { fruit: 'plums' });
    expect(await order).toEqual({ given: { kind: 'elicit', action: 'accept', content: { fruit: 'plums', count: 3 } }, state: 'kept' });

    const visit = run(serverId, 'visit', { url: 'https://pay.example/42' });
    await asked();
    await answer('accept');
    expect(await visit).toEqual({ kind: 'elicit', action: 'accept' });
    expect([browser.opened, test.state.elicitations]).toEqual([['https://pay.example/42'], []]);
    expect(await run(serverId, 'visit', { url: 'file:///etc/passwd' })).toMatchObject({ kind: 'failed', code: 'tool/failed' });
    const { ref } = await test.tool(serverId, 'order');
    const { callId } = await test.ask('chats.call-tool', { chatId: app.chatId, ref, args: {} });
    await asked();
    await test.ask('chats.cancel-call', { chatId: app.chatId, callId });
    await test.until(({ elicitations }) => elicitations.length === 0);
  });
});

it('a server of the old era asks over HTTP as it does over a pipe', async () => {
  await using server = await startLegacy();
  await using app = await open();
  const { test, run, asked, answer } = app;
  const { serverId } = await test.ask('servers.add', { name: 'fruit', transport: { type: 'streamable-http', url: server.url, headers: {} } });
  await test.ask('servers.start', { serverId });
  await test.until(({ servers }) => servers[serverId]?.counts !== undefined);
  const told = run(serverId, 'ask');
  expect(await asked()).toMatchObject({ serverName: 'fruit', message: 'Which fruit?', call: { tool: 'ask' } });
  await expect(answer('accept', { fruit: 'apple' })).rejects.toMatchObject({ code: 'request/invalid' });
  await answer('accept', { fruit: 'pear' });
  expect(await told).toEqual({ action: 'accept', content: { fruit: 'pear' } });
});

describe('a page that a server wants visited', () => {
  const page = (url: string, elicitationId = 'pay-1') => ({ mode: 'url', message: 'Please pay', url, elicitationId });

  it('is shown with its server, its host and whole address, and opened once the person agrees; it stays until the server says that this one is over', async () => {
    await using app = await open();
    const { test, browser, run, asked, answer, questions } = app;
    const serverId = await test.addServer('shop', asks);
    const told = run(serverId, 'ask', { params: page('https://bücher.example/pay?cart=42') });
    const { ask } = await asked();
    expect(ask).toEqual({ kind: 'url', url: 'https://xn--bcher-kva.example/pay?cart=42', host: 'xn--bcher-kva.example', phase: 'asked', retry: false });
    expect(browser.opened).toEqual([]);
    browser.isThere = false;
    await expect(answer('accept')).rejects.toMatchObject({ code: 'user/needed' });
    expect(questions()).toHaveLength(1);
    browser.isThere = true;
    await answer('accept');
    expect(await told).toEqual({ result: { action: 'accept' } });
    expect(browser.opened).toEqual(['https://xn--bcher-kva.example/pay?cart=42']);
    expect(questions()).toMatchObject([{ ask: { kind: 'url', phase: 'opened' } }]);
    const other = run(serverId, 'ask', { params: page('https://shop.example/other', 'pay-2') });
    await asked(2);
    await run(serverId, 'complete', { id: 'pay-3' });
    expect(questions()).toHaveLength(2);
    await run(serverId, 'complete', { id: 'pay-1' });
    await asked(1);
    expect(questions()).toMatchObject([{ ask: { url: 'https://shop.example/other', phase: 'asked' } }]);
    await answer('decline');
    expect(await other).toEqual({ result: { action: 'decline' } });
    expect(browser.opened).toHaveLength(1);
  });

  it('is refused for another scheme, a name in the address, and what cannot be seen in it', async () => {
    await using app = await open();
    const { test, run, questions } = app;
    const serverId = await test.addServer('shop', asks);
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://open', 'http://shop.example/', 'https://you@shop.example/', 'https://shop.example/\u202Ea', 'no address', `https://shop.example/${'a'.repeat(9_000)}`])
      expect(await run(serverId, 'ask', { params: page(url) }), url.slice(0, 60)).toMatchObject({ error: { code: -32602 } });
    expect(questions()).toEqual([]);
  });

  it('that a call fails for (−32042) is shown, and the call is to be made again after it; another server’s word that it is over clears nothing', async () => {
    await using app = await open();
    const { test, browser, chatId, run, asked, answer, questions } = app;
    const shop = await test.addServer('shop', asks);
    const other = await test.addServer('other', asks);
    const elicitations = [page('https://shop.example/a', 'a'), page('https://shop.example/b', 'b'), page('vscode://bad', 'c'), { message: 'no page', requestedSchema: {} }];
    expect(await run(shop, 'pages', { elicitations })).toMatchObject({ kind: 'failed', code: 'elicitation/url-required', message: expect.stringMatching(/“shop”.*browser.*shop\.example.*again once they have completed it/) });
    expect(await gateway(test, { action: 'call', tool: 'pages', server: 'shop', args: { elicitations } }, chatId)).toMatchObject({ code: 'url_elicitation_required', text: expect.stringMatching(/again once they have completed it/) });
    await asked(2);
    expect(questions().map(({ serverId, ask }) => [serverId, ask])).toEqual(['a', 'b'].map((name) => [shop, { kind: 'url', url: `https://shop.example/${name}`, host: 'shop.example', phase: 'asked', retry: true }]));
    await run(other, 'complete', { id: 'a' });
    expect(questions()).toHaveLength(2);
    await answer('accept');
    expect(browser.opened).toEqual(['https://shop.example/a']);
    await run(shop, 'complete', { id: 'a' });
    await asked(1);
    await answer('cancel');
    expect(questions()).toEqual([]);
    expect(await run(shop, 'pages', { elicitations: [] })).toMatchObject({ code: 'elicitation/url-required', message: expect.stringContaining('no address') });
    await run(shop, 'pages', { elicitations });
    await asked(2);
    await test.ask('servers.stop', { serverId: shop });
    expect(questions()).toEqual([]);
  });

  it('says so where there is nobody to show it to', async () => {
    await using app = await open({ hasWindow: false });
    const shop = await app.test.addServer('shop', asks);
    expect(await app.run(shop, 'pages', { elicitations: [page('https://shop.example/a')] })).toMatchObject({ code: 'elicitation/url-required', message: expect.stringContaining('nobody to show it to') });
    expect(app.questions()).toEqual([]);
  });
});
