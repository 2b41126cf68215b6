import type { ServerId } from '../../../shared/ids.ts';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ChatTools, ToolName } from '../../../shared/model/chat-tools.ts';
import { everyTool, mayUse } from '../../../shared/model/every-tool.ts';
import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { byServer } from '../../bridge/tool-rules.ts';

export const isChoosable = (line: ToolLine): boolean => line.hidden === undefined && line.problem === undefined;
export const isSameTool = (a: ToolName, b: ToolName): boolean => a.serverId === b.serverId && a.tool === b.tool;
const nameOf = ({ serverId, tool }: ToolName): ToolName => ({ serverId, tool });
const inOrder = (a: ServerRow, b: ServerRow): number => a.definition.name.localeCompare(b.definition.name, undefined, { numeric: true, sensitivity: 'base' });

/** Servers that are switched on, by name. */
export const serversInOrder = (servers: AppState['servers']): readonly ServerRow[] => Object.values(servers).filter(({ definition }) => definition.enabled).toSorted(inOrder);

/** Lets a chat use a server, or not. What was chosen among its tools comes back with it, unless that would be nothing. */
export function withServer(tools: ChatTools, serverId: ServerId, on: boolean, known: readonly ToolLine[]): ChatTools {
  const others = tools.serversOff.filter((one) => one !== serverId);
  if (!on) return { ...tools, serversOff: [...others, serverId] };
  const next = { ...tools, serversOff: others };
  const leavesNothing = known.some(isChoosable) && !known.some((line) => isChoosable(line) && mayUse(next, line));
  return leavesNothing ? { ...next, toolsOff: next.toolsOff.filter((off) => off.serverId !== serverId) } : next;
}

/** Lets a chat use these tools, or not. One of a server that is off brings the server back with it alone; `all` are the tools that are known. */
export function withTools(tools: ChatTools, chosen: readonly ToolName[], on: boolean, all: readonly ToolLine[]): ChatTools {
  const isChosen = (one: ToolName) => chosen.some((tool) => isSameTool(tool, one));
  if (!on) return { ...tools, toolsOff: [...tools.toolsOff.filter((off) => !isChosen(off)), ...chosen.map(nameOf)] };
  const woken = tools.serversOff.filter((serverId) => chosen.some((tool) => tool.serverId === serverId));
  const rest = all.filter((line) => woken.includes(line.serverId) && !isChosen(line)).map(nameOf);
  const kept = tools.toolsOff.filter((off) => !isChosen(off) && !rest.some((one) => isSameTool(one, off)));
  return { serversOff: tools.serversOff.filter((serverId) => !woken.includes(serverId)), toolsOff: [...kept, ...rest] };
}

export const withAll = (on: boolean, servers: readonly ServerRow[]): ChatTools => (on ? everyTool : { serversOff: servers.map(({ definition }) => definition.id), toolsOff: [] });

export interface Tally {
  readonly allowed: number;
  readonly all: number;
}
/** How many usable tools there are, and how many of them this chat may use; from what is always at hand, so that a button can say it. */
export function tally(servers: AppState['servers'], tools: ChatTools): Tally {
  let all = 0;
  let allowed = 0;
  for (const { definition, counts } of Object.values(servers)) {
    if (!definition.enabled || !counts) continue;
    const usable = counts.tools - counts.problems;
    all += usable;
    if (!tools.serversOff.includes(definition.id)) allowed += Math.max(0, usable - tools.toolsOff.filter((off) => off.serverId === definition.id).length);
  }
  return { allowed, all };
}

/** What the button says. */
export function tallyText(tools: ChatTools, { allowed, all }: Tally): string {
  if (tools.serversOff.length === 0 && tools.toolsOff.length === 0) return 'All tools';
  const count = (value: number) => value.toLocaleString('en-US');
  return allowed === 0 ? 'No tools' : allowed === all ? 'Not all tools' : `${count(allowed)} of ${count(all)} tools`;
}

export type ChoiceItem =
  | { readonly kind: 'server'; readonly row: ServerRow; readonly lines: readonly ToolLine[] }
  | { readonly kind: 'tool'; readonly line: ToolLine };

/** Every server that is on, with its tools below it where it is open; a server that nobody has seen stands among them. */
export function choiceItems(servers: AppState['servers'], lines: readonly ToolLine[], open: ReadonlySet<ServerId>): readonly ChoiceItem[] {
  const groups = byServer(lines);
  return serversInOrder(servers).flatMap((row): readonly ChoiceItem[] => {
    const own = groups.get(row.definition.id) ?? [];
    const shown = open.has(row.definition.id) ? own.filter((line) => line.hidden === undefined) : [];
    return [{ kind: 'server', row, lines: own }, ...shown.map((line): ChoiceItem => ({ kind: 'tool', line }))];
  });
}
