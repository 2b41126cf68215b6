import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerId } from '../../src/shared/ids.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { useOwnTool } from '../support/own-tool.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const shelf = join(import.meta.dirname, '../servers/stdio/shelf.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const tool = (name: string, more: object = {}) => ({ name, description: `The tool ${name}`, inputSchema: { type: 'object', properties: {} }, ...more });
const offer = (file: string, what: object) => writeFileSync(file, JSON.stringify(what));
const patch = (test: TestApp, fields: object) => test.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'shelf', fields }] });
const own = async (test: TestApp, name: string, args: Record<string, unknown>): Promise<string> => JSON.stringify((await useOwnTool(test, name, args)).outcome);
const line = async (test: TestApp, name: string) => (await test.ask('catalog.lines', { text: '' })).lines.find(({ tool: own }) => own === name);

/** A model that only answers: what it was given is in its requests. */
async function withModel(test: TestApp): Promise<ModelServer> {
  const server = await startModelServer();
  server.on({ hasToolResult: false }, { text: 'Done' });
  const { providerId } = await test.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: server.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await test.ask('settings.update', { model: { providerId, model: 'm1' } });
  return server;
}
/** Which tools a model is given with a new chat's first question. */
async function given(test: TestApp, model: ModelServer): Promise<readonly string[]> {
  model.forget();
  const chatId = await test.newChat();
  await test.ask('chats.send', { chatId, text: 'Hello' });
  await test.untilChat(chatId, ({ run, items }) => run.phase !== 'running' && items.length > 1);
  const body = model.requests()[0]?.body as { tools?: { function: { name: string } }[] } | undefined; // in the form of Chat Completions
  return (body?.tools ?? []).map((one) => one.function.name).filter((name) => !['mcp', 'mcp_search', 'mcp_script'].includes(name));
}

/** What every door says to one who wants the tool `name` of the server `shelf`. */
async function attempts(test: TestApp, model: ModelServer, serverId: ServerId, name: string) {
  const chatId = await test.newChat();
  const ref = (await test.ask('servers.catalog', { serverId }))?.tools.find((one) => one.ref.tool === name)?.ref;
  const direct = async () => {
    if (!ref) return 'no such tool';
    const { callId } = await test.ask('chats.call-tool', { chatId, ref, args: {} });
    const view = (await test.untilChat(chatId, ({ calls }) => calls[callId]?.phase === 'settled')).calls[callId];
    return JSON.stringify(view?.phase === 'settled' ? view.outcome : undefined);
  };
  const page = async (text: string) => JSON.stringify((await test.ask('catalog.page', { text, offset: 0, limit: 200 })).tools.map((one) => one.ref.tool));
  return {
    direct: await direct(),
    list: await page(''),
    words: await page(name),
    found: JSON.stringify((await test.ask('catalog.search', { text: name, limit: 8 })).tools.map((one) => one.ref.tool)),
    search: await own(test, 'mcp_search', { query: `select:${name}` }),
    gatewayList: await own(test, 'mcp', { action: 'list', server: 'shelf' }),
    describe: await own(test, 'mcp', { action: 'describe', tool: name, server: 'shelf' }),
    call: await own(test, 'mcp', { action: 'call', tool: name, server: 'shelf' }),
    script: await own(test, 'mcp_script', { code: `emit(await tools.call(${JSON.stringify(name)}, {}, 'shelf'))` }),
    typed: JSON.stringify(await given(test, model)),
  };
}

async function openShelf(what: object, env: Readonly<Record<string, string>> = {}): Promise<{ readonly test: TestApp; readonly serverId: ServerId; readonly file: string; readonly model: ModelServer } & AsyncDisposable> {
  const file = join(tempFolder(), 'shelf.json');
  offer(file, what);
  const test = await TestApp.open(parts, { env });
  const serverId = await test.addServer('shelf', shelf, [file]);
  const model = await withModel(test);
  await test.ask('settings.update', { approvals: 'unrestricted' });
  return {
    test, serverId, file, model,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
const ran = (name: string) => new RegExp(`ran[\\\\": ]+${name}`);

describe('a tool that a filter hides', () => {
  it('[F-69] [S14] is behind no door: typed, gateway, script, search, page, Direct mode; also when the server lists it later', { timeout: 60_000 }, async () => {
    await using shelfApp = await openShelf({ tools: [tool('weigh')] });
    const { test, serverId, file, model } = shelfApp;
    await patch(test, { excludeTools: ['melt*'], directTools: true });
    offer(file, { tools: [tool('weigh'), tool('melt_down')] });
    // The answer comes after the notice that the list changed.
    await test.call(await test.newChat(), serverId, 'weigh', {});
    await test.until((state) => state.servers[serverId]?.counts !== undefined);
    await expect.poll(async () => (await line(test, 'melt_down'))?.hidden).toBe('excluded');
    const hidden = await attempts(test, model, serverId, 'melt_down');
    expect(hidden.direct).toContain('tool/not-found');
    for (const said of Object.values(hidden)) expect(said).not.toMatch(ran('melt_down'));
    for (const shown of [hidden.list, hidden.words, hidden.found, hidden.gatewayList, hidden.typed]) expect(shown).not.toContain('melt_down');
    for (const refused of [hidden.describe, hidden.call, hidden.script]) expect(refused).toContain('tool_not_found');
    await patch(test, { excludeTools: [] });
    const open = await attempts(test, model, serverId, 'melt_down');
    for (const door of [open.direct, open.call, open.script]) expect(door).toMatch(ran('melt_down'));
    for (const shown of [open.list, open.words, open.found, open.search, open.gatewayList, open.describe, open.typed]) expect(shown).toContain('melt_down');
  });

  it('hides resources by their alias, and all of them when they are not exposed', async () => {
    await using shelfApp = await openShelf({ tools: [tool('weigh')], resources: [{ uri: 'shelf:plan', name: 'Secret plan' }, { uri: 'shelf:menu', name: 'Menu' }] });
    const { test, serverId } = shelfApp;
    const names = async () => (await test.ask('servers.catalog', { serverId }))?.resources.map(({ name }) => name);
    await patch(test, { excludeTools: ['read_secret_*'] });
    expect(await names()).toEqual(['Menu']);
    expect(await own(test, 'mcp', { action: 'read-resource', server: 'shelf', uri: 'shelf:plan' })).not.toContain('the text of');
    expect(await own(test, 'mcp', { action: 'read-resource', server: 'shelf', uri: 'shelf:menu' })).toContain('the text of shelf:menu');
    await patch(test, { excludeTools: null, exposeResources: false });
    expect(await names()).toEqual([]);
    expect(await own(test, 'mcp', { action: 'read-resource', server: 'shelf', uri: 'shelf:menu' })).not.toContain('the text of');
  });

  it('costs a remembered list nothing: the same server is known under other filters, also after a new start', async () => {
    const folder = tempFolder();
    const [home, file, keyring] = [join(folder, 'home'), join(folder, 'shelf.json'), new MemoryKeyring()];
    offer(file, { tools: [tool('weigh'), tool('melt')] });
    {
      await using test = await TestApp.open(parts, { home, keyring });
      await test.addServer('shelf', shelf, [file]);
      await patch(test, { excludeTools: ['melt'] });
    }
    await using test = await TestApp.open(parts, { home, keyring });
    expect((await test.ask('catalog.lines', { text: '' })).lines.filter(({ serverName }) => serverName === 'shelf')).toMatchObject([{ tool: 'weigh' }, { tool: 'melt', hidden: 'excluded' }]);
  });
});

describe('pins', () => {
  it('[F-66] are typed under no reserved name and none that another tool has, whatever the prefix', async () => {
    await using shelfApp = await openShelf({ tools: [tool('read'), tool('mcp_search'), tool('weigh')] });
    const { test, model } = shelfApp;
    await patch(test, { directTools: true, toolPrefix: 'none' });
    const names = await given(test, model);
    expect(names).toContain('weigh');
    expect(names.filter((name) => /^read_[0-9a-f]{8}$/.test(name))).toHaveLength(1);
    expect(names).not.toContain('read');
    expect(new Set(names).size).toBe(names.length);
  });

  it('[F-71] leave a model’s tools with the tool, and resources and prompts follow, when the server says that its lists changed', async () => {
    await using shelfApp = await openShelf({ tools: [tool('weigh'), tool('count')], resources: [{ uri: 'a:1', name: 'one' }], prompts: [{ name: 'p' }] });
    const { test, serverId, file, model } = shelfApp;
    await patch(test, { directTools: true });
    expect(await given(test, model)).toEqual(['mcp_shelf_weigh', 'mcp_shelf_count']);
    offer(file, { tools: [tool('weigh'), tool('stack')], resources: [{ uri: 'a:2', name: 'two' }], prompts: [{ name: 'q' }] });
    await test.call(await test.newChat(), serverId, 'weigh', {});
    await expect.poll(async () => (await test.ask('servers.catalog', { serverId }))?.prompts[0]?.name).toBe('q');
    expect(await test.ask('servers.catalog', { serverId })).toMatchObject({ resources: [{ name: 'two' }], tools: [{ ref: { tool: 'weigh' } }, { ref: { tool: 'stack' } }] });
    expect(await given(test, model)).toEqual(['mcp_shelf_weigh', 'mcp_shelf_stack']);
    // A reconnect does the same.
    offer(file, { tools: [tool('stack')] });
    await test.ask('servers.restart', { serverId });
    expect(await given(test, model)).toEqual(['mcp_shelf_stack']);
  });

  it('[F-104] that are kept as they are stay so until the server is connected by hand', async () => {
    await using shelfApp = await openShelf({ tools: [tool('weigh'), tool('count')] });
    const { test, serverId, file, model } = shelfApp;
    await patch(test, { directTools: true });
    await test.ask('settings.update', { freezeDirectTools: true });
    expect(await given(test, model)).toEqual(['mcp_shelf_weigh', 'mcp_shelf_count']);
    offer(file, { tools: [tool('weigh'), tool('stack')] });
    await test.call(await test.newChat(), serverId, 'weigh', {});
    await expect.poll(async () => (await line(test, 'stack'))?.tool).toBe('stack');
    expect(await given(test, model)).toEqual(['mcp_shelf_weigh', 'mcp_shelf_count']);
    await test.ask('servers.restart', { serverId });
    expect(await given(test, model)).toEqual(['mcp_shelf_weigh', 'mcp_shelf_stack']);
  });

  it('[F-103] are what MCP_DIRECT_TOOLS says, whatever files and settings say; with __none__ nothing is typed and everything is found', async () => {
    for (const [variable, expected] of [['other,shelf/count', ['mcp_shelf_count']], ['__none__', []]] as const) {
      await using shelfApp = await openShelf({ tools: [tool('weigh'), tool('count')] }, { MCP_DIRECT_TOOLS: variable });
      const { test, model } = shelfApp;
      await patch(test, { directTools: ['weigh'] });
      await test.ask('settings.update', { directTools: true });
      expect(await given(test, model)).toEqual(expected);
      expect((await test.ask('catalog.lines', { text: '' })).pins).toEqual({ count: expected.length, many: false, fixed: true });
      expect(await own(test, 'mcp_search', { query: 'weigh' })).toContain('mcp_shelf_weigh');
    }
  });

  it('[F-109] say so when there are 75 of them, and not when there is one less', async () => {
    await using shelfApp = await openShelf({ tools: Array.from({ length: 76 }, (_, at) => tool(`t${at}`)) });
    const { test } = shelfApp;
    const names = Array.from({ length: 75 }, (_, at) => `t${at}`);
    await patch(test, { directTools: names.slice(1) });
    expect((await test.ask('catalog.lines', { text: '' })).pins).toEqual({ count: 74, many: false, fixed: false });
    await patch(test, { directTools: names });
    expect((await test.ask('catalog.lines', { text: '' })).pins).toEqual({ count: 75, many: true, fixed: false });
  });

  it('[S15] and filters are a person’s: they outlive new versions of the server, new starts and everything that is not about them', async () => {
    const folder = tempFolder();
    const [home, file, keyring] = [join(folder, 'home'), join(folder, 'shelf.json'), new MemoryKeyring()];
    offer(file, { tools: [tool('weigh'), tool('melt')] });
    {
      await using test = await TestApp.open(parts, { home, keyring });
      await test.addServer('shelf', shelf, [file]);
      await patch(test, { excludeTools: ['melt'], directTools: ['weigh'] });
      await patch(test, { lifecycle: 'lazy' });
    }
    const before = readFileSync(join(home, 'mcp.json'), 'utf8');
    offer(file, { tools: [tool('weigh', { description: 'It weighs more exactly' }), tool('melt', { description: 'It melts at once' }), tool('more')], instructions: 'Version 2' });
    await using test = await TestApp.open(parts, { home, keyring });
    await test.ask('servers.start', { serverId: test.server('shelf') });
    expect((await test.ask('catalog.lines', { text: '' })).lines.filter(({ serverName }) => serverName === 'shelf')).toMatchObject([{ tool: 'weigh', pinned: true }, { tool: 'melt', hidden: 'excluded' }, { tool: 'more' }]);
    expect(readFileSync(join(home, 'mcp.json'), 'utf8')).toBe(before);
  });
});
