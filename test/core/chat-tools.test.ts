import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ChatTools } from '../../src/shared/model/chat-tools.ts';
import { connected, defineShelves, gateway, objectTool, useOwnTool } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const books = { name: 'books', tools: [objectTool('find_book', 'Finds a book'), objectTool('burn_book', 'Burns a book')], resources: [{ uri: 'shelf://one', name: 'First shelf' }] };
const weather = { name: 'weather', tools: [objectTool('forecast', 'Tells the weather')] };

async function open(): Promise<TestApp & AsyncDisposable> {
  const test = await TestApp.open(parts);
  await defineShelves(test, [books, weather]);
  await connected(test, 'books');
  await connected(test, 'weather');
  await test.ask('settings.update', { approvals: 'unrestricted', directTools: true });
  return test;
}
async function chatWithout(test: TestApp, off: { readonly servers?: readonly string[]; readonly tools?: readonly (readonly [string, string])[] }): Promise<ChatId> {
  const chatId = await test.newChat();
  const tools: ChatTools = { serversOff: (off.servers ?? []).map((name) => test.server(name)), toolsOff: (off.tools ?? []).map(([server, tool]) => ({ serverId: test.server(server), tool })) };
  await test.ask('chats.set-tools', { chatId, tools });
  expect((await test.chat(chatId)).tools).toEqual(tools);
  return chatId;
}

describe('what a chat may not use', () => {
  it('is not offered, found, described or called in it, by any way; other chats have it still', async () => {
    await using test = await open();
    const chatId = await chatWithout(test, { servers: ['weather'], tools: [['books', 'burn_book']] });
    const said = async (args: Record<string, unknown>) => (await gateway(test, args, chatId)).text;
    for (const query of ['book', 'weather', 'burn']) expect(await said({ action: 'search', query })).not.toMatch(/burn_book|forecast/);
    expect(await said({ action: 'list', server: 'books' })).not.toContain('burn_book');
    expect(await said({ action: 'status' })).toMatch(/weather: switched off for this chat/);
    for (const tool of ['burn_book', 'mcp_books_burn_book']) {
      expect(await gateway(test, { action: 'describe', tool }, chatId)).toMatchObject({ code: 'tool_not_found', text: expect.stringContaining('switched off for this chat') });
      expect((await gateway(test, { action: 'call', tool, args: {} }, chatId)).code).toBe('tool_not_found');
    }
    for (const action of ['list', 'connect', 'instructions', 'resources']) expect((await gateway(test, { action, server: 'weather' }, chatId)).code, action).toBe('server_disabled');
    expect((await gateway(test, { action: 'call', tool: 'forecast' }, chatId)).code).toBe('server_disabled');
    await useOwnTool(test, 'mcp_search', { query: 'book' }, chatId);
    await useOwnTool(test, 'mcp_search', { query: 'select:burn_book' }, chatId);
    expect((await test.chat(chatId)).loaded.map(({ tool }) => tool)).toEqual(['find_book']);
    // Direct mode names the tool itself: the one door to every tool says no.
    expect((await test.call(chatId, test.server('books'), 'burn_book', {})).outcome).toMatchObject({ kind: 'denied', by: 'policy', reason: expect.stringContaining('this chat') });
    expect((await test.call(chatId, test.server('weather'), 'forecast', {})).outcome).toMatchObject({ kind: 'denied', by: 'policy' });
    expect((await test.call(await test.newChat(), test.server('books'), 'burn_book', {})).outcome).toMatchObject({ kind: 'succeeded' });
    expect((await gateway(test, { action: 'call', tool: 'forecast', args: {} })).outcome.kind).toBe('succeeded');
  });

  it('a model is not given, pinned or loaded, and cannot call by its name', async () => {
    await using test = await open();
    await using model = await scriptedModel([{ name: 'mcp_books_burn_book', args: {} }, { name: 'mcp_weather_forecast', args: {} }, { name: 'mcp', args: { action: 'call', tool: 'burn_book', args: {} } }]);
    await useModel(test, model);
    const chatId = await chatWithout(test, { servers: ['weather'], tools: [['books', 'burn_book']] });
    const chat = await runToRest(test, 'burn it', chatId);
    expect([...offeredTo(model, 0).keys()].filter((name) => /books|weather/.test(name))).toEqual(['mcp_books_find_book']);
    const outcomes = Object.values(chat.calls).map((view) => view.phase === 'settled' && view.outcome.kind);
    expect(outcomes).toEqual(['failed', 'failed', 'tool-error']);
    await test.ask('chats.set-tools', { chatId, tools: { serversOff: [], toolsOff: [] } });
    await runToRest(test, 'and now?', chatId);
    expect([...offeredTo(model).keys()]).toContain('mcp_books_burn_book');
  });

  it('holds at once, for a question that is open too', async () => {
    await using test = await open();
    await test.ask('settings.update', { approvals: 'approval-required' });
    const chatId = await test.newChat();
    const asking = gateway(test, { action: 'call', tool: 'burn_book', args: {} }, chatId);
    await test.until(({ approvals }) => approvals.length > 0);
    await test.ask('chats.set-tools', { chatId, tools: { serversOff: [test.server('books')], toolsOff: [] } });
    await test.ask('approvals.answer', { approvalId: test.state.approvals[0]?.id ?? ('' as never), answer: { decision: 'allow', scope: 'once' } });
    expect(await asking).toMatchObject({ code: 'approval_denied', text: expect.stringContaining('this chat') });
  });

  it('binds resources by their alias', async () => {
    await using test = await open();
    const chatId = await chatWithout(test, { tools: [['books', 'read_first_shelf']] });
    expect((await gateway(test, { action: 'resources', server: 'books' }, chatId)).data).toMatchObject({ total: 0 });
    expect((await gateway(test, { action: 'read-resource', server: 'books', uri: 'shelf://one' }, chatId)).code).toBe('not_found');
    expect((await gateway(test, { action: 'read-resource', server: 'books', uri: 'shelf://one' })).text).toContain('text of shelf://one');
  });
});
