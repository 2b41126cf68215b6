import type { ServerId } from '../src/shared/ids.ts';
import type { SignInBegun } from '../src/shared/ipc/contract/auth.ts';
import type { TestApp } from '../test/support/test-app.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** A sign-in asks a person no more often than that. */
const STEPS = 8;

/** What a person does who wants to sign in: allows the addresses, types the client that they registered, goes through the browser. Throws when the sign-in fails. */
export async function signIn(app: TestApp, serverId: ServerId, context: ScenarioContext): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    const begun = await app.ask('auth.start', { serverId, openBrowser: false });
    if (begun.kind === 'signed-in') return;
    if (begun.kind === 'needs-host') await app.ask('auth.allow-host', { serverId, host: begun.host });
    else if (begun.kind === 'needs-client') await app.ask('auth.set-client', { serverId, ...clientOf(context) });
    else return await inBrowser(app, serverId, begun);
  }
  throw new Error('The sign-in asks on and on');
}

/** The suite's pages agree by themselves: the address leads straight to the callback, as a browser would follow it. */
async function inBrowser(app: TestApp, serverId: ServerId, begun: SignInBegun & { readonly kind: 'browser' }): Promise<void> {
  const page = await fetch(begun.url, { redirect: 'manual' });
  const callback = page.headers.get('location');
  if (callback === null) throw new Error(`The authorization page answered ${page.status}`);
  const ended = app.ask('auth.wait', { serverId });
  const [answer] = await Promise.all([fetch(callback, { redirect: 'manual' }), ended]);
  if (!answer.ok) throw new Error(`The callback's page says ${answer.status}`);
}

function clientOf({ client_id: clientId, client_secret: clientSecret }: ScenarioContext): { readonly clientId: string; readonly clientSecret?: string } {
  if (clientId === undefined) throw new Error('A client is wanted, and the scenario has registered none');
  return { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
}
