import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { api } from '../../bridge/api.ts';
import { useToolTitle } from '../../bridge/tool-titles.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { durationText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ArgumentRows } from '../../ui/argument-rows.tsx';
import { argumentLine, callDuration, callWords } from './call-words.ts';
import { OutcomeView } from './outcome-view.tsx';
import { ownTitle } from './own-tools.ts';

type Side = 'result' | 'arguments' | 'raw';
const sides: readonly { readonly value: Side; readonly label: string }[] = [{ value: 'result', label: 'Result' }, { value: 'arguments', label: 'Arguments' }, { value: 'raw', label: 'Raw' }];

/** One call in one line: state, tool, server, what it was given, how long. It opens to its result, its arguments and the raw record. */
export const ToolCallLine = memo(function ToolCallLine({ view, chatId, startOpen = false }: { readonly view: ToolCallView; readonly chatId: ChatId; readonly startOpen?: boolean }) {
  const [open, setOpen] = useState(startOpen);
  const id = useId();
  const named = useToolTitle(view.call.ref.serverId, view.call.ref.tool);
  const title = ownTitle(view) ?? named;
  const words = callWords(view);
  const now = useNow(view.phase === 'running' ? 'second' : 'never');
  const duration = callDuration(view, now);
  const quiet = words.dot === 'asleep';
  return (
    <div className="group/line">
      <div className="flex min-w-0 items-center">
        <button
          type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}
          className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-control px-3 text-left text-list focus-visible:outline-offset-[-2px]"
        >
          <StateDot state={words.dot} word={words.word} quiet />
          <span title={view.call.ref.tool} className={clsx('max-w-1/2 shrink-0 truncate font-[550]', quiet ? 'text-ink-2' : 'text-ink')}><VisibleText text={title} /></span>
          <span className="max-w-40 shrink-0 truncate text-ink-2"><VisibleText text={view.call.serverName} /></span>
          {words.remark
            ? <span className={clsx('min-w-0 flex-1 truncate', { trouble: 'text-bad', 'needs-you': 'text-ask', asleep: 'text-ink-2', busy: 'text-ink-2', working: 'text-ink-2' }[words.dot])}>{words.remark}</span>
            : <span className="min-w-0 flex-1 truncate text-ink-3"><VisibleText text={argumentLine(view.call.args)} /></span>}
          {duration === undefined ? null : <span className="shrink-0 text-detail text-ink-3">{durationText(view.phase === 'running' ? Math.floor(duration / 1000) * 1000 : duration)}</span>}
          <ChevronRight size={14} className={clsx('shrink-0 text-ink-3 transition-transform', open && 'rotate-90')} aria-hidden />
        </button>
        {view.phase === 'running' && view.call.caller.kind === 'direct' ? <CancelCall chatId={chatId} view={view} /> : null}
      </div>
      <div id={id}>{open ? <OpenCall view={view} /> : null}</div>
    </div>
  );
});

function CancelCall({ chatId, view }: { readonly chatId: ChatId; readonly view: ToolCallView }) {
  const { state, run } = useRequest();
  return (
    <span className="shrink-0 pr-2">
      <Button size="s" look="plain" busy={state.phase === 'sending'} onClick={() => run(() => api.chats.cancelCall({ chatId, callId: view.call.id }))}>
        {state.phase === 'failed' ? 'Cancel again' : 'Cancel'}
      </Button>
    </span>
  );
}

function OpenCall({ view }: { readonly view: ToolCallView }) {
  const [side, setSide] = useState<Side>(view.phase === 'settled' ? 'result' : 'arguments');
  const [followed, setFollowed] = useState(view.phase);
  // The result takes the place of the arguments when it arrives, unless the person chose a side.
  if (followed !== view.phase) {
    setFollowed(view.phase);
    if (view.phase === 'settled' && side === 'arguments') setSide('result');
  }
  const outcome = view.phase === 'settled' ? view.outcome : undefined;
  return (
    <div className="border-t border-line bg-pane/60 px-3 pt-2 pb-3">
      <div role="group" aria-label="What to show of this call" className="-ml-1.5 mb-1.5 flex gap-1">
        {sides.filter((one) => outcome || one.value !== 'result').map((one) => (
          <button
            key={one.value} type="button" aria-pressed={side === one.value} onClick={() => setSide(one.value)}
            className="h-6 rounded-control px-1.5 text-detail text-ink-3 transition-colors hover:text-ink aria-pressed:font-[550] aria-pressed:text-ink"
          >
            {one.label}
          </button>
        ))}
      </div>
      {side === 'result' && outcome ? <OutcomeView outcome={outcome} view={view} /> : null}
      {side === 'arguments' ? <ArgumentRows args={view.call.args} /> : null}
      {side === 'raw' ? <RawCall view={view} /> : null}
    </div>
  );
}

export const RawCall = ({ view }: { readonly view: ToolCallView }) => {
  const json = JSON.stringify({ call: view.call, ...(view.phase === 'settled' ? { outcome: view.outcome } : { phase: view.phase }) }, undefined, 2);
  return <CodeBlock code={json} language="json" onCopy={(text) => api.shell.copy({ text })} />;
};
