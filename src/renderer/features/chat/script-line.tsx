import { memo, useId, useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ScriptCall, ScriptDetails } from '../../../shared/model/script.ts';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { api } from '../../bridge/api.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { countText, durationText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { callWords } from './call-words.ts';
import { LineHead } from './line-head.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { CancelCall, RawCall, ToolCallLine } from './tool-call-line.tsx';

type Side = 'output' | 'code' | 'trace' | 'raw';
const labels: Readonly<Record<Side, string>> = { output: 'Output', code: 'Code', trace: 'All steps', raw: 'Raw' };
/** More than these are folded until the person wants to see them all. */
const shownAtFirst = 8;

/** A script: how it goes, the calls that it made as lines of their own, and inside its code, what it put out, and each step of it. */
export const ScriptLine = memo(function ScriptLine({ view, inner, asks, chatId, startOpen }: {
  readonly view: ToolCallView;
  readonly inner: readonly ToolCallView[];
  /** One of its calls asks, below. */
  readonly asks: boolean;
  readonly chatId: ChatId;
  readonly startOpen: boolean;
}) {
  const [open, setOpen] = useState(startOpen);
  const [all, setAll] = useState(false);
  const id = useId();
  const waits = asks || inner.some(({ phase }) => phase === 'waiting');
  const words = waits ? { dot: 'needs-you', word: 'Waiting for you', remark: 'Waits for you' } as const : callWords(view);
  const shown = all ? inner : inner.slice(0, shownAtFirst);
  return (
    <div>
      <div className="flex min-w-0 items-center">
        <LineHead
          view={view} words={words} title="Script" beside={view.inner.length === 0 ? null : countText(view.inner.length, 'call')} about={<VisibleText text={firstLine(codeOf(view))} />}
          open={open} onToggle={() => setOpen(!open)} controls={id}
        />
        {view.phase === 'running' ? <CancelCall chatId={chatId} view={view} /> : null}
      </div>
      <div id={id}>{open ? <OpenScript view={view} /> : null}</div>
      {shown.length === 0 ? null : (
        <div className="ml-4 divide-y divide-line border-t border-l border-line">
          {shown.map((one) => <ToolCallLine key={one.call.id} view={one} chatId={chatId} />)}
          {inner.length > shown.length
            ? <button type="button" onClick={() => setAll(true)} className="h-8 px-3 text-detail text-ink-2 hover:text-ink">Show all {inner.length} calls</button>
            : null}
        </div>
      )}
    </div>
  );
});

function OpenScript({ view }: { readonly view: ToolCallView }) {
  const outcome = view.phase === 'settled' ? view.outcome : undefined;
  const details = outcome && 'result' in outcome ? outcome.result.script : undefined;
  const [chosen, setChosen] = useState<Side>();
  const side = chosen ?? (outcome ? 'output' : 'code');
  const sides: readonly Side[] = [...(outcome ? (['output'] as const) : []), 'code', ...(details ? (['trace'] as const) : []), 'raw'];
  return (
    <div className="border-t border-line bg-pane/60 px-3 pt-2 pb-3">
      <div role="group" aria-label="What to show of this script" className="-ml-1.5 mb-1.5 flex gap-1">
        {sides.map((one) => (
          <button
            key={one} type="button" aria-pressed={side === one} onClick={() => setChosen(one)}
            className="h-6 rounded-control px-1.5 text-detail text-ink-3 transition-colors hover:text-ink aria-pressed:font-[550] aria-pressed:text-ink"
          >
            {labels[one]}
          </button>
        ))}
      </div>
      {side === 'output' && outcome ? <Output view={view} details={details} /> : null}
      {side === 'code' ? <CodeBlock code={codeOf(view)} language="javascript" marked={details?.error?.line} onCopy={(text) => api.shell.copy({ text })} /> : null}
      {side === 'trace' && details ? <Trace details={details} /> : null}
      {side === 'raw' ? <RawCall view={view} /> : null}
    </div>
  );
}

function Output({ view, details }: { readonly view: ToolCallView; readonly details: ScriptDetails | undefined }) {
  if (view.phase !== 'settled') return null;
  const { outcome } = view;
  const error = details?.error;
  if (!error || outcome.kind !== 'tool-error') return <OutcomeView outcome={outcome} view={view} />;
  const what = error.code === 'timeout' ? `The script took longer than ${durationText(details.timeoutMs ?? 0)}.` : `The script stopped${error.line === undefined ? '' : ` in line ${error.line}`}.`;
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote what={what} means={error.message} detail={lineOf(codeOf(view), error.line)} />
      <OutcomeView outcome={{ kind: 'succeeded', result: outcome.result }} view={view} />
    </div>
  );
}

/** Each thing that it asked for, those that reach no server too. */
const Trace = ({ details }: { readonly details: ScriptDetails }) =>
  details.calls.length === 0 ? <p className="text-list text-ink-2">It asked for nothing.</p> : (
    <ol tabIndex={0} aria-label="All steps of this script" className="max-h-96 divide-y divide-line overflow-y-auto rounded-card border border-line bg-card text-list">
      {details.calls.map((call, index) => (
        <li key={index} className="flex h-8 min-w-0 items-center gap-2 px-3">
          <StateDot state={call.ok === undefined ? 'asleep' : call.ok ? 'working' : 'trouble'} word={call.ok === undefined ? 'Not finished' : call.ok ? 'Done' : 'Failed'} quiet />
          <span className="shrink-0 text-ink-2">{kindWords[call.kind]}</span>
          <span className="min-w-0 truncate text-ink"><VisibleText text={call.name} /></span>
          {call.server === undefined ? null : <span className="shrink-0 text-ink-3"><VisibleText text={call.server} /></span>}
          <span className="min-w-0 flex-1 truncate text-right text-detail text-ink-3">{call.ok === undefined ? 'not finished' : call.code}</span>
          <span className="shrink-0 text-detail text-ink-3">{durationText(call.ms)}</span>
        </li>
      ))}
    </ol>
  );

const kindWords: Readonly<Record<ScriptCall['kind'], string>> = { search: 'Search', describe: 'Look at', call: 'Call', resources: 'Resources of', 'read-resource': 'Read', 'read-result': 'Read back' };
const codeOf = ({ call }: ToolCallView): string => (typeof call.args['code'] === 'string' ? call.args['code'] : '');
const firstLine = (code: string): string => code.trim().split('\n')[0] ?? '';
const lineOf = (code: string, line: number | undefined): string | undefined => (line === undefined ? undefined : code.split('\n')[line - 1]?.trim());
