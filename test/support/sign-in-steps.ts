import type { ServerId } from '../../src/shared/ids.ts';
import type { SignInBegun } from '../../src/shared/ipc/contract/auth.ts';
import type { DraftOptions } from '../../src/shared/model/server-options.ts';
import type { SignInLogin } from '../../src/shared/model/sign-in.ts';
import type { ServerRow } from '../../src/shared/state/app-state.ts';
import { FormPerson } from './form-person.ts';
import type { TestApp } from './test-app.ts';

export type BegunInBrowser = SignInBegun & { readonly kind: 'browser' };
type StartOptions = { readonly scopes?: string[]; readonly otherAccount?: boolean };

/** Adds a server that is reached over HTTP, as a person does, and waits until its first start has ended. */
export async function addOnWeb(app: TestApp, name: string, url: string, options: DraftOptions = {}, type: 'streamable-http' | 'sse' = 'streamable-http'): Promise<ServerId> {
  const { serverId } = await app.ask('servers.add', { name, transport: { type, url, headers: {} }, options });
  await app.ask('servers.start', { serverId }).catch(() => undefined);
  return serverId;
}
export function rowOf(app: TestApp, serverId: ServerId): ServerRow {
  const row = app.state.servers[serverId];
  if (!row) throw new Error('The server is gone');
  return row;
}

/** Begins; the person allows the addresses of this machine at which tests have their authorization servers. */
export async function beginWithHosts(app: TestApp, serverId: ServerId, options: StartOptions = {}): Promise<SignInBegun> {
  for (let step = 0; step < 5; step += 1) {
    const begun = await app.ask('auth.start', { serverId, openBrowser: false, ...options });
    if (begun.kind !== 'needs-host') return begun;
    await app.ask('auth.allow-host', { serverId, host: begun.host });
  }
  throw new Error('The sign-in wants one address after the other');
}
export async function begin(app: TestApp, serverId: ServerId, options: StartOptions = {}): Promise<BegunInBrowser> {
  const begun = await beginWithHosts(app, serverId, options);
  if (begun.kind !== 'browser') throw new Error(`The sign-in came to ${begun.kind}`);
  return begun;
}

/** From the button to the login. */
export async function signIn(app: TestApp, serverId: ServerId, account = 'alice', options: StartOptions = {}): Promise<SignInLogin> {
  const { url } = await begin(app, serverId, options);
  const [page, login] = await Promise.all([new FormPerson().signIn(url, account), app.ask('auth.wait', { serverId })]);
  if (page.status !== 200) throw new Error(`The callback’s page answered ${page.status}`);
  return login;
}

/** What the server says of the token that came: whose it is, for what, with what. */
export async function whoami(app: TestApp, serverId: ServerId): Promise<{ readonly sub: string; readonly scope: string; readonly aud: string; readonly client_id: string }> {
  const { outcome } = await app.call(await app.newChat(), serverId, 'whoami', {});
  if (outcome.kind !== 'succeeded') throw new Error(`whoami: ${JSON.stringify(outcome)}`);
  const [part] = outcome.result.parts;
  return JSON.parse(part && 'text' in part ? part.text : '{}');
}
