import clsx from 'clsx';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { memo } from 'react';
import type { ProtocolMessage } from '../../../shared/model/protocol-message.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { lineTime } from './log-text.ts';
import { isTrouble, kindWord, methodText, sizeText, tookText } from './message-filter.ts';

interface Props {
  readonly message: ProtocolMessage;
  readonly chosen: boolean;
  /** The other half of what is chosen. */
  readonly paired: boolean;
  /** Something stands beside the list: there is less room. */
  readonly beside: boolean;
  readonly onChoose: (seq: number) => void;
}

/** One message in one line: which way it went, what it is, how long its answer took and how large it is. */
export const MessageRow = memo(({ message, chosen, paired, beside, onChoose }: Props) => {
  const { seq, at, direction, about, id, tookMs, error, http, kind } = message;
  const trouble = isTrouble(message);
  const isSent = direction === 'sent';
  const Arrow = isSent ? ArrowUpRight : ArrowDownLeft;
  return (
    <button
      type="button"
      data-seq={seq}
      aria-current={chosen || undefined}
      onClick={() => onChoose(seq)}
      className={clsx(
        'grid h-7 w-full grid-cols-[84px_14px_minmax(0,1fr)_max-content] items-center gap-x-2.5 px-3 text-left text-detail focus-visible:outline-offset-[-2px]',
        chosen ? 'bg-accent-soft' : paired ? 'bg-hover' : 'hover:bg-hover',
      )}
    >
      <time dateTime={new Date(at).toISOString()} className="truncate font-code text-ink-3">
        {lineTime(at)}
      </time>
      <Arrow size={14} strokeWidth={1.75} className={isSent ? 'text-accent' : 'text-ink-3'} aria-label={isSent ? 'Sent' : 'Received'} />
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="sr-only">{kindWord(message)} </span>
        <span className={clsx('max-w-3/5 shrink-0 truncate font-code text-code', trouble ? 'text-bad' : kind === 'request' || kind === 'notification' ? 'text-ink' : 'text-ink-2')}>
          <VisibleText text={methodText(message)} />
        </span>
        {about === undefined ? null : (
          <span className="min-w-0 truncate text-ink-2">
            <VisibleText text={about} />
          </span>
        )}
        {trouble ? (
          <span className="min-w-0 shrink-3 truncate text-bad">
            {http && http.status >= 400 ? `HTTP ${http.status} ` : ''}
            {error ? <VisibleText text={error.message} /> : null}
          </span>
        ) : null}
      </span>
      <span className="flex gap-3 text-right text-ink-3 tabular-nums">
        {id === undefined || beside ? null : <span className="max-w-20 truncate compact:hidden">#{id}</span>}
        <span className="w-14">{tookMs === undefined || kind === 'request' ? '' : tookText(tookMs)}</span>
        <span className="w-16">{sizeText(message)}</span>
      </span>
    </button>
  );
});
