import { AppError } from '../../shared/errors.ts';
import type { SignInLogin } from '../../shared/model/sign-in.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import { loginOf } from '../connections/sign-in-target.ts';
import type { Clock } from '../ports.ts';
import { refusalOf, refused, type Refusal } from './action-answer.ts';
import { actionParams, CompleteArgs, parsedParams } from './action-params.ts';
import { listOf, type DiscoveryDeps } from './discovery.ts';
import type { ActionAnswer, OwnToolContext } from './own-tool.ts';
import { findServer } from './server-lookup.ts';

export interface SignInActionsDeps extends DiscoveryDeps {
  readonly clock: Clock;
  readonly signIns: Pick<SignIns, 'start' | 'complete'>;
}

/** Begins a sign-in and answers its address, which is for the person (F-167). Nothing is opened. */
export async function authStart(deps: SignInActionsDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.authStart, params);
  if (!parsed.ok) return parsed;
  const found = webServer(deps, parsed.value.server, context);
  if (!found.ok) return found;
  const { name } = found.server;
  try {
    const begun = await deps.signIns.start(loginOf(found.server), { openBrowser: false }, signal);
    switch (begun.kind) {
      case 'browser': {
        const minutes = Math.max(1, Math.round((begun.expiresAt - deps.clock.now()) / 60_000));
        const text = [
          `To sign in to “${name}” the person opens this address in a browser (Gatehouse has not opened it):`,
          begun.url,
          `It holds for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Once they are through, use action auth-complete with server "${name}".`,
          'If their browser cannot reach this computer, it ends on a page that does not load: then give its whole address as args { "redirectUrl": "…" }.',
        ].join('\n');
        return { ok: true, text, data: { server: name, authorizationUrl: begun.url, redirectUri: begun.redirectUri, expiresAt: new Date(begun.expiresAt).toISOString() } };
      }
      case 'signed-in':
        return { ok: true, text: `Signed in to “${name}”: nobody had to be asked.`, data: { server: name, signedIn: true, scopes: [...begun.login.scopes] } };
      case 'needs-client':
        return refused('auth_start_failed', `The provider of “${name}” wants a client id that the person registers there by hand. They enter it in Gatehouse, or with \`gatehouse mcp auth\`. The redirect address to register is ${begun.redirectUri}`, { issuer: begun.issuer, redirectUri: begun.redirectUri });
      case 'needs-host':
        return refused('auth_start_failed', `The sign-in of “${name}” leads to ${begun.host}, an address of this machine or network. Only the person can allow that, in Gatehouse or with \`gatehouse mcp auth\`.`, { host: begun.host });
    }
  } catch (error) {
    return signInRefusal(error, 'auth_start_failed', name, signal);
  }
}

/** Ends a sign-in with what the browser brought, here or by hand, and connects. What comes too early, or from another sign-in, leaves it as it is (F-167). */
export async function authComplete(deps: SignInActionsDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.authComplete, params);
  if (!parsed.ok) return parsed;
  const given = parsedParams(CompleteArgs, parsed.value.args);
  if (!given.ok) return given;
  const found = webServer(deps, parsed.value.server, context);
  if (!found.ok) return found;
  const { id, name } = found.server;
  let login: SignInLogin;
  try {
    login = await deps.signIns.complete(loginOf(found.server), given.value, signal);
  } catch (error) {
    const { code, message } = AppError.from(error);
    if (code === 'auth/no-flow') return refused('not_authenticated', `Nobody is signed in to “${name}”, and no sign-in is under way: begin one with action auth-start.`);
    if (code === 'auth/waiting') return refused('auth_complete_failed', `${message}. The sign-in to “${name}” goes on: when the person is through, use auth-complete again.`, { pending: true });
    return signInRefusal(error, 'auth_complete_failed', name, signal);
  }
  try {
    await deps.connect(id, context.callId, signal);
  } catch (error) {
    return refusalOf(error, 'connect_failed', signal);
  }
  const listed = listOf(deps, id, name, { limit: 12, offset: 0 }, context);
  const as = login.account === undefined ? '' : ` as ${login.account}`;
  return listed.ok ? { ok: true, text: `Signed in to “${name}”${as}. Connected. ${listed.text}`, data: { server: name, signedIn: true, scopes: [...login.scopes], tools: listed.data } } : listed;
}

/** What goes wrong while signing in is that, whatever the code means elsewhere. */
function signInRefusal(error: unknown, code: 'auth_start_failed' | 'auth_complete_failed', name: string, signal: AbortSignal): Refusal {
  if (signal.aborted || !(error instanceof AppError) || !error.code.startsWith('auth/')) return refusalOf(error, code, signal);
  if (error.code === 'auth/not-supported') return refused('oauth_not_supported', `There is no sign-in to “${name}”: ${error.message}`);
  return refused(code, `The sign-in to “${name}” did not work: ${error.message}`);
}

function webServer(deps: SignInActionsDeps, named: string, context: OwnToolContext): ReturnType<typeof findServer> {
  const found = findServer(deps, named, context);
  if (!found.ok) return found;
  const { name, transport } = found.server;
  if (transport.type === 'streamable-http' || transport.type === 'sse') return found;
  return refused('oauth_not_supported', `“${name}” is not reached over HTTP: there is nothing to sign in to.`);
}
