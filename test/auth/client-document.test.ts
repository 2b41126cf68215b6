import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../servers/sign-in/front-door.ts';
import type { SecuredServer } from '../servers/sign-in/secured-server.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FormPerson } from '../support/form-person.ts';
import { documentAt } from '../support/client-document.ts';
import { AppWithServer } from '../support/signed-in-app.ts';
import { buildParts, type BuiltParts } from '../support/test-app.ts';

const shared = 'https://gatehouse.example.test/oauth/client.json';
const own = 'https://own.example.test/client.json';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** A provider that takes documents, and knows the app's and another one. */
async function place(): Promise<{ readonly issuer: SignInServer; readonly secured: SecuredServer } & AsyncDisposable> {
  const issuer = await SignInServer.start({ documents: true });
  issuer.documents.set(shared, documentAt(shared));
  issuer.documents.set(own, { ...documentAt(own), client_name: 'Mine', redirect_uris: ['http://localhost:1/back'] });
  return { issuer, secured: await issuer.protect(), [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose]() };
}

async function open(at: { readonly issuer: SignInServer; readonly secured: SecuredServer }, oauth: object, advertised: string | false = shared): Promise<AppWithServer> {
  const one = await AppWithServer.open(parts, at.secured, { oauth });
  await one.app.ask('settings.update', { clientMetadataUrl: advertised });
  await one.allow(at.issuer.issuer);
  return one;
}

/** Begins, and answers what the provider is asked. */
async function begin(one: AppWithServer) {
  const begun = await one.app.ask('auth.start', { serverId: one.id, openBrowser: false });
  if (begun.kind !== 'browser') throw new Error(begun.kind);
  const asked = new URL(begun.url).searchParams;
  return { url: begun.url, clientId: asked.get('client_id') ?? '', redirectUri: asked.get('redirect_uri') ?? '' };
}
/** To the end, as alice. */
async function signIn(one: AppWithServer) {
  const asked = await begin(one);
  await new FormPerson().signIn(asked.url);
  const login = await one.app.ask('auth.wait', { serverId: one.id });
  return { ...asked, login };
}
const port = (redirectUri: string) => Number(new URL(redirectUri).port);

/** Holds a port until the test is over; 0 takes any. */
async function hold(wanted = 0): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer();
  return { port: await listen(server, wanted), [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}
async function freePort(): Promise<number> {
  await using held = await hold();
  return held.port;
}

describe('the metadata document', () => {
  it('[F-162] is the client where it is known: the app’s on any port, one’s own at an address that may be one, none where the person opted out', async () => {
    await using at = await place();
    expect(documentAt(shared)).toMatchObject({
      application_type: 'native', token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://localhost:19876/callback', 'http://127.0.0.1:19876/callback', 'http://[::1]:19876/callback'],
    });
    await using one = await open(at, {});
    const { clientId, redirectUri, login } = await signIn(one);
    expect([clientId, login.clientId, login.clientFrom]).toEqual([shared, shared, 'document']);
    expect(redirectUri).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    expect(port(redirectUri)).not.toBe(19_876);
    expect(at.issuer.at('/reg')).toEqual([]);
    const [token] = at.issuer.grants('authorization_code');
    expect([token?.form.get('client_id'), token?.headers.authorization]).toEqual([shared, undefined]);

    await using mine = await open(at, { clientMetadataUrl: own, redirectUri: `http://localhost:${await freePort()}/back` });
    expect(await signIn(mine)).toMatchObject({ clientId: own, redirectUri: expect.stringMatching(/\/back$/), login: { clientFrom: 'document' } });
    for (const refused of ['http://own.example.test/c.json', 'https://own.example.test', 'https://own.example.test/', 'https://a:b@own.example.test/c', 'https://own.example.test/c#f', 'https://own.example.test/a/../c']) {
      await expect(mine.change({ clientMetadataUrl: refused })).rejects.toMatchObject({ code: 'request/invalid', data: [{ path: ['draft', 'options', 'oauth', 'clientMetadataUrl'] }] });
      await expect(mine.app.ask('settings.update', { clientMetadataUrl: refused })).rejects.toMatchObject({ code: 'request/invalid' });
    }
    for (const [oauth, advertised] of [[{ clientMetadataUrl: false }, shared], [{}, false]] as const) {
      await using out = await open(at, oauth, advertised);
      expect(await signIn(out)).toMatchObject({ login: { clientFrom: 'registered' } });
    }
    expect(at.issuer.at('/reg')).toHaveLength(2);
  });

  it('[F-163] gives way to a registration for another name, page or callback path; changing the option leaves the login as it is', async () => {
    await using at = await place();
    for (const oauth of [{ clientName: 'Mine' }, { clientUri: 'https://mine.example' }, { redirectUri: `http://localhost:${await freePort()}/back` }]) {
      await using one = await open(at, oauth);
      const { clientId } = await begin(one);
      expect(clientId).not.toBe(shared);
      expect(at.issuer.at('/reg').at(-1)?.body).toContain(JSON.stringify(Object.values(oauth)[0]));
    }
    const registrations = at.issuer.at('/reg').length;
    await using one = await open(at, {});
    await signIn(one);
    await one.app.ask('settings.update', { clientMetadataUrl: own });
    await one.app.ask('settings.update', { clientMetadataUrl: false });
    await one.start();
    expect(one.row).toMatchObject({ connection: { phase: 'ready' }, signIn: { login: { clientId: shared } } });
    expect((await begin(one)).clientId).toBe(shared);
    await one.app.ask('auth.sign-out', { serverId: one.id });
    expect((await begin(one)).clientId).not.toBe(shared);
    expect(at.issuer.at('/reg')).toHaveLength(registrations + 1);
  });

  it('[F-200] holds for another port of loopback, and for no other host, scheme, path, query or issuer', async () => {
    await using at = await place();
    await using one = await open(at, {});
    const first = await signIn(one);
    expect(first.clientId).toBe(shared);
    {
      await using _taken = await hold(port(first.redirectUri));
      const again = await signIn(one);
      expect([again.clientId, port(again.redirectUri) === port(first.redirectUri)]).toEqual([shared, false]);
    }
    expect(at.issuer.at('/reg')).toEqual([]);
    const free = await freePort();
    for (const redirectUri of [`http://127.0.0.1:${free}/callback`, `http://localhost:${free}/back`, `http://localhost:${free}/callback?a=b`]) {
      await one.change({ redirectUri });
      expect(await begin(one)).toMatchObject({ clientId: expect.not.stringContaining(shared), redirectUri });
      await one.app.ask('auth.sign-out', { serverId: one.id, forgetClient: true });
      await one.change({});
      expect(await signIn(one)).toMatchObject({ clientId: shared });
    }
    expect(at.issuer.at('/reg')).toHaveLength(3);
    await one.change({ redirectUri: `https://localhost:${free}/callback` });
    await expect(begin(one)).rejects.toMatchObject({ code: 'config/invalid' });
    await one.change({});

    await using other = await SignInServer.start();
    other.allow(at.secured.audience);
    at.secured.behaviour.authorizationServers = [other.issuer];
    await one.allow(other.issuer);
    expect((await begin(one)).clientId).not.toBe(shared);
    expect(other.at('/reg')).toHaveLength(1);
  });
});
