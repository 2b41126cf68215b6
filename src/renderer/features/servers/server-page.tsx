import { useState } from 'react';
import type { ServerCatalog } from '../../../shared/model/catalog.ts';
import type { SignInLogin } from '../../../shared/model/sign-in.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { serverWords } from '../../bridge/connection-words.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { mayBeSignedIn } from '../../bridge/may-sign-in.ts';
import { go } from '../../bridge/place.ts';
import { useAsked, type Asked } from '../../bridge/request-state.ts';
import { targetText } from '../../bridge/target-text.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { SubPageTitle } from '../../ui/sub-page-title.tsx';
import { Tabs, type Tab } from '../../ui/tabs.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { InstructionsTab, ToolsTab } from './offers-tabs.tsx';
import { PausedNote } from './paused-note.tsx';
import { PendingNote } from './pending-note.tsx';
import { OnOff, PowerButtons } from './power-controls.tsx';
import { ServerFacts } from './server-facts.tsx';
import { ServerLog } from './server-log.tsx';
import { ServerMenu } from './server-menu.tsx';
import { ServerMessages } from './server-messages.tsx';
import { OriginBadges } from './server-origin.tsx';
import { ServerOriginTab } from './server-origin-tab.tsx';
import { PromptsTab } from './prompts-tab.tsx';
import { ResourcesTab } from './resources-tab.tsx';
import { SignInNote } from '../../bridge/sign-in-note.tsx';
import { SignInTab } from './sign-in-tab.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { SkillsTab } from './skills-tab.tsx';
import { StateNote } from './state-note.tsx';
import { useServerAction } from './use-server-action.ts';

type TabName = 'tools' | 'resources' | 'prompts' | 'skills' | 'instructions' | 'sign-in' | 'log' | 'messages' | 'details' | 'origin';

/** One server: how it is and what to do about it, what it offers, what it says, what it is. */
export function ServerPage({ row }: { readonly row: ServerRow }) {
  const { definition, connection } = row;
  const serverId = definition.id;
  const paused = useApp((state) => state.paused) ?? false;
  const revision = useApp((state) => state.catalogRevision);
  const asked = useAsked(`${serverId} ${revision}`, (signal) => api.servers.catalog({ serverId }, signal));
  const { press, pending, error } = useServerAction(serverId);
  const [menuError, setMenuError] = useState<RequestError>();
  const [signingOut, setSigningOut] = useState<SignInLogin>();
  const shownError = error ?? menuError;
  const need = signInNeed(row);
  const words = serverWords(row);
  const builtIn = definition.owner === 'built-in';
  // By the note below.
  const explained = need !== undefined || connection.phase === 'failed' || connection.phase === 'needs' || connection.phase === 'reconnecting';
  return (
    <>
      <PageHeader
        title={
          <SubPageTitle back="All servers" onBack={() => go({ page: 'servers' })}>
            <VisibleText text={definition.name} />
          </SubPageTitle>
        }
        actions={
          <>
            <OnOff row={row} onError={setMenuError} />
            <PowerButtons row={row} paused={paused} pending={pending} onPress={press} />
            <ServerMenu row={row} onError={setMenuError} onPage />
          </>
        }
      >
        <OriginBadges row={row} className="flex min-w-0 gap-1.5" />
      </PageHeader>
      <ScrollPage>
        {(scroller) => (
          <>
            <div className="flex min-w-0 flex-col gap-1">
              <p role="status" className={explained ? 'sr-only' : 'text-list'}>
                <StateDot state={words.dot} word={words.word} className="text-ink" />
              </p>
              <p className={builtIn ? 'text-list text-ink-2' : 'font-code text-code break-all text-ink-2 select-text'}>
                {builtIn ? 'Comes with Gatehouse and is run by it.' : <VisibleText text={targetText(definition.transport)} />}
              </p>
            </div>
            <PausedNote />
            <PendingNote row={row} />
            {shownError ? <FailureNote error={shownError} context={{ server: definition.name }} /> : null}
            <SignInNote row={row} />
            <StateNote row={row} paused={paused} pending={pending} onPress={press} />
            {row.warnings.length > 0 ? <Warnings warnings={row.warnings} /> : null}
            <ServerTabs row={row} asked={asked} scroller={scroller} onSignOut={() => setSigningOut(row.signIn?.login)} />
          </>
        )}
      </ScrollPage>
      {signingOut ? <SignOutDialog row={row} login={signingOut} onClose={() => setSigningOut(undefined)} /> : null}
    </>
  );
}

const Warnings = ({ warnings }: { readonly warnings: readonly string[] }) => (
  <ErrorNote
    tone="ask"
    compact
    what={warnings.length === 1 ? 'Something was left out.' : `${countText(warnings.length, 'thing')} were left out.`}
    means={
      <>
        {warnings.map((warning) => (
          <span key={warning} className="block">
            <VisibleText text={warning} />.
          </span>
        ))}
      </>
    }
  />
);

/** What helps most with a server that has not shown what it offers. */
function firstTab(row: ServerRow): TabName {
  const { connection, definition } = row;
  if (signInNeed(row)) return 'sign-in';
  if (connection.phase === 'needs') return 'details';
  if (connection.phase !== 'failed') return 'tools';
  return definition.transport.type === 'stdio' && !connection.failure.code.startsWith('launch/') ? 'log' : 'details';
}

function ServerTabs({
  row,
  asked,
  scroller,
  onSignOut,
}: {
  readonly row: ServerRow;
  readonly onSignOut: () => void;
  readonly asked: Asked<ServerCatalog | undefined> & { readonly again: () => void };
  readonly scroller: HTMLElement | null;
}) {
  const { connection, definition } = row;
  const [chosen, setChosen] = useState<TabName>();
  const catalog = asked.phase === 'ready' ? asked.value : undefined;
  const tab = chosen ?? (catalog ? 'tools' : firstTab(row));
  const offered = (show: (found: ServerCatalog) => React.ReactNode): React.ReactNode => {
    if (asked.phase === 'failed') return <FailureNote error={asked.error} context={{ server: definition.name }} onRetry={asked.again} />;
    if (catalog)
      return (
        <>
          {connection.phase === 'ready' || connection.phase === 'starting' ? null : (
            <p className="mb-3 text-detail text-ink-3">As last seen. It is not connected now.</p>
          )}
          {show(catalog)}
        </>
      );
    if (asked.phase === 'loading' || connection.phase === 'starting' || connection.phase === 'ready') return <Skeleton rows={4} />;
    return (
      <p className="py-6 text-center text-list text-ink-3">
        {connection.phase === 'stopped' ? 'Not seen yet. Start it to see what it offers.' : 'Not seen yet: it has never been connected.'}
      </p>
    );
  };
  const tabs: readonly Tab<TabName>[] = [
    {
      value: 'tools',
      label: 'Tools',
      count: catalog?.tools.length,
      content: () =>
        offered((found) => <ToolsTab tools={found.tools} row={row} scroller={scroller} none="This server offers nothing that could be called." />),
    },
    {
      value: 'resources',
      label: 'Resources',
      count: catalog && catalog.resources.length + catalog.resourceTemplates.length,
      content: () => offered((found) => <ResourcesTab catalog={found} scroller={scroller} />),
    },
    {
      value: 'prompts',
      label: 'Prompts',
      count: catalog?.prompts.length,
      content: () => offered((found) => <PromptsTab catalog={found} scroller={scroller} />),
    },
    ...(catalog?.skills ? [{ value: 'skills' as const, label: 'Skills', content: () => <SkillsTab serverId={definition.id} serverName={definition.name} scroller={scroller} /> }] : []),
    {
      value: 'instructions',
      label: 'Instructions',
      content: () => offered((found) => <InstructionsTab instructions={found.instructions} />),
    },
    ...(mayBeSignedIn(row) ? [{ value: 'sign-in' as const, label: 'Sign-in', content: () => <SignInTab row={row} onSignOut={onSignOut} /> }] : []),
    { value: 'log', label: 'Log', content: () => <ServerLog serverId={definition.id} server={definition.name} /> },
    { value: 'messages', label: 'Messages', content: () => <ServerMessages serverId={definition.id} server={definition.name} /> },
    { value: 'details', label: 'Details', content: () => <ServerFacts row={row} /> },
    ...(definition.owner === 'built-in' && row.provenance.chain.length < 2 ? [] : [{ value: 'origin' as const, label: 'Where it comes from', content: () => <ServerOriginTab row={row} /> }]),
  ];
  return (
    <section aria-labelledby="about-server">
      <h2 id="about-server" className="sr-only">
        What it offers and what it is
      </h2>
      <Tabs name={`About ${definition.name}`} value={tab} onChange={setChosen} tabs={tabs} />
    </section>
  );
}
