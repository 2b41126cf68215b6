import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryKeyring } from '../support/memory-keyring.ts';
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
