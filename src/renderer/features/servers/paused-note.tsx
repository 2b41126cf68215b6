import { CirclePause } from 'lucide-react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';

/** Said wherever a paused server could be taken for a broken one. */
export function PausedNote() {
  const paused = useApp((state) => state.paused) ?? false;
  const { state, run } = useRequest();
  if (!paused) return null;
  return (
    <div role="status" className="flex flex-col gap-2">
      <div className="flex items-center gap-3 rounded-card border border-ask-line bg-ask-soft px-4 py-2.5 text-list">
        <CirclePause size={16} strokeWidth={1.75} className="shrink-0 text-ask" aria-hidden />
        <p className="min-w-0 flex-1">
          <strong className="font-[550] text-ask">Everything is paused.</strong>{' '}
          <span className="text-ink-2">No server is started and no tool is called until you resume.</span>
        </p>
        <Button size="s" busy={state.phase === 'sending'} onClick={() => run(() => api.servers.pauseAll({ paused: false }))}>
          Resume
        </Button>
      </div>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </div>
  );
}
