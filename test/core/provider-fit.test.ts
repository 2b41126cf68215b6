import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelTool } from '../../src/core/ports.ts';
import type { ChatId, ServerId } from '../../src/shared/ids.ts';
import { ProviderKind } from '../../src/shared/model/settings.ts';
import type { ApprovalAnswer } from '../../src/shared/model/tool-call.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { hostileSchemas } from '../support/hostile-schemas.ts';
import type { ModelReply } from '../support/model-server.ts';
import { startStrictModelServer, type StrictModelServer } from '../support/strict-model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const offers = join(import.meta.dirname, '../servers/stdio/offers.mjs');
const broken = join(import.meta.dirname, '../servers/stdio/broken.mjs');
const modelOf: Readonly<Record<ProviderKind, string>> = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-5', google: 'gemini-3-pro', 'openai-compatible': 'llama3.2' };
const kinds = ProviderKind.options;
const open = { type: 'object', properties: {} };

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

type Tools = readonly { readonly name: string; readonly description?: string; readonly inputSchema: unknown }[];
/** `tools` may be JSON text: some schemas cannot be written by what reads them. */
async function add(test: TestApp, name: string, tools: Tools | string): Promise<ServerId> {
  const file = join(tempFolder(), 'tools.json');
  writeFileSync(file, typeof tools === 'string' ? tools : JSON.stringify(tools));
  const { serverId } = await test.ask('servers.add', { name, transport: { type: 'stdio', command: process.execPath, args: [offers, file], env: {} }, options: { directTools: true } });
  await test.until((state) => state.servers[serverId]?.counts !== undefined);
  return serverId;
}
async function useModel(test: TestApp, server: StrictModelServer, kind: ProviderKind): Promise<void> {
  const { providerId } = await test.ask('models.save-provider', { kind, name: kind, baseUrl: server.baseUrl(kind), key: 'sk-fit-123456', models: [modelOf[kind]] });
  await test.ask('settings.update', { model: { providerId, model: modelOf[kind] } });
}
/** Sends a message; every question is answered alike. Resolves when the run rests. */
async function send(test: TestApp, text: string, answer?: ApprovalAnswer): Promise<ChatState> {
  const chatId: ChatId = await test.newChat();
  const asked: string[] = [];
  const answering = test.app.state.follow(() => {
    const [approval] = test.state.approvals;
    if (answer === undefined || !approval || asked.includes(approval.id)) return;
    asked.push(approval.id);
    void test.ask('approvals.answer', { approvalId: approval.id, answer });
  });
  try {
    await test.ask('chats.send', { chatId, text });
    return await test.untilChat(chatId, ({ run, items }) => run.phase !== 'running' && items.length > 1);
  } finally {
    answering[Symbol.dispose]();
  }
}
const once: ApprovalAnswer = { decision: 'allow', scope: 'once' };
const said = (chat: ChatState) => chat.items.flatMap((item) => (item.kind === 'assistant' ? [item.text] : [])).join('');
const outcomes = (chat: ChatState) => Object.values(chat.calls).map((call) => (call.phase === 'settled' ? call.outcome : call.phase));
const setAside = (chat: ChatState) => chat.items.flatMap((item) => (item.kind === 'assistant' ? item.toolsSetAside : []));
const offered = (server: StrictModelServer): readonly ModelTool[] => server.asked.at(-1)?.tools ?? [];
const named = (server: StrictModelServer, part: string): ModelTool => {
  const tool = offered(server).find(({ name }) => name.includes(part));
  if (!tool) throw new Error(`${part} was not offered`);
  return tool;
};
/** A model that calls this at once, and then says what came of it. */
const thatCalls = async (server: StrictModelServer, ...calls: NonNullable<ModelReply['calls']>): Promise<void> => {
  server.on({ hasToolResult: false }, { calls: calls.map((call, index) => ({ id: `call_${index}`, ...call })) });
  server.on({ hasToolResult: true }, { text: 'Done' });
};

/** Several servers and a model each: more than a busy machine does in the usual time. */
const slow = { timeout: 60_000 };

describe.each(kinds)('tools offered to %s', slow, (kind) => {
  it('are never too many for one request, and the chat says which were left out', async () => {
    await using server = await startStrictModelServer();
    server.on({}, { text: 'Hello yourself' });
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    for (const name of ['one', 'two', 'three']) await add(test, name, Array.from({ length: 60 }, (_, index) => ({ name: `tool_${index}`, inputSchema: open })));
    const chat = await send(test, 'hello, no tool is needed');
    expect(said(chat)).toBe('Hello yourself');
    expect(server.asked.map(({ refused }) => refused)).toEqual([[]]);
    const all = offered(server).length + setAside(chat).length;
    expect(all).toBeGreaterThanOrEqual(180);
    expect(offered(server)).toHaveLength(kind === 'anthropic' ? all : 128);
    for (const { name, reason } of setAside(chat)) expect([name, reason]).toEqual([expect.stringMatching(/^mcp_/), 'The model takes no more than 128 tools at once']);
  });

  it('[O19] carry what references mean, are cut where they go round, and are judged by the server’s own schema; nothing is fetched', async () => {
    const fetched: string[] = [];
    await using web = await listener((url) => fetched.push(url));
    await using server = await startStrictModelServer();
    await thatCalls(server, { name: 'mcp_refs_local', args: { k: 'z' } }, { name: 'mcp_refs_local', args: { k: 'x' } }, { name: 'mcp_refs_tree', args: { root: { kids: [{ kids: [{ kids: [{ kids: [7] }] }] }] } } });
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    await add(test, 'refs', [
      { name: 'local', inputSchema: { type: 'object', properties: { k: { $ref: '#/$defs/K' } }, $defs: { K: { enum: ['x', 'y'] } } } },
      { name: 'tree', inputSchema: { type: 'object', properties: { root: { $ref: '#/$defs/N' } }, $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } } } } },
      { name: 'circle', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }] } } } },
      { name: 'web', inputSchema: { type: 'object', properties: { a: { $ref: `${web.url}/s.json` } } } },
      { name: 'beside', inputSchema: { type: 'object', properties: { headers: { type: 'object', properties: { h: { enum: ['q'] } } }, more: { $ref: '#/properties/headers' } } } },
    ]);
    const chat = await send(test, 'go', once);
    expect(server.asked.flatMap(({ refused }) => refused)).toEqual([]);
    expect(named(server, 'refs_local').inputSchema).toMatchObject({ properties: { k: { enum: ['x', 'y'] } } });
    expect(named(server, 'refs_tree').inputSchema).toMatchObject({ properties: { root: { properties: { kids: { items: { properties: { kids: { type: 'array' } } } } } } } });
    expect(named(server, 'refs_beside').inputSchema).toMatchObject({ properties: { more: { properties: { h: { enum: ['q'] } } } } });
    expect(setAside(chat)).toContainEqual({ name: 'mcp_refs_circle', reason: 'Its input schema refers to itself in a circle' });
    expect(named(server, 'refs_web').description).toContain('described elsewhere');
    expect(fetched).toEqual([]);
    // Deeper than what the model was shown, and the whole of it counts.
    expect(outcomes(chat)).toMatchObject([{ kind: 'denied', by: 'guard' }, { kind: 'succeeded' }, { kind: 'denied', by: 'guard' }]);
    expect(said(chat)).toBe('Done');
  });

  it('[O20] have no combinator at the root: its branches are properties, its rule is told, and the server’s schema still judges', async () => {
    await using server = await startStrictModelServer();
    await thatCalls(server, { name: 'mcp_forms_either', args: {} }, { name: 'mcp_forms_either', args: { id: 'i' } }, { name: 'mcp_forms_shape', args: { kind: 'circle', side: 1 } });
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    await add(test, 'forms', [
      { name: 'either', inputSchema: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } }, anyOf: [{ required: ['id'] }, { required: ['name'] }] } },
      { name: 'shape', inputSchema: JSON.parse(hostileSchemas.find(({ name }) => name === 'forms told apart at the root')?.json ?? '') },
      { name: 'nested', inputSchema: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } } },
    ]);
    const chat = await send(test, 'go', once);
    expect(server.asked.flatMap(({ refused }) => refused)).toEqual([]);
    expect(named(server, 'either').description).toMatch(/At least one of these must hold: \(1\) with id; \(2\) with name\.$/);
    expect(named(server, 'either').inputSchema).toMatchObject({ properties: { id: { type: 'string' }, name: { type: 'string' } } });
    expect(named(server, 'shape').inputSchema).toMatchObject({ properties: { kind: { enum: ['circle', 'square'] }, radius: {}, side: {} }, required: ['kind'] });
    expect(named(server, 'nested').inputSchema).toMatchObject({ properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } });
    expect(outcomes(chat)).toMatchObject([{ kind: 'denied', by: 'guard' }, { kind: 'succeeded' }, { kind: 'denied', by: 'guard' }]);
  });

  it('are set aside one by one when the provider refuses them, and the chat goes on and says which', async () => {
    await using server = await startStrictModelServer();
    server.on({}, { text: 'Here I am' });
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    await add(test, 'mixed', ['first', 'second', 'third', 'fourth'].map((name) => ({ name, inputSchema: open })));
    for (const name of ['second', 'fourth']) server.refuse.add(`mcp_mixed_${name}`);
    const chat = await send(test, 'hello');
    expect(said(chat)).toBe('Here I am');
    expect(setAside(chat)).toEqual(['second', 'fourth'].map((name) => ({ name: `mcp_mixed_${name}`, reason: 'The provider refused it' })));
    expect(server.asked).toHaveLength(3);
    expect(named(server, 'mixed_third').name).toBe('mcp_mixed_third');
  });

  it('are taken whatever a server makes of its schemas: all that is offered keeps the provider’s rules, in one request', async () => {
    await using server = await startStrictModelServer();
    server.on({}, { text: 'All well' });
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    const tools = hostileSchemas.filter(({ json }) => json.length < 300_000).map(({ json }, index) => `{"name":"tool_${index}","description":"","inputSchema":${json}}`);
    await add(test, 'hostile', `[${tools.join(',')}]`);
    const chat = await send(test, 'hello');
    expect(said(chat)).toBe('All well');
    expect(server.asked.map(({ refused }) => refused)).toEqual([[]]);
    expect(offered(server).length).toBeGreaterThan(80);
    for (const { reason } of setAside(chat)) expect(reason).toMatch(/^Its input schema /);
  });

  it('[F-106] [U-71] carry neither $schema nor that they are closed, take anything where the schema is of no object, and keep the rest', async () => {
    await using server = await startStrictModelServer();
    await thatCalls(server, { name: 'mcp_kept_closed', args: { a: 'x', b: 1 } }, { name: 'mcp_kept_list', args: { any: ['thing'] } });
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    const closed = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', description: 'What is kept', properties: { a: { type: 'string', description: 'The a' } }, required: ['a'], additionalProperties: false };
    const id = await add(test, 'kept', [{ name: 'closed', description: 'Keeps', inputSchema: closed }, { name: 'list', inputSchema: { type: 'array', items: { type: 'string' } } }]);
    const chat = await send(test, 'go', once);
    expect(named(server, 'kept_closed').inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string', description: 'The a' } }, required: ['a'] });
    expect(named(server, 'kept_list').inputSchema).toEqual({ type: 'object', properties: {} });
    expect((await test.tool(id, 'closed')).inputSchema).toEqual(closed);
    expect((await test.tool(id, 'list')).inputSchema).toEqual({ type: 'object', properties: {} });
    // What the model is not told still counts.
    expect(outcomes(chat)).toMatchObject([{ kind: 'denied', by: 'guard' }, { kind: 'succeeded' }]);
  });
});

describe('names for models', slow, () => {
  const long = 'my-very-long-corporate-documentation-server';
  const tools = ['search_documentation_in_all_available_spaces_v2', 'search_documentation_in_all_available_spaces_v3', 'files.read', 'repo/list', 'a b'];

  it.each(kinds)('[O16] are safe, stable and each its own for names that are too long or of odd characters, and the server hears its own: %s', async (kind) => {
    await using server = await startStrictModelServer();
    await using test = await TestApp.open(parts);
    await useModel(test, server, kind);
    const id = await add(test, long, tools.map((name) => ({ name, inputSchema: open })));
    const names = await Promise.all(tools.map(async (name) => (await test.tool(id, name)).modelName));
    expect(new Set(names).size).toBe(tools.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    await thatCalls(server, ...names.map((name) => ({ name, args: {} })));
    const chat = await send(test, 'go', once);
    expect(server.asked.flatMap(({ refused }) => refused)).toEqual([]);
    // The answer says which name the server was called by; the call shows the same one.
    expect(Object.values(chat.calls).map(({ call }) => [call.serverName, call.ref.tool])).toEqual(tools.map((name) => [long, name]));
    for (const [index, outcome] of outcomes(chat).entries()) expect(JSON.stringify(outcome)).toContain(JSON.stringify(JSON.stringify({ ran: tools[index] })).slice(1, -2));
    await test.ask('servers.restart', { serverId: id });
    await test.until((state) => state.servers[id]?.connection.phase === 'ready');
    expect(await Promise.all(tools.map(async (name) => (await test.tool(id, name)).modelName))).toEqual(names);
  });

  it('[O17] never run together where no letter is Latin; permissions hold for the tool and not for its name, in a home of such a name too', async () => {
    await using server = await startStrictModelServer();
    await using test = await TestApp.open(parts, { home: join(tempFolder(), '用户') });
    await useModel(test, server, 'openai');
    const weather = await add(test, '天气', ['查询天气', '查询空气'].map((name) => ({ name, inputSchema: open })));
    const log = await add(test, '日志', [{ name: '查询天气', inputSchema: open }]);
    const of = async (id: ServerId, name: string) => (await test.tool(id, name)).modelName;
    const names = [await of(weather, '查询天气'), await of(weather, '查询空气'), await of(log, '查询天气')];
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{7,63}$/);
    await thatCalls(server, { name: names[0] ?? '', args: {} });
    const chat = await send(test, '天气', { decision: 'allow', scope: 'tool' });
    expect(outcomes(chat)).toMatchObject([{ kind: 'succeeded' }]);
    expect(Object.values(chat.calls)[0]?.call).toMatchObject({ serverName: '天气', ref: { serverId: weather, tool: '查询天气' } });
    expect(test.state.grants).toMatchObject([{ serverId: weather, serverName: '天气', tool: { name: '查询天气' } }]);
    expect(JSON.stringify(test.state.grants)).not.toContain(names[0]);
    // A server that comes later makes names change, and takes no permission with it.
    await add(test, '天 气', [{ name: '查询天气', inputSchema: open }]);
    expect(await of(weather, '查询天气')).toBe(names[0]);
    expect(outcomes(await send(test, '天气'))).toMatchObject([{ kind: 'succeeded' }]);
  });

  it('[O18] lead to the server they were made for and to no other, whatever the names; what is always allowed for one asks for the other', async () => {
    await using server = await startStrictModelServer();
    await using test = await TestApp.open(parts);
    await useModel(test, server, 'anthropic');
    const [staging, production] = [await add(test, 'staging-db', [{ name: 'execute_sql', inputSchema: open }]), await add(test, 'prod-db', [{ name: 'execute_sql', inputSchema: open }])];
    const [first, second] = [await add(test, 'a_b', [{ name: 'c', inputSchema: open }]), await add(test, 'a', [{ name: 'b_c', inputSchema: open }])];
    const name = async (id: ServerId, tool: string) => (await test.tool(id, tool)).modelName;
    const names = [await name(staging, 'execute_sql'), await name(production, 'execute_sql'), await name(first, 'c'), await name(second, 'b_c')];
    expect(new Set(names).size).toBe(4);
    server.on({ userMessage: /staging/, hasToolResult: false }, { calls: [{ id: 's', name: names[0] ?? '', args: {} }] });
    server.on({ userMessage: /production/, hasToolResult: false }, { calls: [{ id: 'p', name: names[1] ?? '', args: {} }] });
    server.on({ userMessage: /bare/, hasToolResult: false }, { calls: [{ id: 'b', name: 'mcp_a_b_c', args: {} }] });
    server.on({ hasToolResult: true }, { text: 'Done' });
    const allowed = await send(test, 'on staging', { decision: 'allow', scope: 'tool' });
    expect(Object.values(allowed.calls)[0]?.call).toMatchObject({ serverName: 'staging-db', ref: { serverId: staging } });
    const questions: unknown[] = [];
    using _watch = test.app.state.follow(() => questions.push(...test.state.approvals.map(({ call }) => call.serverName)));
    expect(outcomes(await send(test, 'on staging'))).toMatchObject([{ kind: 'succeeded' }]);
    expect(questions).toEqual([]);
    expect(outcomes(await send(test, 'on production', { decision: 'deny' }))).toMatchObject([{ kind: 'denied', by: 'user' }]);
    expect(questions[0]).toBe('prod-db');
    // Two would be called this, so nobody is.
    expect(outcomes(await send(test, 'by its bare name'))).toMatchObject([{ kind: 'failed', code: 'tool/not-found' }]);
  });
});

describe('a large or unusual listing', slow, () => {
  it('[O15] keeps its good tools and says beside each other one what is wrong; a list that does not come is a failure in sight, and never no tools', async () => {
    await using server = await startStrictModelServer();
    server.on({}, { text: 'Fine' });
    await using test = await TestApp.open(parts);
    await useModel(test, server, 'anthropic');
    const large = await test.addServer('large', broken, ['large-catalog']);
    expect(test.state.servers[large]?.counts).toMatchObject({ tools: 151, problems: 0 });
    const mixed = await test.addServer('mixed', broken, ['not-a-schema']);
    const listed = (await test.ask('servers.catalog', { serverId: mixed }))?.tools ?? [];
    const problems = listed.filter(({ problem }) => problem !== undefined);
    expect(problems.map(({ ref }) => ref.tool)).toEqual(['null_schema', 'string_schema', 'no_schema']);
    for (const { problem } of problems) expect(problem).toMatch(/input schema/);
    expect(listed.filter(({ ref, problem }) => /^good_\d$/.test(ref.tool) && problem === undefined)).toHaveLength(10);
    expect(listed.find(({ ref }) => ref.tool === 'huge_description')?.problem).toBeUndefined();
    expect(said(await send(test, 'hello'))).toBe('Fine');
    expect(server.asked.flatMap(({ refused }) => refused)).toEqual([]);
    const { serverId: lost } = await test.ask('servers.add', { name: 'lost', transport: { type: 'stdio', command: process.execPath, args: [broken, 'paged', 'fails'], env: {} } });
    await test.until((state) => (state.servers[lost]?.warnings?.length ?? 0) > 0);
    expect(test.state.servers[lost]?.warnings?.join()).toMatch(/page 3|tools/i);
  });
});

/** Who would be asked if anything were fetched. */
async function listener(seen: (url: string) => void): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    seen(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}
