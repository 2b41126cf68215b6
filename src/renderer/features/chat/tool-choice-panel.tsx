import { useMemo, useState } from 'react';
import type { ChatId, ServerId } from '../../../shared/ids.ts';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ChatTools, ToolName } from '../../../shared/model/chat-tools.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useToolLines } from '../../bridge/tool-lines.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { LoadedTools } from './loaded-tools.tsx';
import { choiceItems, isChoosable, serversInOrder, tally, tallyText, withAll, withServer, withTools, type ChoiceItem } from './tool-choice.ts';
import { ServerChoice, ToolChoice } from './tool-choice-row.tsx';
import { useToolChoice } from './use-tool-choice.ts';

const noServers: AppState['servers'] = {};
const noLines: readonly ToolLine[] = [];
const keyOf = (item: ChoiceItem): string => (item.kind === 'server' ? `server ${item.row.definition.id}` : `${item.line.serverId} ${item.line.tool}`);

/** Which tools this chat may use, server by server or tool by tool; what is changed holds at once. */
export function ToolChoicePanel({ chatId, saved, loaded, direct }: { readonly chatId: ChatId | undefined; readonly saved: ChatTools; readonly loaded: readonly ToolName[]; readonly direct: boolean }) {
  const servers = useApp((state) => state.servers) ?? noServers;
  const [text, setText] = useState('');
  const [open, setOpen] = useState<ReadonlySet<ServerId>>(new Set());
  const { wanted, asked } = useToolLines(text);
  const { tools, choose, error } = useToolChoice(chatId, saved);
  const lines = asked.phase === 'ready' ? asked.value.lines : noLines;
  const searching = wanted !== '';
  const items = useMemo((): readonly ChoiceItem[] => (searching ? lines.map((line) => ({ kind: 'tool', line })) : choiceItems(servers, lines, open)), [searching, servers, lines, open]);
  const setAll = (on: boolean) => choose(searching ? withTools(tools, lines.filter(isChoosable), on, lines) : withAll(on, serversInOrder(servers)));
  const toggle = (id: ServerId) => setOpen((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])));
  const render = (item: ChoiceItem) => {
    if (item.kind === 'tool') return <ToolChoice line={item.line} tools={tools} named={searching} onChange={(on) => choose(withTools(tools, [item.line], on, lines))} />;
    const { id } = item.row.definition;
    return <ServerChoice row={item.row} lines={item.lines} tools={tools} open={open.has(id)} onToggle={() => toggle(id)} onChange={(on) => choose(withServer(tools, id, on, item.lines))} />;
  };
  return (
    <div className="flex h-112 max-h-[72vh] flex-col gap-2.5">
      <SearchField name="Find a tool for this chat" placeholder="Find a tool" value={text} onChange={setText} />
      <div className="flex items-center gap-1 text-detail">
        <span role="status" className="mr-auto text-ink-2">{searching ? `${lines.length} found` : tallyText(tools, tally(servers, tools))}</span>
        <AllButton label={searching ? 'Use these' : 'Use all'} onPress={() => setAll(true)} />
        <AllButton label={searching ? 'Use none of these' : 'Use none'} onPress={() => setAll(false)} />
      </div>
      {error ? <FailureNote error={error} compact /> : null}
      {searching || direct ? null : <LoadedTools loaded={loaded} lines={lines} tools={tools} />}
      {asked.phase === 'failed' ? <FailureNote error={asked.error} compact onRetry={asked.again} /> : null}
      {asked.phase === 'loading' ? <Skeleton rows={5} /> : null}
      {asked.phase === 'ready' && items.length === 0 ? <p className="py-6 text-center text-list text-ink-2">{searching ? 'No tool fits these words.' : 'There is no server yet whose tools could be chosen.'}</p> : null}
      {asked.phase === 'ready' && items.length > 0
        ? <VirtualList key={searching ? 'found' : 'servers'} items={items} keyOf={keyOf} renderItem={render} estimate={searching ? 26 : 44} name={searching ? 'Tools that fit' : 'Servers and their tools'} className="-mx-1 flex-1 px-1" />
        : null}
      <p className="mt-auto border-t border-line pt-2 text-detail text-ink-3">
        {direct ? 'What is left out does not run in this chat.' : 'What is left out is not found, offered or called in this chat, by scripts neither.'} Servers that you add later can be used.
      </p>
    </div>
  );
}

const AllButton = ({ label, onPress }: { readonly label: string; readonly onPress: () => void }) => (
  <button type="button" onClick={onPress} className="h-6 rounded-control px-1.5 text-accent transition-colors hover:bg-hover">{label}</button>
);
