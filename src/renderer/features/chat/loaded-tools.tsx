import { ChevronRight, Pin } from 'lucide-react';
import { useState } from 'react';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ChatTools, ToolName } from '../../../shared/model/chat-tools.ts';
import { mayUse } from '../../../shared/model/every-tool.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { isChoosable, isSameTool } from './tool-choice.ts';

/** What a model is given with every question of this chat, beside Gatehouse's own tools: what is pinned, and what its searches loaded. */
export function LoadedTools({ loaded, lines, tools }: { readonly loaded: readonly ToolName[]; readonly lines: readonly ToolLine[]; readonly tools: ChatTools }) {
  const [open, setOpen] = useState(false);
  const given = lines.filter((line) => isChoosable(line) && mayUse(tools, line));
  const pinned = given.filter((line) => line.pinned);
  const found = given.filter((line) => !line.pinned && loaded.some((one) => isSameTool(one, line)));
  if (pinned.length + found.length === 0) return null;
  const counts = [pinned.length > 0 ? `${pinned.length} pinned` : '', found.length > 0 ? `${found.length} found by searching` : ''].filter((part) => part !== '').join(', ');
  return (
    <section aria-label="Loaded in this chat" className="rounded-control border border-line bg-pane">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex w-full items-center gap-1.5 rounded-control px-2 py-1.5 text-left text-detail">
        <ChevronRight size={12} className={open ? 'rotate-90 text-ink-3 transition-transform' : 'text-ink-3 transition-transform'} aria-hidden />
        <span className="font-[550] text-ink">Loaded in this chat</span><span className="text-ink-3">{counts}</span>
      </button>
      {open ? (
        <ul className="max-h-36 overflow-y-auto border-t border-line px-2 py-1.5 text-detail" tabIndex={0} aria-label="Loaded tools">
          {[...pinned, ...found].map((line) => (
            <li key={`${line.serverId} ${line.tool}`} title={line.tool} className="flex min-w-0 items-center gap-1.5 py-0.5">
              <span className="truncate text-ink"><VisibleText text={line.title ?? line.tool} /></span>
              {line.pinned ? <Pin size={11} strokeWidth={1.75} className="shrink-0 text-accent" aria-label="pinned" /> : null}
              <span className="ml-auto shrink-0 text-ink-3"><VisibleText text={line.serverName} /></span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
