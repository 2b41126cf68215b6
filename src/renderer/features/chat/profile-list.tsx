import { Command } from 'cmdk';
import { Check, Settings2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { factsText, isError } from '../../bridge/profile-facts.ts';
import { askTrust } from '../../bridge/trust-ask.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { choosable, standingOf } from './profile-standing.ts';
import type { ProfileChoice } from './use-profile-choice.ts';

/** More than these are found by typing. */
const most = 100;

/** What may be chosen, with what each is and what is wrong with it; and the way to where they are written. */
export function ProfileList(props: {
  readonly choice: ProfileChoice;
  readonly running: boolean;
  readonly direct: boolean;
  readonly onChoose: (name: string | undefined) => void;
  readonly onLeave: () => void;
}) {
  const { choice: { name, reports, error, again }, running, direct, onChoose } = props;
  const panel = useRef<HTMLDivElement>(null);
  const all = useMemo(() => reports && choosable(reports, name), [reports, name]);
  const shows = all === undefined ? 'nothing' : all.length === 0 ? 'empty' : 'list';
  // It comes after the popover has looked for something to focus.
  useEffect(() => panel.current?.querySelector<HTMLElement>('input, button')?.focus(), [shows]);
  const leaveFor = (act: () => void) => () => {
    props.onLeave();
    act();
  };
  const toSettings = leaveFor(() => go({ page: 'settings', section: 'profiles' }));
  return (
    <div ref={panel} className="-m-3 w-88 max-w-[calc(100vw-24px)]">
      {error ? <div className="p-2"><FailureNote error={error} compact onRetry={again} /></div> : null}
      {all === undefined ? <div className="p-3">{error ? null : <Skeleton rows={3} />}</div> : all.length === 0 ? (
        <NoProfiles missing={name} onNone={() => onChoose(undefined)} onMake={toSettings} />
      ) : (
        <Choices {...props} all={all} toSettings={toSettings} toTrust={leaveFor(askTrust)} />
      )}
      {running || direct ? (
        <p className="border-t border-line px-3 py-2 text-detail text-ink-2">
          {running ? 'The run that is under way keeps what it has. What you choose holds from the next one on.' : 'In Direct mode there are no runs. What you choose holds once a model answers.'}
        </p>
      ) : null}
    </div>
  );
}

function Choices({ choice: { name, standing }, all, onChoose, toSettings, toTrust }: {
  readonly choice: ProfileChoice;
  readonly all: readonly ProfileReport[];
  readonly onChoose: (name: string | undefined) => void;
  readonly toSettings: () => void;
  readonly toTrust: () => void;
}) {
  const waits = useApp((state) => state.trust.phase === 'ask') ?? false;
  const [text, setText] = useState('');
  const found = useMemo(() => all.filter(hasWords(text)), [all, text]);
  const shown = found.slice(0, most);
  const missing = text === '' && standing.kind === 'trouble' && standing.word === 'missing' ? standing.problem : undefined;
  return (
    <Command label="Profiles" loop shouldFilter={false} defaultValue={valueOf(name)}>
      <Command.Input value={text} onValueChange={setText} placeholder="Find a profile…" className="h-9 w-full border-b border-line bg-transparent px-3 text-list focus-visible:outline-none" />
      <Command.List label="Profiles" className="max-h-[min(50vh,380px)] scroll-pb-10 overflow-y-auto p-1 pb-0">
        {text === '' ? <Row value={valueOf(undefined)} chosen={name === undefined} title="No profile" onSelect={() => onChoose(undefined)} /> : null}
        {missing === undefined || name === undefined ? null : <Row value={valueOf(name)} chosen title={<VisibleText text={name} />} problem={missing} onSelect={() => onChoose(name)} />}
        {shown.map((report) => <ProfileChoiceRow key={report.name} report={report} chosen={report.name === name} onSelect={() => onChoose(report.name)} />)}
        {found.length === 0 ? <p className="px-3 py-4 text-center text-list text-ink-3">No profile has these words.</p> : null}
        {found.length > shown.length ? <p className="px-3 py-2 text-detail text-ink-3">And {found.length - shown.length} more: type a word of what you look for.</p> : null}
        <div className="sticky bottom-0 -mx-1 mt-1 border-t border-line bg-card p-1">
          {waits ? <Row value="trust" title="Look at this project’s files…" about="Its profiles wait for your trust." onSelect={toTrust} /> : null}
          <Row value="settings" title="Profiles in Settings…" icon={<Settings2 size={14} strokeWidth={1.75} aria-hidden />} onSelect={toSettings} />
        </div>
      </Command.List>
    </Command>
  );
}

const NoProfiles = ({ missing, onNone, onMake }: { readonly missing: string | undefined; readonly onNone: () => void; readonly onMake: () => void }) => (
  <div className="flex flex-col gap-2.5 p-3 text-list">
    {missing === undefined ? <p className="font-[550] text-ink">No profile of your own yet</p> : <p className="font-[550] break-words text-ask">There is no profile “<VisibleText text={missing} />”</p>}
    <p className="text-ink-2">
      {missing === undefined ? 'A profile is a small file that says what a run has: another model, fewer tools, servers for that run alone.' : 'Runs of this chat go on without it.'}
    </p>
    <div className="flex flex-wrap gap-2">
      {missing === undefined ? null : <Button size="s" onClick={onNone}>No profile</Button>}
      <Button size="s" onClick={onMake}>Make one in Settings…</Button>
    </div>
  </div>
);

const valueOf = (name: string | undefined): string => (name === undefined ? 'none' : `profile ${name}`);

function hasWords(text: string): (report: ProfileReport) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (report) => {
    const all = `${report.name} ${report.description ?? ''} ${factsText(report)} ${report.servers.join(' ')}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

function ProfileChoiceRow({ report, chosen, onSelect }: { readonly report: ProfileReport; readonly chosen: boolean; readonly onSelect: () => void }) {
  const { name, scope, description = '', issues } = report;
  const errors = issues.filter(isError).length;
  const standing = standingOf(name, [report]);
  const facts = factsText(report);
  return (
    <Row
      value={valueOf(name)} chosen={chosen} onSelect={onSelect}
      title={
        <>
          <span className="min-w-0 truncate"><VisibleText text={name} /></span>
          {scope === 'global' ? null : <Badge>{scope === 'project' ? 'Project' : 'Built-in'}</Badge>}
          {errors === 0 ? null : <Badge tone="ask">{countText(errors, 'problem')}</Badge>}
        </>
      }
      about={description === '' && facts === '' ? undefined : (
        <>
          {description === '' ? null : <span className="block truncate text-ink-2"><VisibleText text={description} /></span>}
          {facts === '' ? null : <span className="block truncate"><VisibleText text={facts} /></span>}
        </>
      )}
      problem={standing.kind === 'trouble' ? standing.problem : undefined}
    />
  );
}

const Row = ({ value, title, about, problem, icon, chosen = false, onSelect }: {
  readonly value: string;
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly problem?: string | undefined;
  readonly icon?: ReactNode;
  readonly chosen?: boolean;
  readonly onSelect: () => void;
}) => (
  <Command.Item value={value} onSelect={onSelect} className="flex min-h-7 items-start gap-2 rounded-control px-2 py-1 text-list text-ink data-[selected=true]:bg-hover">
    <span className="inline-flex h-5 w-4 shrink-0 items-center text-accent">{icon ?? (chosen ? <Check size={14} aria-hidden /> : null)}</span>
    <span className="min-w-0 flex-1">
      <span className="flex min-w-0 items-center gap-1.5">{title}{chosen ? <span className="sr-only"> (chosen)</span> : null}</span>
      {about ? <span className="block text-detail text-ink-2">{about}</span> : null}
      {problem === undefined ? null : <span className="line-clamp-2 text-detail break-words text-ask"><VisibleText text={problem} /></span>}
    </span>
  </Command.Item>
);
