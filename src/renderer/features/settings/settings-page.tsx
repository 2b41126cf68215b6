import clsx from 'clsx';
import { Cpu, FolderOpen, Info, KeyRound, Palette } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useAppMirror } from '../../bridge/live.ts';
import { hrefOf, type Place, type SettingsSection } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ModelsSection, type ModelPickerView } from './models-section.tsx';
import { ProjectSection } from './project-section.tsx';
import { VaultSection } from './vault-section.tsx';

type SettingsPlace = Extract<Place, { readonly page: 'settings' }>;
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
const sections: readonly { readonly section: SettingsSection; readonly name: string; readonly icon: ReactNode }[] = [
  { section: 'models', name: 'Models', icon: <Cpu {...icon} /> },
  { section: 'vault', name: 'Vault', icon: <KeyRound {...icon} /> },
  { section: 'appearance', name: 'Appearance', icon: <Palette {...icon} /> },
  { section: 'project', name: 'Project', icon: <FolderOpen {...icon} /> },
  { section: 'about', name: 'About', icon: <Info {...icon} /> },
];

export function SettingsPage({ place, modelPicker }: { readonly place: SettingsPlace; readonly modelPicker: ModelPickerView }) {
  const mirror = useAppMirror();
  const current = place.section ?? 'models';
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [current]);
  return (
    <>
      <PageHeader title="Settings" />
      <div className="flex min-h-0 flex-1">
        <nav aria-label="Settings" className="w-44 shrink-0 overflow-y-auto py-5 pl-5 compact:w-36 compact:pl-3">
          <ul className="flex flex-col gap-0.5">
            {sections.map(({ section, name, icon: picture }) => (
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
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={scroller} className="min-w-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
          <div className="mx-auto flex w-full max-w-(--column) flex-col gap-7 px-6 py-6 compact:px-4 compact:py-5">
            {mirror.phase === 'loading' ? (
              <Skeleton rows={6} />
            ) : mirror.phase === 'failed' ? (
              <FailureNote error={mirror.error} onRetry={() => followAgain('app')} />
            ) : (
              <Section section={current} modelPicker={modelPicker} />
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function Section({ section, modelPicker }: { readonly section: SettingsSection; readonly modelPicker: ModelPickerView }) {
  switch (section) {
    case 'models':
      return <ModelsSection modelPicker={modelPicker} />;
    case 'vault':
      return <VaultSection />;
    case 'appearance':
      return <AppearanceSection />;
    case 'project':
      return <ProjectSection />;
    case 'about':
      return <AboutSection />;
  }
}
