import clsx from 'clsx';
import type { CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import type { ChatTools } from '../../../shared/model/chat-tools.ts';
import { mayUse } from '../../../shared/model/every-tool.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { hrefOf } from '../../bridge/place.ts';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { pageOf, type ToolSearch } from './use-tool-search.ts';

const toolKey = (tool: CatalogTool): string => `${tool.ref.serverId} ${tool.ref.tool}`;
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The tools that fit what is typed, best first, over the composer and over what is behind it, so that nothing moves while one types. Arrow keys move, Enter opens the marked one's form. */
export function ToolCards({ search, allowed, listId, active, onActive, onChoose, onRetry }: {
  readonly search: ToolSearch;
  /** What this chat may use. The others are found too, and say so: somebody looks for what there is. */
  readonly allowed: ChatTools;
  readonly listId: string;
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onChoose: (tool: CatalogTool) => void;
  readonly onRetry: () => void;
}) {
  if (search.phase === 'idle') return null;
  const page = pageOf(search);
  return (
    <div className="absolute inset-x-0 bottom-full z-10 mb-2 max-h-[46vh] animate-appear overflow-y-auto rounded-card border border-line bg-card shadow-floating">
      {search.phase === 'failed' ? <div className="p-2"><FailureNote error={search.error} compact onRetry={onRetry} /></div> : null}
      {search.phase === 'searching' && !page ? <div className="p-4"><Skeleton rows={3} /></div> : null}
      {page ? (
        <>
          {page.tools.length === 0 ? <p className="px-4 py-3 text-list text-ink-2">No tool fits these words. Say it differently, or look through all <a className="text-accent underline underline-offset-2" href={hrefOf({ page: 'tools' })}>tools</a>.</p> : null}
          <ul id={listId} role="listbox" aria-label="Tools that fit" className="p-1">
            {page.tools.map((tool, index) => (
              <li
                key={toolKey(tool)} id={optionId(listId, index)} role="option" aria-selected={index === active} onMouseMove={() => (index === active ? undefined : onActive(index))} onClick={() => onChoose(tool)}
                className={clsx('flex min-w-0 items-baseline gap-3 rounded-control px-3 py-2', index === active && 'bg-hover')}
              >
                <span className="min-w-0 flex-1">
                  <span className="flex min-w-0 items-baseline gap-2 text-list">
                    <span className="shrink-0 font-[550] text-ink"><VisibleText text={tool.title ?? tool.ref.tool} /></span>
                    {tool.problem ? <Badge tone="bad">cannot be used</Badge> : mayUse(allowed, { serverId: tool.ref.serverId, tool: tool.ref.tool }) ? null : <Badge>not for this chat</Badge>}
                  </span>
                  <span className="block truncate text-detail text-ink-2"><VisibleText text={tool.problem ?? firstLine(tool.description)} /></span>
                </span>
                <span className="shrink-0 text-detail text-ink-2"><VisibleText text={tool.serverName} /></span>
              </li>
            ))}
          </ul>
          <Missing missing={page.missing} />
        </>
      ) : null}
    </div>
  );
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
const missingWords = { starting: { dot: 'busy', word: 'starting' }, unseen: { dot: 'asleep', word: 'not seen yet' }, failed: { dot: 'trouble', word: 'not answering' } } as const;

/** Servers that might have had something better to offer. */
function Missing({ missing }: { readonly missing: CatalogPage['missing'] }) {
  if (missing.length === 0) return null;
  const shown = missing.slice(0, 4);
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-detail text-ink-2">
      {shown.map(({ serverId, serverName, why }) => <StateDot key={serverId} state={missingWords[why].dot} word={`${serverName}: ${missingWords[why].word}`} />)}
      {missing.length > shown.length ? <span>and {missing.length - shown.length} more</span> : null}
    </p>
  );
}
