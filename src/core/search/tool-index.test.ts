import { expect, it } from 'vitest';
import { Revision, ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ToolIndex } from './tool-index.ts';

const tool = (serverName: string, name: string, description: string, properties: object = {}): CatalogTool => ({
  ref: { serverId: ServerId.parse(`global:${serverName}`), tool: name, revision: Revision.parse('r') }, serverName, description, annotations: {}, modelName: `mcp_${serverName}_${name}`,
  inputSchema: { type: 'object', properties },
});
const indexOf = (...tools: readonly CatalogTool[]): ToolIndex => {
  const index = new ToolIndex();
  for (const serverName of new Set(tools.map((each) => each.serverName))) index.setServer(ServerId.parse(`global:${serverName}`), tools.filter((each) => each.serverName === serverName));
  return index;
};
const index = indexOf(
  tool('Notes', 'add_note', 'Keep a new note'),
  tool('Notes', 'find_notes', 'Search the text of all notes'),
  tool('github', 'createIssue', 'Open an issue in a repository', { repo: { description: 'owner/name' } }),
  tool('files', 'read_file', 'Read the contents of a file', { path: { description: 'where it is' } }),
  tool('天气', '查询天气', '查询城市天气'),
  { ...tool('files', 'broken_note', 'note note note'), problem: 'no schema' },
);
const names = (query: string, typing = false) => index.find(query, { typing }).hits.map((hit) => hit.tool.ref.tool);

it('puts a tool whose name is meant first', () => {
  expect(names('add a note')[0]).toBe('add_note');
  expect(names('create an issue')[0]).toBe('createIssue');
  expect(names('read the file at a path')[0]).toBe('read_file');
});
it('finds by words of the description, of parameters and of the server', () => {
  expect(names('search text')).toContain('find_notes');
  expect(names('repo')).toEqual(['createIssue']);
  expect(names('github')).toEqual(['createIssue']);
});
it('knows words still being typed, and scripts without spaces', () => {
  expect(names('iss', true)).toEqual(['createIssue']);
  expect(names('天气')).toContain('查询天气');
});
it('finds nothing for nothing, and never a tool that cannot be used', () => {
  expect(names('')).toEqual([]);
  expect(names('zebra')).toEqual([]);
  expect(names('note')).not.toContain('broken_note');
});
