import { Plus, SlidersHorizontal } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go, type Place } from '../../bridge/place.ts';
import { factsText } from '../../bridge/profile-facts.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { askTrust } from '../../bridge/trust-ask.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { DeleteProfileDialog, NewProfileDialog } from './profile-dialogs.tsx';
import { placeOfPath, profilePath, useProfileDrafts, type ProfileDraft, type ProfilePlace } from './profile-draft.ts';
import { ProfileEditor } from './profile-editor.tsx';
import { ProfileRow, type ProfileAsk, type ProfileItem } from './profile-row.tsx';
import { SettingGroup } from './setting-group.tsx';

type SettingsPlace = Extract<Place, { readonly page: 'settings' }>;
type Asking = { readonly what: 'new'; readonly override?: string } | { readonly what: 'delete'; readonly item: ProfileItem };
/** More than these, and there is a search. */
const searchAbove = 8;
const nothing: readonly ProfileReport[] = [];
const tiers = ['project', 'global', 'built-in'] as const;
const openPlace = (place: ProfilePlace) => go({ page: 'settings', section: 'profiles', edit: profilePath(place) });

/** Named presets that a run may use (H-14…H-19): seen, made, changed and removed. */
export function ProfilesSection({ place, scroller }: { readonly place: SettingsPlace; readonly scroller: HTMLElement | null }) {
  const project = useApp((state) => state.settings.project);
  const back = () => go({ page: 'settings', section: 'profiles' });
  if (place.edit !== undefined) return <ProfileEditor key={`${place.edit} ${project}`} place={placeOfPath(place.edit, project)} onDone={back} />;
  return <ProfileList project={project} scroller={scroller} />;
}

function ProfileList({ project, scroller }: { readonly project: string | undefined; readonly scroller: HTMLElement | null }) {
  const trust = useApp((state) => state.trust.phase);
  const revision = useApp((state) => state.configRevision) ?? 0;
  const asked = useAsked(`${project} ${trust} ${revision}`, () => api.profiles.list());
  const { again } = asked;
  useEffect(() => {
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [again]);
  const drafts = useProfileDrafts();
  const [asking, setAsking] = useState<Asking>();
  const reports = asked.phase === 'ready' ? asked.value : nothing;
  const items = useMemo(() => itemsOf(reports, drafts, project), [reports, drafts, project]);
  const close = () => setAsking(undefined);
  const onAsk = useCallback((what: ProfileAsk, item: ProfileItem) => {
    if (what === 'override') setAsking({ what: 'new', override: item.name });
    else if (what === 'delete') setAsking({ what: 'delete', item });
    else if (item.scope !== 'built-in') openPlace({ name: item.name, scope: item.scope, project: undefined });
  }, []);
  const own = items.filter(({ scope }) => scope !== 'built-in');
  const add = <Button look="primary" icon={<Plus size={14} strokeWidth={2} aria-hidden />} onClick={() => setAsking({ what: 'new' })}>New profile…</Button>;
  return (
    <>
      <SettingGroup
        title="Profiles"
        means="Presets for runs, by name: a model and its limits, the tools that may be used, and servers that only such a run has."
        actions={own.length > 0 ? add : undefined}
      >
        {trust === 'ask' ? (
          <ErrorNote tone="ask" compact what="This project’s profiles wait for your trust." means="They count once you have looked at what its files would run." action={{ label: 'Look at its files…', onPress: askTrust }} />
        ) : null}
        {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={again} /> : null}
        {asked.phase === 'loading' ? <Skeleton rows={4} /> : null}
        {asked.phase === 'ready' && own.length === 0 ? (
          <div className="rounded-card border border-dashed border-line-strong">
            <EmptyState icon={<SlidersHorizontal strokeWidth={1.5} />} title="No profile of your own yet" actions={add}>
              A profile is a small text file with a name. A run that asks for it by that name has what it says: another model, fewer tools, a server for that run alone. All else stays as it is.
            </EmptyState>
          </div>
        ) : null}
        {asked.phase === 'ready' ? <FoundProfiles items={items} scroller={scroller} onAsk={onAsk} /> : null}
      </SettingGroup>
      {asking?.what === 'new' ? <NewProfileDialog items={items} override={asking.override} onClose={close} onMade={(made) => { close(); openPlace(made); }} /> : null}
      {asking?.what === 'delete' && asking.item.scope !== 'built-in' ? (
        <DeleteProfileDialog
          place={{ name: asking.item.name, scope: asking.item.scope, project }} path={asking.item.report?.path} onClose={close}
          onGone={() => { close(); again(); }}
        />
      ) : null}
    </>
  );
}

function FoundProfiles({ items, scroller, onAsk }: { readonly items: readonly ProfileItem[]; readonly scroller: HTMLElement | null; readonly onAsk: (what: ProfileAsk, item: ProfileItem) => void }) {
  const [text, setText] = useState('');
  const shown = useMemo(() => {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    return items.filter(({ name, report }) => {
      const words = `${name} ${report?.description ?? ''} ${report ? factsText(report) : ''} ${report?.servers.join(' ') ?? ''}`.toLowerCase();
      return wanted.every((word) => words.includes(word));
    });
  }, [items, text]);
  return (
    <div className="flex flex-col gap-2">
      {items.length > searchAbove ? <SearchField name="Find a profile" placeholder="Find by name, description, model or server" value={text} onChange={setText} /> : null}
      <p role="status" className="sr-only">{text === '' ? '' : `${shown.length} of ${items.length} profiles shown`}</p>
      {shown.length === 0 ? <p className="px-3 py-6 text-center text-list text-ink-3">No profile has these words.</p> : null}
      <VirtualList
        items={shown}
        name="Profiles"
        estimate={58}
        within={scroller}
        className={shown.length === 0 ? '' : 'overflow-hidden rounded-card border border-line bg-card'}
        keyOf={(item) => `${item.scope} ${item.name}`}
        renderItem={(item, index) => <div className={index === 0 ? '' : 'border-t border-line'}><ProfileRow item={item} onAsk={onAsk} /></div>}
      />
    </div>
  );
}

/** The nearest first (H-19), with those that were begun and never saved. */
function itemsOf(reports: readonly ProfileReport[], drafts: readonly ProfileDraft[], project: string | undefined): readonly ProfileItem[] {
  const here = drafts.filter((draft) => draft.scope === 'global' || draft.project === project);
  const isDrafted = ({ name, scope }: ProfileReport) => here.some((draft) => draft.name === name && draft.scope === scope);
  const saved = reports.map((report): ProfileItem => ({ name: report.name, scope: report.scope, report, drafted: isDrafted(report) }));
  const begun = here.filter(({ name, scope }) => !reports.some((report) => report.name === name && report.scope === scope));
  return [...begun.map(({ name, scope }): ProfileItem => ({ name, scope, drafted: true })), ...tiers.flatMap((tier) => saved.filter(({ scope }) => scope === tier))];
}
