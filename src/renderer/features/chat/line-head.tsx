import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { StateDot } from '../../ui/state-dot.tsx';
import { durationText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { callDuration, type CallWords } from './call-words.ts';

const remarkInk = { trouble: 'text-bad', 'needs-you': 'text-ask', asleep: 'text-ink-2', busy: 'text-ink-2', working: 'text-ink-2' } as const;

/** A call in one line that opens: how it is, what it is, and what tells it from the next one like it; a remark takes that place when there is something to say. */
export function LineHead({ view, words, title, tooltip, beside, about, open, onToggle, controls }: {
  readonly view: ToolCallView;
  readonly words: CallWords;
  readonly title: ReactNode;
  readonly tooltip?: string;
  /** Whose it is, or how much of it. */
  readonly beside: ReactNode;
  readonly about: ReactNode;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** The id of what it opens. */
  readonly controls: string;
}) {
  const now = useNow(view.phase === 'running' ? 'second' : 'never');
  const duration = callDuration(view, now);
  return (
    <button
      type="button" aria-expanded={open} aria-controls={controls} onClick={onToggle}
      className="flex h-9 w-full min-w-0 flex-1 items-center gap-2 rounded-control px-3 text-left text-list focus-visible:outline-offset-[-2px]"
    >
      <StateDot state={words.dot} word={words.word} quiet />
      <span title={tooltip} className={clsx('max-w-1/2 shrink-0 truncate font-[550]', words.dot === 'asleep' ? 'text-ink-2' : 'text-ink')}>{title}</span>
      {beside === null ? null : <span className="max-w-40 shrink-0 truncate text-ink-2">{beside}</span>}
      {words.remark ? <span className={clsx('min-w-0 flex-1 truncate', remarkInk[words.dot])}><VisibleText text={words.remark} /></span> : <span className="min-w-0 flex-1 truncate text-ink-3">{about}</span>}
      {duration === undefined ? null : <span className="shrink-0 text-detail text-ink-3">{durationText(view.phase === 'running' ? Math.floor(duration / 1000) * 1000 : duration)}</span>}
      <ChevronRight size={14} className={clsx('shrink-0 text-ink-3 transition-transform', open && 'rotate-90')} aria-hidden />
    </button>
  );
}
