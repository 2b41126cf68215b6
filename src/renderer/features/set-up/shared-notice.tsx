import { FileText } from 'lucide-react';
import { useMemo } from 'react';
import type { AppState } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { hrefOf, type Place } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { sharedInUse } from './first-start.ts';

const none: AppState['servers'] = {};

/** Said once: files that other programs read too have servers in them, and those count (F-197). */
export function SharedNotice({ place }: { readonly place: Place }) {
  const seen = useApp((state) => state.settings.sharedFilesSeen) ?? true;
  const servers = useApp((state) => state.servers) ?? none;
  const files = useMemo(() => (seen ? [] : sharedInUse(servers)), [seen, servers]);
  const { state, run } = useRequest();
  if (seen || files.length === 0 || place.page === 'set-up') return null;
  return (
    <section aria-label="Shared files" className="shrink-0 animate-appear border-b border-line bg-card px-6 py-2 compact:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-list">
        <FileText size={16} strokeWidth={1.75} className="shrink-0 text-accent" aria-hidden />
        <p role="status" className="min-w-0 flex-1 basis-72 text-ink-2">
          <span className="font-[550] text-ink">Servers of shared files are here too:</span>{' '}
          <span className="font-code text-code">{files.join(', ')}</span>. Other programs may read {files.length === 1 ? 'it' : 'them'} as
          well; Gatehouse never changes {files.length === 1 ? 'it' : 'them'}.
        </p>
        <span className="flex gap-2">
          <a
            href={hrefOf({ page: 'servers' })}
            draggable={false}
            className="inline-flex h-7 items-center rounded-control px-2.5 text-accent underline-offset-2 hover:underline"
          >
            See the servers
          </a>
          <Button size="s" busy={state.phase === 'sending'} onClick={() => run(() => api.settings.update({ sharedFilesSeen: true }))}>
            Got it
          </Button>
        </span>
      </div>
      {state.phase === 'failed' ? (
        <div className="mt-2">
          <FailureNote error={state.error} compact />
        </div>
      ) : null}
    </section>
  );
}
