import { useId, useRef, type ReactNode } from 'react';
import type { Elicitation, ElicitationAction, ElicitationContent } from '../../../shared/model/elicitation.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest, type RequestState } from '../../bridge/request-state.ts';
import { LongText } from '../../ui/long-text.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

export interface QuestionAnswers {
  readonly state: RequestState;
  readonly answer: (action: ElicitationAction, content?: ElicitationContent) => void;
}

/** Sends the person's answer. */
export function useAnswer({ id }: Elicitation): QuestionAnswers {
  const { state, run } = useRequest();
  return {
    state,
    answer: (action, content) =>
      run(async () => {
        const hadFocus = document.activeElement?.closest('[data-elicitation]') instanceof HTMLElement;
        await api.dialogue.answer({ id, action, ...(content ? { content } : {}) });
        // Not to the next question: a key that is still held down would answer it.
        if (hadFocus && document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
      }),
  };
}

/** Who asks, for which call, and in which words; below it what can be answered. Escape does nothing here: in a chat it would stop the run. */
export function QuestionFrame({ elicitation, title, state, children, actions }: {
  readonly elicitation: Elicitation;
  readonly title: ReactNode;
  readonly state: RequestState;
  readonly children?: ReactNode;
  readonly actions: ReactNode;
}) {
  const { serverName, call, message } = elicitation;
  const heading = useId();
  const card = useRef<HTMLElement>(null);
  return (
    <section
      ref={card} data-elicitation aria-labelledby={heading} onKeyDown={(event) => (event.key === 'Escape' ? event.preventDefault() : undefined)}
      className="flex flex-col overflow-hidden rounded-card border border-ask-line bg-card shadow-lifted"
    >
      <div className="flex shrink-0 items-center gap-2 bg-ask-soft px-4 py-2 text-list font-semibold text-ask">
        <StateDot state="needs-you" word="A server waits for you" />
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 pt-3.5 pb-3">
        <h3 id={heading} className="text-title font-semibold break-words text-ink">
          <VisibleText text={serverName} /> <span className="font-normal text-ink-2">{title}</span>
        </h3>
        {call ? (
          <p className="text-detail text-ink-3">
            While it runs <span className="font-code text-code"><VisibleText text={call.tool} /></span>
          </p>
        ) : null}
        {message.trim() === '' ? null : (
          <blockquote className="border-l-2 border-line-strong pl-3 text-list text-ink">
            <LongText text={message} code={false} lines={8} characters={800} />
          </blockquote>
        )}
        {children}
      </div>
      <div className="flex shrink-0 flex-col gap-2 border-t border-line px-4 py-3">
        {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: serverName }} /> : null}
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </div>
    </section>
  );
}
