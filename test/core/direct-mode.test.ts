import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const broken = join(import.meta.dirname, '../servers/stdio/broken.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

describe('a home that was never used', () => {
  it('offers Notes asleep, Files waiting for a folder, and starts neither', async () => {
    await using test = await TestApp.open(parts);
    expect(Object.values(test.state.servers).map(({ definition, connection }) => [definition.name, connection.phase])).toEqual([['Notes', 'stopped'], ['Files', 'needs']]);
    expect(test.app.busy()).toEqual({ runs: 0, calls: 0, approvals: 0 });
  });

  it('wakes Notes when a person looks for a tool, and finds it', async () => {
    await using test = await TestApp.open(parts);
    const first = await test.ask('catalog.search', { text: 'add a note', limit: 5 });
    expect(first.tools).toEqual([]);
    expect(first.missing).toMatchObject([{ serverName: 'Notes' }]);
    await test.until((state) => state.servers[test.server('Notes')]?.counts !== undefined);
    const found = await test.ask('catalog.search', { text: 'add a note', limit: 5 });
    expect(found.tools[0]).toMatchObject({ serverName: 'Notes', ref: { tool: 'add_note' } });
  });
});

describe('Direct mode', () => {
  it('runs a tool without a model, records it and shows its result', async () => {
    await using test = await TestApp.open(parts);
    const notes = await test.startNotes();
    const chatId = await test.newChat();
    const added = await test.call(chatId, notes, 'add_note', { title: 'Plums', text: 'Buy plums' });
    expect(added.outcome).toMatchObject({ kind: 'succeeded' });
    const found = await test.call(chatId, notes, 'find_notes', { query: 'plums' });
    expect(JSON.stringify(found.outcome)).toContain('Plums');
    const chat = await test.chat(chatId);
    expect(chat.title).toBe('add_note · Notes');
    expect(chat.items.map((item) => item.kind)).toEqual(['direct-call', 'direct-call']);
    expect(test.state.approvals).toEqual([]);
  });

  it('runs Gatehouse’s own tools from the same list as a model has, also while models write no scripts', async () => {
    await using test = await TestApp.open(parts);
    await test.ask('settings.update', { scriptMode: false });
    const { tools } = await test.ask('own-tools.list', {});
    expect(tools.map(({ ref }) => ref.tool)).toEqual(['mcp_search', 'mcp', 'mcp_script']);
    const chatId = await test.newChat();
    const run = async (name: string, args: Record<string, unknown>) => {
      const { ref } = tools.find((tool) => tool.ref.tool === name) ?? expect.fail(`there is no ${name}`);
      const { callId } = await test.ask('chats.call-tool', { chatId, ref, args });
      const view = (await test.untilChat(chatId, ({ calls }) => calls[callId]?.phase === 'settled')).calls[callId];
      return JSON.stringify(view);
    };
    expect(await run('mcp_script', { code: '\n// twice two\nreturn 2 * 2 + 18;' })).toContain('22');
    expect(await run('mcp', { action: 'status' })).toContain('Notes');
    expect((await test.chat(chatId)).title).toBe('Script: // twice two');
  });

  it('refuses arguments that do not fit before anything is sent', async () => {
    await using test = await TestApp.open(parts);
    const notes = await test.startNotes();
    const { outcome } = await test.call(await test.newChat(), notes, 'add_note', { title: 7 });
    expect(outcome).toMatchObject({ kind: 'denied', by: 'guard', reason: expect.stringContaining('title') });
  });

  it('refuses a tool as it no longer is, and everything when locked down or paused', async () => {
    await using test = await TestApp.open(parts);
    const notes = await test.startNotes();
    const chatId = await test.newChat();
    const { ref } = await test.tool(notes, 'list_notes');
    const { callId } = await test.ask('chats.call-tool', { chatId, ref: { ...ref, revision: 'another' as typeof ref.revision }, args: {} });
    const chat = await test.untilChat(chatId, ({ calls }) => calls[callId]?.phase === 'settled');
    expect(chat.calls[callId]).toMatchObject({ outcome: { kind: 'failed', code: 'tool/not-found' } });
    await test.ask('settings.update', { approvals: 'locked-down' });
    expect((await test.call(chatId, notes, 'list_notes', {})).outcome).toMatchObject({ kind: 'denied', by: 'policy' });
    await test.ask('settings.update', { approvals: 'approval-required' });
    await test.ask('servers.pause-all', { paused: true });
    expect((await test.call(chatId, notes, 'list_notes', {})).outcome).toMatchObject({ kind: 'denied', by: 'policy' });
  });

  it('keeps images and large text beside the chat, readable, and gone with it', async () => {
    await using test = await TestApp.open(parts);
    const results = await test.addServer('results', broken, ['results']);
    const chatId = await test.newChat();
    const catalog = await test.ask('servers.catalog', { serverId: results });
    const image = catalog?.tools.find((tool) => tool.ref.tool === 'image');
    expect(image).toBeDefined();
    const { outcome } = await test.call(chatId, results, 'image', {});
    const part = outcome.kind === 'succeeded' ? outcome.result.parts.find((candidate) => candidate.type === 'image') : undefined;
    if (part?.type !== 'image') throw new Error('no image');
    const { base64, bytes } = await test.ask('contents.read', { id: part.ref.id, offset: 0, limit: 1_048_576 });
    expect(Buffer.from(base64, 'base64').length).toBe(bytes);
    await test.ask('chats.delete', { chatId });
    await expect(test.ask('contents.read', { id: part.ref.id, offset: 0, limit: 10 })).rejects.toThrow();
  });

  it('shows everything again after a restart', async () => {
    const home = tempFolder();
    const first = await TestApp.open(parts, { home });
    const notes = await first.startNotes();
    const chatId = await first.newChat();
    await first.call(chatId, notes, 'add_note', { title: 'Kept', text: 'x' });
    const before = await first.chat(chatId);
    await first[Symbol.asyncDispose]();
    await using again = await TestApp.open(parts, { home });
    expect(again.state.chats).toMatchObject([{ id: chatId, title: 'add_note · Notes', activity: 'idle' }]);
    expect(await again.chat(chatId)).toEqual(before);
  });

  it('lets one process at a time use a home', async () => {
    const home = tempFolder();
    await using _first = await TestApp.open(parts, { home });
    await expect(TestApp.open(parts, { home })).rejects.toMatchObject({ code: 'home/in-use' });
  });
});
