import { describe, expect, it } from 'vitest';
import { Revision, ServerId } from '../../../shared/ids.ts';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { fitsFilter, groupedItems, itemKey, toolFilters } from './tool-list.ts';

const row = (name: string, more: Partial<ServerRow> = {}, enabled = true): ServerRow => ({
  definition: { id: ServerId.parse(name), name, owner: 'global', enabled, transport: { type: 'socket', path: '/x' }, options: {}, revision: Revision.parse('r') },
  connection: { phase: 'stopped', why: 'asleep' }, warnings: [], provenance: { state: 'effective', source: 'home', chain: [], fields: [] }, ...more,
});
const line = (server: string, tool: string, more: Partial<ToolLine> = {}): ToolLine => ({ serverId: ServerId.parse(server), serverName: server, tool, about: '', ...more });
const servers: AppState['servers'] = Object.fromEntries(
  [row('server 10'), row('Server 9', { catalog: { from: 'cache', seenAt: 1 } }), row('blank'), row('off', {}, false)].map((one) => [one.definition.id, one]),
);
const lines = [line('server 10', 'a', { pinned: true }), line('server 10', 'b', { hidden: 'excluded' }), line('Server 9', 'c', { problem: 'p' })];
const items = (more: object = {}) => groupedItems({ lines, servers, filter: 'all', serverId: undefined, folded: new Set(), ...more }).map(itemKey);

describe('the list of tools', () => {
  it('has each server with its tools below it, and those that have shown nothing yet, but none that is off', () => {
    expect(items()).toEqual(['server blank', 'server Server 9', 'Server 9 c', 'server server 10', 'server 10 a', 'server 10 b']);
  });
  it('keeps a folded server’s head', () => {
    expect(items({ folded: new Set(['server 10']) })).toEqual(['server blank', 'server Server 9', 'Server 9 c', 'server server 10']);
  });
  it('shows one server, and under a filter only servers that have something', () => {
    expect(items({ serverId: 'server 10' })).toEqual(['server server 10', 'server 10 a', 'server 10 b']);
    expect(items({ filter: 'problems', lines: lines.filter((one) => fitsFilter('problems', one, servers)) })).toEqual(['server Server 9', 'Server 9 c']);
  });
  it('is filtered by what a person looks for', () => {
    const found = Object.fromEntries(toolFilters.map((filter) => [filter, lines.filter((one) => fitsFilter(filter, one, servers)).map(({ tool }) => tool).join('')]));
    expect(found).toEqual({ all: 'abc', pinned: 'a', hidden: 'b', problems: 'c', cached: 'c' });
  });
});
