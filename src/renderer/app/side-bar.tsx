import clsx from 'clsx';
import { MessageSquare, MessagesSquare, Plug, Plus, Search, Settings, ShieldQuestion, Wrench } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { isWaiting } from '../../shared/model/elicitation-content.ts';
import type { AppState } from '../../shared/state/app-state.ts';
import { useApp } from '../bridge/live.ts';
import { go, hrefOf, type Page, type Place } from '../bridge/place.ts';
import { CountBadge } from '../ui/badge.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { ChatList } from './chat-list.tsx';
import { GateMark } from './gate-mark.tsx';
import { togglePalette } from './palette-host.tsx';
import { StatusFoot } from './status-foot.tsx';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
const pages: readonly { readonly page: Page; readonly name: string; readonly icon: ReactNode }[] = [
  { page: 'chat', name: 'Chat', icon: <MessageSquare {...icon} /> },
  { page: 'servers', name: 'Servers', icon: <Plug {...icon} /> },
  { page: 'tools', name: 'Tools', icon: <Wrench {...icon} /> },
  { page: 'approvals', name: 'Approvals', icon: <ShieldQuestion {...icon} /> },
  { page: 'settings', name: 'Settings', icon: <Settings {...icon} /> },
];

const countServers = (state: AppState): number => Object.keys(state.servers).length;
const countTools = (state: AppState): number => Object.values(state.servers).reduce((sum, row) => sum + (row.counts?.tools ?? 0), 0);

export function SideBar({ place }: { readonly place: Place }) {
  const narrow = useNarrow();
  const waiting = useApp((state) => state.approvals.length + state.secretQuestions.length + state.elicitations.filter(isWaiting).length) ?? 0;
  const latest = useApp((state) => state.chats[0]?.id);
  const counts: Readonly<Partial<Record<Page, ReactNode>>> = {
    chat: undefined,
    servers: <Count of={countServers} />,
    tools: <Count of={countTools} />,
    approvals: <CountBadge count={waiting} name="waiting for you" />,
    settings: undefined,
  };
  const hrefFor = (page: Page): string => (page === 'chat' ? hrefOf({ page, ...(place.page !== 'chat' && latest ? { chatId: latest } : {}) }) : hrefOf({ page }));
  return (
    <nav aria-label="Main" className={clsx('flex shrink-0 flex-col border-r border-line bg-ground pt-2 pb-2', narrow ? 'w-14 items-center px-1.5' : 'w-60 px-2')}>
      <div className={clsx('flex shrink-0 items-center gap-2 [-webkit-app-region:drag] in-data-[platform=mac]:mt-6', narrow ? 'h-10 justify-center' : 'mb-1 h-9 px-2')}>
        <GateMark />
        {narrow ? null : (
          <>
            <span className="flex-1 font-semibold">Gatehouse</span>
            <span className="flex [-webkit-app-region:no-drag]">
              <IconButton size="s" name="Search everything" keys="mod+k" icon={<Search {...icon} />} onClick={togglePalette} />
              <IconButton size="s" name="New chat" keys="mod+n" icon={<Plus {...icon} />} onClick={() => go({ page: 'chat' })} />
            </span>
          </>
        )}
      </div>
      {narrow ? <IconButton name="New chat" keys="mod+n" icon={<Plus {...icon} />} onClick={() => go({ page: 'chat' })} /> : null}
      <ul className={clsx('flex shrink-0 flex-col gap-0.5', narrow && 'items-center')}>
        {pages.map((one) => (
          <li key={one.page}>
            {narrow
              ? <NarrowItem name={one.name} href={hrefFor(one.page)} icon={one.icon} current={place.page === one.page} waiting={one.page === 'approvals' ? waiting : 0} />
              : <WideItem name={one.name} href={hrefFor(one.page)} icon={one.icon} current={place.page === one.page} count={counts[one.page]} />}
          </li>
        ))}
      </ul>
      {narrow ? <ChatsBehindIcon place={place} /> : <ChatList place={place} className="mt-2 min-h-0 flex-1" />}
      <StatusFoot narrow={narrow} />
    </nav>
  );
}

/** Follows its number by itself: the rest of the bar stands while servers come up. */
function Count({ of }: { readonly of: (state: AppState) => number }) {
  const value = useApp(of) ?? 0;
  return value === 0 ? null : <span className="text-detail font-normal text-ink-3">{value.toLocaleString('en-US')}</span>;
}

const WideItem = ({ name, href, icon: picture, current, count }: { readonly name: string; readonly href: string; readonly icon: ReactNode; readonly current: boolean; readonly count: ReactNode }) => (
  <a
    href={href} aria-current={current ? 'page' : undefined} draggable={false}
    className={clsx('flex h-8 items-center gap-2.5 rounded-control px-2 text-list transition-colors', current ? 'bg-card font-[550] text-ink shadow-card ring-1 ring-line' : 'text-ink-2 hover:bg-hover hover:text-ink')}
  >
    <span className={current ? 'text-accent' : 'text-ink-3'}>{picture}</span>
    <span className="flex-1">{name}</span>
    {count}
  </a>
);

const NarrowItem = ({ name, href, icon: picture, current, waiting }: { readonly name: string; readonly href: string; readonly icon: ReactNode; readonly current: boolean; readonly waiting: number }) => (
  <Tooltip text={waiting > 0 ? `${name}: ${waiting} waiting for you` : name} side="right">
    <a
      href={href} aria-current={current ? 'page' : undefined} aria-label={waiting > 0 ? `${name}, ${waiting} waiting for you` : name} draggable={false}
      className={clsx('relative flex size-9 items-center justify-center rounded-control transition-colors', current ? 'bg-card text-accent shadow-card ring-1 ring-line' : 'text-ink-2 hover:bg-hover hover:text-ink')}
    >
      {picture}
      {waiting > 0 ? <span className="absolute -top-1 -right-1 flex h-4 min-w-4 items-center justify-center rounded-full bg-ask-soft px-1 text-[10px] leading-none font-semibold text-ask ring-1 ring-ask-line">{waiting}</span> : null}
    </a>
  </Tooltip>
);

function ChatsBehindIcon({ place }: { readonly place: Place }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-1 flex-1">
      <Popover
        label="Chats" side="bottom" focusInside={false} open={open} onOpenChange={setOpen}
        trigger={<button type="button" aria-label="Chats" className="flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-hover hover:text-ink data-[state=open]:bg-hover"><MessagesSquare {...icon} /></button>}
      >
        <div className="-m-1 w-64" onClick={() => setOpen(false)} onKeyDown={undefined}><ChatList place={place} className="h-96" /></div>
      </Popover>
    </div>
  );
}
