import clsx from 'clsx';
import { Cpu, Folder, FolderOpen, Globe, House, Info, KeyRound, Lock, Palette, Radar, Scissors, SlidersHorizontal, Timer } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useApp, useAppMirror } from '../../bridge/live.ts';
import { hrefOf, type Place, type SettingsSection } from '../../bridge/place.ts';
import type { ServerFormView } from '../../bridge/server-form-view.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { DiscoverySection } from './discovery-section.tsx';
import { HomeSection } from './home-section.tsx';
import { ModelsSection, type ModelPickerView } from './models-section.tsx';
import { useProfileDrafts } from './profile-draft.ts';
import { ProfilesSection } from './profiles-section.tsx';
import { ProjectSection } from './project-section.tsx';
import { changeCount, draftKey, useScopeDraft } from './scope-draft.ts';
import { ResultsSection } from './results-section.tsx';
import { RunningSection } from './running-section.tsx';
import { ScopeSection } from './scope-section.tsx';
import { SecretsSection } from './secrets-section.tsx';
import { VaultSection } from './vault-section.tsx';

type SettingsPlace = Extract<Place, { readonly page: 'settings' }>;
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
interface SectionLink {
  readonly section: SettingsSection;
  readonly name: string;
  readonly icon: ReactNode;
}
const groups: readonly { readonly name: string; readonly sections: readonly SectionLink[] }[] = [
  {
    name: 'Servers',
    sections: [
      { section: 'global', name: 'Global servers', icon: <Globe {...icon} /> },
      { section: 'project-servers', name: 'Project servers', icon: <Folder {...icon} /> },
      { section: 'discovery', name: 'Discovery & import', icon: <Radar {...icon} /> },
      { section: 'secrets', name: 'Secrets', icon: <KeyRound {...icon} /> },
      { section: 'running', name: 'How servers run', icon: <Timer {...icon} /> },
    ],
  },
  {
    name: 'Gatehouse',
    sections: [
      { section: 'models', name: 'Models', icon: <Cpu {...icon} /> },
      { section: 'profiles', name: 'Profiles', icon: <SlidersHorizontal {...icon} /> },
      { section: 'vault', name: 'Vault', icon: <Lock {...icon} /> },
      { section: 'results', name: 'Results', icon: <Scissors {...icon} /> },
      { section: 'appearance', name: 'Appearance', icon: <Palette {...icon} /> },
      { section: 'project', name: 'Project', icon: <FolderOpen {...icon} /> },
      { section: 'home', name: 'Home', icon: <House {...icon} /> },
      { section: 'about', name: 'About', icon: <Info {...icon} /> },
    ],
  },
];

export function SettingsPage({ place, modelPicker, serverForm }: { readonly place: SettingsPlace; readonly modelPicker: ModelPickerView; readonly serverForm: ServerFormView }) {
  const mirror = useAppMirror();
  const current = place.section ?? 'models';
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const view = `${current} ${place.add ?? ''} ${place.edit ?? ''}`;
  useEffect(() => {
    scroller?.scrollTo(0, 0);
  }, [scroller, view]);
  return (
    <>
      <PageHeader title="Settings" />
      <div className="flex min-h-0 flex-1">
        <SectionList current={current} />
        <div ref={setScroller} className="min-w-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
          <div className="mx-auto flex min-h-full w-full max-w-(--column) flex-col gap-7 px-6 py-6 compact:px-4 compact:py-5">
            {mirror.phase === 'loading' ? (
              <Skeleton rows={6} />
            ) : mirror.phase === 'failed' ? (
              <FailureNote error={mirror.error} onRetry={() => followAgain('app')} />
            ) : (
              <Section section={current} place={place} scroller={scroller} modelPicker={modelPicker} serverForm={serverForm} />
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function SectionList({ current }: { readonly current: SettingsSection }) {
  const project = useApp((state) => state.settings.project);
  const drafted: Readonly<Partial<Record<SettingsSection, boolean>>> = {
    global: changeCount(useScopeDraft(draftKey('global', undefined))) > 0,
    'project-servers': changeCount(useScopeDraft(draftKey('project', project))) > 0,
    profiles: useProfileDrafts().some((draft) => draft.scope === 'global' || draft.project === project),
  };
  return (
    <nav aria-label="Settings" className="flex w-51 shrink-0 flex-col gap-4 overflow-y-auto py-5 pl-5 compact:w-46 compact:pl-3">
      {groups.map(({ name: group, sections }) => (
        <ul key={group} aria-label={group} className="flex flex-col gap-0.5">
          {sections.map(({ section, name, icon: picture }) =>
            section === 'project-servers' && project === undefined && current !== section ? null : (
              <li key={section}>
                <a
                  href={hrefOf({ page: 'settings', section })}
                  aria-current={section === current ? 'page' : undefined}
                  draggable={false}
                  className={clsx(
                    'flex h-8 items-center gap-2.5 rounded-control px-2 text-list transition-colors',
                    section === current ? 'bg-pressed font-[550] text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
                  )}
                >
                  <span className={section === current ? 'text-accent' : 'text-ink-3'}>{picture}</span>
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  {drafted[section] ? <span className="size-1.5 shrink-0 rounded-full bg-accent"><span className="sr-only">, not saved</span></span> : null}
                </a>
              </li>
            ),
          )}
        </ul>
      ))}
    </nav>
  );
}

interface SectionProps {
  readonly section: SettingsSection;
  readonly place: SettingsPlace;
  readonly scroller: HTMLElement | null;
  readonly modelPicker: ModelPickerView;
  readonly serverForm: ServerFormView;
}
function Section({ section, place, scroller, modelPicker, serverForm }: SectionProps) {
  switch (section) {
    case 'global':
      return <ScopeSection key="global" scope="global" place={place} scroller={scroller} serverForm={serverForm} />;
    case 'project-servers':
      return <ScopeSection key="project" scope="project" place={place} scroller={scroller} serverForm={serverForm} />;
    case 'discovery':
      return <DiscoverySection scroller={scroller} />;
    case 'models':
      return <ModelsSection modelPicker={modelPicker} />;
    case 'profiles':
      return <ProfilesSection place={place} scroller={scroller} />;
    case 'secrets':
      return <SecretsSection scroller={scroller} />;
    case 'running':
      return <RunningSection />;
    case 'vault':
      return <VaultSection />;
    case 'results':
      return <ResultsSection />;
    case 'appearance':
      return <AppearanceSection />;
    case 'project':
      return <ProjectSection />;
    case 'home':
      return <HomeSection />;
    case 'about':
      return <AboutSection />;
  }
}
