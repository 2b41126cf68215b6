import clsx from 'clsx';
import { ArrowLeftRight, Pause, Play, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { ProtocolMessage } from '../../../shared/model/protocol-message.ts';
import type { MessagesState } from '../../../shared/state/messages-state.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useMessagesMirror } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { useThrottled } from '../../ui/use-throttled.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { MessageDetail } from './message-detail.tsx';
import { withWords, type MessageKind } from './message-filter.ts';
import { MessageRow } from './message-row.tsx';
import { fileNameOf, useSavedFile } from './use-saved-file.tsx';

const kinds: readonly { readonly value: MessageKind; readonly label: string }[] = [
  { value: 'all', label: 'All kinds' },
  { value: 'request', label: 'Requests' },
  { value: 'response', label: 'Answers' },
  { value: 'error', label: 'Errors' },
  { value: 'notification', label: 'Notifications' },
];
/** In px. */
const rowHeight = 28;
const full = 'max(300px, 100vh - 330px)';
/** Hundreds of messages a second are drawn a few times a second. */
const drawnEveryMs = 150;

/** What goes between Gatehouse and a server, message by message, as it goes. Secret values are hidden before they come here. */
export function ServerMessages({ serverId, server }: { readonly serverId: ServerId; readonly server: string }) {
  const mirror = useMessagesMirror(serverId);
  if (mirror.phase === 'failed') return <FailureNote error={mirror.error} onRetry={() => followAgain(`messages/${serverId}`)} />;
  return mirror.phase === 'loading' ? <Skeleton rows={4} /> : <Messages serverId={serverId} server={server} live={mirror.state} />;
}

function Messages({ serverId, server, live }: { readonly serverId: ServerId; readonly server: string; readonly live: MessagesState }) {
  const [paused, setPaused] = useState<MessagesState>();
  const { messages, dropped } = useThrottled(paused ?? live, drawnEveryMs);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<MessageKind>('all');
  const [chosen, setChosen] = useState<number>();
  const shown = useMemo(() => withWords(messages, text, kind), [messages, text, kind]);
  const { state, run } = useRequest();
  const saved = useSavedFile('Save these messages', async () => {
    const { text: file, leftOut } = await api.inspector.export({ serverId, seqs: shown.map(({ seq }) => seq) });
    return { fileName: fileNameOf(server, 'messages', 'json'), text: file, ...(leftOut > 0 ? { note: `${countText(leftOut, 'message')} left out: no longer kept, or too large together.` } : {}) };
  }, shown.length === 0);
  const message = chosen === undefined ? undefined : messages.find(({ seq }) => seq === chosen);
  const waiting = paused === undefined ? 0 : (live.messages.at(-1)?.seq ?? 0) - (paused.messages.at(-1)?.seq ?? 0);
  const clear = () => {
    setPaused(undefined);
    setChosen(undefined);
    run(() => api.inspector.clear({ serverId }));
  };
  if (live.messages.length === 0 && paused === undefined) return <Nothing />;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={text} onChange={setText} name="Find a message" placeholder="Method, tool, id, error" className="min-w-40 flex-1 basis-56" />
        <Select<MessageKind> name="Show messages of kind" value={kind} options={kinds} onChange={setKind} className="w-34" />
        <span className="text-detail text-ink-3 tabular-nums">
          {shown.length === messages.length ? countText(messages.length, 'message') : `${shown.length.toLocaleString('en-US')} of ${countText(messages.length, 'message')}`}
        </span>
        <span className="flex items-center gap-0.5">
          <IconButton
            size="s" name={paused ? `Go on${waiting > 0 ? `: ${waiting} more` : ''}` : 'Pause'} aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : live)} icon={paused ? <Play size={14} strokeWidth={1.75} /> : <Pause size={14} strokeWidth={1.75} />}
          />
          {saved.button}
          <IconButton size="s" name="Clear the list" onClick={clear} icon={<Trash2 size={14} strokeWidth={1.75} />} />
        </span>
      </div>
      {saved.words}
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      <div
        // A short list takes no more than it needs.
        style={{ height: message ? full : `min(${full}, ${Math.max(shown.length, 3) * rowHeight + (dropped > 0 ? 36 : 10)}px)` }}
        className={clsx(
          'grid min-h-0 overflow-hidden rounded-card border border-line bg-card',
          message ? 'grid-cols-[minmax(0,1fr)_minmax(0,0.9fr)] compact:grid-cols-1 compact:grid-rows-[minmax(0,2fr)_minmax(0,3fr)]' : 'grid-cols-1',
        )}
      >
        <MessageList messages={shown} dropped={dropped} chosen={message} onChoose={setChosen} live={paused === undefined} />
        {message ? (
          <div className="min-h-0 min-w-0 border-l border-line bg-pane compact:border-t compact:border-l-0">
            <MessageDetail key={message.seq} serverId={serverId} message={message} onChoose={setChosen} onClose={() => setChosen(undefined)} />
          </div>
        ) : null}
      </div>
    </div>
  );
}

const Nothing = () => (
  <EmptyState icon={<ArrowLeftRight />} title="No messages yet">
    What Gatehouse and this server say to each other appears here when they connect. It is kept in memory only, with secret values hidden.
  </EmptyState>
);

interface ListProps {
  readonly messages: readonly ProtocolMessage[];
  readonly dropped: number;
  readonly chosen: ProtocolMessage | undefined;
  readonly onChoose: (seq: number) => void;
  readonly live: boolean;
}

/** Stays at its end until one scrolls up or chooses a message. */
function MessageList({ messages, dropped, chosen, onChoose, live }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const focusNext = useRef(false);
  const last = messages.at(-1);
  const reveal = chosen?.seq ?? (atEnd && live ? last?.seq : undefined);
  const { seq: chosenSeq, pair } = chosen ?? {};
  const renderItem = useCallback(
    (message: ProtocolMessage) => <MessageRow message={message} chosen={message.seq === chosenSeq} paired={pair !== undefined && message.seq === pair} beside={chosenSeq !== undefined} onChoose={onChoose} />,
    [chosenSeq, pair, onChoose],
  );
  useEffect(() => {
    if (!focusNext.current || chosenSeq === undefined) return;
    focusNext.current = false;
    box.current?.querySelector<HTMLElement>(`[data-seq="${chosenSeq}"]`)?.focus();
  }, [chosenSeq]);
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    const at = messages.findIndex(({ seq }) => seq === chosenSeq);
    const next = at < 0 ? last : messages[at + by];
    if (!next) return;
    event.preventDefault();
    focusNext.current = true;
    onChoose(next.seq);
  };
  return (
    <div
      ref={box}
      className="flex min-h-0 min-w-0 flex-col"
      onKeyDown={move}
      onScrollCapture={({ target }) => {
        if (target instanceof HTMLElement) setAtEnd(target.scrollHeight - target.scrollTop - target.clientHeight < 30);
      }}
    >
      {dropped > 0 ? <p className="border-b border-line px-3 py-1 text-detail text-ink-3">{countText(dropped, 'older message')} let go of: the last 2,000 or 2 MB are kept.</p> : null}
      {messages.length === 0 ? (
        <p className="px-3 py-8 text-center text-list text-ink-3">No message fits.</p>
      ) : (
        <VirtualList
          items={messages} keyOf={(message) => String(message.seq)} renderItem={renderItem} estimate={rowHeight} name="Messages" padding={4} className="flex-1"
          reveal={reveal === undefined ? undefined : String(reveal)}
        />
      )}
    </div>
  );
}
