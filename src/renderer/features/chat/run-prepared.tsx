import clsx from 'clsx';
import { ChevronRight, Info, SlidersHorizontal, TriangleAlert } from 'lucide-react';
import { memo, useId, useState, type ReactNode } from 'react';
import type { RunServer, RunSetup } from '../../../shared/model/run-setup.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { useApp } from '../../bridge/live.ts';
import { hrefOf } from '../../bridge/place.ts';
import { StateDot } from '../../ui/state-dot.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { RunSignIns } from './run-sign-in.tsx';
import { isConnected, problemsInSight, setupFacts, setupTitle } from './run-setup-words.ts';

const none: AppState['runSignIns'] = {};
const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What a run brought along: one quiet line that opens to its servers. What the person should know stands below it, open or not. */
export const RunPrepared = memo(function RunPrepared({ setup, last }: { readonly setup: RunSetup; readonly last: boolean }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { servers, notes } = setup;
  const facts = setupFacts(servers);
  const line = (
    <>
      <SlidersHorizontal {...icon} className="shrink-0" />
      <span className="min-w-0 truncate"><VisibleText text={setupTitle(setup)} /></span>
      {facts === '' ? null : <span className="shrink-0 text-ink-3">· {facts}</span>}
    </>
  );
  const signIns = useApp((state) => state.runSignIns) ?? none;
  // What a sign-in would bring is said by the sign-in below.
  const wants = ({ loginId }: RunServer): boolean => last && loginId !== undefined && (signIns[loginId]?.wanted ?? signIns[loginId]?.flow) !== undefined;
  const problems = problemsInSight(open ? [] : servers.filter((server) => !wants(server)));
  return (
    <div role="group" aria-label="What this run brought along" className="text-list">
      {servers.length === 0 ? <p className="flex min-h-6 min-w-0 items-center gap-1.5 text-ink-2">{line}</p> : (
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} className="flex min-h-6 max-w-full min-w-0 items-center gap-1.5 rounded-control text-ink-2 transition-colors hover:text-ink">
          {line}<ChevronRight size={14} className={clsx('shrink-0 text-ink-3 transition-transform', open && 'rotate-90')} aria-hidden />
        </button>
      )}
      {notes.length + problems.shown.length === 0 ? null : (
        <ul className="mt-1 flex flex-col gap-1 pl-5 text-detail text-ink-2">
          {notes.map((note) => <Remark key={note} icon={<Info size={13} strokeWidth={1.75} className="mt-px shrink-0 text-ink-3" aria-hidden />}><VisibleText text={note} /></Remark>)}
          {problems.shown.map((server) => <Remark key={server.serverId} icon={<TriangleAlert size={13} strokeWidth={1.75} className="mt-px shrink-0 text-ask" aria-hidden />}><ServerProblem server={server} /></Remark>)}
          {problems.more === 0 ? null : <li className="pl-5 text-ink-3">And {problems.more} more</li>}
        </ul>
      )}
      {last ? <RunSignIns servers={servers} /> : null}
      <div id={id}>
        {open ? (
          <ul className="mt-2 divide-y divide-line overflow-hidden rounded-card border border-line bg-card">
            {servers.map((server) => <BroughtServer key={server.serverId} server={server} />)}
          </ul>
        ) : null}
      </div>
    </div>
  );
});

const Remark = ({ icon: picture, children }: { readonly icon: ReactNode; readonly children: ReactNode }) => (
  <li className="flex min-w-0 items-start gap-1.5">{picture}<span className="line-clamp-2 min-w-0 flex-1 break-words select-text">{children}</span></li>
);

const ServerProblem = ({ server }: { readonly server: RunServer }) => (
  <><span className="text-ink"><VisibleText text={server.name} /></span>{isConnected(server) ? '' : ' is not connected'}: <VisibleText text={server.problem ?? ''} /></>
);

/** One of them: how it is, how it is started or reached, and whose place it takes. */
const BroughtServer = ({ server }: { readonly server: RunServer }) => (
  <li className="px-3 py-2">
    <p className="flex min-w-0 items-center gap-2">
      <StateDot state={isConnected(server) ? 'working' : 'trouble'} word={isConnected(server) ? 'Connected' : 'Not connected'} quiet />
      <span className="min-w-0 truncate font-[550] text-ink"><VisibleText text={server.name} /></span>
      <span className="ml-auto shrink-0 text-detail text-ink-3">{server.tools === undefined ? 'not connected' : countText(server.tools, 'tool')}</span>
    </p>
    <div className="pl-4.5 text-detail text-ink-2">
      <p className="line-clamp-3 font-code break-all text-ink-3 select-text"><VisibleText text={server.target} /></p>
      {server.problem === undefined ? null : <p className="mt-0.5 break-words select-text"><VisibleText text={server.problem} /></p>}
      {server.shadows === undefined ? null : (
        <p className="mt-0.5">In this run it takes the place of <a className="text-accent underline underline-offset-2" href={hrefOf({ page: 'servers', serverId: server.shadows })}>your server of the same name</a>, which stays as it is.</p>
      )}
    </div>
  </li>
);
