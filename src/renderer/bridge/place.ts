import { useSyncExternalStore } from 'react';
import type { ApprovalId, ChatId, ServerId } from '../../shared/ids.ts';

export const settingsSections = ['global', 'project-servers', 'discovery', 'models', 'profiles', 'secrets', 'running', 'vault', 'results', 'appearance', 'project', 'home', 'about'] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** Where the window is. The hash holds it, so that back, forward and reload work. */
export type Place =
  /** Without an id: a chat that does not exist yet. `tool` opens that tool's form in Direct mode. */
  | { readonly page: 'chat'; readonly chatId?: ChatId; readonly tool?: { readonly serverId: ServerId; readonly name: string } }
  | { readonly page: 'servers'; readonly serverId?: ServerId; readonly add?: true; /** With an id: its form, `sign-in` at those options. */ readonly edit?: true | 'sign-in' }
  | { readonly page: 'tools'; readonly serverId?: ServerId; readonly tool?: string }
  | { readonly page: 'approvals'; readonly approvalId?: ApprovalId }
  /** On a page of servers: `add` opens an empty form, `edit` that of the server of this name. On that of profiles `edit` is `global/name` or `project/name`. */
  | { readonly page: 'settings'; readonly section?: SettingsSection; readonly add?: true; readonly edit?: string }
  | { readonly page: 'set-up' };
export type Page = Place['page'];

const query = (values: Readonly<Record<string, string | undefined>>): string => {
  const present = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
};

/** The hash of a place: `#/chat/abc`, `#/servers/add`, `#/tools?server=…&tool=…`. */
export function hrefOf(place: Place): string {
  switch (place.page) {
    case 'chat':
      return `#/chat${place.chatId ? `/${place.chatId}` : ''}${query({ server: place.tool?.serverId, tool: place.tool?.name })}`;
    case 'servers':
      return `#/servers${place.add ? '/add' : place.edit ? '/edit' : ''}${query({ server: place.serverId, at: place.edit === 'sign-in' ? place.edit : undefined })}`;
    case 'tools':
      return `#/tools${query({ server: place.serverId, tool: place.tool })}`;
    case 'approvals':
      return `#/approvals${query({ approval: place.approvalId })}`;
    case 'settings':
      return `#/settings${place.section ? `/${place.section}` : ''}${query({ add: place.add ? '1' : undefined, edit: place.edit })}`;
    case 'set-up':
      return '#/set-up';
  }
}

/** What a hash means. Anything unknown is a new chat. Ids are only compared, so an invented one finds nothing. */
export function placeOf(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page, part] = path.split('/');
  const values = new URLSearchParams(search);
  const server = values.get('server') as ServerId | null; // compared with known ids only
  const tool = values.get('tool');
  switch (page) {
    case 'servers':
      return part === 'add' ? { page, add: true } : { page, ...(server ? { serverId: server, ...(part === 'edit' ? { edit: values.get('at') === 'sign-in' ? ('sign-in' as const) : (true as const) } : {}) } : {}) };
    case 'tools':
      return { page, ...(server ? { serverId: server } : {}), ...(tool ? { tool } : {}) };
    case 'approvals': {
      const approvalId = values.get('approval') as ApprovalId | null; // compared with known ids only
      return { page, ...(approvalId ? { approvalId } : {}) };
    }
    case 'settings': {
      const section = settingsSections.find((one) => one === part);
      const edit = values.get('edit');
      return { page, ...(section ? { section } : {}), ...(values.has('add') ? { add: true } : edit ? { edit } : {}) };
    }
    case 'set-up':
      return { page };
    default:
      return {
        page: 'chat',
        ...(page === 'chat' && part ? { chatId: part as ChatId } : {}), // main refuses an id that it does not know
        ...(server && tool ? { tool: { serverId: server, name: tool } } : {}),
      };
  }
}

export function go(place: Place, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') location.hash = hrefOf(place);
  else location.replace(hrefOf(place));
}

let last: { readonly hash: string; readonly place: Place } | undefined;
export function placeNow(): Place {
  if (last?.hash !== location.hash) last = { hash: location.hash, place: placeOf(location.hash) };
  return last.place;
}

const listen = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};
export const usePlace = (): Place => useSyncExternalStore(listen, placeNow);
