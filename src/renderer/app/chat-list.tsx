import clsx from 'clsx';
import { MoreHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ChatId } from '../../shared/ids.ts';
import type { ChatSummary } from '../../shared/state/app-state.ts';
import { useApp } from '../bridge/live.ts';
import { hrefOf, type Place } from '../bridge/place.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { StateDot } from '../ui/state-dot.tsx';
import { ageGroup } from '../ui/time.ts';
import { useNow } from '../ui/use-now.ts';
import { VirtualList } from '../ui/virtual-list.tsx';
import { DeleteChatDialog, RenameChatDialog } from '../bridge/chat-dialogs.tsx';

export type ChatListRow = { readonly kind: 'heading'; readonly text: string } | { readonly kind: 'chat'; readonly chat: ChatSummary };

/** Chats, newest first, under the heading of their age. */
export function chatRows(chats: readonly ChatSummary[], now: number): readonly ChatListRow[] {
  let heading = '';
  return chats.flatMap((chat): readonly ChatListRow[] => {
    const group = ageGroup(chat.updatedAt, now);
    const row = { kind: 'chat', chat } as const;
    if (group === heading) return [row];
    heading = group;
    return [{ kind: 'heading', text: group }, row];
  });
}

type Asking = { readonly what: 'rename' | 'delete'; readonly chat: ChatSummary } | undefined;

export function ChatList({ place, className }: { readonly place: Place; readonly className?: string }) {
  const chats = useApp((state) => state.chats);
  const now = useNow();
  const [asking, setAsking] = useState<Asking>();
  const rows = useMemo(() => chatRows(chats ?? [], now), [chats, now]);
  const current = place.page === 'chat' ? place.chatId : undefined;
  if (!chats) return <div className={clsx('px-2 pt-4', className)}><Skeleton rows={4} /></div>;
  if (chats.length === 0) return <p className={clsx('px-2 pt-4 text-detail text-ink-3', className)}>Your chats will be listed here.</p>;
  return (
    <>
      <VirtualList
        items={rows} name="Chats" estimate={32} className={clsx('-mx-2 px-2', className)}
        keyOf={(row) => (row.kind === 'heading' ? `heading ${row.text}` : row.chat.id)}
        renderItem={(row) =>
          row.kind === 'heading'
            ? <h2 className="px-2 pt-4 pb-1 text-detail text-ink-3">{row.text}</h2>
            : <ChatRow chat={row.chat} current={row.chat.id === current} onAsk={(what) => setAsking({ what, chat: row.chat })} />}
      />
      {asking?.what === 'rename' ? <RenameChatDialog chatId={asking.chat.id} title={asking.chat.title} onClose={() => setAsking(undefined)} /> : null}
      {asking?.what === 'delete' ? <DeleteChatDialog chatId={asking.chat.id} title={asking.chat.title} onClose={() => setAsking(undefined)} /> : null}
    </>
  );
}

const activityDot = {
  idle: null,
  running: <StateDot state="busy" word="Working" quiet />,
  waiting: <StateDot state="needs-you" word="Waiting for you" quiet />,
  interrupted: <StateDot state="trouble" word="Interrupted" quiet />,
} as const;

const ChatRow = ({ chat, current, onAsk }: { readonly chat: ChatSummary & { readonly id: ChatId }; readonly current: boolean; readonly onAsk: (what: 'rename' | 'delete') => void }) => (
  <div className={clsx('group relative mb-0.5 flex h-7.5 items-center rounded-control transition-colors', current ? 'bg-pressed' : 'hover:bg-hover')}>
    <a
      href={hrefOf({ page: 'chat', chatId: chat.id })} aria-current={current ? 'page' : undefined} title={chat.title} draggable={false}
      className={clsx('flex h-full min-w-0 flex-1 items-center gap-2 rounded-control pr-2 pl-2 text-list group-focus-within:pr-7 group-hover:pr-7', current ? 'text-ink' : 'text-ink-2')}
    >
      <span className="min-w-0 flex-1 truncate">{chat.title || 'New chat'}</span>
      {activityDot[chat.activity]}
    </a>
    <span className="absolute right-0.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100">
      <Menu
        trigger={<IconButton size="s" name={`More for ${chat.title || 'New chat'}`} icon={<MoreHorizontal size={14} />} />}
        entries={[{ label: 'Rename…', onSelect: () => onAsk('rename') }, { label: 'Delete…', danger: true, onSelect: () => onAsk('delete') }]}
      />
    </span>
  </div>
);
