import { expect, it } from 'vitest';
import { Revision, ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ToolIndex } from './tool-index.ts';

const idOf = (serverName: string) => ServerId.parse(`global:${serverName}`);
const tool = (serverName: string, name: string, description: string, properties: object = {}, more: Partial<CatalogTool> = {}): CatalogTool => ({
  ref: { serverId: idOf(serverName), tool: name, revision: Revision.parse('r') }, serverName, description, annotations: {}, modelName: `mcp_${serverName}_${name}`,
  inputSchema: { type: 'object', properties }, ...more,
});
const indexOf = (...tools: readonly CatalogTool[]): ToolIndex => {
  const index = new ToolIndex();
  for (const serverName of new Set(tools.map((each) => each.serverName))) index.setServer(idOf(serverName), tools.filter((each) => each.serverName === serverName));
  return index;
};
const namesIn = (index: ToolIndex, query: string, options: Parameters<ToolIndex['find']>[1] = {}) => index.find(query, options).hits.map((hit) => hit.tool.ref.tool);

const notes = [tool('Notes', 'add_note', 'Keep a new note'), tool('Notes', 'find_notes', 'Search the text of all notes'), tool('Notes', 'delete_note', 'Remove a note for good')];
const others = [
  tool('github', 'createIssue', 'Open an issue in a repository', { repo: { description: 'owner/name' }, state: { enum: ['open', 'closed'] } }),
  tool('files', 'read_file', 'Read the contents of a file', { path: { description: 'where it is' }, mode: { const: 'binary' } }),
  tool('天气', '查询天气', '查询城市天气'),
];
const index = indexOf(...notes, ...others, tool('files', 'broken_note', 'note note note', {}, { problem: 'no schema' }));
const names = (query: string, options: Parameters<ToolIndex['find']>[1] = {}) => namesIn(index, query, options);

it('puts the tool first that does what is asked with the thing that is asked for', () => {
  expect(names('add a note')[0]).toBe('add_note');
  expect(names('remove a note')[0]).toBe('delete_note');
  expect(names('create an issue')[0]).toBe('createIssue');
  expect(names('read the file at a path')[0]).toBe('read_file');
});
it('[F-89] searches name, title, description and schema text for any of the words and their beginnings, identifiers split, exact names first, ties by name', () => {
  const titled = indexOf(tool('one', 'x1', '', {}, { title: 'Weather radar' }), tool('two', 'x2', 'Nothing'));
  expect(namesIn(titled, 'radar')).toEqual(['x1']);
  const inSchema = [['owner', 'createIssue'], ['repo', 'createIssue'], ['closed', 'createIssue'], ['binary', 'read_file'], ['path', 'read_file']] as const;
  for (const [query, found] of [...inSchema, ['github', 'createIssue'], ['repository', 'createIssue'], ['contents', 'read_file'], ['zebra contents', 'read_file'], ['repos', 'createIssue'], ['reposit', 'createIssue']] as const) expect(names(query)[0]).toBe(found);

  const split = indexOf(...['getUserName', 'list_open_orders', 'files.copy', 'repos/star', 'dns:flush', 'mind-map', 'base64encode'].map((name) => tool('s', name, '')));
  for (const [query, found] of [['user', 'getUserName'], ['orders', 'list_open_orders'], ['copy', 'files.copy'], ['star', 'repos/star'], ['flush', 'dns:flush'], ['mind', 'mind-map'], ['encode', 'base64encode'], ['openOrders', 'list_open_orders']] as const) {
    expect(namesIn(split, query)).toEqual([found]);
  }

  const crowded = indexOf(tool('a', 'search', 'Look'), tool('b', 'search_search', 'Search search search, search'), ...['zeta', 'beta', 'alpha'].map((name) => tool('c', name, 'Same words')));
  expect(crowded.find('search').hits[0]).toMatchObject({ tool: { ref: { tool: 'search' } }, exact: true });
  expect(crowded.find('mcp_b_search_search').hits[0]).toMatchObject({ tool: { ref: { tool: 'search_search' } }, exact: true });
  expect(namesIn(crowded, 'same words')).toEqual(['alpha', 'beta', 'zeta']);
});
it('knows plurals and other forms, synonyms, slips of the hand, and Chinese', () => {
  expect(names('issues')).toEqual(['createIssue']);
  expect(names('searching')[0]).toBe('find_notes');
  expect(names('folder repository')).toContain('createIssue');
  expect(names('isssue')).toEqual(['createIssue']);
  expect(names('天气')).toEqual(['查询天气']);
  expect(names('weather')).toEqual(['查询天气']);
});
it('takes the last word for unfinished while it is typed', () => {
  expect(names('iss', { typing: true })).toEqual(['createIssue']);
  expect(names('is', { typing: true })).toContain('createIssue');
  expect(names('iss')).toEqual([]);
});
it('finds nothing for nothing, and never a tool with a problem', () => {
  for (const query of ['', '   ', '!?', 'zebra']) expect(index.find(query)).toEqual({ hits: [], total: 0 });
  expect(names('note', { limit: 100 })).not.toContain('broken_note');
  expect(names('broken_note')).not.toContain('broken_note');
});
it('keeps to one server, to what may be found, and to a page', () => {
  const all = names('note');
  expect(all).toHaveLength(3);
  expect(names('note', { serverId: idOf('files') })).toEqual([]);
  expect(names('note', { serverId: idOf('nowhere') })).toEqual([]);
  expect(index.find('note', { may: ({ ref }) => ref.tool !== all[0] })).toMatchObject({ total: 2 });
  expect([0, 1, 2, 3].flatMap((offset) => names('note', { limit: 1, offset }))).toEqual(all);
});
it('knows of one server what it was last told, as if it had known nothing else', () => {
  const changing = indexOf(...others);
  for (let round = 0; round < 700; round += 1) changing.setServer(idOf('Notes'), [tool('Notes', `note_${round}`, `Note number ${round}`)]);
  expect(namesIn(changing, 'note_3', { limit: 100 })).not.toContain('note_3');
  changing.setServer(idOf('Notes'), notes);
  const fresh = indexOf(...others, ...notes);
  for (const query of ['add a note', 'note', 'read the file, then open an issue in the repository and keep a note of it', '天气']) expect(changing.find(query, { limit: 100 })).toEqual(fresh.find(query, { limit: 100 }));
  changing.setServer(idOf('Notes'), []);
  changing.removeServer(idOf('github'));
  expect(namesIn(changing, 'note issue', { limit: 100 })).toEqual([]);
});
it('finds the tools of every step of a task', () => {
  const task = 'Read the file ./plans/today.md, keep a note of what it says, and then open an issue in our repository about it.';
  expect(names(task, { limit: 3 }).toSorted()).toEqual(['add_note', 'createIssue', 'read_file']);
});
it('explains a hit by reasons that add up to its score', () => {
  for (const query of ['add a note', 'searching notes', 'Read the file ./plans/today.md, keep a note of what it says, and then open an issue in our repository about it.']) {
    for (const { tool: found, score } of index.find(query, { limit: 100 }).hits) {
      const reasons = index.explain(query, { serverId: found.ref.serverId, tool: found.ref.tool });
      expect(reasons.reduce((sum, reason) => sum + reason.score, 0)).toBeCloseTo(score, 6);
    }
  }
  expect(index.explain('searching notes', { serverId: idOf('Notes'), tool: 'find_notes' })).toContainEqual(expect.objectContaining({ field: 'lead', term: 'searching', matched: 'search', how: 'stem' }));
  expect(index.explain('searching notes', { serverId: idOf('Notes'), tool: 'find_notes' })).toContainEqual(expect.objectContaining({ field: 'name', term: 'notes', matched: 'notes', how: 'word' }));
  expect(index.explain('zebra', { serverId: idOf('Notes'), tool: 'find_notes' })).toEqual([]);
  expect(index.explain('note', { serverId: idOf('Notes'), tool: 'gone' })).toEqual([]);
});
it('answers whatever it is asked', () => {
  const hostile = indexOf(...notes, tool('s', 'n'.repeat(2000), 'x'.repeat(100_000)), tool('t', '\u0000\ud800', '\udfff '.repeat(5000), { '': null, a: { items: { anyOf: [null, 3, {}] } } }));
  const queries = [
    'a'.repeat(100_000), 'note '.repeat(20_000), Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(' '), '(((((.*)+)+)+)+$'.repeat(2000), '\u0000\u0007\u001b[31m note', '\ud800 note \udfff', '/'.repeat(100_000), `${'../'.repeat(30_000)}x.md`,
    '.'.repeat(100_000), '"'.repeat(100_000), '，'.repeat(50_000), 'İ'.repeat(5000), '\u0301'.repeat(5000), `${'n'.repeat(2000)}`, '天'.repeat(50_000),
  ];
  for (const query of queries) for (const typing of [false, true]) expect(hostile.find(query, { typing }).total).toBeGreaterThanOrEqual(0);
  expect(namesIn(hostile, '\ud800 note \udfff', { limit: 1 })).toHaveLength(1);
});
it('finds a tool by its tags, which weigh less than its own words', () => {
  const tags = ['mcp', 'integration', 'external'];
  const tagged = indexOf(tool('s', 'weigh', 'Weigh plums', {}, { tags }), tool('s', 'count', 'Count pears', {}, { tags: [...tags, 'dynamic', 'mcp_server:s'] }), tool('s', 'external_call', 'Call what is outside', {}, { tags }));
  expect(namesIn(tagged, 'dynamic')).toEqual(['count']);
  expect(namesIn(tagged, 'external')[0]).toBe('external_call');
  expect(namesIn(tagged, 'external plums')[0]).toBe('weigh');
});
