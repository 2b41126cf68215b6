import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId, ToolCallId } from '../../src/shared/ids.ts';
import type { Approval, ApprovalAnswer, ToolCallView } from '../../src/shared/model/tool-call.ts';
import { ownToolNames } from '../../src/shared/model/own-tools.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { startMirror } from '../servers/http/mirror.ts';
import { RawServer } from '../servers/http/raw-server.ts';
import { startModern } from '../servers/http/sdk-modern.ts';
import { defineShelves, objectTool, ownAnswer, useOwnTool } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const once: ApprovalAnswer = { decision: 'allow', scope: 'once' };
const connect = (url: string, server_name?: string) => ({ name: 'mcp', args: { action: 'call', tool: 'connect_mcp', args: { url, ...(server_name === undefined ? {} : { server_name }) } } });
const search = (query: string) => ({ name: 'mcp_search', args: { query } });
const through = (tool: string, args: object = {}) => ({ name: 'mcp', args: { action: 'call', tool, args } });

/** The next question that is none of those before, answered. */
async function answered(test: TestApp, answer: ApprovalAnswer, before: readonly Approval[] = []): Promise<Approval> {
  const next = () => test.state.approvals.find(({ id }) => !before.some((one) => one.id === id));
  await test.until(() => next() !== undefined);
  const approval = next();
  if (!approval) throw new Error('nothing asks');
  await test.ask('approvals.answer', { approvalId: approval.id, answer });
  return approval;
}
/** A run in which each question is answered with the next of these. */
async function run(test: TestApp, answers: readonly ApprovalAnswer[], chatId?: ChatId): Promise<{ readonly chat: ChatState; readonly asked: readonly Approval[] }> {
  const id = chatId ?? (await test.newChat());
  const asked: Approval[] = [];
  const chat = runToRest(test, 'go', id);
  for (const answer of answers) asked.push(await answered(test, answer, asked));
  return { chat: await chat, asked };
}
const viewsOf = ({ calls }: ChatState, tool: string) => Object.values(calls).filter(({ call }) => call.ref.tool === tool);
const answerTo = (view: ToolCallView | undefined) => ownAnswer(view?.phase === 'settled' ? view.outcome : { kind: 'cancelled' });
const connects = (chat: ChatState) => viewsOf(chat, 'connect_mcp').map(answerTo);
async function opened(model: Awaited<ReturnType<typeof scriptedModel>>, options: Parameters<typeof TestApp.open>[1] = {}): Promise<TestApp> {
  const test = await TestApp.open(parts, options);
  await useModel(test, model);
  return test;
}

describe('connect_mcp', () => {
  it('[H-50] [H-52] connects an address for the run, says what it brought, and its tools are called in the same run under a prefix with underscores for hyphens', { timeout: 60_000 }, async () => {
    await using server = await startModern();
    await using model = await scriptedModel([search('select:connect_mcp')], [{ name: 'connect_mcp', args: { url: server.url, server_name: 'my-Modern' } }], [search('select:mcp_my_modern_echo')], [{ name: 'mcp_my_modern_echo', args: { text: 'plums' } }, through('mcp_my_modern_echo', { text: 'pears' })]);
    await using test = await opened(model);
    const { chat, asked } = await run(test, [once, once, once]);
    // Deferred: found by searching, and offered from then on.
    expect([...offeredTo(model, 0).keys()]).toEqual([...ownToolNames]);
    expect([...offeredTo(model, 1).keys()]).toEqual([...ownToolNames, 'connect_mcp']);
    const [made] = connects(chat);
    expect(made?.data).toEqual({ server_name: 'my-Modern', tools_registered: ['echo', 'place', 'steps', 'wait'].map((name) => `mcp_my_modern_${name}`), count: 4 });
    expect(made?.text).toContain('mcp_my_modern_echo');
    const echoes = viewsOf(chat, 'echo').map(answerTo);
    expect(echoes.map(({ text }) => text)).toEqual(['plums', 'pears']);
    expect(asked.map(({ call, target }) => [call.ref.tool, target])).toEqual([['connect_mcp', server.url], ['echo', server.url], ['echo', server.url]]);
    // It ends with the run.
    const seen = server.seen.length;
    expect((await useOwnTool(test, 'mcp', { action: 'list', server: 'my-Modern' })).code).toBe('server_not_found');
    expect(server.seen).toHaveLength(seen);
    expect(Object.values(test.state.servers).map(({ definition }) => definition.name)).not.toContain('my-Modern');
  });

  it('[H-50] takes http and https addresses and plain names only, and asks nobody about anything else', async () => {
    const wrong = [
      {}, { url: '' }, { url: 'stdio:server' }, { url: 'ftp://a.example/' }, { url: 'file:///etc/passwd' }, { url: 'not an address' }, { url: 'https://me:pass@a.example/' }, { url: 'https://a.example/', extra: 1 }, { url: 7 },
      { url: 'https://a.example/?k=${HOME}' }, { url: 'https://a.example/?k=${secret:docs-token}' }, { url: 'https://a.example/?k={env:HOME}' }, { url: 'https://a.example/?k=$\n{HOME}' },
      ...['my server', 'a.b', 'ü', 'a/b', 'x'.repeat(65)].map((server_name) => ({ url: 'https://a.example/', server_name })),
    ];
    await using model = await scriptedModel(wrong.map((args) => through('connect_mcp', args)));
    await using test = await opened(model);
    const { chat, asked } = await run(test, []);
    expect(asked).toEqual([]);
    expect(connects(chat).map(({ code }) => code)).toEqual(wrong.map(() => 'invalid_arguments'));
    expect(Object.values(chat.calls).filter(({ call, phase }) => call.ref.tool === 'connect_mcp' && phase === 'settled').every((view) => !('startedAt' in view) || view.startedAt === undefined)).toBe(true);
  });

  it('[H-50] calls a server after its host, dots and colons as underscores, where no name is given', async () => {
    await using server = await RawServer.start();
    await using model = await scriptedModel([connect(server.url), connect('http://[::1]:1/mcp'), connect('http://localhost:1/mcp')]);
    await using test = await opened(model);
    const { chat } = await run(test, [once, once, once]);
    const [byAddress, ...others] = connects(chat);
    expect(byAddress?.data).toMatchObject({ server_name: '127_0_0_1', tools_registered: ['mcp_127_0_0_1_echo'], count: 1 });
    for (const { code } of others) expect(code).toBe('connect_failed');
  });

  it('[H-51] refuses a name that is taken, by a configured server or one of this run, and takes a server without tools with a message', async () => {
    await using empty = await RawServer.start({ tools: [] });
    await using model = await scriptedModel([connect(empty.url, 'shelf-one')], [connect(empty.url, 'Shelf_one'), connect(empty.url, 'books')]);
    await using test = await opened(model);
    await defineShelves(test, [{ name: 'books', tools: [] }]);
    const { chat, asked } = await run(test, [once]);
    const [first, again, configured] = connects(chat);
    expect(first).toMatchObject({ outcome: { kind: 'succeeded' }, data: { server_name: 'shelf-one', tools_registered: [], count: 0 }, text: expect.stringContaining('no tools') as string });
    for (const refusal of [again, configured]) expect(refusal).toMatchObject({ code: 'invalid_arguments', text: expect.stringContaining('already') as string });
    expect(asked).toHaveLength(1);
  });

  it('[H-51] a name that was taken while the person thought about it is refused too', async () => {
    await using server = await RawServer.start();
    await using model = await scriptedModel([connect(server.url, 'twice'), connect(server.url, 'twice')]);
    await using test = await opened(model);
    const chatId = await test.newChat();
    const resting = runToRest(test, 'go', chatId);
    await test.until(({ approvals }) => approvals.length === 2);
    for (const { id } of test.state.approvals) await test.ask('approvals.answer', { approvalId: id, answer: once });
    const chat = await resting;
    expect(connects(chat).map(({ code }) => code ?? 'connected').toSorted()).toEqual(['connected', 'invalid_arguments']);
  });

  it('[H-48] what it brought is found by words, by its exact name and without a query, and is loaded by that', async () => {
    await using server = await RawServer.start({ tools: [objectTool('press_plums', 'Makes juice of plums') as never, objectTool('peel', 'Peels a pear') as never] });
    await using model = await scriptedModel([connect(server.url, 'orchard')], [search('plum juice'), through('find_tool', { query: 'select:mcp_orchard_peel' }), through('find_tool', {})]);
    await using test = await opened(model);
    const chatId = await test.newChat();
    const { chat } = await run(test, [once], chatId);
    const [byWords] = viewsOf(chat, 'mcp_search').map(answerTo);
    expect(byWords?.data).toMatchObject({ items: [{ path: 'mcp_orchard_press_plums', loaded: true }] });
    expect([...offeredTo(model, 2).keys()].toSorted()).toEqual([...ownToolNames, 'mcp_orchard_peel', 'mcp_orchard_press_plums'].toSorted());
    expect(JSON.stringify(answerTo(viewsOf(chat, 'mcp')[2]).data)).toContain('mcp_orchard_peel');
    // The next run, in which the person says no, knows nothing of it.
    const { chat: next } = await run(test, [{ decision: 'deny' }], chatId);
    expect([3, 4, 5].map((request) => [...offeredTo(model, request).keys()])).toEqual([[...ownToolNames], [...ownToolNames], [...ownToolNames]]);
    const [, , , , byName, byPages] = viewsOf(next, 'mcp').map(answerTo);
    expect(byName?.code).toBe('tool_not_found');
    expect(JSON.stringify(byPages?.data)).not.toContain('orchard');
  });

  it('is at hand from the first request on where a profile names it, once, and is denied where a profile allows others only; neither gives more than the profile allows', { timeout: 60_000 }, async () => {
    await using server = await RawServer.start({ tools: [objectTool('press', 'Presses plums') as never, objectTool('peel', 'Peels a pear') as never] });
    await using model = await scriptedModel([search('select:connect_mcp'), { name: 'connect_mcp', args: { url: server.url, server_name: 'orchard' } }], [through('connect_mcp', { url: server.url })]);
    await using test = await opened(model);
    mkdirSync(join(test.home, 'profiles'), { recursive: true });
    const profile = async (name: string, allow: readonly string[]) => {
      writeFileSync(join(test.home, 'profiles', `${name}.toml`), `[tools]\nallow = ${JSON.stringify(allow)}\n`);
      return (await test.ask('chats.create', { profile: name })).chatId;
    };
    const naming = await run(test, [once, once], await profile('naming', ['connect_mcp', 'mcp_orchard_press']));
    expect([0, 1].map((request) => [...offeredTo(model, request).keys()])).toEqual([[...ownToolNames, 'connect_mcp'], [...ownToolNames, 'connect_mcp']]);
    expect(connects(naming.chat)[0]?.data).toEqual({ server_name: 'orchard', tools_registered: ['mcp_orchard_press'], count: 1 });
    const before = model.requests().length;
    const other = await run(test, [], await profile('other', ['mcp_*']));
    expect([...offeredTo(model, before).keys()]).toEqual([...ownToolNames]);
    expect(viewsOf(other.chat, 'connect_mcp').map((view) => view.phase === 'settled' && view.outcome)).toMatchObject([{ kind: 'failed', code: 'tool/not-found' }, { kind: 'denied', by: 'policy' }]);
  });

  it('is not there without a run: for a person in Direct mode and for the command line', async () => {
    await using server = await RawServer.start();
    await using test = await TestApp.open(parts);
    const args = { action: 'call', tool: 'connect_mcp', args: { url: server.url } };
    for (const chatId of [undefined, await test.newChat()]) expect(await useOwnTool(test, 'mcp', args, chatId)).toMatchObject({ code: 'connect_failed', text: expect.stringContaining('run of a chat') as string });
    expect([test.state.approvals, server.seen]).toEqual([[], []]);
  });
});

describe('the question of connect_mcp', () => {
  it('is put whatever is allowed, names the whole address, and nothing is contacted before its answer', async () => {
    await using server = await startMirror();
    await using model = await scriptedModel([connect(`${server.url}?shelf=7#top`, 'mirror')]);
    await using test = await opened(model);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    const chatId = await test.newChat();
    await test.ask('chats.send', { chatId, text: 'go' });
    await test.until(({ approvals }) => approvals.length > 0);
    const [approval] = test.state.approvals;
    expect(approval).toMatchObject({ target: `${server.url}?shelf=7`, onceOnly: true, toolTitle: 'Connect to a new server', call: { ref: { tool: 'connect_mcp' }, args: { url: `${server.url}?shelf=7#top` } } });
    const waiting = Object.values((await test.chat(chatId)).calls).find(({ call }) => call.ref.tool === 'connect_mcp');
    expect(waiting).toMatchObject({ phase: 'waiting', approvalId: approval?.id });
    expect(server.seen).toEqual([]);
    const id = approval?.id ?? ('' as never);
    for (const scope of ['chat', 'tool', 'server'] as const) await expect(test.ask('approvals.answer', { approvalId: id, answer: { decision: 'allow', scope } })).rejects.toMatchObject({ code: 'request/invalid' });
    await expect(test.ask('approvals.answer', { approvalId: id, answer: once }, { kind: 'http-api' })).rejects.toMatchObject({ code: 'request/forbidden' });
    expect([test.state.approvals.length, server.seen.length, test.state.grants]).toEqual([1, 0, []]);
    await answered(test, once);
    const chat = await test.untilChat(chatId, ({ run: { phase }, items }) => phase !== 'running' && items.length > 1);
    expect(connects(chat)[0]?.data).toMatchObject({ server_name: 'mirror', count: 2 });
    // Made by the gateway's call.
    const [made] = viewsOf(chat, 'connect_mcp');
    expect([made?.call.parentId, Object.values(chat.calls).find(({ call }) => call.ref.tool === 'mcp')?.inner]).toEqual([Object.keys(chat.calls)[0] as ToolCallId, [made?.call.id]]);
    expect(server.seen.every(({ path }) => path === '/mcp?shelf=7')).toBe(true);
  });

  it('comes again for the same address, and a no is a no', async () => {
    await using server = await RawServer.start();
    await using model = await scriptedModel([connect(server.url)], [connect(server.url)]);
    await using test = await opened(model);
    const { chat } = await run(test, [{ decision: 'deny', reason: 'not this one' }, { decision: 'deny' }]);
    expect(viewsOf(chat, 'connect_mcp').map((view) => view.phase === 'settled' && view.outcome)).toEqual([{ kind: 'denied', by: 'user', reason: 'not this one' }, { kind: 'denied', by: 'user', reason: '' }]);
    expect(server.seen).toEqual([]);
  });

  it('connects to what the person made of the arguments, judged anew, and has that on disk before anything leaves', async () => {
    await using asked = await RawServer.start();
    let atFirst: string | undefined;
    const transcript = () => readFileSync(join(test.home, 'chats', `${chatId}.jsonl`), 'utf8');
    await using meant = await RawServer.start({ tools: [objectTool('other', 'Another') as never], take: () => ((atFirst ??= transcript()), false) });
    await using model = await scriptedModel([connect(asked.url)], [connect(asked.url)]);
    await using test = await opened(model);
    const edited = (args: Record<string, unknown>): ApprovalAnswer => ({ decision: 'allow', scope: 'once', args });
    const chatId = await test.newChat();
    const { chat } = await run(test, [edited({ url: 'ftp://elsewhere.example/' }), edited({ url: meant.url, server_name: 'meant' })], chatId);
    expect(atFirst?.split('\n').filter((line) => line.includes('"call-started"') && line.includes(meant.url))).toHaveLength(1);
    const [refused, made] = connects(chat);
    expect(refused?.code).toBe('invalid_arguments');
    expect(made?.data).toMatchObject({ server_name: 'meant', tools_registered: ['mcp_meant_other'] });
    expect(viewsOf(chat, 'connect_mcp')[1]?.call.args).toEqual({ url: meant.url, server_name: 'meant' });
    expect(asked.seen).toEqual([]);
  });

  it('is not put where tools are locked down or everything is paused, and fails closed with nobody to ask', { timeout: 60_000 }, async () => {
    await using server = await RawServer.start();
    for (const set of ['locked-down', 'paused'] as const) {
      await using model = await scriptedModel([connect(server.url)]);
      await using test = await opened(model);
      await (set === 'paused' ? test.ask('servers.pause-all', { paused: true }) : test.ask('settings.update', { approvals: set }));
      const { chat } = await run(test, []);
      expect(viewsOf(chat, 'connect_mcp')[0]).toMatchObject({ outcome: { kind: 'denied', by: 'policy' } });
    }
    await using model = await scriptedModel([connect(server.url)]);
    await using test = await opened(model, { interaction: 'none' });
    const { chat } = await run(test, []);
    expect(viewsOf(chat, 'connect_mcp')[0]).toMatchObject({ outcome: { kind: 'failed', code: 'approval/required' } });
    expect(server.seen).toEqual([]);
  });

  it('is answered for nothing where everything was paused meanwhile', async () => {
    await using server = await RawServer.start();
    await using model = await scriptedModel([connect(server.url)]);
    await using test = await opened(model);
    const resting = runToRest(test, 'go');
    await test.until(({ approvals }) => approvals.length > 0);
    await test.ask('servers.pause-all', { paused: true });
    await answered(test, once);
    expect(viewsOf(await resting, 'connect_mcp')[0]).toMatchObject({ outcome: { kind: 'denied', by: 'policy' } });
    expect(server.seen).toEqual([]);
  });

  it('goes with its run: when the person stops it, nothing is connected', async () => {
    await using server = await RawServer.start();
    await using model = await scriptedModel([connect(server.url)]);
    await using test = await opened(model);
    const chatId = await test.newChat();
    await test.ask('chats.send', { chatId, text: 'go' });
    await test.until(({ approvals }) => approvals.length > 0);
    await test.ask('chats.stop', { chatId });
    const chat = await test.untilChat(chatId, ({ run: { phase } }) => phase === 'resting');
    expect(viewsOf(chat, 'connect_mcp')[0]).toMatchObject({ phase: 'settled', outcome: { kind: 'cancelled' } });
    expect([test.state.approvals, server.seen]).toEqual([[], []]);
  });
});
