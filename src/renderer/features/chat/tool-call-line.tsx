import { memo, useId, useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { api } from '../../bridge/api.ts';
import { useToolTitle } from '../../bridge/tool-titles.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ArgumentRows } from '../../ui/argument-rows.tsx';
import { argumentLine, callWords } from './call-words.ts';
import { LineHead } from './line-head.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { ownWords } from './own-words.ts';
import { SignInBeside } from './sign-in-offer.tsx';

type Side = 'result' | 'arguments' | 'raw';
const sides: readonly { readonly value: Side; readonly label: string }[] = [{ value: 'result', label: 'Result' }, { value: 'arguments', label: 'Arguments' }, { value: 'raw', label: 'Raw' }];

/** One call in one line: state, tool, server, what it was given, how long. It opens to its result, its arguments and the raw record. */
export const ToolCallLine = memo(function ToolCallLine({ view, chatId, startOpen = false }: { readonly view: ToolCallView; readonly chatId: ChatId; readonly startOpen?: boolean }) {
  const [open, setOpen] = useState(startOpen);
  const id = useId();
  const named = useToolTitle(view.call.ref.serverId, view.call.ref.tool);
  const own = ownWords(view);
  const words = callWords(view);
  return (
    <div className="group/line">
      <div className="flex min-w-0 items-center">
        <LineHead
          view={view} words={words} title={own?.title ?? <VisibleText text={named} />} tooltip={view.call.ref.tool} beside={own ? (words.remark === undefined || own.about === '' ? null : <VisibleText text={own.about} />) : <VisibleText text={view.call.serverName} />}
          about={<VisibleText text={own?.about ?? argumentLine(view.call.args)} />} open={open} onToggle={() => setOpen(!open)} controls={id}
        />
        {view.phase === 'running' ? <CancelCall chatId={chatId} view={view} /> : null}
        <SignInBeside view={view} open={open} />
      </div>
      <div id={id}>{open ? <OpenCall view={view} /> : null}</div>
    </div>
  );
});

/** Ends this call and no other (F-62). */
export function CancelCall({ chatId, view }: { readonly chatId: ChatId; readonly view: ToolCallView }) {
  const { state, run } = useRequest();
  return (
    <span className="shrink-0 pr-2">
      <Button size="s" look="plain" busy={state.phase === 'sending'} onClick={() => run(() => api.chats.cancelCall({ chatId, callId: view.call.id }))}>
        {state.phase === 'failed' ? 'Cancel again' : 'Cancel'}
      </Button>
    </span>
  );
}

/** What a line opens to. */
export function OpenCall({ view }: { readonly view: ToolCallView }) {
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
      {side === 'arguments' ? <ArgumentRows args={view.call.resource === undefined ? view.call.args : { address: view.call.resource }} /> : null}
      {side === 'raw' ? <RawCall view={view} /> : null}
    </div>
  );
}

export const RawCall = ({ view }: { readonly view: ToolCallView }) => {
  const json = JSON.stringify({ call: view.call, ...(view.phase === 'settled' ? { outcome: view.outcome } : { phase: view.phase }) }, undefined, 2);
  return <CodeBlock code={json} language="json" onCopy={(text) => api.shell.copy({ text })} />;
};
