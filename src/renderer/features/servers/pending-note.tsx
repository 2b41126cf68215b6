import { Clock } from 'lucide-react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';

/** Its file changed while something runs: what holds now, and the way to have the change at once. */
export function PendingNote({ row }: { readonly row: ServerRow }) {
  const { state, run } = useRequest();
  if (!row.pending) return null;
  return (
    <div role="status" className="relative flex flex-col gap-2">
      <div className="flex items-center gap-2 text-detail text-ink-2">
        <Clock size={12} strokeWidth={1.75} className="shrink-0 text-accent" aria-hidden />
        <span className="min-w-0 flex-1">Its definition changed. The change holds from the next run on.</span>
        <Button size="s" busy={state.phase === 'sending'} onClick={() => run(() => api.servers.restart({ serverId: row.definition.id }))}>
          Apply now
        </Button>
      </div>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </div>
  );
}
