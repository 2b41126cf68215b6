import { FolderOpen, Plus, Server } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ScopeView } from '../../../shared/ipc/contract/config.ts';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go, type Place } from '../../bridge/place.ts';
import { openProject } from '../../bridge/project.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import type { ServerFormView } from '../../bridge/server-form-view.ts';
import { useSourcesById } from '../../bridge/sources.ts';
import { askTrust } from '../../bridge/trust-ask.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { EntryEditor } from './entry-editor.tsx';
import { EntryIssues } from './entry-issues.tsx';
import { SaveBar } from './save-bar.tsx';
import { changeDraft, draftKey, rowsOf, useScopeDraft, withChange, withScopeSwitch, type ScopeDraft, type ScopeRow } from './scope-draft.ts';
import { ScopeRowView } from './scope-row.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

type SettingsPlace = Extract<Place, { readonly page: 'settings' }>;
interface Props {
  readonly scope: ConfigScope;
  readonly place: SettingsPlace;
  readonly scroller: HTMLElement | null;
  readonly serverForm: ServerFormView;
}
const words = {
  global: { title: 'Global servers', means: 'They are there in every project, and without one.', on: 'Global servers are on', switchMeans: 'Off: none of them runs, wherever it is defined.' },
  project: { title: 'Project servers', means: 'What this project adds to the global servers, or has otherwise.', on: 'Servers are on in this project', switchMeans: 'Off: none runs in this project, the global ones neither.' },
} as const;
const sectionOf = (scope: ConfigScope) => (scope === 'global' ? 'global' : 'project-servers');

/** The servers of a scope: changed in a draft, looked at as a diff, then saved (U-50…U-59). */
export function ScopeSection(props: Props) {
  const { scope } = props;
  const revision = useApp((state) => state.configRevision) ?? 0;
  const project = useApp((state) => state.settings.project);
  const trust = useApp((state) => state.trust.phase);
  const asked = useAsked(`${scope} ${project} ${trust} ${revision}`, (signal) => api.config.scope({ scope }, signal));
  if (asked.phase === 'failed' && asked.error.code === 'trust/needed') return <TrustFirst />;
  if (asked.phase === 'failed' && asked.error.code === 'project/needed') return <ProjectFirst />;
  if (asked.phase === 'failed') return <FailureNote error={asked.error} onRetry={asked.again} />;
  if (asked.phase === 'loading') return <Skeleton rows={6} />;
  return <Loaded {...props} view={asked.value} draftId={draftKey(scope, project)} onReload={asked.again} />;
}

type LoadedProps = Props & { readonly view: ScopeView; readonly draftId: string; readonly onReload: () => void };

function Loaded(props: LoadedProps) {
  const { view, scope, place, draftId, serverForm } = props;
  const draft = useScopeDraft(draftId);
  const rows = useMemo(() => rowsOf(view, draft), [view, draft]);
  const back = () => go({ page: 'settings', section: sectionOf(scope) });
  if (place.add || place.edit !== undefined) {
    const row = rows.find(({ key }) => key === place.edit);
    return <EntryEditor key={place.edit ?? 'new'} scope={scope} draftId={draftId} row={row} rows={rows} name={place.edit} serverForm={serverForm} onDone={back} />;
  }
  return <ScopeList {...props} draft={draft} rows={rows} />;
}

function ScopeList({ scope, scroller, view, draft, draftId, rows, onReload }: LoadedProps & { readonly draft: ScopeDraft; readonly rows: readonly ScopeRow[] }) {
  const sources = useSourcesById();
  const [text, setText] = useState('');
  const shown = useMemo(() => {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter(({ name, target }) => wanted.every((word) => `${name} ${target}`.toLowerCase().includes(word)));
  }, [rows, text]);
  const say = words[scope];
  const add = () => go({ page: 'settings', section: sectionOf(scope), add: true });
  const lookAgain = (name: string) => {
    changeDraft(draftId, (before) => withChange(before, name, undefined));
    onReload();
  };
  const on = draft.switch ?? view.on;
  return (
    <>
      <SettingGroup
        title={say.title}
        means={<>{say.means} <span className="block text-detail text-ink-3 select-text">Saved in <code className="break-all"><VisibleText text={view.file} /></code>{view.exists ? '' : ', which is made with the first of them'}.</span></>}
        actions={<Button look="primary" icon={<Plus size={14} strokeWidth={2} aria-hidden />} onClick={add}>Add server</Button>}
      >
        <SettingRows>
          <SettingRow name={say.on} htmlFor={`switch-${scope}`} means={say.switchMeans} meansId={`switch-${scope}-means`}>
            <Switch id={`switch-${scope}`} aria-describedby={`switch-${scope}-means`} checked={on} onChange={(next) => changeDraft(draftId, (before) => withScopeSwitch(before, view, next))} />
          </SettingRow>
        </SettingRows>
        {view.issues.length > 0 ? <div className="rounded-card border border-bad-line bg-bad-soft pt-2"><EntryIssues issues={view.issues} /></div> : null}
      </SettingGroup>
      <section aria-label={say.title} className="flex flex-col">
        {rows.length < 8 ? null : (
          <SearchField name="Find a server" placeholder="Find by name, command or address" value={text} onChange={setText} className="mb-2" />
        )}
        <p role="status" className="sr-only">{text === '' ? '' : `${shown.length} of ${rows.length} servers shown`}</p>
        {rows.every(({ entry }) => entry?.definition?.owner === 'built-in') ? (
          <EmptyState icon={<Server strokeWidth={1.5} />} title={scope === 'global' ? 'No server of your own yet' : 'Nothing that is this project’s own'} actions={<><Button onClick={add}>Add server</Button><Button onClick={() => go({ page: 'settings', section: 'discovery' })}>Look on this computer</Button></>}>
            Add one, or take over those that other programs on this computer use.
          </EmptyState>
        ) : null}
        {shown.length === 0 && rows.length > 0 ? <p className="px-3 py-6 text-center text-list text-ink-3">No server has these words.</p> : null}
        <VirtualList
          within={scroller}
          name={say.title}
          items={shown}
          keyOf={(row) => row.key}
          estimate={57}
          className={shown.length === 0 ? '' : 'border-t border-line'}
          renderItem={(row) => <ScopeRowView row={row} scope={scope} draftKey={draftId} sources={sources} onLookAgain={lookAgain} />}
        />
      </section>
      <SaveBar scope={scope} draftId={draftId} draft={draft} onLookAgain={lookAgain} />
    </>
  );
}

export const TrustFirst = () => (
  <EmptyState icon={<FolderOpen strokeWidth={1.5} />} title="This project waits for your trust" actions={<Button look="primary" onClick={askTrust}>Look at its files…</Button>}>
    Its files name servers. Until you have looked at what they would run, nothing of them is used and nothing is changed here.
  </EmptyState>
);

function ProjectFirst() {
  const { state, run } = useRequest();
  return (
    <>
      <EmptyState icon={<FolderOpen strokeWidth={1.5} />} title="No folder is open" actions={<Button look="primary" busy={state.phase === 'sending'} onClick={() => run(openProject)}>Open a folder…</Button>}>
        A project can have servers of its own. Open its folder first.
      </EmptyState>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </>
  );
}
