import type { KeyboardEvent } from 'react';
import type { ServerRow } from '../../shared/state/app-state.ts';
import { signInNeed } from '../../shared/state/sign-in-need.ts';
import { api, isCancelled, RequestError } from './api.ts';
import { mayBeSignedIn } from './may-sign-in.ts';
import { beginSignIn } from './use-sign-in.ts';

/** The keys of a server where it is one of a list (F-195): Ctrl+A signs in, Ctrl+R connects it anew, Enter on `head` signs in where that is wanted. */
export const serverKeyNames = 'Control+A Control+R';

type Act = 'sign-in' | 'reconnect';
/** What a key does to a server; `undefined` leaves the key to whoever else wants it. `onHead`: its name has the focus. */
export function serverKeyOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>, row: ServerRow, onHead: boolean): Act | undefined {
  if (event.metaKey || event.altKey || event.shiftKey || !row.definition.enabled) return undefined;
  if (event.ctrlKey) {
    if (event.key === 'a' && mayBeSignedIn(row)) return 'sign-in';
    return event.key === 'r' ? 'reconnect' : undefined;
  }
  return event.key === 'Enter' && onHead && row.signIn?.way === 'browser' && signInNeed(row)?.kind === 'wanted' ? 'sign-in' : undefined;
}

/** Listens within a server's row. Where something is typed, keys mean what they mean there. */
export function serverKeys(row: ServerRow, onError: (error: RequestError | undefined) => void): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof HTMLElement) || target.matches('input, textarea, [contenteditable]')) return;
    const act = serverKeyOf(event, row, target.hasAttribute('data-server-head'));
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    onError(undefined);
    const { id: serverId } = row.definition;
    const work: Promise<unknown> = act === 'sign-in' ? beginSignIn(serverId) : api.servers.restart({ serverId });
    work.catch((thrown: unknown) => (isCancelled(thrown) ? undefined : onError(RequestError.from(thrown))));
  };
}
