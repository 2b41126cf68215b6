import clsx from 'clsx';
import { Pause, Plug, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useApp, useAppMirror } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateDot, type DotState } from '../../ui/state-dot.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { ConfigProblems } from './config-problems.tsx';
import { PausedNote } from './paused-note.tsx';
import { columns, ServerListRow } from './server-list-row.tsx';
import { UnusedEntries } from './unused-entries.tsx';
import { countServers, findServers, serverFilters, sortServers, troubleText, type ServerFilter } from './server-summary.ts';

const noServers: AppState['servers'] = {};

export function ServerList() {
  const mirror = useAppMirror();
  const servers = useApp((state) => state.servers) ?? noServers;
  const paused = useApp((state) => state.paused) ?? false;
  const all = useMemo(() => sortServers(Object.values(servers)), [servers]);
  const pausing = useRequest();
  return (
    <>
      <PageHeader
        title="Servers"
        actions={
          <>
            {paused || all.length === 0 ? null : (
              <Button
                look="plain"
                icon={<Pause size={14} strokeWidth={1.75} aria-hidden />}
                busy={pausing.state.phase === 'sending'}
                onClick={() => pausing.run(() => api.servers.pauseAll({ paused: true }))}
              >
                Pause all
              </Button>
            )}
            <Button onClick={() => go({ page: 'settings', section: 'discovery' })}>Import…</Button>
            <Button look="primary" icon={<Plus size={14} strokeWidth={2} aria-hidden />} onClick={() => go({ page: 'servers', add: true })}>
              Add server
            </Button>
          </>
        }
      />
      <ScrollPage>
        {(scroller) => (
          <>
            {pausing.state.phase === 'failed' ? <FailureNote error={pausing.state.error} /> : null}
            <PausedNote />
            <ConfigProblems />
            {mirror.phase === 'loading' ? (
              <Skeleton rows={5} />
            ) : mirror.phase === 'failed' ? (
              <FailureNote error={mirror.error} onRetry={() => followAgain('app')} />
            ) : (
              <Listed all={all} paused={paused} scroller={scroller} />
            )}
          </>
        )}
      </ScrollPage>
    </>
  );
}

function Listed({
  all,
  paused,
  scroller,
}: {
  readonly all: readonly ServerRow[];
  readonly paused: boolean;
  readonly scroller: HTMLElement | null;
}) {
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<ServerFilter>('all');
  const counts = useMemo(() => countServers(all), [all]);
  const chosen = counts[filter] === 0 ? 'all' : filter;
  const shown = useMemo(() => findServers(all, text, chosen), [all, text, chosen]);
  const own = all.some((row) => row.definition.owner !== 'built-in');
  return (
    <section aria-label="Your servers" className="flex flex-col">
      {all.length < 6 ? null : (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <SearchField
            name="Find a server"
            placeholder="Find by name, command or address"
            value={text}
            onChange={setText}
            className="min-w-56 flex-1"
          />
          <Filters counts={counts} chosen={chosen} onChoose={setFilter} trouble={troubleText(all)} />
        </div>
      )}
      <p role="status" className="sr-only">
        {text === '' && chosen === 'all' ? '' : `${shown.length} of ${all.length} servers shown`}
      </p>
      <div className={clsx(columns, 'h-8 border-b border-line text-detail font-[550] text-ink-3')} aria-hidden>
        <span>Name</span>
        <span>State</span>
        <span className="compact:hidden">From</span>
        <span>Tools</span>
        <span />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          title="No server fits"
          actions={
            <Button
              onClick={() => {
                setText('');
                setFilter('all');
              }}
            >
              Show all {all.length}
            </Button>
          }
        >
          None of your servers has these words in its name or address.
        </EmptyState>
      ) : (
        <VirtualList
          within={scroller}
          name="Servers"
          items={shown}
          keyOf={(row) => row.definition.id}
          estimate={57}
          renderItem={(row) => <ServerListRow row={row} paused={paused} />}
        />
      )}
      <div className="mt-6 empty:hidden">
        <UnusedEntries />
      </div>
      {own ? null : (
        <EmptyState
          icon={<Plug strokeWidth={1.5} />}
          title="These two come with Gatehouse"
          actions={
            <>
              <Button icon={<Plus size={14} strokeWidth={2} aria-hidden />} onClick={() => go({ page: 'servers', add: true })}>
                Add server
              </Button>
              <Button onClick={() => go({ page: 'settings', section: 'discovery' })}>Import…</Button>
            </>
          }
        >
          Add your own, or take over those that other programs on this computer use.
        </EmptyState>
      )}
    </section>
  );
}

const filterLooks: Readonly<
  Record<Exclude<ServerFilter, 'all'>, { readonly dot: DotState; readonly word: string; readonly one?: string }>
> = {
  trouble: { dot: 'trouble', word: 'not answering' },
  'needs-you': { dot: 'needs-you', word: 'need you', one: 'needs you' },
  connected: { dot: 'working', word: 'connected' },
  asleep: { dot: 'asleep', word: 'sleeping' },
  off: { dot: 'asleep', word: 'off' },
};

function Filters({
  counts,
  chosen,
  onChoose,
  trouble,
}: {
  readonly counts: Readonly<Record<ServerFilter, number>>;
  readonly chosen: ServerFilter;
  readonly onChoose: (filter: ServerFilter) => void;
  readonly trouble: string;
}) {
  return (
    <div role="group" aria-label="Show only" className="flex flex-wrap gap-1">
      {serverFilters.map((filter) => {
        if (filter !== 'all' && counts[filter] === 0) return null;
        const pressed = chosen === filter;
        const label =
          filter === 'all'
            ? `All ${counts.all}`
            : filter === 'trouble'
              ? trouble
              : `${counts[filter]} ${counts[filter] === 1 ? (filterLooks[filter].one ?? filterLooks[filter].word) : filterLooks[filter].word}`;
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={pressed}
            onClick={() => onChoose(pressed ? 'all' : filter)}
            className={clsx(
              'inline-flex h-7 items-center rounded-full border px-2.5 text-list transition-colors',
              pressed ? 'border-accent-line bg-accent-soft font-[550] text-ink' : 'border-line text-ink-2 hover:bg-hover hover:text-ink',
            )}
          >
            {filter === 'all' ? label : <StateDot state={filterLooks[filter].dot} word={label} />}
          </button>
        );
      })}
    </div>
  );
}
