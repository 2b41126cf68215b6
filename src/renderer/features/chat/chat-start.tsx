import clsx from 'clsx';
import { Cpu, FolderOpen, Plug, SquareCode, Wrench } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { openProject } from '../../bridge/project.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { useThrottled } from '../../ui/use-throttled.ts';
import { warmSchemaForm } from '../../ui/schema-form/schema-form.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
const most = 6;
/** Servers that connect together change the catalog many times a second; what is suggested may follow later. Milliseconds. */
const followMs = 1_000;
const noTools: CatalogPage = { tools: [], total: 0, missing: [] };

/** At most two tools a server, so that one large server does not fill the page. */
export function someTools(tools: readonly CatalogTool[], count: number): readonly CatalogTool[] {
  const usable = tools.filter((tool) => tool.problem === undefined);
  const seen = new Map<string, number>();
  const spread = usable.filter((tool) => {
    const before = seen.get(tool.ref.serverId) ?? 0;
    seen.set(tool.ref.serverId, before + 1);
    return before < 3;
  });
  return (spread.length >= count ? spread : usable).slice(0, count);
}

/** A chat before its first word: what this is, and real things to begin with. */
export function ChatStart({ direct, searching, own, onChoose }: {
  readonly direct: boolean;
  /** The tools that fit what is typed lie over it: it steps back. */
  readonly searching: boolean;
  /** Gatehouse's own tools, in Direct mode. */
  readonly own: readonly CatalogTool[];
  readonly onChoose: (tool: CatalogTool) => void;
}) {
  const revision = useThrottled(
    useApp((state) => state.catalogRevision),
    followMs,
  );
  const project = useApp((state) => state.settings.project);
  const hasModel = useApp((state) => state.settings.providers.length > 0 || state.detected.length > 0) ?? true;
  const asked = useAsked(direct ? `${revision ?? 'unknown'}` : '', (signal) => (direct ? api.catalog.page({ limit: 60 }, signal) : Promise.resolve(noTools)));
  const script = own.find(({ ref }) => ref.tool === 'mcp_script');
  const [error, setError] = useState<RequestError>();
  useEffect(() => {
    if (direct) warmSchemaForm();
  }, [direct]);
  const tools = asked.phase === 'ready' ? someTools(asked.value.tools, most) : [];
  const unseen = direct && tools.length === 0 && asked.phase === 'ready' ? asked.value.missing.filter((one) => one.why === 'unseen').slice(0, 2) : [];
  const attempt = (work: Promise<unknown>) => void work.then(() => setError(undefined), (thrown: unknown) => setError(RequestError.from(thrown)));
  return (
    <div aria-hidden={searching || undefined} inert={searching} className={clsx('flex min-h-0 flex-1 flex-col overflow-y-auto px-6 transition-opacity compact:px-4', searching && 'opacity-0')}>
      <div className="m-auto w-full max-w-144 py-8">
        <h2 className="text-display font-semibold text-ink">{direct ? 'What should be done?' : 'What can I help with?'}</h2>
        <p className="mt-1 text-body text-ink-2">
          {direct
            ? 'Type it below and the tools that fit appear. You fill in the form and press Run; nothing runs by itself.'
            : 'The model can use the tools of your servers. Each call waits for your approval unless you allowed it before.'}
        </p>
        {direct && tools.length > 0 ? (
          <ul className="mt-6 grid grid-cols-2 gap-2 max-sm:grid-cols-1">
            {tools.map((tool) => (
              <li key={`${tool.ref.serverId} ${tool.ref.tool}`}>
                <button type="button" onClick={() => onChoose(tool)} className="flex h-full w-full min-w-0 flex-col gap-0.5 rounded-card border border-line bg-card px-3.5 py-2.5 text-left shadow-card transition-colors hover:border-line-strong hover:bg-[linear-gradient(var(--hover),var(--hover))]">
                  <span className="flex w-full min-w-0 items-baseline gap-2"><span className="min-w-0 flex-1 truncate text-list font-[550] text-ink"><VisibleText text={tool.title ?? tool.ref.tool} /></span><span className="shrink-0 text-detail text-ink-3"><VisibleText text={tool.serverName} /></span></span>
                  <span className="line-clamp-2 text-detail text-ink-2"><VisibleText text={tool.description} /></span>
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        {asked.phase === 'failed' ? <div className="mt-4"><FailureNote error={asked.error} compact onRetry={asked.again} /></div> : null}
        <div className="mt-6 -ml-2 flex flex-wrap gap-x-2 gap-y-0.5">
          {unseen.map((one) => <Offer key={one.serverId} icon={<Wrench {...icon} />} label={`See what ${one.serverName} can do`} onPress={() => attempt(api.servers.start({ serverId: one.serverId }))} />)}
          {script ? <Offer icon={<SquareCode {...icon} />} label="Run a script" onPress={() => onChoose(script)} /> : null}
          {project === undefined ? <Offer icon={<FolderOpen {...icon} />} label="Open a project folder" onPress={() => attempt(openProject())} /> : null}
          <Offer icon={<Plug {...icon} />} label="Add a server" onPress={() => go({ page: 'servers', add: true })} />
          {hasModel ? null : <Offer icon={<Cpu {...icon} />} label="Connect a model" onPress={() => go({ page: 'settings', section: 'models' })} />}
        </div>
        {error ? <div className="mt-3"><FailureNote error={error} compact /></div> : null}
      </div>
    </div>
  );
}

const Offer = ({ icon: picture, label, onPress }: { readonly icon: ReactNode; readonly label: string; readonly onPress: () => void }) => (
  <button type="button" onClick={onPress} className="flex h-8 items-center gap-2 rounded-control px-2 text-list text-ink-2 transition-colors hover:bg-hover hover:text-ink">
    <span className="text-accent">{picture}</span>{label}
  </button>
);
