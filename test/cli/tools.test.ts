import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connected, defineShelves, objectTool } from '../support/own-tool.ts';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 });

let built: BuiltAttached;
let me: AttachedPerson;
beforeAll(async () => {
  built = await buildAttached();
}, 120_000);
afterAll(() => built?.[Symbol.asyncDispose]());
beforeEach(async () => void (me = await AttachedPerson.open(built)));
afterEach(() => me[Symbol.asyncDispose]());

const books = { name: 'books', instructions: 'Ask for a title first.', tools: [objectTool('find_book', 'Finds a book\u202e by its title', { title: { type: 'string' } })], resources: [{ uri: 'shelf://one', name: 'First shelf' }] };

it('tools are found, looked at, called and read at the command line, with the same question before each call', async () => {
  await defineShelves(me.app, [books]);
  expect((await me.run(['tools', 'status'])).stdout).toMatch(/^books: not discovered$/m);
  expect(me.app.state.servers[me.app.server('books')]?.connection.phase).toBe('stopped');
  expect(await me.done(['tools', 'list', 'books'])).toMatch(/books: 1 tool\n[\s\S]*mcp_books_find_book \[asks the person first\]: Finds a book⟨U\+202E⟩ by its title/);
  expect(await me.json(['tools', 'search', 'book', 'title'])).toMatchObject({ items: [{ name: 'find_book', server: 'books', inputSchema: { required: ['title'] } }], total: 1 });
  expect(await me.json(['tools', 'describe', 'find_book'])).toMatchObject({ path: 'mcp_books_find_book', approvalRequired: true });
  expect(await me.done(['tools', 'instructions', 'books'])).toContain('Ask for a title first.');
  expect(await me.done(['tools', 'resources', 'books'])).toContain('shelf://one');

  const asked = await me.run(['tools', 'call', 'find_book', '{"title":"Emma"}'], { terminal: true, input: 'o' });
  expect(asked.code).toBe(0);
  expect(asked.stdout).toContain('"title":"Emma"');
  const denied = await me.run(['tools', 'call', 'find_book', '{"title":"Emma"}'], { terminal: true, input: 'n' });
  expect(denied.code).toBe(1);
  await me.app.ask('settings.update', { approvals: 'unrestricted' });
  expect(await me.json(['tools', 'call', 'find_book', '-', '--server', 'books'], { input: '{"title":"Persuasion"}' })).toMatchObject({ kind: 'succeeded', result: { parts: [{ text: expect.stringContaining('Persuasion') as string }] } });
  expect(await me.done(['tools', 'read', 'books', 'shelf://one'])).toContain('the text of shelf://one');
});

it('what cannot be done is told in words, and a call that needs a person who is not there ends with code 2', async () => {
  await me[Symbol.asyncDispose]();
  me = await AttachedPerson.open(built, { interaction: 'none' });
  await defineShelves(me.app, [books]);
  await connected(me.app, 'books');
  const unasked = await me.run(['tools', 'call', 'find_book', '{"title":"Emma"}']);
  expect([unasked.code, unasked.stdout]).toEqual([2, '']);
  const unknown = await me.run(['tools', 'call', 'find_bok']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('find_book');
  const text = await me.run(['tools', 'call', 'find_book', '[1]']);
  expect(text.code).toBe(1);
  expect(text.stderr).toContain('JSON object');
});
