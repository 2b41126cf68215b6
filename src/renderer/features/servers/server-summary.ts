import { isWanted } from '../../bridge/connection-words.ts';
import { targetText } from '../../bridge/target-text.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { waitsForSignIn } from '../../../shared/state/sign-in-need.ts';

export const serverFilters = ['all', 'trouble', 'needs-you', 'connected', 'asleep', 'off'] as const;
/** A part of the list, by how its servers are. */
export type ServerFilter = (typeof serverFilters)[number];

type Standing = Pick<ServerRow, 'definition' | 'connection' | 'signIn'>;

/** The part that a server belongs to. */
export function partOf(row: Standing): Exclude<ServerFilter, 'all'> {
  const { connection } = row;
  if (connection.phase !== 'stopped' && waitsForSignIn(row)) return 'needs-you';
  switch (connection.phase) {
    case 'failed':
    case 'reconnecting':
      return 'trouble';
    case 'needs':
      return connection.what === 'project' ? 'off' : 'needs-you';
    case 'ready':
    case 'starting':
      return 'connected';
    case 'stopped':
      return connection.why === 'asleep' ? 'asleep' : 'off';
  }
}

export type ServerCounts = Readonly<Record<ServerFilter, number>>;
export function countServers(rows: readonly Standing[]): ServerCounts {
  const counts: Record<ServerFilter, number> = { all: rows.length, trouble: 0, 'needs-you': 0, connected: 0, asleep: 0, off: 0 };
  for (const row of rows) counts[partOf(row)] += 1;
  return counts;
}

/** "3 of 12 not answering": of those that the person wants to run. */
export const troubleText = (rows: readonly Standing[]): string => {
  const wanted = rows.filter(({ connection }) => isWanted(connection));
  return `${wanted.filter((row) => partOf(row) === 'trouble').length} of ${wanted.length} not answering`;
};

/** Those that come with Gatehouse, then the person's own by name; the order does not change when a state does. */
export const sortServers = (rows: readonly ServerRow[]): readonly ServerRow[] =>
  rows.toSorted((a, b) => {
    const own = Number(a.definition.owner !== 'built-in') - Number(b.definition.owner !== 'built-in');
    return own !== 0 || a.definition.owner === 'built-in'
      ? own
      : a.definition.name.localeCompare(b.definition.name, undefined, { numeric: true, sensitivity: 'base' });
  });

/** Every word must stand in the name or in where the server is. */
export function findServers(rows: readonly ServerRow[], text: string, filter: ServerFilter): readonly ServerRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter((row) => {
    if (filter !== 'all' && partOf(row) !== filter) return false;
    const place =
      `${row.definition.name} ${row.definition.owner === 'built-in' ? 'built in' : targetText(row.definition.transport)}`.toLowerCase();
    return words.every((word) => place.includes(word));
  });
}
