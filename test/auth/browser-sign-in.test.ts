import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicClient, secretClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { documentAt } from '../support/client-document.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { addOnWeb, begin, beginWithHosts, rowOf, signIn, whoami } from '../support/sign-in-steps.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

const DOCUMENT = 'https://gatehouse.test/oauth/client.json';

describe('who is signed in to', () => {
  it('[F-154] a server over HTTP is signed in to when it wants that, unless its settings bring something else; a public one never touches the keyring', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const open = await issuer.protect({ anonymous: 'all' });
    const keyring = new MemoryKeyring();
    await using app = await TestApp.open(parts, { keyring });

    const free = await addOnWeb(app, 'open', open.url);
    await app.call(await app.newChat(), free, 'whoami', {});
    expect(rowOf(app, free)).toMatchObject({ connection: { phase: 'ready' } });
    expect(rowOf(app, free).signIn).toBeUndefined();
    const asked = keyring.asked.length;
    expect([asked, existsSync(join(app.home, 'vault', 'vault.json')), existsSync(join(app.home, 'sign-ins.json'))]).toEqual([0, false, false]);

    for (const options of [{ auth: false as const }, { oauth: false as const }, { auth: 'bearer' as const }, { bearerTokenEnv: 'HOME' }]) {
      const serverId = await addOnWeb(app, `without ${JSON.stringify(options)}`.replace(/[^a-z ]/gi, ''), secured.url, options);
      expect(rowOf(app, serverId).connection.phase).not.toBe('ready');
      expect(rowOf(app, serverId).signIn).toBeUndefined();
      await expect(app.ask('auth.start', { serverId, openBrowser: false })).rejects.toMatchObject({ code: 'auth/not-supported' });
    }
    const withHeader = { name: 'header', transport: { type: 'streamable-http' as const, url: secured.url, headers: { 'X-Team': { plain: 'x' } } } };
    const { serverId: other } = await app.ask('servers.add', withHeader);
    await expect(app.ask('auth.start', { serverId: other, openBrowser: false })).rejects.toMatchObject({ code: 'auth/not-supported' });
    expect(secured.seen.some(({ path }) => path.includes('.well-known'))).toBe(false);
    expect(issuer.seen).toEqual([]);

    const { serverId: switchedOn } = await app.ask('servers.add', { ...withHeader, name: 'header and oauth', options: { auth: 'oauth' } });
    await app.ask('servers.start', { serverId: switchedOn });
    expect(rowOf(app, switchedOn).connection).toMatchObject({ phase: 'needs', what: 'sign-in' });
    const plain = await addOnWeb(app, 'plain', secured.url);
    expect(rowOf(app, plain)).toMatchObject({ connection: { phase: 'needs', what: 'sign-in' }, signIn: { way: 'browser', wanted: { because: 'connect' } } });
    expect(keyring.asked).toHaveLength(asked);
    await signIn(app, plain);
    expect(await whoami(app, plain)).toMatchObject({ sub: 'alice', aud: secured.audience });
  });

  it('a server of the 2024 transport is signed in to like any other', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect({ transport: 'sse' });
    await using app = await TestApp.open(parts);
    const serverId = await addOnWeb(app, 'sse', secured.url, {}, 'sse');
    await signIn(app, serverId);
    expect(await whoami(app, serverId)).toMatchObject({ sub: 'alice', aud: secured.audience });
  });

  it('a server that binds its tokens is served proofs, with its nonce where it wants one', async () => {
    for (const dpop of ['required', 'with-nonce'] as const) {
      await using issuer = await SignInServer.start({ dpopNonces: dpop === 'with-nonce' });
      const secured = await issuer.protect({ dpop });
      await using app = await TestApp.open(parts);
      const serverId = await addOnWeb(app, 'bound', secured.url);
      expect(await signIn(app, serverId)).toMatchObject({ dpop: true });
      expect(await whoami(app, serverId)).toMatchObject({ sub: 'alice' });
    }
  });
});

describe('as which client', () => {
  it('[F-161] the configured client comes before the stored one, that one before the document, and the document before a registration', async () => {
    await using issuer = await SignInServer.start({ documents: true });
    issuer.documents.set(DOCUMENT, documentAt(DOCUMENT));
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts, { env: { MCP_OAUTH_CALLBACK_PORT: '0' } });
    // Without the document at hand, and with it not advertised: a registration.
    const stored = await addOnWeb(app, 'stored', secured.url);
    const first = await signIn(app, stored);
    expect(first).toMatchObject({ clientFrom: 'registered' });
    await app.ask('settings.update', { clientMetadataUrl: DOCUMENT });
    // What is stored stays what it was (F-163).
    expect(await signIn(app, stored, 'bob')).toMatchObject({ clientFrom: 'registered', clientId: first.clientId, account: 'bob' });
    issuer.behaviour.documents = false;
    const unadvertised = await addOnWeb(app, 'unadvertised', secured.url);
    expect(await signIn(app, unadvertised)).toMatchObject({ clientFrom: 'registered' });
    issuer.behaviour.documents = true;
    const byDocument = await addOnWeb(app, 'document', secured.url);
    const registrations = issuer.at('/reg').length;
    expect(await signIn(app, byDocument)).toMatchObject({ clientFrom: 'document', clientId: DOCUMENT });
    expect(await whoami(app, byDocument)).toMatchObject({ client_id: DOCUMENT });
    const optedOut = await addOnWeb(app, 'opted out', secured.url, { oauth: { clientMetadataUrl: false } });
    expect(await signIn(app, optedOut)).toMatchObject({ clientFrom: 'registered' });
    await app.ask('servers.update', { serverId: stored, draft: { name: 'stored', transport: { type: 'streamable-http', url: secured.url, headers: {} }, options: { oauth: { clientId: publicClient.id } } } });
    expect(await signIn(app, stored)).toMatchObject({ clientFrom: 'configured', clientId: publicClient.id });
    expect(await whoami(app, stored)).toMatchObject({ client_id: publicClient.id });
    expect(issuer.at('/reg')).toHaveLength(registrations + 1);
  });

  it('registers as a native app of its own, for codes and renewals, by the name that the settings give', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts);
    const serverId = await addOnWeb(app, 'named', secured.url, { oauth: { clientName: 'My host', clientUri: 'https://host.example/' } });
    const { redirectUri } = await begin(app, serverId);
    expect(redirectUri).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    expect(JSON.parse(issuer.at('/reg')[0]?.body ?? '')).toMatchObject({
      client_name: 'My host', client_uri: 'https://host.example/', redirect_uris: [redirectUri], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
      token_endpoint_auth_method: 'none', application_type: 'native',
    });
  });

  it('[O26] where there is no registration, the person is asked for a client and told the exact redirect address; no page has an empty client', async () => {
    await using app = await TestApp.open(parts, { env: { MCP_OAUTH_CALLBACK_PORT: '19877' } });
    for (const registration of ['off', 'refused'] as const) {
      await using issuer = await SignInServer.start({ registration });
      const secured = await issuer.protect();
      const serverId = await addOnWeb(app, registration, secured.url);
      const asked = await beginWithHosts(app, serverId);
      expect(asked).toEqual({ kind: 'needs-client', issuer: issuer.issuer, redirectUri: 'http://localhost:19877/callback' });
      expect(rowOf(app, serverId).signIn?.flow).toMatchObject({ phase: 'needs-client', redirectUri: 'http://localhost:19877/callback', issuer: issuer.issuer });
      expect(issuer.at('/auth')).toEqual([]);
      await app.ask('auth.set-client', { serverId, clientId: secretClient.id, clientSecret: secretClient.secret });
      const login = await signIn(app, serverId);
      expect(login).toMatchObject({ clientFrom: 'typed', clientId: secretClient.id });
      expect(issuer.grants('authorization_code')[0]?.headers.authorization).toMatch(/^Basic /);
      expect(await whoami(app, serverId)).toMatchObject({ client_id: secretClient.id });
      // The client was typed once: signing out leaves it, unless it is to go too.
      await app.ask('auth.sign-out', { serverId });
      expect(await signIn(app, serverId)).toMatchObject({ clientFrom: 'typed' });
      await app.ask('auth.sign-out', { serverId, forgetClient: true });
      expect(await beginWithHosts(app, serverId)).toMatchObject({ kind: 'needs-client' });
    }
  });

  it('a client that was registered by hand is used with its secret, and without one where it has none', async () => {
    await using issuer = await SignInServer.start({ registration: 'off' });
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts, { env: { MCP_OAUTH_CALLBACK_PORT: '0' } });
    const open = await addOnWeb(app, 'public', secured.url, { oauth: { clientId: publicClient.id } });
    await signIn(app, open);
    expect(issuer.grants('authorization_code')[0]?.headers.authorization).toBeUndefined();
    const secret = await addOnWeb(app, 'confidential', secured.url, { oauth: { clientId: secretClient.id, clientSecret: { secret: secretClient.secret } } });
    await signIn(app, secret);
    expect(issuer.grants('authorization_code')[1]?.headers.authorization).toMatch(/^Basic /);
    expect(await whoami(app, secret)).toMatchObject({ client_id: secretClient.id });
  });
});
