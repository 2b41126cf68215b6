import { Fragment, type ReactNode } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { hrefOf } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/time.ts';
import type { CatalogSummary } from './catalog-summary.ts';

/** What is not in the list, and why: never looked at, still starting, not answering. */
export function MissingLine({ summary }: { readonly summary: CatalogSummary }) {
  const parts: readonly { readonly key: string; readonly says: ReactNode }[] = [
    ...(summary.problems > 0 ? [{ key: 'problems', says: `${summary.problems.toLocaleString('en-US')} cannot be used` }] : []),
    ...(summary.starting > 0 ? [{ key: 'starting', says: `${countText(summary.starting, 'server')} starting` }] : []),
    ...(summary.missing.length > 0
      ? [
          {
            key: 'missing',
            says: (
              <a href={hrefOf({ page: 'servers' })} className="text-bad underline-offset-2 hover:underline">
                {countText(summary.missing.length, 'server')} not answering
              </a>
            ),
          },
        ]
      : []),
    ...(summary.unseen.length > 0 ? [{ key: 'unseen', says: `${countText(summary.unseen.length, 'server')} not seen yet` }] : []),
  ];
  return (
    <>
      {parts.map(({ key, says }) => (
        <Fragment key={key}>
          <span aria-hidden className="text-ink-3">
            ·
          </span>
          <span>{says}</span>
        </Fragment>
      ))}
      {summary.unseen.length > 0 ? <LookNow size="s" /> : null}
    </>
  );
}

/** Starts the servers that were never seen, so that what they offer is known. */
export function LookNow({ size = 'm' }: { readonly size?: 's' | 'm' }) {
  const paused = useApp((state) => state.paused) ?? false;
  const { state, run } = useRequest();
  // The search wakes every server that was never seen; its answer is not needed here.
  const look = () => run(() => api.catalog.search({ text: '', limit: 1 }));
  if (paused) return <span className="text-list text-ink-3">Everything is paused.</span>;
  return (
    <>
      <Button size={size} busy={state.phase === 'sending'} onClick={look} className={size === 's' ? 'ml-1.5' : undefined}>
        Look now
      </Button>
      {state.phase === 'failed' ? (
        <span className="basis-full">
          <FailureNote error={state.error} compact onRetry={look} />
        </span>
      ) : null}
    </>
  );
}
