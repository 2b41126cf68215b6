import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerId, type ChatId } from '../../src/shared/ids.ts';
import { ownToolNames } from '../../src/shared/model/own-tools.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { connected, defineShelves, gateway, objectTool, ownAnswer, useOwnTool } from '../support/own-tool.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const text = { type: 'string' };
const books = { name: 'books', tools: [objectTool('find_book', 'Finds a book by its title', { title: { ...text, description: 'words of the title' } }), objectTool('lend_book', 'Lends a book to a reader', { id: text })] };
const weather = { name: 'weather', tools: [objectTool('forecast', 'Tells how the weather will be', { place: text })] };
const own = [...ownToolNames];
const search = (query: string, more: object = {}) => ({ name: 'mcp_search', args: { query, ...more } });
const outcomesOf = ({ calls }: ChatState) => Object.values(calls).map((view) => ({ name: view.call.ref.tool, outcome: view.phase === 'settled' ? view.outcome : undefined }));

describe('a request', () => {
  it('[F-94] carries the three tools and nothing else, word for word the same whatever servers and secrets there are, and their definitions fit in 650 tokens', { timeout: 60_000 }, async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const seen: string[] = [];
    for (const tools of [5, 300]) {
      await using model = await scriptedModel();
      await using test = await TestApp.open(parts);
      await defineShelves(test, [{ name: 'shelf', tools: Array.from({ length: tools }, (_, at) => objectTool(`tool_${at}`, `Does thing ${at}`)) }]);
      await connected(test, 'shelf');
      await useModel(test, model);
      if (tools > 100) await test.ask('secrets.put', { scope: 'global', key: 'docs-token' as never, value: 'canary-4711' });
      await runToRest(test, 'hello');
      expect([...offeredTo(model).keys()]).toEqual(own);
      seen.push(JSON.stringify([...offeredTo(model).values()]));
      expect(countTokens(seen.at(-1) ?? '')).toBeLessThanOrEqual(650);
    }
    expect(new Set(seen).size).toBe(1);
  });

  it('[O14] stays within what the provider takes: own tools first, then pins, then what was loaded last; the rest is said and callable through the gateway', async () => {
    const sixty = (name: string) => ({ name, tools: Array.from({ length: 60 }, (_, at) => objectTool(`${name}_${at}`, `Does ${name} number ${at}`)) });
    await using model = await scriptedModel([search('', { server: 'three', limit: 60 })], [{ name: 'mcp', args: { action: 'call', tool: 'three_0', args: {} } }]);
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ ...sixty('one'), options: { directTools: true } }, { ...sixty('two'), options: { directTools: true } }, sixty('three')]);
    for (const name of ['one', 'two', 'three']) await connected(test, name);
    await useModel(test, model);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    const chat = await runToRest(test, 'go');
    const offered = [...offeredTo(model).keys()];
    expect(offered).toHaveLength(128);
    expect(offered.slice(0, 3)).toEqual(own);
    expect(offered.filter((name) => /_(one|two)_/.test(name))).toHaveLength(120);
    // Five places are left for what was loaded; those loaded last have them.
    const last = chat.loaded.slice(-5).map(({ tool }) => `mcp_three_${tool}`);
    expect(offered.slice(123)).toEqual(last);
    const aside = chat.items.flatMap((item) => (item.kind === 'assistant' && item.step === 2 ? item.toolsSetAside : []));
    expect(aside).toHaveLength(55);
    expect(aside[0]).toMatchObject({ reason: expect.stringContaining('128') });
    expect(outcomesOf(chat).find(({ name }) => name === 'three_0')?.outcome).toMatchObject({ kind: 'succeeded' });
  });
});

describe('mcp_search', () => {
  it('[F-97] [F-99] loads what it finds for the next request, with full schemas, runs nothing, and says what it loaded', async () => {
    await using model = await scriptedModel([search('find a book by title', { limit: 1 })], [{ name: 'mcp_books_find_book', args: { title: 'Emma' } }]);
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, weather]);
    await connected(test, 'books');
    await connected(test, 'weather');
    await useModel(test, model);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    const chat = await runToRest(test, 'Where is Emma?');
    expect([...offeredTo(model, 0).keys()]).toEqual(own);
    expect([...offeredTo(model, 1).keys()]).toEqual([...own, 'mcp_books_find_book']);
    expect(offeredTo(model, 1).get('mcp_books_find_book')?.parameters).toMatchObject({ properties: { title: { description: 'words of the title' } }, required: ['title'] });
    const [searched, called] = outcomesOf(chat);
    expect(ownAnswer(searched?.outcome ?? ('' as never)).text).toContain('mcp_books_find_book');
    expect(JSON.stringify(called?.outcome)).toContain('Emma');
    // Loading ran nothing: the first call of the server is the one that was asked for.
    expect(Object.values(chat.calls).filter(({ call }) => call.serverName === 'books')).toHaveLength(1);
  });

  it('[F-97] gives five at a time, a hundred at most, and goes on at an offset', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ name: 'many', tools: Array.from({ length: 130 }, (_, at) => objectTool(`item_${String(at).padStart(3, '0')}`, 'An item of many')) }]);
    await connected(test, 'many');
    const loaded = async (args: Record<string, unknown>) => {
      const chatId = await test.newChat();
      await useOwnTool(test, 'mcp_search', args, chatId);
      return (await test.chat(chatId)).loaded.map(({ tool }) => tool);
    };
    expect(await loaded({ query: 'item' })).toHaveLength(5);
    expect(await loaded({ query: 'item', limit: 1000 })).toHaveLength(100);
    const [first, second] = [await loaded({ query: 'item' }), await loaded({ query: 'item', offset: 5 })];
    expect(first.filter((name) => second.includes(name))).toEqual([]);
    expect((await useOwnTool(test, 'mcp_search', { query: 'item', offset: 130 })).code).toBe('offset_out_of_range');
  });

  it('[F-98] browses a server when the query is empty, and wants one of the two', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    const chatId = await test.newChat();
    expect((await useOwnTool(test, 'mcp_search', { query: '' }, chatId)).code).toBe('empty_query');
    expect((await useOwnTool(test, 'mcp_search', { server: 'books' }, chatId)).data).toMatchObject({ items: [{ name: 'find_book', loaded: true }, { name: 'lend_book', loaded: true }] });
    expect((await test.chat(chatId)).loaded.map(({ tool }) => tool)).toEqual(['find_book', 'lend_book']);
  });

  it('[F-99] is where a model is sent that guesses a name; what the provider cannot be offered is left to the gateway', async () => {
    await using model = await scriptedModel([{ name: 'mcp_books_find_book', args: { title: 'Emma' } }, { name: 'mcp_books_fnd_book', args: {} }], [search('odd thing')]);
    await using test = await TestApp.open(parts);
    const odd = { name: 'odd_thing', description: 'An odd thing', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } } } };
    await defineShelves(test, [{ ...books, tools: [...books.tools, odd] }]);
    await connected(test, 'books');
    await useModel(test, model);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    const chat = await runToRest(test, 'go');
    const [guessed, wrong, searched] = outcomesOf(chat);
    expect(guessed?.outcome).toMatchObject({ kind: 'failed', code: 'tool/not-found', message: expect.stringContaining('select:mcp_books_find_book') });
    expect(wrong?.outcome).toMatchObject({ message: expect.stringContaining('mcp_search') });
    expect(ownAnswer(searched?.outcome ?? ('' as never)).text).toMatch(/Not loaded; use mcp[\s\S]*odd_thing.*circle/);
    expect([...offeredTo(model).keys()].some((name) => name.includes('odd'))).toBe(false);
  });

  it('[F-100] what it loaded stays with the chat, after a restart too, and what the person switched off stays off', async () => {
    await using model = await scriptedModel([search('book')]);
    const [home, keyring] = [tempFolder(), new MemoryKeyring()];
    const first = await TestApp.open(parts, { home, keyring });
    await defineShelves(first, [books, { ...weather, options: { directTools: true } }]);
    await connected(first, 'books');
    const weatherId = await connected(first, 'weather');
    await useModel(first, model);
    const chatId = await first.newChat();
    await runToRest(first, 'look', chatId);
    await first.ask('chats.set-tools', { chatId, tools: { serversOff: [], toolsOff: [{ serverId: weatherId, tool: 'forecast' }] } });
    await first[Symbol.asyncDispose]();

    await using again = await TestApp.open(parts, { home, keyring });
    await runToRest(again, 'and now?', chatId);
    expect([...offeredTo(model, 2).keys()].toSorted()).toEqual([...own, 'mcp_books_find_book', 'mcp_books_lend_book'].toSorted());
    // A server that is gone takes its tools along.
    await again.ask('servers.remove', { serverId: again.server('books') });
    await runToRest(again, 'and then?', chatId);
    expect([...offeredTo(model).keys()]).toEqual(own);
  });

  it('[F-101] side by side, searches load all that either found', async () => {
    await using model = await scriptedModel([search('title of a book'), search('weather'), search('select:mcp_books_lend_book')]);
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, weather]);
    await connected(test, 'books');
    await connected(test, 'weather');
    await useModel(test, model);
    await runToRest(test, 'look');
    expect([...offeredTo(model).keys()].toSorted()).toEqual([...own, 'mcp_books_find_book', 'mcp_books_lend_book', 'mcp_weather_forecast'].toSorted());
  });

  it('[F-204] what a search had loaded stays when its pin goes', async () => {
    await using model = await scriptedModel([search('book')]);
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ ...books, options: { directTools: true } }]);
    await connected(test, 'books');
    await useModel(test, model);
    const chatId = await test.newChat();
    await runToRest(test, 'look', chatId);
    await test.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'books', fields: { directTools: false } }] });
    await runToRest(test, 'again', chatId);
    expect([...offeredTo(model).keys()].toSorted()).toEqual([...own, 'mcp_books_find_book', 'mcp_books_lend_book'].toSorted());
    await runToRest(test, 'a new chat');
    expect([...offeredTo(model, 4).keys()]).toEqual(own);
  });

  it('finds all the same where MCP_DIRECT_TOOLS=__none__ switches typed tools off, and says that it loaded none', async () => {
    await using model = await scriptedModel([search('book')]);
    await using test = await TestApp.open(parts, { env: { MCP_DIRECT_TOOLS: '__none__' } });
    await defineShelves(test, [{ ...books, options: { directTools: true } }]);
    await connected(test, 'books');
    await useModel(test, model);
    const chat = await runToRest(test, 'look');
    expect(ownAnswer(outcomesOf(chat)[0]?.outcome ?? ('' as never)).text).toMatch(/^Not loaded[\s\S]*mcp_books_find_book/);
    expect([...offeredTo(model).keys()]).toEqual(own);
  });
});

describe('find_tool', () => {
  const find = (test: TestApp, args: Record<string, unknown>, chatId?: ChatId) => gateway(test, { action: 'call', tool: 'find_tool', args }, chatId);

  it('is found by mcp_search, called by name after that, and through the gateway at once', async () => {
    await using model = await scriptedModel([search('select:find_tool,list_mcp_resources')], [{ name: 'find_tool', args: { query: 'select:mcp_books_lend_book' } }]);
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    await connected(test, 'books');
    await useModel(test, model);
    await runToRest(test, 'look');
    expect([...offeredTo(model, 1).keys()]).toEqual([...own, 'find_tool', 'list_mcp_resources']);
    expect([...offeredTo(model, 2).keys()]).toContain('mcp_books_lend_book');
    expect((await useOwnTool(test, 'mcp_search', { query: 'find_tool' })).text).toContain('find_tool');
  });

  it('[H-45] activates exactly the tool that select: names; an unknown one is an error with a hint, and none an error', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    const serverId = await connected(test, 'books');
    const chatId = await test.newChat();
    const found = await find(test, { query: 'select:mcp_books_lend_book' }, chatId);
    expect(found.text).toMatch(/^Loaded[\s\S]*mcp_books_lend_book/);
    expect((await test.chat(chatId)).loaded).toEqual([{ serverId, tool: 'lend_book' }]);
    expect(await find(test, { query: 'select:mcp_books_lend_bok' }, chatId)).toMatchObject({ code: 'tool_not_found', text: expect.stringContaining('mcp_books_lend_book') });
    for (const empty of ['select:', 'select:  ', 'select: ,']) expect((await find(test, { query: empty }, chatId)).code).toBe('invalid_arguments');
    expect((await test.chat(chatId)).loaded).toHaveLength(1);
  });

  it('[H-46] activates what keywords find, ten at most, with score and a short description, an exact name first; and says when nothing fits', async () => {
    await using test = await TestApp.open(parts);
    const long = 'Counts things. '.repeat(60);
    await defineShelves(test, [{ name: 'many', tools: [...Array.from({ length: 20 }, (_, at) => objectTool(`count_${at}`, long)), objectTool('count', 'Counts')] }]);
    await connected(test, 'many');
    const chatId = await test.newChat();
    const { data, text: said } = await find(test, { query: 'count' }, chatId);
    const { items } = data as { items: readonly { name: string; score: number; description: string }[] };
    expect(items).toHaveLength(10);
    expect(items[0]?.name).toBe('count');
    for (const { score, description } of items) expect([score > 0, description.length <= 201]).toEqual([true, true]);
    expect(said).toMatch(/mcp_many_count .*\[score \d+\.\d\]/);
    expect((await test.chat(chatId)).loaded.map(({ tool }) => tool)).toEqual(items.map(({ name }) => name));
    const none = await find(test, { query: 'zebra' }, chatId);
    expect(none).toMatchObject({ outcome: { kind: 'succeeded' }, text: expect.stringContaining('No tool matches') });
    expect((await test.chat(chatId)).loaded).toHaveLength(10);
  });

  it('pages through all tools without a query', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, weather]);
    await connected(test, 'books');
    await connected(test, 'weather');
    const page = async (offset: number) => ((await find(test, { offset, limit: 2 })).data as { items: readonly { path: string }[] }).items.map(({ path }) => path);
    expect([...(await page(0)), ...(await page(2))]).toEqual(['mcp_books_find_book', 'mcp_books_lend_book', 'mcp_weather_forecast']);
  });
});

describe('what is offered from the start', () => {
  it('[F-95] leaves the gateway out when that is wanted and there are pins that can be used, and only then', async () => {
    await using model = await scriptedModel();
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    const serverId = await connected(test, 'books');
    await useModel(test, model);
    const offered = async (chatId?: ChatId) => {
      await runToRest(test, 'hello', chatId);
      return [...offeredTo(model).keys()];
    };
    await test.ask('settings.update', { disableProxyTool: true });
    expect(await offered()).toEqual(own);
    await test.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'books', fields: { directTools: ['find_book'] } }] });
    expect(await offered()).toEqual([...own.filter((name) => name !== 'mcp'), 'mcp_books_find_book']);
    const chatId = await test.newChat();
    await test.ask('chats.set-tools', { chatId, tools: { serversOff: [ServerId.parse(serverId)], toolsOff: [] } });
    expect(await offered(chatId)).toEqual(own);
    await test.ask('settings.update', { disableProxyTool: false });
    expect(await offered()).toEqual([...own, 'mcp_books_find_book']);
  });

  it('[U-67] does not begin without a required server, and says its name and a word for the reason; others keep no run waiting', async () => {
    await using model = await scriptedModel();
    await using test = await TestApp.open(parts);
    const broken = { command: tempFolder(), env: { SECRET_THING: 'no-canary' } };
    await defineShelves(test, [{ name: 'needed', options: { ...broken, required: true } }, { name: 'nice', options: broken }]);
    await useModel(test, model);
    const failed = await runToRest(test, 'hello');
    expect(failed.run).toMatchObject({ phase: 'resting', ending: { how: 'failed', message: 'The server “needed” is required and is not there (connect)' } });
    expect(JSON.stringify(failed)).not.toContain(broken.command);
    expect(model.requests()).toHaveLength(0);
    await test.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'needed', fields: { required: false } }] });
    expect((await runToRest(test, 'hello')).run).toEqual({ phase: 'idle' });
  });
});
