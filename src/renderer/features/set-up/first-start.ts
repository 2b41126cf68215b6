import { useEffect, useRef } from 'react';
import type { AppState } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { go, placeNow } from '../../bridge/place.ts';

/** Files that belong to no program alone, by the ids of their sources. */
const sharedFiles = ['config-mcp', 'agents', 'agents-mcp'] as const;
const sharedLabels: Readonly<Record<(typeof sharedFiles)[number], string>> = {
  'config-mcp': '~/.config/mcp/mcp.json',
  agents: '~/.agents/mcp.json',
  'agents-mcp': '~/.agents/mcp/mcp.json',
};

/** Nobody has done anything in this home yet. */
export const isFirstStart = ({ settings, chats, servers }: Pick<AppState, 'settings' | 'chats' | 'servers'>): boolean =>
  !settings.setUp &&
  chats.length === 0 &&
  settings.providers.length === 0 &&
  settings.project === undefined &&
  !Object.values(servers).some(({ provenance }) => provenance.chain.some(({ source }) => source === 'home' || source === 'home-toml'));

/** Shared files that say something of a server now. */
export function sharedInUse(servers: AppState['servers']): readonly string[] {
  const named = new Set(Object.values(servers).flatMap(({ provenance }) => provenance.chain.map(({ source }) => source)));
  return sharedFiles.filter((id) => named.has(id)).map((id) => sharedLabels[id]);
}

/** The set-up is over, by its end or by a skip: it does not come by itself again. */
export const finishSetUp = (): Promise<void> => api.settings.update({ setUp: true, sharedFilesSeen: true });

/** Opens the set-up once: in a home that is new, unless a link or a menu led elsewhere first. */
export function useFirstStart(): void {
  const first = useApp(isFirstStart);
  const looked = useRef(false);
  useEffect(() => {
    if (first === undefined || looked.current) return;
    looked.current = true;
    const here = placeNow();
    if (first && here.page === 'chat' && here.chatId === undefined && here.tool === undefined) go({ page: 'set-up' }, 'replace');
  }, [first]);
}
