import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FormPerson } from '../support/form-person.ts';
import { addOnWeb, begin, rowOf, signIn, whoami } from '../support/sign-in-steps.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

describe('what is asked for', () => {
  it('[F-199] the configured scope is asked for as it stands, and what was granted is what is kept and shown', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect({ challengeScope: 'mcp:tools' });
    await using app = await TestApp.open(parts, { env: { MCP_OAUTH_CALLBACK_PORT: '0' } });
    const serverId = await addOnWeb(app, 'wide', secured.url, { oauth: { clientId: publicClient.id, scope: 'mcp:tools mcp:unknown mcp:admin' } });
    const begun = await begin(app, serverId);
    expect(new URL(begun.url).searchParams.get('scope')).toBe('mcp:tools mcp:unknown mcp:admin');
    const ended = app.ask('auth.wait', { serverId });
    await new FormPerson().signIn(begun.url);
    expect((await ended).scopes).toEqual(['mcp:tools', 'mcp:admin']);
    expect(rowOf(app, serverId).signIn?.login?.scopes).toEqual(['mcp:tools', 'mcp:admin']);
    expect(JSON.parse(readFileSync(join(app.home, 'sign-ins.json'), 'utf8')).servers[serverId].login.scopes).toEqual(['mcp:tools', 'mcp:admin']);
    expect((await whoami(app, serverId)).scope).toBe('mcp:tools mcp:admin');
  });

  it('[F-171] what the settings add to the sign-in page’s address goes along, and nothing that belongs to the sign-in is replaced', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts);
    const owned = { client_id: 'evil', redirect_uri: 'https://evil.example/', scope: 'evil', state: 'evil', code_challenge: 'evil', response_type: 'token', resource: 'https://evil.example/', Client_ID: 'evil' };
    const serverId = await addOnWeb(app, 'extras', secured.url, { oauth: { authorizationParams: { login_hint: 'alice', ui_locales: 'de en', ...owned } } });
    const { url, redirectUri } = await begin(app, serverId);
    const asked = new URL(url).searchParams;
    expect([asked.get('login_hint'), asked.get('ui_locales')]).toEqual(['alice', 'de en']);
    expect(url).not.toContain('evil');
    expect([asked.get('redirect_uri'), asked.get('response_type'), asked.get('resource'), asked.get('code_challenge_method')]).toEqual([redirectUri, 'code', secured.audience, 'S256']);
  });

  it('another account is asked of the provider only where the person wants one', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts);
    const serverId = await addOnWeb(app, 'again', secured.url);
    expect(new URL((await begin(app, serverId)).url).searchParams.get('prompt') ?? '').not.toContain('select_account');
    expect(new URL((await begin(app, serverId, { otherAccount: true })).url).searchParams.get('prompt')).toContain('select_account');
  });

  it('[S5] the resource is named to the letter as the server writes it, with its slash or without, below its path or at its origin', async () => {
    const audiences = [(url: string) => `${url}/`, (url: string) => url, (url: string) => new URL(url).origin, (url: string) => `${new URL(url).origin}/`];
    await using issuer = await SignInServer.start();
    await using app = await TestApp.open(parts);
    for (const [index, audience] of audiences.entries()) {
      for (const metadataAt of ['path', 'origin'] as const) {
        const secured = await issuer.protect({ audience, metadataAt, challengeNames: metadataAt === 'path' });
        const serverId = await addOnWeb(app, `${metadataAt} ${index}`, secured.url);
        await signIn(app, serverId);
        const named = [issuer.at('/auth').findLast(({ query }) => query.has('resource'))?.query.get('resource'), issuer.grants('authorization_code').at(-1)?.form.get('resource')];
        expect(named).toEqual([secured.audience, secured.audience]);
        expect(await whoami(app, serverId)).toMatchObject({ aud: secured.audience });
      }
    }
  });

  it('a server that describes itself as another one is not signed in to', async () => {
    await using issuer = await SignInServer.start();
    await using app = await TestApp.open(parts);
    for (const resourceSays of ['https://other.example/mcp', 'http://127.0.0.1:1/mcp']) {
      const secured = await issuer.protect({ resourceSays });
      const serverId = await addOnWeb(app, `as ${resourceSays.replace(/\W/g, '')}`, secured.url);
      await expect(begin(app, serverId)).rejects.toMatchObject({ code: 'auth/discovery-failed' });
    }
    // One that is out of order for a while is not taken for one that describes nothing.
    const broken = await issuer.protect({ take: ({ path }, response) => path.includes('.well-known') && !!response.writeHead(503).end() });
    const serverId = await addOnWeb(app, 'broken', broken.url);
    await expect(begin(app, serverId)).rejects.toMatchObject({ code: 'auth/discovery-failed' });
    expect(broken.seen.some(({ path }) => path === '/register')).toBe(false);
    expect(issuer.at('/auth')).toEqual([]);
  });
});

describe('whom it is asked of', () => {
  it('[F-173] an issuer that names itself otherwise is refused; where the settings take it, only that is let pass', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await TestApp.open(parts);
    issuer.behaviour.issuerSays = `${issuer.issuer}/`;
    issuer.behaviour.iss = { instead: `${issuer.issuer}/` };
    const strict = await addOnWeb(app, 'strict', secured.url);
    await expect(begin(app, strict)).rejects.toMatchObject({ code: 'auth/issuer-mismatch', data: { expected: issuer.issuer, received: `${issuer.issuer}/` } });
    expect(issuer.at('/reg')).toEqual([]);
    const lenient = await addOnWeb(app, 'lenient', secured.url, { oauth: { skipIssuerMetadataValidation: true } });
    expect(await signIn(app, lenient)).toMatchObject({ issuer: `${issuer.issuer}/` });
    expect(await whoami(app, lenient)).toMatchObject({ sub: 'alice' });
    // The answer in the browser is compared as before, and so is the resource.
    issuer.behaviour.iss = { instead: 'https://evil.example' };
    const grants = issuer.grants('authorization_code').length;
    await expect(signIn(app, lenient)).rejects.toMatchObject({ code: 'auth/issuer-mismatch' });
    expect(issuer.grants('authorization_code')).toHaveLength(grants);
    const other = await issuer.protect({ resourceSays: 'https://other.example/mcp' });
    const wrong = await addOnWeb(app, 'other resource', other.url, { oauth: { skipIssuerMetadataValidation: true } });
    await expect(begin(app, wrong)).rejects.toMatchObject({ code: 'auth/discovery-failed' });
  });

  it('[S11] a server that lets everybody in and wants a login for a call: the call says so, and goes well after it', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect({ anonymous: 'until-call' });
    await using app = await TestApp.open(parts);
    const serverId = await addOnWeb(app, 'open door', secured.url);
    expect(rowOf(app, serverId)).toMatchObject({ connection: { phase: 'ready' } });
    expect(rowOf(app, serverId).signIn).toBeUndefined();
    const chat = await app.newChat();
    expect((await app.call(chat, serverId, 'whoami', {})).outcome).toMatchObject({ kind: 'failed', code: 'auth/sign-in-required' });
    expect(rowOf(app, serverId)).toMatchObject({ connection: { phase: 'ready' }, signIn: { wanted: { because: 'call', tool: 'whoami' } } });
    const initialized = secured.rpc('initialize').length + secured.rpc('server/discover').length;
    await signIn(app, serverId);
    expect(rowOf(app, serverId).signIn?.wanted).toBeUndefined();
    expect(await whoami(app, serverId)).toMatchObject({ sub: 'alice' });
    expect(secured.rpc('initialize').length + secured.rpc('server/discover').length).toBe(initialized);
  });
});
