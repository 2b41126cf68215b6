import { describe, expect, it } from 'vitest';
import { Revision, ServerId } from '../../../shared/ids.ts';
import type { ConnectionState } from '../../../shared/model/connection-state.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { countServers, findServers, sortServers, troubleText } from './server-summary.ts';

const row = (name: string, connection: ConnectionState, owner: 'built-in' | 'global' = 'global'): ServerRow => ({
  definition: {
    id: ServerId.parse(name),
    name,
    owner,
    enabled: true,
    transport: { type: 'stdio', command: 'npx', args: ['-y', `mcp-${name}`], env: {} },
    options: {},
    revision: Revision.parse('r'),
  },
  connection,
  warnings: [],
  provenance: { state: 'effective', source: 'home', chain: [], fields: [] },
});
const asleep: ConnectionState = { phase: 'stopped', why: 'asleep' };
const failed: ConnectionState = { phase: 'failed', at: 0, failure: { code: 'server/exited', message: '' } };
const off: ConnectionState = { phase: 'stopped', why: 'disabled' };
const noFolder: ConnectionState = { phase: 'needs', what: 'project', message: '' };
const rows = [
  row('zeta', failed),
  row('Notes', asleep, 'built-in'),
  row('alpha-10', off),
  row('alpha-9', failed),
  row('Files', noFolder, 'built-in'),
];

describe('the list of servers', () => {
  it('puts those that come with Gatehouse first and the others by name, numbers as numbers', () => {
    expect(sortServers(rows).map(({ definition }) => definition.name)).toEqual(['Notes', 'Files', 'alpha-9', 'alpha-10', 'zeta']);
  });

  it('counts who does not answer among those that are wanted', () => {
    expect(troubleText(rows)).toBe('2 of 3 not answering');
    expect(countServers(rows)).toEqual({ all: 5, trouble: 2, 'needs-you': 0, connected: 0, asleep: 1, off: 2 });
  });

  it('finds by name and by command, every word of it', () => {
    expect(findServers(rows, 'ALPHA mcp', 'all').map(({ definition }) => definition.name)).toEqual(['alpha-10', 'alpha-9']);
    expect(findServers(rows, 'built in', 'all').map(({ definition }) => definition.name)).toEqual(['Notes', 'Files']);
    expect(findServers(rows, 'alpha zeta', 'all')).toEqual([]);
  });

  it('shows one part of the list alone', () => {
    expect(findServers(rows, '', 'trouble').map(({ definition }) => definition.name)).toEqual(['zeta', 'alpha-9']);
  });
});
