import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { ServerRow } from '../../shared/state/app-state.ts';
import { signInNeed, waitsForSignIn } from '../../shared/state/sign-in-need.ts';
import { api, isCancelled, RequestError } from '../bridge/api.ts';
import { serverWords } from '../bridge/connection-words.ts';
import { describeError } from '../bridge/errors.ts';
import { useApp } from '../bridge/live.ts';
import { go, placeNow, type Place } from '../bridge/place.ts';
import { askProfile } from '../bridge/profile-ask.ts';
import { openProject } from '../bridge/project.ts';
import { beginSignIn } from '../bridge/use-sign-in.ts';
import { KeyHint } from '../ui/key-hint.tsx';
import { useReturnFocus } from '../ui/return-focus.ts';
import { StateDot } from '../ui/state-dot.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

interface Entry {
  readonly label: string;
  readonly keys?: string;
  readonly act: () => unknown;
  /** Done once the palette is gone and the focus is back: it opens something that takes it. */
  readonly afterwards?: () => void;
}
const at = (place: Place) => (): void => go(place);
/** The chat that the window shows, else a new one. */
const toChat = (): void => (placeNow().page === 'chat' ? undefined : go({ page: 'chat' }));

const pages: readonly Entry[] = [
  { label: 'Chat', act: at({ page: 'chat' }) }, { label: 'Servers', act: at({ page: 'servers' }) }, { label: 'Tools', act: at({ page: 'tools' }) },
  { label: 'Approvals', act: at({ page: 'approvals' }) }, { label: 'Settings', keys: 'mod+,', act: at({ page: 'settings' }) },
  { label: 'Settings: global servers', act: at({ page: 'settings', section: 'global' }) }, { label: 'Settings: project servers', act: at({ page: 'settings', section: 'project-servers' }) },
  { label: 'Settings: discovery and import', act: at({ page: 'settings', section: 'discovery' }) },
  { label: 'Settings: models', act: at({ page: 'settings', section: 'models' }) }, { label: 'Settings: secrets', act: at({ page: 'settings', section: 'secrets' }) },
  { label: 'Settings: results', act: at({ page: 'settings', section: 'results' }) },
  { label: 'Settings: how servers run', act: at({ page: 'settings', section: 'running' }) },
  { label: 'Settings: profiles', act: at({ page: 'settings', section: 'profiles' }) },
  { label: 'Settings: home and backup', act: at({ page: 'settings', section: 'home' }) }, { label: 'Settings: vault', act: at({ page: 'settings', section: 'vault' }) },
  { label: 'Settings: appearance', act: at({ page: 'settings', section: 'appearance' }) }, { label: 'Settings: project', act: at({ page: 'settings', section: 'project' }) },
  { label: 'Settings: about', act: at({ page: 'settings', section: 'about' }) },
];
const commandsFor = (paused: boolean): readonly Entry[] => [
  { label: 'New chat', keys: 'mod+n', act: at({ page: 'chat' }) },
  { label: 'Run a script…', act: at({ page: 'chat', tool: { serverId: ownToolsId, name: 'mcp_script' } }) },
  { label: 'Add a server', act: at({ page: 'servers', add: true }) },
  { label: 'Add a model', act: at({ page: 'settings', section: 'models' }) },
  { label: 'Open a project folder', act: openProject },
  { label: 'Choose a profile…', act: toChat, afterwards: askProfile },
  { label: 'Set-up…', act: at({ page: 'set-up' }) },
  paused ? { label: 'Resume all servers', act: () => api.servers.pauseAll({ paused: false }) } : { label: 'Pause all servers', act: () => api.servers.pauseAll({ paused: true }) },
  { label: 'Theme: light', act: () => api.settings.update({ theme: 'light' }) },
  { label: 'Theme: dark', act: () => api.settings.update({ theme: 'dark' }) },
  { label: 'Theme: like the system', act: () => api.settings.update({ theme: 'system' }) },
  { label: 'Quit Gatehouse', act: () => api.shell.quit() },
];

/** Where a sign-in is wanted now. */
const signInsOf = (rows: readonly ServerRow[]): readonly Entry[] =>
  rows.filter((row) => waitsForSignIn(row) && signInNeed(row)?.kind === 'wanted').map(({ definition }) => ({ label: `Sign in to ${definition.name}`, act: () => beginSignIn(definition.id) }));

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<RequestError>();
  const servers = useApp((state) => state.servers) ?? {};
  const chats = useApp((state) => state.chats) ?? [];
  const paused = useApp((state) => state.paused) ?? false;
  const tools = useToolSearch(text);
  const focus = useReturnFocus();
  const afterwards = useRef<() => void>(undefined);
  const run = (act: () => unknown, next?: () => void) => () => {
    afterwards.current = next;
    // What it does goes on after the palette is closed; only a failure keeps it open.
    Promise.resolve().then(act).then(onClose, (thrown: unknown) => setError(RequestError.from(thrown)));
  };
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Dialog.Content onOpenAutoFocus={focus.remember} onCloseAutoFocus={(event) => { focus.giveBack(event); afterwards.current?.(); }} aria-describedby={undefined} className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-48px)] max-w-150 -translate-x-1/2 overflow-hidden rounded-bubble border border-line bg-card shadow-floating focus:outline-none">
          <Dialog.Title className="sr-only">Search everything</Dialog.Title>
          <Command label="Search everything" loop filter={fits}>
            <Command.Input value={text} onValueChange={setText} placeholder="Go to a page, server, tool or chat, or do something…" className="h-12 w-full border-b border-line bg-transparent px-4 text-body text-ink focus-visible:outline-none" />
            {error ? <p role="alert" className="border-b border-line bg-bad-soft px-4 py-2 text-list text-bad">{describeError(error.code).what} {error.message}</p> : null}
            <Command.List className="max-h-[min(60vh,420px)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-center text-list text-ink-3">Nothing fits these words.</Command.Empty>
              {/* Groups stay in this order, whatever fits best: a place is never behind a command that acts at once. */}
              <Group name="Go to">{pages.map((entry) => <Row key={entry.label} value={`go ${entry.label}`} label={entry.label} keys={entry.keys} onSelect={run(entry.act)} />)}</Group>
              <Group name="Do">{[...commandsFor(paused), ...signInsOf(Object.values(servers))].map((entry) => <Row key={entry.label} value={`do ${entry.label}`} label={entry.label} keys={entry.keys} onSelect={run(entry.act, entry.afterwards)} />)}</Group>
              {tools.length > 0 ? (
                <Group name="Tools" keep>
                  {tools.map((tool) => (
                    <Row
                      key={`${tool.ref.serverId} ${tool.ref.tool}`} value={`tool ${tool.ref.serverId} ${tool.ref.tool}`} keep label={tool.title ?? tool.ref.tool} hint={tool.serverName}
                      onSelect={run(at({ page: 'chat', tool: { serverId: tool.ref.serverId, name: tool.ref.tool } }))}
                    />
                  ))}
                </Group>
              ) : null}
              <Group name="Servers">
                {Object.values(servers).map((row) => (
                  <Row
                    key={row.definition.id} value={`server ${row.definition.name} ${row.definition.id}`} label={row.definition.name} onSelect={run(at({ page: 'servers', serverId: row.definition.id }))}
                    hint={<StateDot state={serverWords(row).dot} word={serverWords(row).word} />}
                  />
                ))}
              </Group>
              <Group name="Chats">
                {chats.slice(0, text === '' ? 6 : 300).map((chat) => <Row key={chat.id} value={`chat ${chat.title} ${chat.id}`} label={chat.title || 'New chat'} onSelect={run(at({ page: 'chat', chatId: chat.id }))} />)}
              </Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const Group = ({ name, keep = false, children }: { readonly name: string; readonly keep?: boolean; readonly children: React.ReactNode }) => (
  <Command.Group heading={name} forceMount={keep} className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-detail [&_[cmdk-group-heading]]:text-ink-3">{children}</Command.Group>
);

const Row = ({ value, label, hint, keys, keep = false, onSelect }: {
  readonly value: string; readonly label: string; readonly hint?: React.ReactNode; readonly keys?: string | undefined; readonly keep?: boolean; readonly onSelect: () => void;
}) => (
  <Command.Item value={value} forceMount={keep} onSelect={onSelect} className="flex h-8 items-center gap-3 rounded-control px-2.5 text-list text-ink data-[selected=true]:bg-hover">
    <span className="min-w-0 flex-1 truncate"><VisibleText text={label} /></span>
    {hint ? <span className="shrink-0 text-detail text-ink-2">{hint}</span> : null}
    {keys ? <KeyHint keys={keys} /> : null}
  </Command.Item>
);

/** Every word stands in it: a loose match puts things first that nobody asked for. The first word of a value only tells it from others. */
function fits(value: string, search: string): number {
  const text = value.slice(value.indexOf(' ') + 1).toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  return words.some((word) => text.startsWith(word)) ? 1 : 0.5;
}

/** The catalog's own search: it knows what a tool is for, not only its name. */
function useToolSearch(text: string): readonly CatalogTool[] {
  const [tools, setTools] = useState<readonly CatalogTool[]>([]);
  const wanted = useRef('');
  useEffect(() => {
    wanted.current = text.trim();
    if (wanted.current.length < 2) {
      setTools([]);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.catalog.search({ text: text.trim(), limit: 6 }, abort.signal).then(
        (page) => setTools(page.tools),
        (thrown: unknown) => (isCancelled(thrown) ? undefined : setTools([])), // the rest of the palette works without
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return tools;
}
