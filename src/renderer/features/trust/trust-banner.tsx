import { ShieldQuestion } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { TrustQuestion } from '../../../shared/model/project-trust.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { askTrust, closeTrust, useTrustAsked } from '../../bridge/trust-ask.ts';
import { Button } from '../../ui/button.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { summaryOf } from './trust-words.ts';

const TrustDialog = lazy(() => import('./trust-dialog.tsx').then((module) => ({ default: module.TrustDialog })));

/** Above every page while the open project's files wait for trust. The rest of the window works. */
export function TrustBanner() {
  const trust = useApp((state) => state.trust);
  const asked = useTrustAsked();
  useAskOnOpening(trust?.phase === 'ask' ? trust.question.project : undefined);
  const question = trust?.phase === 'ask' || trust?.phase === 'refused' ? trust.question : undefined;
  useEffect(() => {
    if (question === undefined) closeTrust();
  }, [question]);
  return (
    <>
      {trust?.phase === 'ask' ? <Bar key={trust.question.project} question={trust.question} /> : null}
      {asked && question ? (
        <Suspense fallback={null}>
          <TrustDialog key={question.project} question={question} onClose={closeTrust} />
        </Suspense>
      ) : null}
    </>
  );
}

function Bar({ question }: { readonly question: TrustQuestion }) {
  const { project, digest, again } = question;
  const refusing = useRequest();
  const refuse = () => refusing.run(() => api.projects.refuse({ project, digest }));
  return (
    <section aria-label="Project trust" className="shrink-0 animate-appear border-b border-ask-line bg-ask-soft px-6 py-2 compact:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-list">
        <ShieldQuestion size={16} strokeWidth={1.75} className="shrink-0 text-ask" aria-hidden />
        <p role="status" className="min-w-0 flex-1 basis-72">
          <span className="font-[550] break-words text-ask">
            {again ? (
              <>
                The MCP files of <Folder path={project} /> have changed.
              </>
            ) : (
              <>
                <Folder path={project} /> brings MCP files of its own.
              </>
            )}
          </span>{' '}
          <span className="text-ink-2">{summaryOf(question)}; nothing of them runs until you trust them.</span>
        </p>
        <span className="flex gap-2">
          <Button size="s" onClick={askTrust}>
            Look at them…
          </Button>
          <Button size="s" look="plain" busy={refusing.state.phase === 'sending'} onClick={refuse}>
            Not now
          </Button>
        </span>
      </div>
      {refusing.state.phase === 'failed' ? (
        <div className="mt-2">
          <FailureNote error={refusing.state.error} compact />
        </div>
      ) : null}
    </section>
  );
}

const Folder = ({ path }: { readonly path: string }) => (
  <span title={path}>
    <VisibleText text={path.split(/[\\/]/).findLast((part) => part !== '') ?? path} />
  </span>
);

/** Whoever opens a folder with MCP files is led to the question at once. At the app's start, and when files change, the bar is enough. */
function useAskOnOpening(asking: string | undefined): void {
  const project = useApp((state) => state.settings.project ?? null);
  const before = useRef(project);
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (before.current !== undefined && project !== undefined && project !== null && project !== before.current) opened.current = project;
    before.current = project;
    if (asking === undefined || asking !== opened.current) return;
    opened.current = undefined;
    askTrust();
  }, [project, asking]);
}
