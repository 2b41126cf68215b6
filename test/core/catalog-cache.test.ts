import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { gateway } from '../support/own-tool.ts';
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
const cacheOf = (home: string): { version: number; servers: Record<string, { tools: { name: string }[]; configHash: string; cachedAt: number }> } => JSON.parse(readFileSync(join(home, 'mcp-cache.json'), 'utf8')) as never; // as the app writes it

/** A home in which the server `shelf` was connected once and then the app was quit. */
async function seenOnce(folder: string, what: object) {
  const home = join(folder, 'home');
  const file = join(folder, 'shelf.json');
  offer(file, what);
  const keyring = new MemoryKeyring();
  {
    await using test = await TestApp.open(parts, { home, keyring });
    await test.addServer('shelf', shelf, [file]);
  }
  return { home, file, keyring };
}

describe('what a server listed is remembered', () => {
  it('[F-79] so that tools are found, listed and shown with nothing connected, and said to be of then', async () => {
    const folder = tempFolder();
    const { home, keyring } = await seenOnce(folder, { tools: [tool('weigh_plums'), tool('count_pears')], resources: [{ uri: 'a:1', name: 'one' }], prompts: [{ name: 'p' }], instructions: 'Weigh first' });
    await using test = await TestApp.open(parts, { home, keyring });
    const found = await test.ask('catalog.search', { text: 'plums', limit: 5 });
    expect(found.tools).toMatchObject([{ serverName: 'shelf', modelName: 'mcp_shelf_weigh_plums' }]);
    expect((await test.ask('catalog.page', { text: '', offset: 0, limit: 200 })).tools.map(({ ref }) => ref.tool)).toEqual(['weigh_plums', 'count_pears']);
    const catalog = await test.ask('servers.catalog', { serverId: test.server('shelf') });
    expect(catalog).toMatchObject({ origin: { from: 'cache', seenAt: expect.any(Number) }, resources: [{ uri: 'a:1' }], prompts: [{ name: 'p' }], instructions: 'Weigh first' });
    for (const args of [{ action: 'search', query: 'plums' }, { action: 'list', server: 'shelf' }, { action: 'describe', tool: 'weigh_plums' }]) {
      const { text } = await gateway(test, args);
      expect(text).toContain('weigh_plums');
      expect(text).toContain('cached, not connected');
    }
    const row = test.state.servers[test.server('shelf')];
    expect(row).toMatchObject({ connection: { phase: 'stopped' }, counts: { tools: 2, resources: 1, prompts: 1 }, catalog: { from: 'cache' } });
  });

  it('until the server is connected, whose list then takes its place and the file’s', async () => {
    const folder = tempFolder();
    const { home, file, keyring } = await seenOnce(folder, { tools: [tool('old')] });
    offer(file, { tools: [tool('new')] });
    {
      await using test = await TestApp.open(parts, { home, keyring });
      const id = test.server('shelf');
      expect((await test.ask('servers.catalog', { serverId: id }))?.tools.map(({ ref }) => ref.tool)).toEqual(['old']);
      await test.ask('servers.start', { serverId: id });
      expect(await test.ask('servers.catalog', { serverId: id })).toMatchObject({ tools: [{ ref: { tool: 'new' } }], origin: { from: 'live' } });
      await test.ask('servers.stop', { serverId: id });
      expect(await test.ask('servers.catalog', { serverId: id })).toMatchObject({ tools: [{ ref: { tool: 'new' } }], origin: { from: 'cache' } });
    }
    expect(cacheOf(home).servers[`global:shelf`]?.tools).toMatchObject([{ name: 'new' }]);
  });

  it('[F-78] server by server: what another process wrote of another server stays', async () => {
    const folder = tempFolder();
    const { home, keyring } = await seenOnce(folder, { tools: [tool('a')] });
    const path = join(home, 'mcp-cache.json');
    const cache = cacheOf(home);
    const entry = cache.servers['global:shelf'];
    writeFileSync(path, JSON.stringify({ ...cache, servers: { ...cache.servers, 'global:other': entry } }));
    {
      await using test = await TestApp.open(parts, { home, keyring });
      await test.startNotes();
    }
    expect(Object.keys(cacheOf(home).servers).sort()).toEqual(['built-in:Notes', 'global:other', 'global:shelf']);
    expect(cacheOf(home).servers['global:other']).toEqual(entry);
  });

  it('[F-77] not for another configuration, not when it is too old, and whatever lifecycle and limits say', async () => {
    const folder = tempFolder();
    const { home, keyring } = await seenOnce(folder, { tools: [tool('a')] });
    const config = join(home, 'mcp.json');
    const written = readFileSync(config, 'utf8');
    const cache = cacheOf(home);
    const knows = async () => {
      await using test = await TestApp.open(parts, { home, keyring });
      return (await test.ask('servers.catalog', { serverId: test.server('shelf') })) !== undefined;
    };
    const withFields = (fields: object) => {
      const parsed = JSON.parse(written) as { mcpServers: { shelf: object } }; // as the app wrote it
      writeFileSync(config, JSON.stringify({ mcpServers: { shelf: { ...parsed.mcpServers.shelf, ...fields } } }));
    };
    withFields({ lifecycle: 'lazy', idleTimeout: 3, requestTimeoutMs: 5_000, debug: true });
    expect(await knows()).toBe(true);
    withFields({ env: { MODE: 'other' } });
    expect(await knows()).toBe(false);
    withFields({ excludeTools: ['b'] });
    expect(await knows()).toBe(false);
    writeFileSync(config, written);
    expect(await knows()).toBe(true);
    const [[key, entry] = []] = Object.entries(cache.servers);
    writeFileSync(join(home, 'mcp-cache.json'), JSON.stringify({ version: 2, servers: { [key ?? '']: { ...entry, cachedAt: Date.now() - 7 * 86_400_000 - 1 } } }));
    expect(await knows()).toBe(false);
  });

  it('[F-7] and nothing of it is read from a project, trusted or not', async () => {
    const folder = tempFolder();
    const { home, keyring } = await seenOnce(folder, { tools: [tool('a')] });
    const project = join(folder, 'project');
    mkdirSync(join(project, '.gatehouse'), { recursive: true });
    const cache = readFileSync(join(home, 'mcp-cache.json'), 'utf8');
    for (const place of ['mcp-cache.json', '.gatehouse/mcp-cache.json', '.mcp-cache.json']) writeFileSync(join(project, place), cache);
    rmSync(join(home, 'mcp-cache.json'));
    await using test = await TestApp.open(parts, { home, keyring });
    await test.ask('settings.open-project', { folder: project });
    expect(await test.ask('servers.catalog', { serverId: test.server('shelf') })).toBeUndefined();
    expect(existsSync(join(home, 'mcp-cache.json'))).toBe(false);
  });

  it('an unreadable file costs a look at each server and nothing else', async () => {
    const folder = tempFolder();
    const { home, keyring } = await seenOnce(folder, { tools: [tool('a')] });
    writeFileSync(join(home, 'mcp-cache.json'), '{"version":2,"servers":{"global:shelf":{"tools":"none"},"__proto__":{"x":1}}}');
    await using test = await TestApp.open(parts, { home, keyring });
    const id = test.server('shelf');
    expect(await test.ask('servers.catalog', { serverId: id })).toBeUndefined();
    await test.ask('servers.start', { serverId: id });
    expect((await test.ask('servers.catalog', { serverId: id }))?.tools).toHaveLength(1);
  });
});

describe('a tool that is remembered', () => {
  it('is called after its server is connected: one that is as it was runs, one that became another is refused, with words', async () => {
    const folder = tempFolder();
    const { home, file, keyring } = await seenOnce(folder, { tools: [tool('same'), tool('other'), tool('gone')] });
    offer(file, { tools: [tool('same'), tool('other', { description: 'It does more now' })] });
    await using test = await TestApp.open(parts, { home, keyring });
    const id = test.server('shelf');
    const chatId = await test.newChat();
    const [same, other, gone] = await Promise.all(['same', 'other', 'gone'].map((name) => test.tool(id, name)));
    const call = async (tool: typeof same) => {
      if (!tool) throw new Error('no tool');
      const { callId } = await test.ask('chats.call-tool', { chatId, ref: tool.ref, args: {} });
      const view = (await test.untilChat(chatId, ({ calls }) => calls[callId]?.phase === 'settled')).calls[callId];
      return view?.phase === 'settled' ? view.outcome : undefined;
    };
    expect(await call(other)).toMatchObject({ kind: 'failed', code: 'tool/not-found', message: expect.stringContaining('changed') });
    expect(await call(gone)).toMatchObject({ kind: 'failed', code: 'tool/not-found' });
    expect(await call(same)).toMatchObject({ kind: 'succeeded' });
  });

  it('has no secret in the file that a server was started with, and still knows what the server really said', async () => {
    const folder = tempFolder();
    const home = join(folder, 'home');
    const file = join(folder, 'shelf.json');
    const secret = 'sk-canary-4c1d7e90f2';
    offer(file, { tools: [tool('told', { description: `My key is ${secret}` }), tool('needs', { inputSchema: { type: 'object', properties: { key: { const: secret } } } })], instructions: `Use ${secret}` });
    const keyring = new MemoryKeyring();
    {
      await using test = await TestApp.open(parts, { home, keyring });
      const { serverId } = await test.ask('servers.add', { name: 'shelf', transport: { type: 'stdio', command: process.execPath, args: [shelf, file], env: { API_KEY: { secret } } } });
      await test.until((state) => state.servers[serverId]?.counts !== undefined);
    }
    expect(readFileSync(join(home, 'mcp-cache.json'), 'utf8')).not.toContain(secret);
    await using test = await TestApp.open(parts, { home, keyring });
    const id = test.server('shelf');
    const told = await test.tool(id, 'told');
    const chatId = await test.newChat();
    const { callId } = await test.ask('chats.call-tool', { chatId, ref: told.ref, args: {} });
    expect((await test.untilChat(chatId, ({ calls }) => calls[callId]?.phase === 'settled')).calls[callId]).toMatchObject({ outcome: { kind: 'succeeded' } });
  });
});
