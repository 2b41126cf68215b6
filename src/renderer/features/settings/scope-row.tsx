import clsx from 'clsx';
import { Ellipsis, ExternalLink, FileSearch, FlaskConical, Pencil, Trash2, Undo2 } from 'lucide-react';
import { memo, useState } from 'react';
import type { ScopeEntry } from '../../../shared/ipc/contract/config.ts';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import type { TransportType } from '../../../shared/model/server-definition.ts';
import { entryWords, sourceName } from '../../bridge/entry-words.ts';
import { appNow } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { placeText, ProvenanceView } from '../../bridge/provenance-view.tsx';
import type { SourcesById } from '../../bridge/sources.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { Switch } from '../../ui/switch.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { EntryIssues } from './entry-issues.tsx';
import { changeDraft, isOnItself, savedDraft, withChange, withSwitched, type EntryChange, type ScopeRow } from './scope-draft.ts';
import { runTest, testWords, useTestRun, type TestInput } from './server-tests.ts';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
export const transportWords: Readonly<Record<TransportType, string>> = { stdio: 'Command', 'streamable-http': 'HTTP', sse: 'SSE', socket: 'Socket' };

interface Props {
  readonly row: ScopeRow;
  readonly scope: ConfigScope;
  readonly draftKey: string;
  readonly sources: SourcesById;
  /** Takes what stands in the file now, and lets the change to it go. */
  readonly onLookAgain: (name: string) => void;
}

/** A server of a scope as it would be: what it is, what became of it, whether it answers, and what can be done to it here. */
export const ScopeRowView = memo(function ScopeRowView({ row, scope, draftKey, sources, onLookAgain }: Props) {
  const { entry, change, key } = row;
  const [chain, setChain] = useState(false);
  const removed = change?.kind === 'remove';
  const builtIn = entry?.definition?.owner === 'built-in';
  const tested = change?.kind === 'put' ? change : entry?.definition?.revision;
  const run = useTestRun(`${draftKey} ${key}`, tested);
  const input = testInput(row, scope);
  const test = input && (() => void runTest(`${draftKey} ${key}`, tested, input));
  const canEdit = !removed && !builtIn && row.type !== undefined;
  const open = () => go({ page: 'settings', section: scope === 'global' ? 'global' : 'project-servers', edit: key });
  const words = testWords(run);
  return (
    <div className={clsx('border-b border-line', row.movedOn && 'bg-ask-soft/50')}>
      <div className={clsx('grid min-h-14 grid-cols-[minmax(0,1fr)_12.5rem_auto] items-center gap-x-3 px-3 py-2', 'compact:grid-cols-[minmax(0,1fr)_9rem_auto]')}>
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-list">
            <span className={clsx('min-w-0 truncate font-semibold text-ink', (removed || !row.enabled) && 'text-ink-2', removed && 'line-through')}>
              {canEdit ? (
                <button type="button" onClick={open} className="max-w-full truncate rounded-control underline-offset-2 hover:underline"><VisibleText text={row.name} /></button>
              ) : (
                <VisibleText text={row.name} />
              )}
            </span>
            {row.type && !builtIn ? <Badge>{transportWords[row.type]}</Badge> : null}
            <StateBadge row={row} scope={scope} sources={sources} />
            {change ? <Badge tone="accent">{changeWord(change, key)}</Badge> : null}
          </p>
          <p className="flex min-w-0 items-baseline gap-1.5 text-detail text-ink-3">
            <Origin row={row} sources={sources} onOpen={() => setChain(true)} />
            {row.target === '' ? null : <code className="min-w-0 truncate text-detail" title={row.target}><VisibleText text={row.target} /></code>}
          </p>
        </div>
        <div className="flex min-w-0 items-center justify-between gap-1 text-list" role="status">
          {input ? <StateDot state={words.dot} word={words.word} className="min-w-0 text-ink-2 [&>span]:truncate" /> : null}
          {test && run?.phase !== 'testing' ? (
            <Button size="s" look="plain" className="px-2!" aria-label={`Test ${row.name}`} onClick={test}>Test</Button>
          ) : null}
        </div>
        <div className="flex items-center gap-1.5">
          {row.type === undefined || removed ? null : (
            <Switch
              name={`${row.name}: ${row.enabled ? 'on' : 'off'}`}
              checked={row.enabled}
              onChange={(on) => changeDraft(draftKey, (draft) => withSwitched(draft, key, entry, on))}
            />
          )}
          <Menu
            trigger={<IconButton size="s" name={`More for ${row.name}`} icon={<Ellipsis size={16} strokeWidth={1.75} />} />}
            entries={entriesFor({ row, scope, draftKey, canEdit, open, test, showChain: () => setChain(true) })}
          />
        </div>
      </div>
      {row.movedOn ? (
        <div className="flex items-center gap-3 px-3 pb-2 text-list">
          <p className="min-w-0 flex-1 text-ask">The file says something else of it now.</p>
          <Button size="s" onClick={() => onLookAgain(key)}>Look again</Button>
        </div>
      ) : null}
      {run?.phase === 'done' && run.message ? (
        <div className={clsx('px-3 pb-2 text-detail', run.status === 'valid' ? 'text-ink-2' : 'text-bad')}>
          <LongText text={run.message} lines={2} characters={240} code={false} />
        </div>
      ) : null}
      {entry && entry.issues.length > 0 && !removed ? <EntryIssues issues={entry.issues} /> : null}
      {isOrphan(row) ? <p className="px-3 pb-2 text-detail text-ink-2">It only switches or changes a server of this name, and no file says how to reach one.</p> : null}
      {chain && entry?.provenance ? (
        <Dialog open onClose={() => setChain(false)} wide title={<>Where <VisibleText text={row.name} /> comes from</>} description="As it is saved. Your changes are not in it yet.">
          <ProvenanceView provenance={entry.provenance} sources={sources} />
        </Dialog>
      ) : null}
    </div>
  );
});

/** An entry of an owned file that speaks of a server which nobody defines. */
const isOrphan = ({ entry, change }: ScopeRow): boolean => entry !== undefined && entry.here && !entry.definition && entry.state !== 'invalid' && change?.kind !== 'put';

function StateBadge({ row, scope, sources }: Pick<Props, 'row' | 'scope' | 'sources'>) {
  const { entry } = row;
  if (!entry || isOrphan(row)) return null;
  const { provenance } = entry;
  if (entry.definition?.enabled === false && isOnItself(entry)) return <span title="All servers of the scope are switched off."><Badge>Scope is off</Badge></span>;
  const words = entryWords(entry.state, { page: scope, disabledBy: provenance?.disabledBy === undefined ? undefined : sources.get(provenance.disabledBy)?.scope });
  return <span title={words.means}><Badge tone={words.tone}>{words.word}</Badge></span>;
}

function Origin({ row: { entry }, sources, onOpen }: Pick<Props, 'row' | 'sources'> & { readonly onOpen: () => void }) {
  if (!entry) return <span className="shrink-0">Not saved yet</span>;
  const { provenance } = entry;
  if (!provenance) return null;
  const source = sources.get(provenance.source);
  return (
    <button type="button" onClick={onOpen} aria-label={`${sourceName(source, provenance.source)}: where ${entry.name} comes from`} title={source?.path === undefined ? undefined : placeText(source.path, provenance.chain.at(-1)?.place)} className="shrink-0 rounded-control text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink">
      {sourceName(source, provenance.source)}
    </button>
  );
}

function changeWord(change: EntryChange, key: string): string {
  switch (change.kind) {
    case 'put':
      if (change.what !== 'edit') return change.what === 'new' ? 'New' : 'New override';
      return change.draft.name === key ? 'Changed' : 'Changed and renamed';
    case 'switch':
      return change.enabled ? 'Switched on' : 'Switched off';
    case 'remove':
      return 'Removed';
  }
}

/** What is tested: what was typed, or what is saved. */
function testInput({ entry, change, type }: ScopeRow, scope: ConfigScope): TestInput | undefined {
  if (type === undefined || change?.kind === 'remove') return undefined;
  if (change?.kind === 'put') return { scope, draft: change.draft, ...(change.previousName === undefined ? {} : { previousName: change.previousName }) };
  const definition = entry?.definition;
  if (!definition) return undefined;
  // Where the project has it otherwise, what this page shows is not what is in use.
  return appNow()?.servers[definition.id] ? { serverId: definition.id } : { scope, draft: savedDraft(definition), ...(entry.here ? { previousName: entry.name } : {}) };
}

function entriesFor({ row, scope, draftKey, canEdit, open, test, showChain }: {
  readonly row: ScopeRow;
  readonly scope: ConfigScope;
  readonly draftKey: string;
  readonly canEdit: boolean;
  readonly open: () => void;
  readonly test: (() => void) | undefined;
  readonly showChain: () => void;
}): readonly MenuEntry[] {
  const { entry, change, key } = row;
  const set = (next: EntryChange | undefined) => () => changeDraft(draftKey, (draft) => withChange(draft, key, next));
  const definition = entry?.definition;
  const fresh = change?.kind === 'put' || entry?.editable === true;
  return [
    ...(change ? [{ label: 'Take this change back', icon: <Undo2 {...icon} />, onSelect: set(undefined) }, 'line' as const] : []),
    ...(canEdit ? [{ label: fresh ? 'Edit…' : scope === 'project' ? 'Override for this project…' : 'Override…', icon: <Pencil {...icon} />, onSelect: open }] : []),
    ...(test ? [{ label: 'Test', icon: <FlaskConical {...icon} />, onSelect: test }] : []),
    ...(entry?.provenance ? [{ label: 'Where it comes from', icon: <FileSearch {...icon} />, onSelect: showChain }] : []),
    ...(definition ? [{ label: 'Open its page', icon: <ExternalLink {...icon} />, onSelect: () => go({ page: 'servers', serverId: definition.id }) }] : []),
    ...removal(entry, change, set),
  ].filter((one, at) => one !== 'line' || at > 0);
}

function removal(entry: ScopeEntry | undefined, change: EntryChange | undefined, set: (next: EntryChange | undefined) => () => void): readonly MenuEntry[] {
  if (!entry?.here || change?.kind === 'remove') return [];
  const inherited = (entry.provenance?.chain.length ?? 1) > 1;
  return ['line', { label: inherited ? 'Remove what this file says of it' : 'Remove', icon: <Trash2 {...icon} />, danger: true, onSelect: set({ kind: 'remove', seen: entry.seen }) }];
}
