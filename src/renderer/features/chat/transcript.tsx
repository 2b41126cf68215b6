import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { ModelChoice } from '../../../shared/model/settings.ts';
import type { Approval } from '../../../shared/model/tool-call.ts';
import type { ChatState } from '../../../shared/state/chat-state.ts';
import type { ApprovalId, ChatId } from '../../../shared/ids.ts';
import { Button } from '../../ui/button.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { durationText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { CallGroup, type ApprovalCardView } from './call-group.tsx';
import { AnswerMessage, UserMessage } from './messages.tsx';
import { RunEnded } from './run-ended.tsx';
import { RunPrepared } from './run-prepared.tsx';
import { transcriptRows, type TranscriptRow } from './transcript-rows.ts';

/** Near enough to the end to be following it. */
const endPx = 48;
const sizes: Readonly<Record<TranscriptRow['kind'], number>> = { user: 56, answer: 120, calls: 40, prepared: 24, ended: 40, working: 32 };

/** The conversation. Only what is in sight exists; the end is followed only by those who are at it. */
export function Transcript({ chatId, state, approvals, card }: { readonly chatId: ChatId; readonly state: ChatState; readonly approvals: readonly Approval[]; readonly card: ApprovalCardView }) {
  const rows = useMemo(() => transcriptRows(state), [state]);
  const scroller = useRef<HTMLDivElement>(null);
  const [held, hold] = useHeld(scroller);
  // The rule is for React Compiler, which would skip this component; nothing here is compiled by it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length, getScrollElement: () => scroller.current, overscan: 6, gap: 20, paddingStart: 24, paddingEnd: 28,
    estimateSize: (index) => sizes[rows[index]?.kind ?? 'answer'], getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: held ? 'start' : 'end', followOnAppend: !held, scrollEndThreshold: endPx,
  });
  const started = useRef(false);
  useEffect(() => {
    if (started.current || rows.length === 0) return;
    started.current = true;
    virtualizer.scrollToEnd();
  }, [rows.length, virtualizer]);
  const away = useAwayFromEnd(scroller, state.head);
  const loud = useLoud(waitingInOrder(state, approvals));
  const draw = (row: TranscriptRow): ReactNode => {
    switch (row.kind) {
      case 'user':
        return <UserMessage item={row.item} />;
      case 'answer':
        return <AnswerMessage item={row.item} streaming={row.streaming} />;
      case 'calls':
        return <CallGroup ids={row.calls} calls={state.calls} approvals={approvals} loud={loud} direct={row.direct} chatId={chatId} card={card} />;
      case 'prepared':
        return <RunPrepared setup={row.item.setup} last={row.last} />;
      case 'ended':
        return <RunEnded ending={row.item.ending} last={row.last} chatId={chatId} model={lastModel(state)} />;
      case 'working':
        return <Working step={row.step} since={row.since} />;
    }
  };
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div ref={scroller} onClickCapture={hold} tabIndex={0} role="log" aria-live="off" aria-label="Conversation" className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable_both-edges] focus-visible:outline-offset-[-2px]">
        <div className="relative mx-auto w-full max-w-[calc(var(--column)-2*var(--gutter))]" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row ? (
              <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} className="absolute top-0 left-0 w-full px-[calc(24px-var(--gutter))] compact:px-[calc(16px-var(--gutter))]" style={{ transform: `translateY(${item.start}px)` }}>
                {draw(row)}
              </div>
            ) : null;
          })}
        </div>
      </div>
      {away.unseen || away.far ? (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button size="s" className="pointer-events-auto animate-appear rounded-full shadow-lifted" icon={<ArrowDown size={14} aria-hidden />} onClick={() => virtualizer.scrollToEnd()}>
            {away.unseen ? 'New messages' : 'To the end'}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/**
 * What a reader opens must not be pushed away by following the end: a press in the list holds it where it is. It is let go when the reader is at
 * the end (again).
 */
function useHeld(scroller: RefObject<HTMLDivElement | null>): readonly [boolean, () => void] {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!held || !element) return undefined;
    const look = () => (distanceFromEnd(element) <= endPx ? setHeld(false) : undefined);
    const timer = setTimeout(look, 400); // what was opened has its height by then
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', look);
    };
  }, [held, scroller]);
  const hold = useCallback(() => setHeld(true), []);
  return [held, hold];
}

const distanceFromEnd = (element: HTMLElement): number => element.scrollHeight - element.scrollTop - element.clientHeight;

/** Whether the reader left the end, and whether something arrived there since. */
function useAwayFromEnd(scroller: RefObject<HTMLDivElement | null>, head: ChatState['head']): { readonly far: boolean; readonly unseen: boolean } {
  const [distance, setDistance] = useState<'end' | 'near' | 'far'>('end');
  const [seen, setSeen] = useState(head);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = () => setDistance(distanceFromEnd(element) <= endPx ? 'end' : distanceFromEnd(element) > element.clientHeight / 2 ? 'far' : 'near');
    element.addEventListener('scroll', look, { passive: true });
    const content = element.firstElementChild;
    const grown = new ResizeObserver(look); // what arrives at the end of a list that does not follow it
    if (content) grown.observe(content);
    return () => {
      element.removeEventListener('scroll', look);
      grown.disconnect();
    };
  }, [scroller]);
  if (distance === 'end' && seen !== head) setSeen(head);
  return { far: distance === 'far', unseen: distance !== 'end' && head !== seen };
}

/** Questions in the order in which their calls stand in the conversation. */
export function waitingInOrder(state: ChatState, approvals: readonly Approval[]): readonly ApprovalId[] {
  const places = new Map(Object.keys(state.calls).map((id, index) => [id, index]));
  return approvals.toSorted((a, b) => (places.get(a.call.id) ?? 0) - (places.get(b.call.id) ?? 0)).map((approval) => approval.id);
}

/** A question that has been on screen for a moment keeps its place until it is answered, whatever else comes. */
function useLoud(waiting: readonly ApprovalId[]): ApprovalId | undefined {
  const [kept, setKept] = useState<ApprovalId>();
  const loud = kept !== undefined && waiting.includes(kept) ? kept : waiting[0];
  useEffect(() => {
    const timer = setTimeout(() => setKept(loud), 300);
    return () => clearTimeout(timer);
  }, [loud]);
  return loud;
}

/** The model that answered last: the one that a failure is about. */
function lastModel(state: ChatState): ModelChoice | undefined {
  const last = state.items.findLast((item) => item.kind === 'assistant');
  return last?.kind === 'assistant' ? last.model : (state.model ?? undefined);
}

function Working({ step, since }: { readonly step: number; readonly since: number }) {
  const now = useNow('second');
  const seconds = Math.floor((now - since) / 1000);
  return (
    <p className="flex h-8 items-center gap-2 text-list text-ink-2">
      <StateDot state="busy" word={step > 1 ? `Working, step ${step}` : 'Working'} />
      {seconds >= 5 ? <span className="text-detail text-ink-3">{durationText(seconds * 1000)}</span> : null}
    </p>
  );
}
