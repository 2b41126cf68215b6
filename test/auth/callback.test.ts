import { request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitMs } from '../../src/core/auth/sign-in-flow.ts';
import { publicClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FormPerson } from '../support/form-person.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { addOnWeb, begin, rowOf, signIn, whoami } from '../support/sign-in-steps.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

/** Some other program that has a port. */
async function portTaken(port = 0): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, 'localhost', resolve));
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }; // it listens on one
}
async function freePort(): Promise<number> {
  await using taken = await portTaken();
  return taken.port;
}
const portOf = (url: string): number => Number(new URL(url).port);
/** As somebody on this machine asks the listener, with any host. */
const ask = (url: string, { method = 'GET', host }: { readonly method?: string; readonly host?: string } = {}) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const { port, pathname, search, host: own } = new URL(url);
    request({ host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers: { host: host ?? own } }, (response) => {
      response.toArray().then((chunks) => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }), reject);
    }).on('error', reject).end();
  });

describe('where the browser comes back to', () => {
  it('[F-164] on loopback, at a port of the system’s, exactly at the configured address, or at the known port for a client that was registered by hand; a busy one is named', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const known = await freePort();
    await using app = await TestApp.open(parts, { env: { MCP_OAUTH_CALLBACK_PORT: String(known) } });
    const dynamic = await addOnWeb(app, 'dynamic', secured.url);
    const first = await begin(app, dynamic);
    expect(first.redirectUri).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    expect([known, 19_876]).not.toContain(portOf(first.redirectUri));

    const exact = `http://127.0.0.1:${await freePort()}/some/where`;
    const configured = await addOnWeb(app, 'exact', secured.url, { oauth: { redirectUri: exact } });
    const second = await begin(app, configured);
    expect(second.redirectUri).toBe(exact);
    expect(new URL(second.url).searchParams.get('redirect_uri')).toBe(exact);
    expect((await ask(exact.replace('/some/where', '/callback'))).status).toBe(404);
    expect((await new FormPerson().signIn(second.url)).status).toBe(200);
    expect(await app.ask('auth.wait', { serverId: configured })).toMatchObject({ account: 'alice' });

    const byHand = await addOnWeb(app, 'by hand', secured.url, { oauth: { clientId: publicClient.id } });
    expect((await begin(app, byHand)).redirectUri).toBe(`http://localhost:${known}/callback`);
    await app.ask('auth.cancel', { serverId: byHand });
    await using taken = await portTaken(known);
    await expect(begin(app, byHand)).rejects.toMatchObject({ code: 'auth/port-busy', message: expect.stringContaining(`Port ${taken.port}`), data: { port: known, setting: 'MCP_OAUTH_CALLBACK_PORT' } });
    await using plain = await TestApp.open(parts);
    const unset = await addOnWeb(plain, 'by hand', secured.url, { oauth: { clientId: publicClient.id } });
    // Another program of this machine may have that one.
    const usual = await begin(plain, unset).then(({ redirectUri }) => redirectUri, (error: unknown) => error);
    if (typeof usual === 'string') expect(usual).toBe('http://localhost:19876/callback');
    else expect(usual).toMatchObject({ code: 'auth/port-busy', data: { port: 19_876 } });
  });

  it('[O27] a busy port: another one where any will do, a clear word and no page where it has to be that one; once it is free it is used again', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const kept = { home: tempFolder(), keyring: new MemoryKeyring() };
    let port = 0;
    {
      await using app = await TestApp.open(parts, kept);
      const serverId = await addOnWeb(app, 'moving', secured.url);
      const { redirectUri } = await begin(app, serverId);
      port = portOf(redirectUri);
      await app.ask('auth.cancel', { serverId });
      // (i) Somebody has it now; loopback ports may be any.
      await using _taken = await portTaken(port);
      const begun = await begin(app, serverId);
      expect(portOf(begun.redirectUri)).not.toBe(port);
      expect(new URL(begun.url).searchParams.get('redirect_uri')).toBe(begun.redirectUri);
      const ended = app.ask('auth.wait', { serverId });
      expect((await new FormPerson().signIn(begun.url)).status).toBe(200);
      expect(await ended).toMatchObject({ account: 'alice' });
      port = portOf(begun.redirectUri);
    }
    // (iii) A new start, with a provider that takes nothing but what was registered.
    issuer.behaviour.exactRedirects = true;
    await using app = await TestApp.open(parts, kept);
    await app.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'moving'));
    const serverId = app.server('moving');
    const again = await begin(app, serverId);
    expect(portOf(again.redirectUri)).toBe(port);
    await app.ask('auth.cancel', { serverId });
    {
      await using _taken = await portTaken(port);
      const registrations = issuer.at('/reg').length;
      expect(await signIn(app, serverId)).toMatchObject({ account: 'alice' });
      expect(issuer.at('/reg')).toHaveLength(registrations + 1);
    }
    // (ii) It has to be exactly that one.
    await using taken = await portTaken();
    const exact = await addOnWeb(app, 'exact', secured.url, { oauth: { redirectUri: `http://localhost:${taken.port}/callback` } });
    const pages = issuer.at('/auth').length;
    await expect(begin(app, exact)).rejects.toMatchObject({ code: 'auth/port-busy', data: { port: taken.port, setting: 'oauth.redirectUri' } });
    expect(rowOf(app, exact).signIn?.flow).toMatchObject({ phase: 'failed', failure: { code: 'auth/port-busy', message: expect.stringMatching(new RegExp(`${taken.port}.*oauth\\.redirectUri`)) } });
    expect(issuer.at('/auth')).toHaveLength(pages);
  });
});

describe('what is heard there', () => {
  it('[F-165] nothing but the answer: another path 404, no or a foreign state 400; who speaks is known before an error counts or a code is used; for five minutes', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const clock = new FakeClock();
    await using app = await TestApp.open(parts, { clock });
    const serverId = await addOnWeb(app, 'heard', secured.url);
    const { url, redirectUri, expiresAt } = await begin(app, serverId);
    expect(expiresAt - clock.now()).toBe(waitMs);
    const state = new URL(url).searchParams.get('state') ?? '';
    const hostile = encodeURIComponent('<script>alert(1)</script>"&\'');
    const iss = encodeURIComponent(issuer.issuer);
    const asked: readonly (readonly [string, number])[] = [
      [redirectUri.replace('/callback', '/'), 404], [redirectUri.replace('/callback', '/callback/x'), 404],
      [redirectUri, 400], [`${redirectUri}?code=${hostile}`, 400], [`${redirectUri}?error=${hostile}&state=${hostile}&iss=${iss}`, 400], [`${redirectUri}?code=x&state=${state.slice(1)}&iss=${iss}`, 400],
    ];
    for (const [address, status] of asked) {
      const page = await ask(address);
      expect([address, page.status]).toEqual([address, status]);
      expect(page.text).not.toMatch(/<script|alert/);
    }
    expect((await ask(`${redirectUri}?code=x&state=${state}&iss=${iss}`, { host: 'evil.example' })).status).toBe(404);
    expect((await ask(`${redirectUri}?code=x&state=${state}&iss=${iss}`, { method: 'POST' })).status).toBe(404);
    expect(rowOf(app, serverId).signIn?.flow).toMatchObject({ phase: 'waiting' });
    // The right state from the wrong issuer: its error is not shown, its code not used.
    const ended = app.ask('auth.wait', { serverId }).catch((error: unknown) => error);
    expect((await ask(`${redirectUri}?error=${hostile}&error_description=${hostile}&state=${state}&iss=https%3A%2F%2Fevil.example`)).text).not.toMatch(/<script|alert/);
    expect(await ended).toMatchObject({ code: 'auth/issuer-mismatch', message: expect.not.stringContaining('alert') });
    expect(issuer.at('/token')).toEqual([]);
    await expect(ask(redirectUri)).rejects.toThrow('ECONNREFUSED');

    const denied = await begin(app, serverId);
    const refused = app.ask('auth.wait', { serverId }).catch((error: unknown) => error);
    expect((await new FormPerson().deny(denied.url)).text).toContain('You are not signed in');
    expect(await refused).toMatchObject({ code: 'auth/denied' });
    expect(issuer.at('/token')).toEqual([]);

    const late = await begin(app, serverId);
    const over = app.ask('auth.wait', { serverId }).catch((error: unknown) => error);
    clock.advance(waitMs - 1);
    expect((await ask(late.redirectUri)).status).toBe(400);
    clock.advance(1);
    expect(await over).toMatchObject({ code: 'auth/expired' });
    await expect(ask(late.redirectUri)).rejects.toThrow('ECONNREFUSED');
    expect(rowOf(app, serverId).signIn?.flow).toMatchObject({ phase: 'failed', failure: { code: 'auth/expired' } });
  });

  it('[F-166] PKCE with S256, a state and a verifier for each sign-in; those of three servers at once do not meet', async () => {
    await using issuer = await SignInServer.start();
    await using app = await TestApp.open(parts);
    const ids = await Promise.all(['one', 'two', 'three'].map(async (name) => addOnWeb(app, name, (await issuer.protect()).url)));
    const flows = await Promise.all(ids.map((serverId) => begin(app, serverId)));
    const asked = flows.map(({ url }) => new URL(url).searchParams);
    for (const name of ['state', 'code_challenge', 'redirect_uri', 'resource']) expect(new Set(asked.map((params) => params.get(name))).size).toBe(3);
    for (const params of asked) {
      expect(params.get('code_challenge_method')).toBe('S256');
      expect(params.get('state')).toMatch(/^[\w-]{43,}$/);
    }
    const accounts = ['alice', 'bob', 'carol'];
    const callbacks = await Promise.all(flows.map(({ url }, at) => new FormPerson().callbackOf(url, accounts[at])));
    // One's answer at another's address is nobody's.
    for (const [at, { redirectUri }] of flows.entries()) {
      const foreign = new URL(callbacks[(at + 1) % 3] ?? '').search;
      expect((await ask(`${redirectUri}${foreign}`)).status).toBe(400);
    }
    await Promise.all(callbacks.map((callback) => ask(callback)));
    const logins = await Promise.all(ids.map((serverId) => app.ask('auth.wait', { serverId })));
    expect(logins.map(({ account }) => account)).toEqual(accounts);
    expect(new Set(issuer.grants('authorization_code').map(({ form }) => form.get('code_verifier'))).size).toBe(3);
    for (const [at, serverId] of ids.entries()) expect((await whoami(app, serverId)).sub).toBe(accounts[at]);
  });

  it('[S12] a stale tab of a sign-in that another one replaced changes nothing', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts);
    const serverId = await addOnWeb(app, 'tabs', secured.url);
    const person = new FormPerson();
    const first = await begin(app, serverId);
    const lost = app.ask('auth.wait', { serverId }).catch((error: unknown) => error);
    const stale = await person.callbackOf(first.url);
    const second = await begin(app, serverId);
    expect(await lost).toMatchObject({ code: 'run/cancelled' });
    const ended = app.ask('auth.wait', { serverId });
    // At its own address, if that is still there, and at the new one.
    const { search } = new URL(stale);
    for (const address of [stale, `${second.redirectUri}${search}`]) expect([400, 'gone']).toContain(await ask(address).then(({ status }) => status, () => 'gone'));
    expect(rowOf(app, serverId).signIn?.flow).toMatchObject({ phase: 'waiting' });
    expect((await person.signIn(second.url)).status).toBe(200);
    expect(await ended).toMatchObject({ account: 'alice' });
    expect(issuer.grants('authorization_code')).toHaveLength(1);
  });

  it('a sign-in that is under way ends with the app, and nothing of it stays', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const kept = { home: tempFolder(), keyring: new MemoryKeyring() };
    let callback = '';
    {
      await using app = await TestApp.open(parts, kept);
      const serverId = await addOnWeb(app, 'middle', secured.url);
      callback = await new FormPerson().callbackOf((await begin(app, serverId)).url);
    }
    await expect(ask(callback)).rejects.toThrow('ECONNREFUSED');
    expect(issuer.at('/token')).toEqual([]);
    await using app = await TestApp.open(parts, kept);
    await app.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'middle'));
    const serverId = app.server('middle');
    expect(rowOf(app, serverId).signIn?.flow).toBeUndefined();
    await expect(app.ask('auth.complete', { serverId, redirectUrl: callback })).rejects.toMatchObject({ code: 'auth/no-flow' });
    expect(await signIn(app, serverId)).toMatchObject({ account: 'alice' });
    // As the same client.
    expect(issuer.at('/reg')).toHaveLength(1);
  });
});
