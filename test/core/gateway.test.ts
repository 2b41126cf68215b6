import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connected, defineShelves, gateway, objectTool, shelfEntry } from '../support/own-tool.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const text = { type: 'string' };
const books = {
  name: 'books',
  instructions: `Ask for a title first. ${'Then read on. '.repeat(40)}END`,
  tools: [
    objectTool('find_book', 'Finds a book by its title', { title: { ...text, description: 'words of the title' } }, { title: 'Find a book', outputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, _meta: { shelf: 7 }, extra: { kept: true } }),
    objectTool('lend_book', 'Lends a book to a reader', { id: text, reader: text }),
  ],
  resources: [{ uri: 'shelf://one', name: 'First shelf', mimeType: 'text/plain' }, { uri: 'shelf://two', name: 'Second shelf' }],
};
const many = { name: 'many', tools: Array.from({ length: 30 }, (_, at) => objectTool(`item_${String(at).padStart(2, '0')}`, `Item number ${at}`)) };
const itemsOf = (data: unknown) => (data as { items: readonly { name: string; server: string; approvalRequired: boolean; inputSchema?: object; cached?: boolean }[] }).items; // what a list answers with
const namesOf = (data: unknown) => itemsOf(data).map(({ name }) => name);

describe('the gateway', () => {
  it('[F-81] [F-82] [F-84] has these thirteen actions, wants what each needs, and refuses everything else', async () => {
    await using test = await TestApp.open(parts);
    const tool = (await import('../../src/core/model-tools/gateway-tool.ts')).gatewayTool(undefined as never, () => undefined); // its definition is all that is looked at
    expect(tool.inputSchema).toMatchObject({
      required: ['action'],
      properties: { action: { enum: ['status', 'search', 'list', 'describe', 'call', 'connect', 'instructions', 'resources', 'read-resource', 'read-result', 'auth-start', 'auth-complete', 'ui-messages'] } },
    });
    expect(await gateway(test, { action: 'dance' })).toMatchObject({ code: 'invalid_arguments', text: expect.stringContaining('read-result') });
    const needed: Readonly<Record<string, readonly string[]>> = {
      list: ['server'], describe: ['tool'], call: ['tool'], connect: ['server'], instructions: ['server'], resources: ['server'],
      'read-resource': ['server', 'uri'], 'read-result': ['ref'], 'auth-start': ['server'], 'auth-complete': ['server'],
    };
    for (const [action, fields] of Object.entries(needed)) {
      const answer = await gateway(test, { action });
      expect(answer.code, action).toBe('invalid_arguments');
      for (const field of fields) expect(answer.text, action).toContain(`${field} is missing`);
    }
    for (const action of ['status', 'search', 'ui-messages', ...Object.keys(needed)]) {
      expect((await gateway(test, { action, server: 'Notes', tool: 'x', uri: 'x:y', ref: 'r', query: 'q', colour: 'red' })).code, action).toBe('invalid_arguments');
    }
    for (const args of [[1], 'no json', '[1]', 7, true]) expect(await gateway(test, { action: 'call', tool: 'add_note', args })).toMatchObject({ code: 'invalid_arguments', text: expect.stringContaining('args') });
  });

  it.each([
    ['a list', { action: 'list' }, 'grown_1'],
    ['a search within it', { action: 'search', query: 'grown' }, 'grown_1'],
    ['a description', { action: 'describe', tool: 'grown_1' }, 'grown_1'],
    ['a call', { action: 'call', tool: 'grown_1' }, 'called'],
    ['its resources', { action: 'resources' }, 'tree://leaf_1'],
    ['a resource', { action: 'read-resource', uri: 'tree://leaf_1' }, 'green'],
  ])('shows what a call has just changed, in %s: what its server announced anew is waited for', async (_, args, expected) => {
    await using test = await TestApp.open(parts);
    await test.addServer('tree', join(import.meta.dirname, '../servers/stdio/broken.mjs'), ['growing']);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    expect(await gateway(test, { action: 'call', tool: 'grow', server: 'tree' })).toMatchObject({ text: expect.stringContaining('grown to 1') });
    expect(await gateway(test, { ...args, server: 'tree' })).toMatchObject({ code: undefined, text: expect.stringContaining(expected) });
  });

  it('[F-83] [S7] understands calls as they were stored before there was an action, and arguments that are absent or JSON text', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    await connected(test, 'books');
    await test.ask('settings.update', { approvals: 'unrestricted' });
    const now = (args: Record<string, unknown>) => gateway(test, args).then(({ data, text: said, code }) => ({ data, said, code }));
    const same = async (old: Record<string, unknown>, present: Record<string, unknown>) => expect(await now(old)).toEqual(await now(present));
    await same({}, { action: 'status' });
    await same({ search: 'book' }, { action: 'search', query: 'book' });
    await same({ mode: 'search', query: 'book' }, { action: 'search', query: 'book' });
    await same({ describe: 'find_book' }, { action: 'describe', tool: 'find_book' });
    await same({ server: 'books' }, { action: 'list', server: 'books' });
    await same({ instructions: 'books' }, { action: 'instructions', server: 'books' });
    await same({ connect: 'books' }, { action: 'connect', server: 'books' });
    for (const args of ['{"title":"Emma"}', { title: 'Emma' }]) expect((await gateway(test, { tool: 'find_book', args })).text).toContain('"args":{"title":"Emma"}');
    for (const args of [undefined, null, '', {}, '{}']) expect((await gateway(test, { action: 'call', tool: 'find_book', args })).text).toContain('"args":{}');
    // Parsed once: text within text stays text, and that is no object.
    expect((await gateway(test, { action: 'call', tool: 'find_book', args: JSON.stringify('{"title":"Emma"}') })).code).toBe('invalid_arguments');
  });

  it('[F-85] gives lists by pages of twelve, at most a hundred, from an offset to the end', async () => {
    await using test = await TestApp.open(parts);
    const hundred = { name: 'hundred', tools: Array.from({ length: 120 }, (_, at) => objectTool(`thing_${String(at).padStart(3, '0')}`, 'A thing')) };
    await defineShelves(test, [many, hundred]);
    await connected(test, 'many');
    await connected(test, 'hundred');
    for (const how of [{ action: 'list', server: 'many' }, { action: 'search', query: '', server: 'many' }, { action: 'search', query: 'item number', server: 'many' }]) {
      const first = await gateway(test, how);
      expect(itemsOf(first.data)).toHaveLength(12);
      expect(first.data).toMatchObject({ total: 30, hasMore: true, nextOffset: 12 });
      expect(first.text).toContain('More: offset 12');
      const last = await gateway(test, { ...how, offset: 24 });
      expect(itemsOf(last.data)).toHaveLength(6);
      expect(last.data).toMatchObject({ hasMore: false, nextOffset: null });
      expect(await gateway(test, { ...how, offset: 30 })).toMatchObject({ code: 'offset_out_of_range', text: expect.stringContaining('offset 0') });
    }
    expect(itemsOf((await gateway(test, { action: 'list', server: 'hundred', limit: 500 })).data)).toHaveLength(100);
    for (const wrong of [{ offset: -1 }, { limit: 0 }, { limit: 1.5 }]) expect((await gateway(test, { action: 'list', server: 'many', ...wrong })).code).toBe('invalid_arguments');
  });

  it('[F-86] searches with schemas and without activating anything, says which tools ask first, and browses a server by name', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, many]);
    await connected(test, 'books');
    await connected(test, 'many');
    expect((await gateway(test, { action: 'search', query: '  ' })).code).toBe('empty_query');
    expect(namesOf((await gateway(test, { action: 'search', query: '', server: 'books' })).data)).toEqual(['find_book', 'lend_book']);
    const chatId = await test.newChat();
    const found = await gateway(test, { action: 'search', query: 'lend a book to a reader' }, chatId);
    expect(itemsOf(found.data)[0]).toMatchObject({ name: 'lend_book', server: 'books', approvalRequired: true, inputSchema: { properties: { reader: {} } } });
    expect(found.text).toContain('[asks the person first]');
    expect(found.text).toContain('"reader"');
    expect((await test.chat(chatId)).loaded).toEqual([]);
    const bare = await gateway(test, { action: 'search', query: 'lend a book', includeSchemas: false });
    expect(JSON.stringify(bare.data) + bare.text).not.toContain('inputSchema');
    await test.ask('settings.update', { approvals: 'unrestricted', approveTools: ['find_book'] });
    const marks = itemsOf((await gateway(test, { action: 'search', query: 'book' })).data).map(({ name, approvalRequired }) => [name, approvalRequired]);
    expect(marks).toContainEqual(['find_book', true]);
    expect(marks).toContainEqual(['lend_book', false]);
  });

  it('[F-87] [F-88] says which servers it did not search, connects one that is named and none otherwise', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, many, { ...many, name: 'off', options: { disabled: true } }]);
    const phase = (name: string) => test.state.servers[test.server(name)]?.connection.phase;
    const global = await gateway(test, { action: 'search', query: 'book' });
    expect(global.data).toMatchObject({ items: [], coverage: { complete: false, knownServers: [], unknownServers: expect.arrayContaining(['books', 'many']) } });
    expect(JSON.stringify(global.data)).not.toContain('"off"');
    expect(global.text).toMatch(/Not searched.*books/);
    expect((await gateway(test, { action: 'describe', tool: 'find_book' })).code).toBe('tool_not_found');
    expect([phase('books'), phase('many')]).toEqual(['stopped', 'stopped']);
    const scoped: readonly Record<string, unknown>[] = [
      { action: 'search', query: 'book', server: 'books' }, { action: 'list', server: 'books' }, { action: 'describe', tool: 'find_book', server: 'books' }, { action: 'instructions', server: 'books' },
    ];
    for (const action of scoped) {
      await using other = await TestApp.open(parts);
      await defineShelves(other, [books, many]);
      expect((await gateway(other, action)).outcome.kind, JSON.stringify(action)).toBe('succeeded');
      expect(other.state.servers[other.server('books')]?.connection.phase).toBe('ready');
      expect(other.state.servers[other.server('many')]?.connection.phase).toBe('stopped');
    }
  });

  it('[F-90] describes a tool with everything that its server said of it', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    await connected(test, 'books');
    const { data, text: said } = await gateway(test, { action: 'describe', tool: 'find_book' });
    expect(data).toMatchObject({
      path: 'mcp_books_find_book', server: 'books', name: 'find_book', title: 'Find a book', description: 'Finds a book by its title', inputSchema: { required: ['title'] }, outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true }, _meta: { shelf: 7 }, extra: { kept: true }, approvalRequired: true,
    });
    expect(JSON.parse(said)).toEqual(data);
  });

  it('[F-91] tells of every server without connecting any: connected, cached, failed, not discovered, disabled', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, { ...many, name: 'slept' }, { ...many, name: 'unseen' }, { ...many, name: 'off', options: { disabled: true } }, { name: 'broken', options: { command: '/no/such/program' } }]);
    await connected(test, 'books');
    const slept = await connected(test, 'slept');
    await test.ask('servers.stop', { serverId: slept });
    await test.ask('servers.start', { serverId: test.server('broken') });
    const { text: said, data } = await gateway(test, { action: 'status' });
    for (const line of [/^books: connected, 2 tools$/m, /^slept: cached, not connected, 30 tools$/m, /^broken: failed \d+ s ago: .+$/m, /^unseen: not discovered$/m, /^off: disabled$/m]) expect(said).toMatch(line);
    expect(said).toMatch(/^1 of \d+ servers connected, 32 tools known$/m);
    expect(data).toMatchObject({ totals: { connected: 1, tools: 32 } });
    expect(test.state.servers[test.server('unseen')]?.connection.phase).toBe('stopped');
  });

  it('[F-92] gives a server’s instructions whole, and in its list their beginning, cut after a word', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, many]);
    expect((await gateway(test, { action: 'instructions', server: 'books' })).text).toContain('END');
    const { text: said } = await gateway(test, { action: 'list', server: 'books' });
    const shown = /It says of itself: (.*)/.exec(said)?.[1] ?? '';
    expect(shown).toMatch(/^Ask for a title first\. .*(read|on|Then)\.?…$/);
    expect(shown.length).toBeLessThanOrEqual(302);
    expect((await gateway(test, { action: 'instructions', server: 'many' })).code).toBe('no_instructions');
  });

  it('[F-93] connect reads the lists of a connected server anew', async () => {
    await using test = await TestApp.open(parts);
    const { file, entry } = shelfEntry(books);
    writeFileSync(join(test.home, 'mcp.json'), JSON.stringify({ mcpServers: { books: entry } }));
    await test.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'books'));
    expect(namesOf((await gateway(test, { action: 'connect', server: 'books' })).data)).toEqual(['find_book', 'lend_book']);
    writeFileSync(file, JSON.stringify({ ...books, tools: [...books.tools, objectTool('burn_book', 'No more of it')], resources: [] }));
    const again = await gateway(test, { action: 'connect', server: 'books' });
    expect(namesOf(again.data)).toEqual(['burn_book', 'find_book', 'lend_book']);
    expect((await gateway(test, { action: 'resources', server: 'books' })).data).toMatchObject({ total: 0 });
  });

  it('reads resources through the same gate as tools, a page of them at a time', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books, { ...books, name: 'closed', options: { exposeResources: false } }]);
    expect((await gateway(test, { action: 'resources', server: 'books', limit: 1 })).data).toMatchObject({ mode: 'resources', items: [{ uri: 'shelf://one', name: 'First shelf' }], total: 2, nextOffset: 1 });
    const reading = gateway(test, { action: 'read-resource', server: 'books', uri: 'shelf://two' });
    await test.until(({ approvals }) => approvals.length > 0);
    const [approval] = test.state.approvals;
    expect(approval?.call).toMatchObject({ ref: { tool: 'read_second_shelf' }, resource: 'shelf://two', caller: { kind: 'cli' } });
    await test.ask('approvals.answer', { approvalId: approval?.id ?? ('' as never), answer: { decision: 'allow', scope: 'once' } });
    expect(JSON.stringify((await reading).outcome)).toContain('the text of shelf://two');
    expect((await gateway(test, { action: 'read-resource', server: 'books', uri: 'shelf://three' })).code).toBe('not_found');
    expect((await gateway(test, { action: 'resources', server: 'closed' })).data).toMatchObject({ total: 0 });
    expect((await gateway(test, { action: 'read-resource', server: 'closed', uri: 'shelf://one' })).code).toBe('not_found');
  });

  it('[F-107] leaves the judging of arguments to the server, where a call by a tool’s own name is judged before it leaves', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    const serverId = await connected(test, 'books');
    await test.ask('settings.update', { approvals: 'unrestricted' });
    expect((await gateway(test, { action: 'call', tool: 'find_book', args: { title: 7, more: true } })).text).toContain('"args":{"title":7,"more":true}');
    const chatId = await test.newChat();
    expect((await test.call(chatId, serverId, 'find_book', { title: 7 })).outcome).toMatchObject({ kind: 'denied', by: 'guard', reason: expect.stringContaining('title') });
  });

  it('passes a tool’s own error on as the tool’s words', async () => {
    await using test = await TestApp.open(parts);
    await test.addServer('plain', join(import.meta.dirname, '../servers/stdio/calls.mjs'));
    await test.ask('settings.update', { approvals: 'unrestricted' });
    expect(await gateway(test, { action: 'call', tool: 'fails' })).toMatchObject({ outcome: { kind: 'tool-error' }, text: 'no luck', code: undefined });
    expect(await gateway(test, { action: 'call', tool: 'refuses' })).toMatchObject({ code: 'call_failed', text: expect.stringContaining('Not today') });
  });
});

describe('[F-96] codes', () => {
  it('say what stands in the way, the same each time', async () => {
    await using test = await TestApp.open(parts);
    const same = objectTool('same', 'On two servers');
    const file = join(tempFolder(), 'none');
    await defineShelves(test, [
      { ...books, tools: [...books.tools, same] }, { name: 'other', tools: [same] }, { name: 'off', tools: [same], options: { disabled: true } }, { name: 'broken', options: { command: file } },
      { name: 'web', options: { command: undefined, args: undefined, url: 'http://127.0.0.1:9/mcp' } },
    ]);
    await connected(test, 'books');
    await connected(test, 'other');
    const code = async (args: Record<string, unknown>) => (await gateway(test, args)).code;
    expect(await code({ action: 'list', server: 'nowhere' })).toBe('server_not_found');
    expect(await code({ action: 'list', server: 'off' })).toBe('server_disabled');
    expect(await code({ action: 'call', tool: 'find_bok' })).toBe('tool_not_found');
    expect((await gateway(test, { action: 'call', tool: 'find_bok' })).data).toMatchObject({ error: { suggestions: expect.arrayContaining(['find_book']) } });
    expect(await gateway(test, { action: 'call', tool: 'find_book', server: 'other' })).toMatchObject({ code: 'tool_not_found', text: expect.stringContaining('books') });
    expect(await code({ action: 'call', tool: 'same' })).toBe('ambiguous_tool');
    expect(await code({ action: 'call', tool: 'mcp_search' })).toBe('native_tool');
    expect(await code({ action: 'search', query: '' })).toBe('empty_query');
    expect(await code({ action: 'read-result', ref: 'nothing' })).toBe('result_read_failed');
    expect(await code({ action: 'auth-start', server: 'books' })).toBe('oauth_not_supported');
    expect(await code({ action: 'auth-complete', server: 'books' })).toBe('oauth_not_supported');
    expect(await code({ action: 'auth-complete', server: 'web', args: { redirectUrl: 'x' } })).toBe('not_authenticated');
    expect(await code({ action: 'auth-start', server: 'web' })).toBe('auth_start_failed');
    expect(await code({ action: 'auth-complete', server: 'web', args: { url: 'x' } })).toBe('invalid_arguments');
    expect(await code({ action: 'connect', server: 'broken' })).toBe('connect_failed');
    // A command that is not there is tried again by a person alone; an address is left alone for a while.
    expect(await code({ action: 'connect', server: 'web' })).toBe('connect_failed');
    expect(await gateway(test, { action: 'list', server: 'web' })).toMatchObject({ code: 'server_backoff', text: expect.stringMatching(/failed \d+ s ago/), data: { error: { ageSeconds: expect.any(Number) } } });
    await test.ask('settings.update', { approvals: 'locked-down' });
    expect(await code({ action: 'call', tool: 'find_book', args: {} })).toBe('approval_denied');
    await test.ask('servers.pause-all', { paused: true });
    expect(await code({ action: 'connect', server: 'books' })).toBe('server_unavailable');
  });

  it('tell approval_required without a person, approval_denied by one, and aborted for what was cancelled', async () => {
    await using alone = await TestApp.open(parts, { interaction: 'none' });
    await defineShelves(alone, [books]);
    await connected(alone, 'books');
    expect((await gateway(alone, { action: 'call', tool: 'find_book', args: { title: 'Emma' } })).code).toBe('approval_required');
    await using test = await TestApp.open(parts);
    await defineShelves(test, [books]);
    await connected(test, 'books');
    const asking = gateway(test, { action: 'call', tool: 'find_book', args: { title: 'Emma' } });
    await test.until(({ approvals }) => approvals.length > 0);
    await test.ask('approvals.answer', { approvalId: test.state.approvals[0]?.id ?? ('' as never), answer: { decision: 'deny', reason: 'not today' } });
    expect(await asking).toMatchObject({ code: 'approval_denied', text: expect.stringContaining('not today') });
    const chatId = await test.newChat();
    const cancelled = gateway(test, { action: 'call', tool: 'find_book', args: { title: 'Emma' } }, chatId);
    await test.until(({ approvals }) => approvals.length > 0);
    await test.ask('chats.stop', { chatId });
    expect((await cancelled).outcome.kind).toBe('cancelled');
  });
});
