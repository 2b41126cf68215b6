import clsx from 'clsx';
import { ChevronRight, Pin } from 'lucide-react';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ChatTools } from '../../../shared/model/chat-tools.ts';
import { mayUse } from '../../../shared/model/every-tool.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { serverWords } from '../../bridge/connection-words.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { Switch } from '../../ui/switch.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { isChoosable } from './tool-choice.ts';

/** How a server is and how much of it this chat may use; a remembered list counts as much as a live one, and says so. */
function standing(row: ServerRow, lines: readonly ToolLine[], tools: ChatTools): string {
  const { connection, counts, catalog } = row;
  const { word } = serverWords(row);
  if (!counts) return connection.phase === 'stopped' && connection.why === 'asleep' ? 'Not seen yet' : word;
  const usable = lines.filter(isChoosable);
  const allowed = usable.filter((line) => mayUse(tools, line)).length;
  const hidden = lines.filter((line) => line.hidden !== undefined).length;
  const broken = lines.filter((line) => line.hidden === undefined && line.problem !== undefined).length;
  const asleep = connection.phase === 'stopped' && connection.why === 'asleep';
  return [
    allowed === usable.length || allowed === 0 ? countText(usable.length, 'tool') : `${allowed} of ${countText(usable.length, 'tool')}`,
    hidden > 0 ? `${hidden} hidden` : '',
    broken > 0 ? `${broken} cannot be used` : '',
    catalog?.from === 'cache' ? `cached, ${asleep ? 'not connected' : word.toLowerCase()}` : connection.phase === 'ready' ? '' : word.toLowerCase(),
  ].filter((part) => part !== '').join(' · ');
}

export function ServerChoice({ row, lines, tools, open, onToggle, onChange }: {
  readonly row: ServerRow;
  readonly lines: readonly ToolLine[];
  readonly tools: ChatTools;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onChange: (on: boolean) => void;
}) {
  const { name, id } = row.definition;
  const { dot, word } = serverWords(row);
  const on = !tools.serversOff.includes(id);
  const shown = lines.some((line) => line.hidden === undefined);
  return (
    <div className="flex min-w-0 items-center gap-3 pr-1">
      <button type="button" aria-expanded={open} disabled={!shown} onClick={onToggle} className="flex min-w-0 flex-1 items-center gap-2 rounded-control py-1.5 pl-1 text-left transition-colors hover:bg-hover disabled:hover:bg-transparent">
        <ChevronRight size={14} className={clsx('shrink-0 text-ink-3 transition-transform', open && 'rotate-90', !shown && 'invisible')} aria-hidden />
        <span className="min-w-0 flex-1">
          <span className={clsx('flex min-w-0 items-center gap-1.5 text-list font-[550]', on ? 'text-ink' : 'text-ink-3')}>
            <StateDot state={dot} word={word} quiet />
            <span className="truncate"><VisibleText text={name} /></span>
          </span>
          <span className="block truncate text-detail text-ink-3">{standing(row, lines, tools)}</span>
        </span>
      </button>
      <Switch name={`Use ${name} in this chat`} checked={on} onChange={onChange} />
    </div>
  );
}

export function ToolChoice({ line, tools, named, onChange }: {
  readonly line: ToolLine;
  readonly tools: ChatTools;
  /** Its server is said beside it: it does not stand below it. */
  readonly named: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  const usable = isChoosable(line);
  const why = line.hidden === undefined ? line.problem : 'hidden from models';
  return (
    <div title={line.tool} className={clsx('min-w-0 py-1 pr-1', named ? 'pl-1' : 'pl-7')}>
      <Checkbox
        checked={usable && mayUse(tools, line)} disabled={!usable} onChange={onChange}
        label={
          <span className="block min-w-0">
            <span className="flex flex-wrap items-center gap-x-1.5">
              <span className={clsx(!usable && 'text-ink-3')}><VisibleText text={line.title ?? line.tool} /></span>
              {line.pinned ? <Pin size={11} strokeWidth={1.75} className="shrink-0 text-accent" aria-label="pinned" /> : null}
              {named ? <span className="text-detail text-ink-3"><VisibleText text={line.serverName} /></span> : null}
            </span>
            {why === undefined ? null : <span className="block text-detail text-ink-3">Cannot be used: <VisibleText text={why} /></span>}
          </span>
        }
      />
    </div>
  );
}
