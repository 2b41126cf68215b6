import { useMemo, useState, type ReactNode } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { CatalogLines } from '../../../shared/ipc/contract/catalog.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go, type Place } from '../../bridge/place.ts';
import { useToolCosts, useToolLines } from '../../bridge/tool-lines.ts';
import { useToolRules } from '../../bridge/use-tool-rules.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { summarise, summaryText } from './catalog-summary.ts';
import { MissingLine } from './missing-line.tsx';
import { NoTools } from './no-tools.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { ServerHead } from './server-head.tsx';
import { ToolItem } from './tool-item.tsx';
import { fitsFilter, groupedItems, itemKey, lineKey, toolFilters, type ListItem, type ToolFilter } from './tool-list.ts';

type ToolsPlace = Extract<Place, { readonly page: 'tools' }>;
const noServers: AppState['servers'] = {};
const everything = 'all servers';
const filterWords: Readonly<Record<ToolFilter, string>> = { all: 'All', pinned: 'Pinned', hidden: 'Hidden', problems: 'Problems', cached: 'Not connected' };

/** All tools of all servers, by server, or by how well they fit what one looks for: seen, searched, pinned, hidden. */
export function ToolsPage({ place }: { readonly place: ToolsPlace }) {
  const servers = useApp((state) => state.servers) ?? noServers;
  const summary = useMemo(() => summarise(servers), [servers]);
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<ToolFilter>('all');
  const [folded, setFolded] = useState<ReadonlySet<ServerId>>(new Set());
  const { wanted, asked } = useToolLines(text);
  const serverId = place.serverId !== undefined && servers[place.serverId] ? place.serverId : undefined;
  const found = asked.phase === 'ready' ? asked.value : undefined;
  const lines = useMemo(() => (found?.lines ?? []).filter((line) => serverId === undefined || line.serverId === serverId), [found, serverId]);
  const shown = useMemo(() => lines.filter((line) => fitsFilter(filter, line, servers)), [lines, filter, servers]);
  const reset = () => {
    setText('');
    setFilter('all');
  };
  return (
    <>
      <PageHeader title="Tools" />
      <ScrollPage>
        {(scroller) => (
          <>
            <div className="flex flex-col gap-3">
              <div className="flex flex-wrap items-center gap-2">
                <SearchField
                  name="Find a tool"
                  placeholder="What should be done? Find a tool by its name or purpose"
                  value={text}
                  onChange={setText}
                  className="min-w-56 flex-1"
                />
                <ServerFilter servers={servers} value={serverId} />
              </div>
              <h2 className="sr-only">What your servers offer</h2>
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <Segmented
                  name="Which tools"
                  value={filter}
                  onChange={setFilter}
                  options={toolFilters.map((value) => ({ value, label: <FilterLabel word={filterWords[value]} count={value === 'all' ? 0 : lines.filter((line) => fitsFilter(value, line, servers)).length} /> }))}
                />
                {wanted === '' && serverId === undefined && summary.seen > 3 ? (
                  <Button size="s" look="plain" className="ml-auto" onClick={() => setFolded(folded.size > 0 ? new Set() : new Set(lines.map((line) => line.serverId)))}>
                    {folded.size > 0 ? 'Unfold all' : 'Fold all'}
                  </Button>
                ) : null}
                <div role="status" className="flex min-h-5 basis-full flex-wrap items-center gap-x-1.5 text-list text-ink-2">
                  {wanted !== '' ? `${countText(shown.length, 'tool')} ${shown.length === 1 ? 'fits' : 'fit'}, best first` : serverId === undefined ? summaryText(summary) : ''}
                  {wanted === '' && serverId === undefined && summary.seen > 0 ? <MissingLine summary={summary} /> : null}
                </div>
              </div>
            </div>
            {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
            {asked.phase === 'loading' ? <Skeleton rows={6} /> : null}
            {found ? (
              <Found
                key={wanted === '' ? 'groups' : 'hits'}
                place={place} servers={servers} found={found} shown={shown} scroller={scroller} filter={filter} serverId={serverId} ranked={wanted !== ''} folded={folded} onFold={(id) => setFolded((before) => toggled(before, id))}
                none={<NoTools searching={wanted !== ''} filter={filter} onClear={reset} summary={summary} />}
              />
            ) : null}
          </>
        )}
      </ScrollPage>
    </>
  );
}

interface FoundProps {
  readonly place: ToolsPlace;
  readonly servers: AppState['servers'];
  readonly found: CatalogLines;
  readonly shown: CatalogLines['lines'];
  readonly scroller: HTMLElement | null;
  readonly filter: ToolFilter;
  readonly serverId: ServerId | undefined;
  /** By how well they fit, rather than by server. */
  readonly ranked: boolean;
  readonly folded: ReadonlySet<ServerId>;
  readonly onFold: (serverId: ServerId) => void;
  readonly none: ReactNode;
}

/** Which tools are open and chosen is the list's own affair. */
function Found({ place, servers, found, shown, scroller, filter, serverId, ranked, folded, onFold, none }: FoundProps) {
  const usualPrefix = useApp((state) => state.settings.toolPrefix) ?? 'gatehouse';
  const rules = useToolRules(servers);
  const costs = useToolCosts();
  const linked = place.serverId && place.tool ? lineKey({ serverId: place.serverId, tool: place.tool }) : undefined;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(linked ? [linked] : []));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { lines: all, pins } = found;
  const items = useMemo(
    (): readonly ListItem[] => (ranked ? shown.map((line) => ({ kind: 'tool', line })) : groupedItems({ lines: shown, servers, filter, serverId, folded })),
    [ranked, shown, servers, filter, serverId, folded],
  );
  const chosenLines = useMemo(() => (chosen.size === 0 ? [] : all.filter((line) => chosen.has(lineKey(line)))), [all, chosen]);
  const choose = (keys: readonly string[], on: boolean) => setChosen((before) => (on ? new Set([...before, ...keys]) : new Set([...before].filter((key) => !keys.includes(key)))));
  const render = (item: ListItem): ReactNode => {
    if (item.kind === 'server') {
      const { id } = item.row.definition;
      const keys = item.lines.map(lineKey);
      const selected = keys.length > 0 && keys.every((key) => chosen.has(key));
      return (
        <ServerHead
          row={item.row} cost={costs.get(id)} shown={item.lines} all={all.filter((line) => line.serverId === id)} rules={rules} pinsFixed={pins.fixed} usualPrefix={usualPrefix}
          folded={folded.has(id)} onFold={() => onFold(id)} selected={selected} onSelect={() => choose(keys, !selected)}
        />
      );
    }
    const key = lineKey(item.line);
    return (
      <ToolItem
        line={item.line} options={servers[item.line.serverId]?.definition.options ?? {}} open={open.has(key)} onToggle={() => setOpen((before) => toggled(before, key))}
        rules={rules} all={all} pinsFixed={pins.fixed} selected={chosen.has(key)} choosing={chosen.size > 0} onSelect={(on) => choose([key], on)} heading={ranked ? 'h3' : 'h4'} named={ranked}
      />
    );
  };
  return (
    <>
      {rules.error ? <FailureNote error={rules.error} compact /> : null}
      <PinNotes pins={pins} />
      {items.length === 0 ? none : null}
      {items.length > 0 ? <VirtualList within={scroller} name="Tools" items={items} estimate={54} gap={2} className="-mx-2.5" reveal={linked} keyOf={itemKey} renderItem={render} /> : null}
      {chosenLines.length > 0 ? <SelectionBar chosen={chosenLines} all={all} rules={rules} pinsFixed={pins.fixed} onClear={() => setChosen(new Set())} /> : null}
    </>
  );
}

/** What is to be known of pins before one presses: that there are too many, or that no press counts. */
const PinNotes = ({ pins }: { readonly pins: CatalogLines['pins'] }) => (
  <>
    {pins.many ? (
      <ErrorNote
        tone="ask" compact what={`${countText(pins.count, 'tool')} are pinned.`}
        means="A model is given all of them with every question. So many cost more than they help: it finds tools that are not pinned by searching."
      />
    ) : null}
    {pins.fixed ? <p className="text-detail text-ink-3">The variable MCP_DIRECT_TOOLS says which tools are pinned while Gatehouse runs.</p> : null}
  </>
);

const FilterLabel = ({ word, count }: { readonly word: string; readonly count: number }) => (
  <>
    {word}
    {count > 0 ? <span className="text-detail text-ink-3">{count.toLocaleString('en-US')}</span> : null}
  </>
);

const toggled = <T,>(set: ReadonlySet<T>, one: T): ReadonlySet<T> => (set.has(one) ? new Set([...set].filter((other) => other !== one)) : new Set(set).add(one));

function ServerFilter({ servers, value }: { readonly servers: AppState['servers']; readonly value: ServerId | undefined }) {
  const options = useMemo(() => {
    const rows = Object.values(servers)
      .filter((row) => (row.counts?.tools ?? 0) > 0)
      .toSorted((a, b) => a.definition.name.localeCompare(b.definition.name, undefined, { numeric: true, sensitivity: 'base' }));
    return [
      { value: everything, label: 'All servers' },
      ...rows.map(({ definition, counts }) => ({ value: definition.id as string, label: definition.name, hint: `${counts?.tools ?? 0}` })),
    ];
  }, [servers]);
  if (options.length <= 2 && value === undefined) return null;
  return (
    <Select
      name="Tools of which server"
      className="w-48"
      value={value ?? everything}
      options={options}
      onChange={(chosen) => {
        const row = Object.values(servers).find(({ definition }) => definition.id === chosen);
        go({ page: 'tools', ...(row ? { serverId: row.definition.id } : {}) }, 'replace');
      }}
    />
  );
}
