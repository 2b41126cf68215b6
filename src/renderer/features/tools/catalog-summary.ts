import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { countText } from '../../ui/time.ts';

export interface CatalogSummary {
  readonly tools: number;
  /** Servers whose tools are known. */
  readonly seen: number;
  /** Asleep and never looked at: a look would show what they offer. */
  readonly unseen: readonly ServerRow[];
  readonly starting: number;
  /** Switched on, never seen, and not answering or waiting for the person. */
  readonly missing: readonly ServerRow[];
  readonly problems: number;
}

/** What the tools' page says of all servers together. Servers that are off are not missed. */
export function summarise(servers: AppState['servers']): CatalogSummary {
  const rows = Object.values(servers);
  const seen = rows.filter((row) => row.counts !== undefined);
  const blank = rows.filter((row) => row.counts === undefined && row.definition.enabled);
  return {
    tools: seen.reduce((sum, row) => sum + (row.counts?.tools ?? 0), 0),
    problems: seen.reduce((sum, row) => sum + (row.counts?.problems ?? 0), 0),
    seen: seen.length,
    unseen: blank.filter(({ connection }) => connection.phase === 'stopped' && connection.why === 'asleep'),
    starting: blank.filter(({ connection }) => connection.phase === 'starting' || connection.phase === 'ready').length,
    missing: blank.filter(
      ({ connection }) =>
        connection.phase === 'failed' ||
        connection.phase === 'reconnecting' ||
        (connection.phase === 'needs' && connection.what !== 'project'),
    ),
  };
}

/** "318 tools of 12 servers"; nothing where there is no server that could be looked at. */
export function summaryText({ tools, seen, unseen }: Pick<CatalogSummary, 'tools' | 'seen' | 'unseen'>): string {
  if (seen > 0) return `${countText(tools, 'tool')} of ${countText(seen, 'server')}`;
  return unseen.length > 0 ? 'No server has been looked at yet' : '';
}
