import { AppError } from '../../../shared/errors.ts';
import type { auth } from '../../../shared/ipc/contract/auth.ts';
import type { Handlers, RequestContext } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const authHandlers = ({ signIns }: Parts): Handlers<typeof auth> => ({
  'auth.start': ({ serverId, openBrowser, scopes, otherAccount }, { signal }) => signIns.start(serverId, { openBrowser, scopes, otherAccount }, signal),
  'auth.complete': ({ serverId, redirectUrl, code }, { signal }) => signIns.complete(serverId, { redirectUrl, code }, signal),
  'auth.wait': ({ serverId }, { signal }) => signIns.wait(serverId, signal),
  'auth.cancel': ({ serverId }) => signIns.cancel(serverId),
  'auth.set-client': ({ serverId, clientId, clientSecret }, { signal }) => signIns.setClient(serverId, clientId, clientSecret, signal),
  'auth.allow-host': async ({ serverId, host }, { caller, signal }) => {
    byPerson(caller);
    await signIns.allowHost(serverId, host, signal);
  },
  'auth.forbid-host': ({ serverId, host }, { signal }) => signIns.forbidHost(serverId, host, signal),
  'auth.sign-out': async ({ serverId, forgetClient }, { signal }) => ({ revoked: await signIns.signOut(serverId, forgetClient === true, signal) }),
  'auth.history': ({ serverId }) => signIns.history(serverId),
  'auth.share': async ({ serverId, from }, { caller, signal }) => {
    byPerson(caller);
    await signIns.share(serverId, from, signal);
  },
});

/** What widens whom tokens or requests go to is said in the window or at a terminal. */
function byPerson(caller: RequestContext['caller']): void {
  if ('kind' in caller && caller.kind === 'http-api') throw new AppError('request/forbidden', 'Only a person at the window or a terminal can allow this');
}
