import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { Elicitation, ElicitationAsk } from '../../../shared/model/elicitation.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { Button } from '../../ui/button.tsx';
import { useArmed, useNoEnter } from '../../ui/use-armed.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { QuestionFrame, useAnswer } from './question-frame.tsx';

type Page = Extract<ElicitationAsk, { readonly kind: 'url' }>;

/** A page that a server wants visited: its server, host and whole address, opened by a person's press alone (F-149). */
export function PageQuestion({ elicitation, page }: { readonly elicitation: Elicitation; readonly page: Page }) {
  const { state, answer } = useAnswer(elicitation);
  const armed = useArmed(elicitation.id);
  const { hint, onKeyDown } = useNoEnter();
  const { serverName, call } = elicitation;
  const busy = state.phase === 'sending';
  if (page.phase === 'opened') {
    return (
      <section data-elicitation aria-label={`Page of ${serverName}`} className="flex flex-col gap-2 rounded-card border border-line bg-card px-4 py-3 text-list shadow-lifted">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-64 break-words text-ink-2">
            <VisibleText text={page.host} /> is open in your browser for <VisibleText text={serverName} />. {afterwards(page, call?.tool)}
          </p>
          <Button size="s" busy={busy} onClick={() => answer('accept')}>Open again</Button>
          <Button size="s" look="plain" onClick={() => answer('cancel')}>Done</Button>
        </div>
        {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: serverName }} /> : null}
      </section>
    );
  }
  return (
    <QuestionFrame
      elicitation={elicitation} title="wants you to open a page" state={state}
      actions={
        <>
          <Button look="primary" busy={busy} disabled={!armed} onKeyDown={onKeyDown} className="disabled:opacity-100" onClick={() => answer('accept')}>Open in the browser</Button>
          <span className="ml-auto flex gap-2">
            <Button look="plain" onClick={() => answer('cancel')}>Dismiss</Button>
            {page.retry ? null : <Button look="danger" busy={busy} onClick={() => answer('decline')}>Decline</Button>}
          </span>
          <p role="status" className={clsx('w-full text-detail text-ink-3', !hint && 'sr-only')}>{hint ? 'Enter opens nothing. Press the space bar, or click.' : ''}</p>
        </>
      }
    >
      <dl className="grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-list">
        <Fact name="Host"><span className="font-semibold break-all">{page.host}</span></Fact>
        <Fact name="Address"><span className="font-code text-code break-all">{page.url}</span></Fact>
      </dl>
      <p className="text-detail text-ink-3">
        {page.host.includes('xn--') ? 'The host has letters that can look like others; it is written in its plain form. ' : ''}
        Gatehouse does not see what you do there. Open it only if you expected this. {page.retry ? afterwards(page, call?.tool) : ''}
      </p>
    </QuestionFrame>
  );
}

const afterwards = ({ retry }: Page, tool: string | undefined): string =>
  retry ? `Once you have finished there, ${tool === undefined ? 'the call has to be made again' : `${tool} has to be called again`}.` : 'The server says when it is over.';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="col-span-2 grid grid-cols-subgrid">
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0 break-words text-ink select-text">{children}</dd>
  </div>
);
