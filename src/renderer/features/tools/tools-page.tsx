import { Wrench } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go, hrefOf, type Place } from '../../bridge/place.ts';
import { ToolRow } from '../../bridge/tool-row.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { summarise, summaryText, type CatalogSummary } from './catalog-summary.ts';
import { LookNow, MissingLine } from './missing-line.tsx';
import { useCatalogPages } from './use-catalog-pages.ts';

type ToolsPlace = Extract<Place, { readonly page: 'tools' }>;
const noServers: AppState['servers'] = {};
const everything = 'all servers';
const toolKey = (tool: CatalogTool): string => `${tool.ref.serverId} ${tool.ref.tool}`;

/** All tools of all servers, by server, or by how well they fit what one looks for. */
export function ToolsPage({ place }: { readonly place: ToolsPlace }) {
  const servers = useApp((state) => state.servers) ?? noServers;
  const revision = useApp((state) => state.catalogRevision);
  const summary = useMemo(() => summarise(servers), [servers]);
  const [text, setText] = useState('');
  const wanted = useSettled(text.trim(), 120);
  const serverId = place.serverId !== undefined && servers[place.serverId] ? place.serverId : undefined;
  const { tools, phase, error, need, again } = useCatalogPages({ text: wanted, serverId, revision });
  const linked = place.serverId && place.tool ? `${place.serverId} ${place.tool}` : undefined;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(linked ? [linked] : []));
  const toggle = (key: string) =>
    setOpen((before) => (before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set(before).add(key)));
  const chosen = serverId === undefined ? undefined : servers[serverId];
  return (
    <>
      <PageHeader title="Tools" />
      <ScrollPage>
        {(scroller) => (
          <>
            <div className="flex flex-col gap-2.5">
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
              <div role="status" className="flex min-h-5 flex-wrap items-center gap-x-1.5 text-list text-ink-2">
                {wanted === ''
                  ? chosen
                    ? `${countText(tools.length, 'tool')} of ${chosen.definition.name}`
                    : summary.seen > 0
                      ? summaryText(summary)
                      : ''
                  : `${countText(tools.length, 'tool')} ${tools.length === 1 ? 'fits' : 'fit'}, best first`}
                {wanted === '' && serverId === undefined && summary.seen > 0 ? <MissingLine summary={summary} /> : null}
              </div>
            </div>
            {error ? <FailureNote error={error} onRetry={again} /> : null}
            {phase === 'loading' && !error ? <Skeleton rows={6} /> : null}
            {phase === 'ready' && tools.length === 0 ? (
              <NoTools searching={wanted !== ''} onClear={() => setText('')} summary={summary} />
            ) : null}
            {tools.length > 0 ? (
              <VirtualList
                within={scroller}
                name="Tools"
                items={tools}
                estimate={54}
                gap={2}
                className="-mx-2.5"
                reveal={linked}
                keyOf={(tool, index) => (tool ? toolKey(tool) : `place ${index}`)}
                renderItem={(tool, index) =>
                  tool ? (
                    <ToolRow
                      tool={tool}
                      open={open.has(toolKey(tool))}
                      onToggle={() => toggle(toolKey(tool))}
                      aside={
                        serverId === undefined ? (
                          <span className="max-w-40 truncate text-detail text-ink-3">
                            <VisibleText text={tool.serverName} />
                          </span>
                        ) : undefined
                      }
                      actions={<Actions tool={tool} />}
                    />
                  ) : (
                    <Awaited index={index} need={need} />
                  )
                }
              />
            ) : null}
          </>
        )}
      </ScrollPage>
    </>
  );
}

const Actions = ({ tool }: { readonly tool: CatalogTool }) => (
  <>
    {tool.problem ? null : (
      <Button onClick={() => go({ page: 'chat', tool: { serverId: tool.ref.serverId, name: tool.ref.tool } })}>Use in Direct mode</Button>
    )}
    <Button look="plain" onClick={() => go({ page: 'servers', serverId: tool.ref.serverId })}>
      Open {tool.serverName}
    </Button>
  </>
);

/** A tool whose page is on its way; asks for it when it comes into sight. */
function Awaited({ index, need }: { readonly index: number; readonly need: (index: number) => void }) {
  useEffect(() => need(index), [index, need]);
  return (
    <div className="h-13 px-2.5 py-2" aria-hidden>
      <div className="h-4 w-1/3 rounded-control bg-hover" />
    </div>
  );
}

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

function NoTools({
  searching,
  onClear,
  summary,
}: {
  readonly searching: boolean;
  readonly onClear: () => void;
  readonly summary: CatalogSummary;
}) {
  if (searching)
    return (
      <EmptyState icon={<Wrench strokeWidth={1.5} />} title="No tool fits" actions={<Button onClick={onClear}>Show all tools</Button>}>
        Say it differently, or look at all of them.
      </EmptyState>
    );
  if (summary.starting > 0)
    return (
      <EmptyState icon={<Wrench strokeWidth={1.5} />} title="Looking">
        {countText(summary.starting, 'server')} starting. What they offer is listed here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<Wrench strokeWidth={1.5} />}
      title="No tools yet"
      actions={
        <>
          {summary.unseen.length > 0 ? <LookNow /> : null}
          <Button look={summary.unseen.length > 0 ? 'plain' : 'quiet'} onClick={() => go({ page: 'servers', add: true })}>
            Add a server
          </Button>
        </>
      }
    >
      {summary.unseen.length > 0 ? (
        `You have ${countText(summary.unseen.length, 'server')} that nobody has looked at yet. Looking starts them.`
      ) : (
        <>
          What your{' '}
          <a href={hrefOf({ page: 'servers' })} className="text-accent underline underline-offset-2">
            servers
          </a>{' '}
          offer is listed here.
        </>
      )}
    </EmptyState>
  );
}

/** The text once it has been left alone for a moment. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return undefined;
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : ms);
    return () => clearTimeout(timer);
  }, [text, settled, ms]);
  return settled;
}
