import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PromptCommand } from '../../../shared/model/prompt-command.ts';
import { api } from '../../bridge/api.ts';
import { serverWords } from '../../bridge/connection-words.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { hrefOf } from '../../bridge/place.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** What a command answers, above the composer. */
export function Answer({ title, onClose, children }: { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <header className="flex items-center justify-between px-4 pt-2">
        <h2 className="text-list font-[550] text-ink">{title}</h2>
        <IconButton name="Close" icon={<X size={16} aria-hidden />} onClick={onClose} />
      </header>
      <div className="px-4 pt-1 pb-3 text-list">{children}</div>
    </section>
  );
}

/** `/mcp status`: every server with its state, and its tools and resources counted apart. */
export function ServerStates({ onClose }: { readonly onClose: () => void }) {
  const servers = useApp((state) => state.servers);
  const rows = Object.values(servers ?? {}).toSorted((a, b) => a.definition.name.localeCompare(b.definition.name));
  return (
    <Answer title="Servers" onClose={onClose}>
      <ul>
        {rows.map((row) => {
          const { definition, counts } = row;
          const { dot, word } = serverWords(row);
          return (
            <li key={definition.id} className="flex items-baseline gap-3 py-1">
              <a className="min-w-0 flex-1 truncate text-ink hover:underline" href={hrefOf({ page: 'servers', serverId: definition.id })}><VisibleText text={definition.name} /></a>
              <span className="shrink-0 text-detail text-ink-3">{counts ? `${counts.tools} tools, ${counts.resources} resources` : 'not seen yet'}</span>
              <span className="w-44 shrink-0 truncate text-detail"><StateDot state={dot} word={word} /></span>
            </li>
          );
        })}
      </ul>
    </Answer>
  );
}

/** `/mcp prompts`: what seen servers offer, as it is called. Choosing one writes it. */
export function ServerPrompts({ onClose, onChoose }: { readonly onClose: () => void; readonly onChoose: (command: PromptCommand) => void }) {
  const revision = useApp((state) => state.catalogRevision) ?? 0;
  const asked = useAsked(`${revision}`, (signal) => api.prompts.commands({}, signal));
  return (
    <Answer title="Prompts" onClose={onClose}>
      {asked.phase === 'failed' ? <FailureNote error={asked.error} compact onRetry={asked.again} /> : null}
      {asked.phase === 'loading' ? <Skeleton rows={2} /> : null}
      {asked.phase === 'ready' && asked.value.length === 0 ? <p className="text-ink-2">No server that was seen offers any.</p> : null}
      {asked.phase === 'ready' && asked.value.length > 0 ? (
        <ul>
          {asked.value.map((one) => (
            <li key={one.command}>
              <button type="button" onClick={() => onChoose(one)} className="-mx-2 flex w-[calc(100%+16px)] min-w-0 items-baseline gap-3 rounded-control px-2 py-1 text-left hover:bg-hover">
                <span className="max-w-1/2 shrink-0 truncate font-code text-ink"><VisibleText text={one.command} /></span>
                <span className="min-w-0 flex-1 truncate text-detail text-ink-2"><VisibleText text={one.prompt.title ?? one.prompt.description ?? ''} /></span>
                <span className="shrink-0 text-detail text-ink-3"><VisibleText text={one.serverName} />{one.cached ? ', as last seen' : ''}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </Answer>
  );
}
