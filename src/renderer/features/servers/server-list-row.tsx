import clsx from 'clsx';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import type { RequestError } from '../../bridge/api.ts';
import { serverWords } from '../../bridge/connection-words.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { hrefOf } from '../../bridge/place.ts';
import { serverKeyNames, serverKeys } from '../../bridge/server-keys.ts';
import { targetText } from '../../bridge/target-text.ts';
import { Button } from '../../ui/button.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { countText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { adviceFor } from './server-advice.ts';
import { PendingNote } from './pending-note.tsx';
import { ServerMenu } from './server-menu.tsx';
import { OriginBadges, ownerWord } from './server-origin.tsx';
import { useServerAction } from './use-server-action.ts';

/** The columns of the list and of its heading. */
export const columns =
  'grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)_84px_64px_132px] items-center gap-x-4 px-3 ' +
  'compact:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_56px_124px] compact:gap-x-3';

/** The name is the link, and all of the row is its target. */
const wholeRow =
  'block truncate text-list font-semibold text-ink after:absolute after:inset-0 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-accent';

/** One server: what it is, how it is, where it comes from, and the one thing to do about it. */
export function ServerListRow({ row, paused }: { readonly row: ServerRow; readonly paused: boolean }) {
  const { definition, connection } = row;
  const asked = useApp((state) => state.secretQuestions.some((question) => question.serverId === definition.id)) ?? false;
  const secretsKept = useApp((state) => state.vault.phase !== 'unavailable') ?? true;
  const counting = (connection.phase === 'failed' && connection.retryAt !== undefined) || connection.phase === 'reconnecting';
  const now = useNow(counting ? 'second' : 'never');
  const { press, pending, error } = useServerAction(definition.id);
  const [menuError, setMenuError] = useState<RequestError>();
  const words = serverWords(row);
  const advice = adviceFor(row, now, secretsKept, asked);
  const shownError = error ?? menuError;
  const starting = advice.action.do !== 'stop' && pending.size > 0;
  return (
    <div className="relative border-b border-line transition-colors hover:bg-hover" onKeyDown={serverKeys(row, setMenuError)}>
      <div className={clsx(columns, 'min-h-14 py-2')}>
        <div className="min-w-0">
          <a
            href={hrefOf({ page: 'servers', serverId: definition.id })}
            draggable={false}
            data-server-head
            aria-keyshortcuts={serverKeyNames}
            className={wholeRow}
          >
            <VisibleText text={definition.name} />
          </a>
          <p className={clsx('truncate text-detail text-ink-3', definition.owner !== 'built-in' && 'font-code')}>
            <span className="hidden font-text compact:inline">{ownerWord(row)} · </span>
            {definition.owner === 'built-in' ? (
              (builtInWords[definition.name] ?? 'comes with Gatehouse')
            ) : (
              <VisibleText text={targetText(definition.transport)} />
            )}
          </p>
        </div>
        <div className="min-w-0 text-list">
          <StateDot state={words.dot} word={words.word} className="max-w-full text-ink" />
          {advice.why || advice.next ? (
            <p className={clsx('flex min-w-0 gap-1 pl-4 text-detail', words.dot === 'trouble' ? 'text-bad' : 'text-ink-2')}>
              {advice.why ? (
                <span className="min-w-0 truncate" title={advice.why}>
                  <VisibleText text={advice.why} />
                </span>
              ) : null}
              {advice.next && !paused ? <span className="shrink-0 text-ink-2">{advice.next}</span> : null}
            </p>
          ) : null}
        </div>
        <OriginBadges row={row} className="flex min-w-0 flex-col items-start gap-1 compact:hidden" />
        <Offers row={row} />
        <div className="relative flex items-center justify-end gap-1">
          {paused && advice.action.do !== 'switch-on' ? null : (
            <Button
              size="s"
              look={advice.urgent ? 'quiet' : 'plain'}
              busy={pending.has(advice.action.do) || starting}
              aria-label={`${advice.action.label}: ${definition.name}`}
              onClick={() => press(advice.action.do)}
            >
              {advice.action.label}
            </Button>
          )}
          <ServerMenu row={row} onError={setMenuError} />
        </div>
      </div>
      {row.pending ? (
        <div className="px-3 pb-2">
          <PendingNote row={row} />
        </div>
      ) : null}
      {shownError ? (
        <div className="relative px-3 pb-2">
          <FailureNote error={shownError} compact context={{ server: definition.name }} />
        </div>
      ) : null}
    </div>
  );
}

const builtInWords: Readonly<Record<string, string>> = { Notes: 'notes kept on this computer', Files: 'the files of the open project' };

/** How many tools it offers; what else, and what was left out, for those who point or listen. */
function Offers({ row: { counts, warnings, catalog } }: { readonly row: ServerRow }) {
  const trouble = warnings.length + (counts?.problems ?? 0);
  const rest = counts
    ? [
        countText(counts.resources, 'resource'),
        countText(counts.prompts, 'prompt'),
        ...(counts.problems > 0 ? [`${countText(counts.problems, 'tool')} cannot be used`] : []),
        ...warnings,
      ].join(', ')
    : 'not seen yet';
  return (
    <div className="flex items-center gap-1 text-list text-ink-2" title={rest}>
      {counts ? (
        <span>
          {counts.tools.toLocaleString('en-US')}
          {catalog?.from === 'cache' ? <span className="text-detail text-ink-3"> cached</span> : null}
          <span className="sr-only"> tools, {rest}</span>
        </span>
      ) : (
        <span className="text-ink-3">
          –<span className="sr-only"> not seen yet</span>
        </span>
      )}
      {trouble > 0 ? <TriangleAlert size={12} strokeWidth={1.75} className="shrink-0 text-ask" aria-hidden /> : null}
    </div>
  );
}
