import type { ServerId } from '../../../shared/ids.ts';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { byServer } from '../../bridge/tool-rules.ts';

export type ToolFilter = 'all' | 'pinned' | 'hidden' | 'problems' | 'cached';
export const toolFilters: readonly ToolFilter[] = ['all', 'pinned', 'hidden', 'problems', 'cached'];

/** A row of the page: a server, or one of its tools. */
export type ListItem = { readonly kind: 'server'; readonly row: ServerRow; readonly lines: readonly ToolLine[] } | { readonly kind: 'tool'; readonly line: ToolLine };

export const lineKey = ({ serverId, tool }: Pick<ToolLine, 'serverId' | 'tool'>): string => `${serverId} ${tool}`;
export const itemKey = (item: ListItem): string => (item.kind === 'server' ? `server ${item.row.definition.id}` : lineKey(item.line));

/** It shows what it listed at an earlier connection. */
export const isCached = (row: ServerRow | undefined): boolean => row?.catalog?.from === 'cache';

export function fitsFilter(filter: ToolFilter, line: ToolLine, servers: AppState['servers']): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'pinned':
      return line.pinned === true;
    case 'hidden':
      return line.hidden !== undefined;
    case 'problems':
      return line.problem !== undefined;
    case 'cached':
      return isCached(servers[line.serverId]);
  }
}

/** Servers with their tools below them, by name. Without a filter, servers that have shown nothing yet stand among them: they are never silently missing. */
export function groupedItems({ lines, servers, filter, serverId, folded }: {
  readonly lines: readonly ToolLine[];
  readonly servers: AppState['servers'];
  readonly filter: ToolFilter;
  readonly serverId: ServerId | undefined;
  readonly folded: ReadonlySet<ServerId>;
}): readonly ListItem[] {
  const groups = byServer(lines);
  const rows = Object.values(servers)
    .filter(({ definition }) => (serverId === undefined || definition.id === serverId) && (groups.has(definition.id) || (filter === 'all' && definition.enabled)))
    .toSorted((a, b) => a.definition.name.localeCompare(b.definition.name, undefined, { numeric: true, sensitivity: 'base' }));
  return rows.flatMap((row): readonly ListItem[] => {
    const own = groups.get(row.definition.id) ?? [];
    const tools = folded.has(row.definition.id) ? [] : own;
    return [{ kind: 'server', row, lines: own }, ...tools.map((line): ListItem => ({ kind: 'tool', line }))];
  });
}
