import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';
import type { TrustQuestion } from '../../../shared/model/project-trust.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useArmed, useNoEnter } from '../../ui/use-armed.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { TrustRunsCards, TrustServers } from './trust-servers.tsx';
import { summaryOf } from './trust-words.ts';

/** Neither when the content appears, nor when it becomes another under the person's hand. */
const armAfterMs = 700;

/** Everything that the project's files would run, and the question. Enter answers nothing; closing it leaves the question open. */
export function TrustDialog({ question, onClose }: { readonly question: TrustQuestion; readonly onClose: () => void }) {
  const { project, digest, again } = question;
  const [first] = useState(digest);
  const [moved, setMoved] = useState(false);
  const { hint, onKeyDown } = useNoEnter();
  const armed = useArmed(digest, armAfterMs);
  const answering = useRequest();
  const top = useRef<HTMLDivElement>(null);
  const changed = moved || digest !== first;
  useEffect(() => {
    if (digest !== first) top.current?.scrollIntoView({ block: 'start' });
  }, [digest, first]);
  const answer = (ask: typeof api.projects.trust) => () =>
    answering.run(async () => {
      try {
        await ask({ project, digest });
        onClose();
      } catch (thrown) {
        // The new content is on its way here, and is shown instead.
        if (RequestError.from(thrown).code === 'trust/changed') setMoved(true);
        else throw thrown;
      }
    });
  const busy = answering.state.phase === 'sending';
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={again ? 'Trust the changed files of this project?' : 'Trust the MCP files of this project?'}
      description={
        again
          ? 'They are not what you trusted. Until you trust them as they are now, nothing of them runs, is resolved or contacted.'
          : 'Whoever wrote them decides what runs on your computer, with your rights. Until you trust them, nothing of them runs, is resolved or contacted.'
      }
      footer={
        <>
          <p role="status" className={clsx('mr-auto text-detail text-ink-3', !hint && 'sr-only')}>
            {hint ? 'Enter trusts nothing. Press the space bar, or click.' : ''}
          </p>
          <Button look="quiet" busy={busy} onClick={answer(api.projects.refuse)}>
            Not now
          </Button>
          <Button
            look="primary"
            busy={busy}
            disabled={!armed}
            onKeyDown={onKeyDown}
            className="disabled:opacity-100"
            onClick={answer(api.projects.trust)}
          >
            Trust these files
          </Button>
        </>
      }
    >
      <div ref={top} className="flex flex-col gap-3 pb-1">
        {changed ? <ErrorNote tone="ask" compact what="The files changed while you looked." means="This is what they say now." /> : null}
        <dl className="grid grid-cols-[116px_minmax(0,1fr)] gap-x-3 gap-y-1 px-3.5 text-list">
          <dt className="text-ink-3">Project</dt>
          <dd className="min-w-0 font-code text-code break-all text-ink select-text">
            <VisibleText text={project} />
          </dd>
          <dt className="text-ink-3">Files</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
            {question.files.map(({ file, change }) => (
              <span key={file} className="inline-flex items-center gap-1.5">
                <span className={clsx('font-code text-code break-all text-ink', change === 'removed' && 'line-through')}>
                  <VisibleText text={file} />
                </span>
                {again && change !== 'same' ? <Badge tone={change === 'changed' ? 'ask' : 'plain'}>{change}</Badge> : null}
              </span>
            ))}
          </dd>
          <dt className="text-ink-3">They name</dt>
          <dd className="text-ink">{summaryOf(question)}</dd>
        </dl>
        <TrustRunsCards runs={question.runs} again={again} />
        <TrustServers servers={question.servers} again={again} />
        {answering.state.phase === 'failed' ? <FailureNote error={answering.state.error} compact /> : null}
      </div>
    </Dialog>
  );
}
