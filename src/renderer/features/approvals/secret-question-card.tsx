import clsx from 'clsx';
import { useId, useRef, type ReactNode } from 'react';
import type { SecretQuestion } from '../../../shared/model/secret-entry.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { useArmed, useNoEnter } from '../../ui/use-armed.ts';
import { VisibleText } from '../../ui/visible-text.tsx';

/** A launch that waits for a secret: who wants it, for what, and which. Never its value. Enter allows nothing. */
export function SecretQuestionCard({ question }: { readonly question: SecretQuestion }) {
  const { id, server, target, key, scope, fromProject } = question;
  const armed = useArmed(id);
  const { hint, onKeyDown } = useNoEnter();
  const { state, run } = useRequest();
  const heading = useId();
  const card = useRef<HTMLElement>(null);
  const answer = (given: 'once' | 'always' | 'deny') => () =>
    run(async () => {
      const hadFocus = card.current?.contains(document.activeElement) ?? false;
      await api.secrets.answer({ questionId: id, answer: given });
      // Not to the next question: a key that is still held down would answer it.
      if (hadFocus) document.getElementById('main')?.focus({ preventScroll: true });
    });
  const busy = state.phase === 'sending';
  const allowing = { disabled: !armed, onKeyDown, className: 'disabled:opacity-100' } as const;
  return (
    <section ref={card} aria-labelledby={heading} className="overflow-hidden rounded-card border border-ask-line bg-card shadow-lifted">
      <div className="flex items-center gap-2 bg-ask-soft px-4 py-2 text-list font-semibold text-ask">
        <StateDot state="needs-you" word="Waiting for you" />
      </div>
      <div className="flex flex-col gap-3 px-4 pt-3.5 pb-4">
        <h3 id={heading} className="text-title font-semibold break-words text-ink">
          <VisibleText text={server} /> <span className="font-normal text-ink-2">wants to read a secret</span>
        </h3>
        <dl className="grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-list">
          <Fact name="Secret">
            <span className="font-code text-code break-all">
              <VisibleText text={key} />
            </span>
            <span className="text-ink-2"> · {scope === 'global' ? 'global' : 'of the project'}</span>
          </Fact>
          <Fact name="Gives it to">
            <LongText text={target} lines={6} characters={600} />
          </Fact>
          {fromProject === undefined ? null : (
            <Fact name="Asked for by">
              <span className="font-code text-code break-all">
                <VisibleText text={fromProject} />
              </span>
            </Fact>
          )}
        </dl>
        <p className="border-t border-line pt-3 text-list text-ink-2">
          {fromProject === undefined
            ? '“Always” counts for this server as it is set up now: what it starts or contacts, and this secret.'
            : 'A file of this project names a secret that is not the project’s own. “Always” counts while its files are as they are now.'}{' '}
          “Once” ends with the connection.
        </p>
        {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server }} /> : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" busy={busy} {...allowing} onClick={answer('once')}>
            Allow once
          </Button>
          <Button busy={busy} {...allowing} onClick={answer('always')}>
            Always allow
          </Button>
          <Button look="danger" busy={busy} className="ml-auto" onClick={answer('deny')}>
            Deny
          </Button>
        </div>
        <p role="status" className={clsx('text-detail text-ink-3', !hint && 'sr-only')}>
          {hint ? 'Enter allows nothing. Press the space bar, or click.' : ''}
        </p>
      </div>
    </section>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="col-span-2 grid grid-cols-subgrid">
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0 break-words text-ink select-text">{children}</dd>
  </div>
);
