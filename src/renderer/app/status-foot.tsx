import clsx from 'clsx';
import { FolderOpen, Pause } from 'lucide-react';
import { useState } from 'react';
import type { AppState } from '../../shared/state/app-state.ts';
import { waitsForSignIn } from '../../shared/state/sign-in-need.ts';
import { api, RequestError } from '../bridge/api.ts';
import { isComing, isWanted } from '../bridge/connection-words.ts';
import { FailureNote } from '../bridge/failure-note.tsx';
import { followAgain, useApp, useAppMirror } from '../bridge/live.ts';
import { hrefOf } from '../bridge/place.ts';
import { openProject } from '../bridge/project.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { StateDot, type DotState } from '../ui/state-dot.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useLate } from '../ui/skeleton.tsx';

interface FootStatus {
  readonly dot: DotState;
  readonly text: string;
  /** Of those that are up or on their way, the part that is up; while some are on their way. */
  readonly done?: number;
}

/** `2 of 3 connected`, or how many sleep when none had a reason to start, with the worst state as its dot. Servers that are off on purpose are not counted; sleeping ones are well. */
export function statusOf(state: AppState): FootStatus {
  if (state.paused) return { dot: 'asleep', text: 'Paused' };
  const rows = Object.values(state.servers).filter((row) => isWanted(row.connection));
  const wanted = rows.map((row) => row.connection);
  if (wanted.length === 0) return { dot: 'asleep', text: 'No servers' };
  const ready = wanted.filter((connection) => connection.phase === 'ready').length;
  const phases = new Set(wanted.map((connection) => connection.phase));
  const dot = phases.has('failed') || phases.has('reconnecting') ? 'trouble' : phases.has('needs') || rows.some(waitsForSignIn) ? 'needs-you' : phases.has('starting') ? 'busy' : ready > 0 ? 'working' : 'asleep';
  if (dot === 'asleep') return { dot, text: wanted.length === 1 ? '1 server asleep' : `${wanted.length} servers asleep` };
  const text = `${ready} of ${wanted.length} connected`;
  if (dot !== 'busy') return { dot, text };
  const coming = wanted.filter(isComing).length;
  return { dot, text, done: ready / (ready + coming) };
}

/** All numbers: what is connected, what is switched on, what is switched off. */
export function fullStatus(state: AppState): string {
  const rows = Object.values(state.servers);
  if (rows.length === 0) return 'No servers';
  const enabled = rows.filter(({ definition }) => definition.enabled).length;
  const connected = rows.filter(({ connection }) => connection.phase === 'ready').length;
  const off = rows.length - enabled;
  return [`${connected} connected`, `${enabled} enabled`, ...(off > 0 ? [`${off} off`] : [])].join(', ');
}

/** `2/3` of `2 of 3 connected`, for where there is no room for more. */
export const shortText = (text: string): string => /^(\d+) of (\d+)/.exec(text)?.slice(1).join('/') ?? /^\d+/.exec(text)?.[0] ?? '–';

export const folderName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;

export function StatusFoot({ narrow }: { readonly narrow: boolean }) {
  const mirror = useAppMirror();
  const dot = useApp((state) => statusOf(state).dot);
  const done = useApp((state) => statusOf(state).done);
  const form = useApp((state) => state.settings.statusFoot) ?? 'compact';
  const mark = useApp((state) => state.settings.statusIcon) ?? true;
  const text = useApp((state) => (form === 'full' && !state.paused ? fullStatus(state) : statusOf(state).text));
  const paused = useApp((state) => state.paused) ?? false;
  const late = useLate(mirror.phase === 'loading', 400);
  const [error, setError] = useState<RequestError>();
  const attempt = (work: Promise<unknown>) => void work.then(() => setError(undefined), (thrown: unknown) => setError(RequestError.from(thrown)));
  const line: FootStatus = mirror.phase === 'failed' ? { dot: 'trouble', text: 'Not connected to the app' } : dot && text ? { dot, text, ...(done === undefined ? {} : { done }) } : { dot: 'busy', text: late ? 'Starting…' : '' };
  const dotProps = { state: line.dot, word: line.text, ...(line.done === undefined ? {} : { done: line.done }) };
  // Nothing is said where the person wants nothing said, but that all stands still, or that there is no app.
  const silent = form === 'off' && mirror.phase === 'ready' && !paused;
  const resume = () => attempt(api.servers.pauseAll({ paused: false }));
  if (narrow) {
    return (
      <div className="flex flex-col items-center gap-1 border-t border-line pt-1">
        <ProjectMenu narrow onError={setError} />
        {silent ? null : paused ? <Tooltip text="Everything is paused. Press to resume." side="right"><button type="button" aria-label="Resume" onClick={resume} className="flex size-9 items-center justify-center rounded-control text-ask hover:bg-hover"><Pause size={16} aria-hidden /></button></Tooltip> : (
          <Tooltip text={line.text} side="right"><a href={hrefOf({ page: 'servers' })} className="flex size-9 items-center justify-center rounded-control hover:bg-hover">{mark ? <StateDot {...dotProps} quiet /> : <span className="text-detail text-ink-2"><span className="sr-only">{line.text}</span><span aria-hidden>{shortText(line.text)}</span></span>}</a></Tooltip>
        )}
        {error ? <Popover label="What went wrong" open onOpenChange={() => setError(undefined)} trigger={<span />}><FailureNote error={error} compact /></Popover> : null}
      </div>
    );
  }
  return (
    <div className="border-t border-line pt-1.5">
      {error ? <div className="mb-2"><FailureNote error={error} compact /></div> : null}
      {mirror.phase === 'failed' ? <div className="mb-2"><FailureNote error={mirror.error} compact onRetry={() => followAgain('app')} /></div> : null}
      <div className={clsx('flex min-h-7 items-center gap-1 text-detail text-ink-2', form === 'full' && 'flex-wrap')}>
        {silent ? null : line.text === '' ? <span className="px-2">&nbsp;</span> : (
          <a href={hrefOf({ page: 'servers' })} className={clsx('min-w-0 flex-1 truncate rounded-control py-1 pr-1 pl-2 hover:bg-hover', form === 'full' && 'basis-full')} draggable={false}>
            {mark ? <StateDot {...dotProps} /> : line.text}
          </a>
        )}
        {paused ? <Button size="s" onClick={resume} className="h-6">Resume</Button> : <ProjectMenu narrow={false} onError={setError} />}
      </div>
    </div>
  );
}

function ProjectMenu({ narrow, onError }: { readonly narrow: boolean; readonly onError: (error: RequestError) => void }) {
  const project = useApp((state) => state.settings.project);
  const known = useApp(() => true) ?? false;
  if (!known) return null;
  const attempt = (work: Promise<unknown>) => void work.catch((thrown: unknown) => onError(RequestError.from(thrown)));
  const name = project === undefined ? 'No project' : folderName(project);
  const trigger = (
    <button
      type="button" aria-label={project === undefined ? 'No project open' : `Project: ${project}`} title={project}
      className={narrow ? 'flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-hover' : 'flex max-w-26 min-w-0 shrink-0 items-center gap-1.5 rounded-control px-1.5 py-1 hover:bg-hover data-[state=open]:bg-hover'}
    >
      <FolderOpen size={narrow ? 16 : 12} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
      {narrow ? null : <span className="truncate">{name}</span>}
    </button>
  );
  return (
    <Menu
      side="top" trigger={trigger}
      entries={[
        ...(project === undefined ? [] : [{ heading: project }]),
        { label: project === undefined ? 'Open a project folder…' : 'Open another folder…', onSelect: () => attempt(openProject()) },
        ...(project === undefined ? [] : [{ label: 'Close the project', onSelect: () => attempt(api.settings.closeProject()) }]),
      ]}
    />
  );
}
