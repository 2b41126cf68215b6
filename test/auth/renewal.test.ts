import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SecuredServer } from '../servers/sign-in/secured-server.ts';
import { jsonAnswer } from '../servers/sign-in/front-door.ts';
import { publicClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer, type SignInServerOptions } from '../servers/sign-in/sign-in-server.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { addOnWeb, begin, rowOf, signIn, whoami } from '../support/sign-in-steps.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts, type TestAppOptions } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

interface SignedIn extends AsyncDisposable {
  readonly issuer: SignInServer;
  readonly secured: SecuredServer;
  readonly app: TestApp;
  readonly serverId: ServerId;
}
/** Somebody has signed in to one server, and called it. */
async function signedIn(options: SignInServerOptions = {}, appOptions: TestAppOptions = {}): Promise<SignedIn> {
  const issuer = await SignInServer.start(options);
  const secured = await issuer.protect();
  const app = await TestApp.open(parts, appOptions);
  const serverId = await addOnWeb(app, 'secured', secured.url);
  await signIn(app, serverId);
  await whoami(app, serverId);
  return {
    issuer, secured, app, serverId,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}
const refreshes = (issuer: SignInServer) => issuer.grants('refresh_token');
const keptLogin = (app: TestApp, serverId: ServerId): Record<string, unknown> | undefined => JSON.parse(readFileSync(join(app.home, 'sign-ins.json'), 'utf8')).servers[serverId]?.login;
const callWhoami = async (app: TestApp, serverId: ServerId) => (await app.call(await app.newChat(), serverId, 'whoami', {})).outcome;

describe('a login at the end of its token', () => {
  it('[O28] ten calls at once renew it once, are sent again once and go well; so does a start after its end, and a provider that gives no new refresh token', async () => {
    const kept = { home: tempFolder(), keyring: new MemoryKeyring() };
    {
      await using at = await signedIn({ newRefreshTokens: false }, kept);
      const { issuer, secured, app, serverId } = at;
      for (const round of [1, 2]) {
        secured.endTokens();
        const before = secured.rpc('tools/call').length;
        const chat = await app.newChat();
        const outcomes = await Promise.all(Array.from({ length: 10 }, () => app.call(chat, serverId, 'whoami', {})));
        expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(Array(10).fill('succeeded'));
        expect(refreshes(issuer)).toHaveLength(round);
        expect(secured.rpc('tools/call').length - before).toBeLessThanOrEqual(20);
      }
      // Without a new one the old one goes on.
      expect(new Set(refreshes(issuer).map(({ form }) => form.get('refresh_token'))).size).toBe(1);
      expect(refreshes(issuer)[0]?.form.get('resource')).toBe(secured.audience);
      expect(rowOf(app, serverId).signIn?.login).toMatchObject({ renews: true, refreshedAt: expect.any(Number) });
      expect(issuer.at('/auth').filter(({ query }) => query.has('client_id'))).toHaveLength(1);

      // It is over when the app starts the next time.
      secured.endTokens();
      await app[Symbol.asyncDispose]();
      await using later = await TestApp.open(parts, kept);
      await later.until(({ servers }) => servers[serverId] !== undefined);
      await later.ask('servers.start', { serverId });
      expect(rowOf(later, serverId).connection.phase).toBe('ready');
      expect((await whoami(later, serverId)).sub).toBe('alice');
      expect(refreshes(issuer)).toHaveLength(3);
      expect(issuer.at('/auth').filter(({ query }) => query.has('client_id'))).toHaveLength(1);
    }
  });

  it('is renewed before its end, by the clock', async () => {
    const clock = new FakeClock();
    await using at = await signedIn({ expiresIn: 300 }, { clock });
    clock.advance(269_000);
    await whoami(at.app, at.serverId);
    expect(refreshes(at.issuer)).toEqual([]);
    const refused = at.secured.seen.filter(({ status }) => status === 401).length;
    clock.advance(2_000);
    await whoami(at.app, at.serverId);
    expect(refreshes(at.issuer)).toHaveLength(1);
    expect(at.secured.seen.filter(({ status }) => status === 401)).toHaveLength(refused);
  });

  it('each renewal uses the refresh token of the one before; one that was used twice ends the login, with a word, a button, and no page', async () => {
    await using at = await signedIn();
    const { issuer, secured, app, serverId } = at;
    for (let round = 0; round < 3; round += 1) {
      secured.endTokens();
      expect((await callWhoami(app, serverId)).kind).toBe('succeeded');
    }
    const used = refreshes(issuer).map(({ form }) => form.get('refresh_token') ?? '');
    expect(new Set(used).size).toBe(3);
    const replay = await fetch(`${issuer.issuer}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: used[0] ?? '', client_id: refreshes(issuer)[0]?.form.get('client_id') ?? '' }) });
    expect(replay.status).toBe(400);
    secured.endTokens();
    const pages = issuer.at('/auth').length;
    expect(await callWhoami(app, serverId)).toMatchObject({ kind: 'failed', code: 'auth/sign-in-required' });
    expect(rowOf(app, serverId).signIn).toMatchObject({ wanted: { because: 'expired' }, login: { account: 'alice', renews: false } });
    // It is not tried again and again.
    const tries = refreshes(issuer).length;
    await callWhoami(app, serverId);
    expect(refreshes(issuer)).toHaveLength(tries);
    expect(issuer.at('/auth')).toHaveLength(pages);
    await signIn(app, serverId);
    expect(rowOf(app, serverId).signIn?.wanted).toBeUndefined();
    await whoami(app, serverId);
  });

  it('what passes never costs a login', async () => {
    await using at = await signedIn();
    const { issuer, secured, app, serverId } = at;
    const passing = [jsonAnswer({ error: 'temporarily_unavailable' }, 503), { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }, jsonAnswer({ error: 'slow_down' }, 429), { status: 200, body: 'no JSON' }, 'drop' as const];
    for (const answer of passing) {
      secured.endTokens();
      issuer.behaviour.take = ({ path }) => (path === '/token' ? answer : undefined);
      expect((await callWhoami(app, serverId)).kind).toBe('failed');
      expect(keptLogin(app, serverId)).toMatchObject({ renews: true });
      expect(rowOf(app, serverId).signIn?.login).toMatchObject({ renews: true });
      issuer.behaviour.take = () => undefined;
      expect((await callWhoami(app, serverId)).kind).toBe('succeeded');
    }
    expect(issuer.at('/auth').filter(({ query }) => query.has('client_id'))).toHaveLength(1);
  });
});

describe('more than was granted', () => {
  it('[F-172] what a call wanted is remembered for the next sign-in, whoever begins it, and forgotten with signing out', async () => {
    await using at = await signedIn();
    const { app, serverId } = at;
    const scopeOf = async (): Promise<readonly string[]> =>
      (new URL((await begin(app, serverId)).url).searchParams.get('scope') ?? '').split(' ').filter((scope) => scope.startsWith('mcp:')).sort();
    expect(await scopeOf()).toEqual(['mcp:tools']);
    await app.ask('auth.cancel', { serverId });
    await app.call(await app.newChat(), serverId, 'admin_reset', {});
    expect(rowOf(app, serverId).signIn?.wanted).toMatchObject({ because: 'scopes', tool: 'admin_reset', scopes: ['mcp:tools', 'mcp:admin'] });
    await app.ask('servers.restart', { serverId });
    expect(await scopeOf()).toEqual(['mcp:admin', 'mcp:tools']);
    await app.ask('auth.sign-out', { serverId });
    expect(await scopeOf()).toEqual(['mcp:tools']);
  });

  it('[S6] a call that wants more says what; after the person granted it the call goes well, on the same connection', async () => {
    await using at = await signedIn();
    const { issuer, secured, app, serverId } = at;
    const chat = await app.newChat();
    expect((await app.call(chat, serverId, 'admin_reset', {})).outcome).toMatchObject({ kind: 'failed', code: 'auth/scopes-needed' });
    expect(rowOf(app, serverId)).toMatchObject({ connection: { phase: 'ready' }, signIn: { wanted: { because: 'scopes', tool: 'admin_reset', scopes: ['mcp:tools', 'mcp:admin'] } } });
    const connects = secured.rpc('server/discover').length + secured.rpc('initialize').length;
    const login = await signIn(app, serverId);
    expect(login.scopes).toEqual(expect.arrayContaining(['mcp:admin', 'mcp:tools']));
    expect((await app.call(chat, serverId, 'admin_reset', {})).outcome.kind).toBe('succeeded');
    expect(secured.rpc('server/discover').length + secured.rpc('initialize').length).toBe(connects);
    expect(rowOf(app, serverId).signIn?.wanted).toBeUndefined();
    // A server that is never content is not asked for ever.
    secured.behaviour.wants = { admin_reset: 'mcp:root' };
    const before = issuer.at('/auth').length;
    expect((await app.call(chat, serverId, 'admin_reset', {})).outcome).toMatchObject({ code: 'auth/scopes-needed' });
    expect(issuer.at('/auth')).toHaveLength(before);
  });
});

describe('signing out, and another login', () => {
  it('[F-174] signing out gives the tokens back, forgets them and disconnects; a login that replaces another lets calls that are under way end', async () => {
    await using at = await signedIn();
    const { issuer, secured, app, serverId } = at;
    const chat = await app.newChat();
    const tool = await app.tool(serverId, 'hold');
    const { callId } = await app.ask('chats.call-tool', { chatId: chat, ref: tool.ref, args: {} });
    await expect.poll(() => secured.held.length).toBe(1);
    const connects = secured.rpc('server/discover').length + secured.rpc('initialize').length;
    expect(await signIn(app, serverId, 'bob')).toMatchObject({ account: 'bob' });
    expect((await whoami(app, serverId)).sub).toBe('bob');
    secured.held[0]?.release();
    const settled = await app.untilChat(chat, ({ calls }) => calls[callId]?.phase === 'settled');
    expect(settled.calls[callId]).toMatchObject({ phase: 'settled', outcome: { kind: 'succeeded' } });
    expect(secured.rpc('server/discover').length + secured.rpc('initialize').length).toBe(connects);

    const token = secured.lastToken;
    expect(await app.ask('auth.sign-out', { serverId })).toEqual({ revoked: 'yes' });
    expect(issuer.at('/token/revocation').length).toBeGreaterThan(0);
    expect(rowOf(app, serverId)).toMatchObject({ connection: { phase: 'stopped' } });
    expect(rowOf(app, serverId).signIn?.login).toBeUndefined();
    expect(keptLogin(app, serverId)).toBeUndefined();
    expect(JSON.parse(readFileSync(join(app.home, 'vault', 'vault.json'), 'utf8')).secrets).toEqual({});
    await app.ask('servers.start', { serverId });
    expect(rowOf(app, serverId).connection).toMatchObject({ phase: 'needs', what: 'sign-in' });
    expect(secured.seen.at(-1)?.authorization).toBeUndefined();
    expect(secured.lastToken).toBe(token);
  });

  it('a provider that takes no tokens back, or cannot now, keeps nobody from signing out', async () => {
    for (const [revocation, revoked] of [['off', 'unsupported'], ['fails', 'failed']] as const) {
      await using at = await signedIn({ revocation });
      expect(await at.app.ask('auth.sign-out', { serverId: at.serverId })).toEqual({ revoked });
      expect(keptLogin(at.app, at.serverId)).toBeUndefined();
      await at.app.ask('servers.start', { serverId: at.serverId });
      expect(rowOf(at.app, at.serverId).connection.phase).toBe('needs');
    }
  });

  it('[F-160] a login is bound to the server’s address, and a client and its tokens to their issuer', async () => {
    await using at = await signedIn();
    const { issuer, secured, app, serverId } = at;
    await using elsewhere = await SignInServer.start();
    const other = await issuer.protect();
    const draft = (url: string) => ({ name: 'secured', transport: { type: 'streamable-http' as const, url, headers: {} } });
    const clientId = rowOf(app, serverId).signIn?.login?.clientId;
    // Another address of the same issuer: nothing of the login goes there.
    const moved = await app.ask('servers.update', { serverId, draft: draft(other.url) });
    await app.ask('servers.start', { serverId: moved.serverId });
    expect(rowOf(app, moved.serverId)).toMatchObject({ connection: { phase: 'needs', what: 'sign-in' } });
    expect(other.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect((await signIn(app, moved.serverId)).clientId).not.toBe(clientId);

    // The server names another issuer now: it gets neither the client nor the refresh token.
    other.behaviour.authorizationServers = [elsewhere.issuer];
    other.behaviour.trusts = elsewhere;
    elsewhere.allow(other.audience);
    const before = refreshes(issuer).length;
    expect(await callWhoami(app, moved.serverId)).toMatchObject({ kind: 'failed', code: 'auth/sign-in-required' });
    expect(rowOf(app, moved.serverId).signIn?.wanted).toMatchObject({ because: 'expired' });
    // Nor when its address may be used.
    await app.ask('auth.allow-host', { serverId: moved.serverId, host: new URL(elsewhere.issuer).host });
    expect(await callWhoami(app, moved.serverId)).toMatchObject({ kind: 'failed', code: 'auth/sign-in-required' });
    expect(elsewhere.at('/token')).toEqual([]);
    expect(await signIn(app, moved.serverId)).toMatchObject({ issuer: elsewhere.issuer });
    expect(await whoami(app, moved.serverId)).toMatchObject({ sub: 'alice' });
    const said = elsewhere.seen.map(({ query, body }) => `${query.toString()} ${body}`).join('\n');
    for (const secret of issuer.secrets) expect(said).not.toContain(secret);
    for (const { form } of issuer.grants('authorization_code')) expect(said).not.toContain(form.get('client_id'));
    expect(refreshes(issuer).length - before).toBeLessThanOrEqual(1);
    expect(secured.seen.length).toBeGreaterThan(0);
  });

  it('two servers of one issuer have a login each, with a token each', async () => {
    // Other files' tests sign in at the same moment: the usual port is one for all.
    await using at = await signedIn({}, { env: { MCP_OAUTH_CALLBACK_PORT: '0' } });
    const { issuer, secured, app, serverId } = at;
    const other = await issuer.protect();
    const second = await addOnWeb(app, 'other', other.url, { oauth: { clientId: publicClient.id } });
    await signIn(app, second, 'bob');
    expect([(await whoami(app, serverId)).sub, (await whoami(app, second)).sub]).toEqual(['alice', 'bob']);
    expect(other.seen.some(({ authorization }) => authorization?.includes(secured.lastToken))).toBe(false);
    await app.ask('auth.sign-out', { serverId });
    expect((await whoami(app, second)).sub).toBe('bob');
  });
});
