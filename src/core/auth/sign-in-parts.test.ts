import { describe, expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import type { SignInExchange } from '../../shared/model/sign-in.ts';
import { loadSdk } from '../kernel/sdk.ts';
import { accountOf } from './account.ts';
import { withExtras } from './authorization-address.ts';
import { newState, readAnswer, sameState } from './callback-answer.ts';
import { chooseIdentity, redirectPlan, redirectUriOf, type Identity } from './client-identity.ts';
import { isForServer, type Discovered } from './discover.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { scopeToAsk } from './scopes.ts';
import type { ClientFacts } from './sign-in-record.ts';
import type { SignInSettings, SignInTarget } from './sign-in-target.ts';
import { checkBrowserAddress, checkEndpoint, hostOf, trustedHosts } from './trusted-hosts.ts';

const sdk = await loadSdk();
const target = (settings: Partial<SignInSettings> = {}, url = 'https://mcp.example/mcp'): SignInTarget => ({
  serverId: ServerId.parse('s1'), server: 'Docs', url, way: 'browser', settings: { hasSecret: false, ...settings }, credentials: async () => ({}),
});
const metadata = { issuer: 'https://as.example', authorization_endpoint: 'https://as.example/authorize', token_endpoint: 'https://as.example/token', response_types_supported: ['code'] };
const at = (more: Partial<Discovered> = {}, extra: object = {}): Discovered => ({ issuer: metadata.issuer, authorizationServerUrl: metadata.issuer, metadata: { ...metadata, ...extra }, ...more });
const registered: ClientFacts = { issuer: metadata.issuer, clientId: 'c1', from: 'registered', redirectUri: 'http://localhost:5000/callback' };

describe('Whether a resource is this server', () => {
  it.each([
    ['https://h/mcp', 'https://h/mcp', true],
    ['https://h/mcp', 'https://h/mcp/', true],
    ['https://h/mcp/', 'https://h/mcp', true],
    ['https://h/mcp', 'https://h', true],
    ['https://h/mcp', 'https://h/', true],
    ['https://h/a/mcp', 'https://h/a', true],
    ['https://h/mcp', 'https://h/mcp2', false],
    ['https://h/mcp', 'https://h/m', false],
    ['https://h/mcp', 'https://other/mcp', false],
    ['https://h/mcp', 'http://h/mcp', false],
    ['https://h/mcp', 'https://h:8443/mcp', false],
    ['https://h/mcp', 'https://me@h/mcp', false],
    ['https://h/mcp', 'no address', false],
  ])('%s described as %s: %s', (server, resource, fits) => expect(isForServer(server, resource)).toBe(fits));
});

describe('What is asked for', () => {
  const listed = at({ scopes: ['read', 'write'] });
  const none = { configured: undefined, challenged: undefined, wanted: [], granted: [] };
  it('is what is configured, else what the challenge names, else what the server lists', () => {
    expect(scopeToAsk({ ...none, configured: 'only', challenged: 'said' }, listed)).toBe('only');
    expect(scopeToAsk({ ...none, challenged: 'said' }, listed)).toBe('said');
    expect(scopeToAsk(none, listed)).toBe('read write');
    expect(scopeToAsk(none, at())).toBeUndefined();
  });
  it('takes what a call wanted along with what was granted, so that nothing is lost', () => {
    expect(scopeToAsk({ ...none, challenged: 'read', wanted: ['admin'], granted: ['read', 'write'] }, at())).toBe('read admin write');
    expect(scopeToAsk({ ...none, challenged: 'read', granted: ['write'] }, at())).toBe('read');
  });
  it('asks to stay signed in where the provider knows that, but never beside what is configured', () => {
    const knows = at({}, { scopes_supported: ['offline_access'] });
    expect(scopeToAsk({ ...none, challenged: 'read' }, knows)).toBe('read offline_access');
    expect(scopeToAsk({ ...none, configured: 'read' }, knows)).toBe('read');
  });
});

describe('Who the app is at a provider', () => {
  const none = { stored: undefined, documentUrl: undefined, scope: undefined, now: 1_000 };
  const documents = at({}, { client_id_metadata_document_supported: true, registration_endpoint: 'https://as.example/reg' });
  const registers = at({}, { registration_endpoint: 'https://as.example/reg' });
  it.each<[string, Partial<SignInSettings>, Discovered, Partial<Parameters<typeof chooseIdentity>[2]>, Identity['kind']]>([
    ['what is configured beats what is stored', { clientId: 'own' }, documents, { stored: registered }, 'configured'],
    ['what is stored beats the document', {}, documents, { stored: registered, documentUrl: 'https://app.example/c.json' }, 'stored'],
    ['a stored secret that ended does not count', {}, registers, { stored: { ...registered, secretExpiresAt: 999 } }, 'register'],
    ['a registration that may not ask for so much does not count', {}, registers, { stored: { ...registered, scope: 'read' }, scope: 'read admin' }, 'register'],
    ['one that may counts', {}, registers, { stored: { ...registered, scope: 'read admin' }, scope: 'read' }, 'stored'],
    ['the document where the provider knows it', {}, documents, { documentUrl: 'https://app.example/c.json' }, 'document'],
    ['no document where it does not', {}, registers, { documentUrl: 'https://app.example/c.json' }, 'register'],
    ['no document of one’s own: registration', {}, documents, {}, 'register'],
    ['neither: the person', {}, at(), { documentUrl: 'https://app.example/c.json' }, 'ask'],
    ['a server that describes nothing has a default place', {}, { issuer: 'https://h/', authorizationServerUrl: 'https://h/' }, {}, 'register'],
  ])('%s', (_what, settings, discovered, choice, kind) => {
    expect(chooseIdentity(target(settings), discovered, { ...none, ...choice }).kind).toBe(kind);
  });
});

describe('Where the browser comes back to', () => {
  const plan = (settings: Partial<SignInSettings>, identity: Identity, port?: number) => redirectPlan(target(settings), identity, port);
  it('is any free port for who registers, and the port of a registration', () => {
    expect(plan({}, { kind: 'register' })).toEqual({ host: 'localhost', port: 0, path: '/callback' });
    expect(plan({}, { kind: 'stored', client: registered })).toEqual({ host: 'localhost', port: 5000, path: '/callback' });
  });
  it('is a fixed one for a client that a person registered', () => {
    expect(redirectUriOf(plan({}, { kind: 'configured', clientId: 'x' }))).toBe('http://localhost:19876/callback');
    expect(redirectUriOf(plan({}, { kind: 'ask' }, 4321))).toBe('http://localhost:4321/callback');
    expect(plan({}, { kind: 'stored', client: { ...registered, from: 'typed' } }, 4321)).toMatchObject({ port: 4321, setting: 'MCP_OAUTH_CALLBACK_PORT' });
  });
  it('is what is configured, to the letter', () => {
    expect(plan({ redirectUri: 'http://127.0.0.1:3118/cb?x=1' }, { kind: 'register' })).toEqual({ host: '127.0.0.1', port: 3118, path: '/cb', exact: 'http://127.0.0.1:3118/cb?x=1', setting: 'oauth.redirectUri' });
  });
  it.each(['https://localhost:1/cb', 'http://localhost/cb', 'http://evil.example:80/cb', 'http://me@localhost:1/cb', 'http://localhost:1/cb#f', 'app://cb'])('is never %s', (redirectUri) => {
    expect(() => plan({ redirectUri }, { kind: 'register' })).toThrow(/redirectUri/);
  });
});

describe('An address that a server names', () => {
  const trusted = trustedHosts({ url: 'http://127.0.0.1:9000/mcp' }, ['sso.corp:443']);
  const refusal = (address: string) => {
    try {
      checkEndpoint(address, 'address', trusted);
      return 'taken';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  it.each([
    ['https://as.example/token', 'taken'],
    ['http://127.0.0.1:9000/token', 'taken'],
    ['https://127.0.0.1:9000/token', 'taken'],
    ['http://127.0.0.1:9001/token', 'auth/host-blocked'],
    ['http://localhost:9000/token', 'auth/host-blocked'],
    ['https://10.1.2.3/token', 'auth/host-blocked'],
    ['https://169.254.169.254/latest', 'auth/host-blocked'],
    ['https://2130706433/x', 'auth/host-blocked'],
    ['https://[::1]/x', 'auth/host-blocked'],
    ['https://100.64.0.1/x', 'auth/host-blocked'],
    ['https://a.localhost/x', 'auth/host-blocked'],
    ['https://sso.corp/x', 'taken'],
    ['http://as.example/token', 'auth/address-refused'],
    ['https://me:pw@as.example/token', 'auth/address-refused'],
    ['javascript:alert(1)', 'auth/address-refused'],
    ['file:///etc/passwd', 'auth/address-refused'],
    ['vscode://x/y', 'auth/address-refused'],
    ['no address', 'auth/address-refused'],
  ])('%s: %s', (address, verdict) => expect(refusal(address)).toBe(verdict));
  it('says its port always, and is opened without anything that a shell could read', () => {
    expect([hostOf('https://h/a'), hostOf('http://h'), hostOf('http://h:81')]).toEqual(['h:443', 'h:80', 'h:81']);
    expect(checkBrowserAddress(new URL('https://as.example/a?x=$(calc)&b=`id`|y'), trusted)).not.toMatch(/[$()`|]/);
  });
});

describe('What the browser brings back', () => {
  const says = at({}, { authorization_response_iss_parameter_supported: true });
  const code = (params: Record<string, string>, discovered = says) => {
    const answer = readAnswer(new URLSearchParams(params), discovered, sdk);
    return answer.kind === 'code' ? answer.code : answer.error.code;
  };
  it('counts only when it is known who speaks', () => {
    expect(code({ code: 'c', iss: metadata.issuer })).toBe('c');
    expect(code({ code: 'c', iss: 'https://evil.example' })).toBe('auth/issuer-mismatch');
    expect(code({ code: 'c' })).toBe('auth/issuer-mismatch');
    expect(code({ code: 'c' }, at())).toBe('c');
    expect(code({ code: 'c', iss: 'https://evil.example' }, at())).toBe('auth/issuer-mismatch');
  });
  it('is a refusal in the provider’s words, which are not read before that', () => {
    expect(code({ error: 'access_denied', iss: metadata.issuer })).toBe('auth/denied');
    expect(code({ error: 'server_error', iss: metadata.issuer })).toBe('auth/failed');
    const forged = readAnswer(new URLSearchParams({ error: 'access_denied', error_description: 'call 555', iss: 'https://evil.example' }), says, sdk);
    expect(forged.kind === 'refused' && forged.error.message).not.toContain('555');
    expect(code({ iss: metadata.issuer })).toBe('auth/failed');
  });
  it('is told by a state of 32 random bytes', () => {
    const [one, other] = [newState(), newState()];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(sameState(one, one)).toBe(true);
    for (const wrong of [other, null, '', `${one}x`, one.slice(1)]) expect(sameState(wrong, one)).toBe(false);
  });
});

it('[F-171] What a provider wants beside goes along; what the sign-in owns is never replaced', () => {
  const owned = ['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'response_type', 'resource'];
  const address = new URL(`https://as.example/a?${owned.map((name) => `${name}=mine`).join('&')}`);
  const url = withExtras(address, { params: { audience: 'api', prompt: 'login', ...Object.fromEntries(owned.flatMap((name) => [[name, 'theirs'], [name.toUpperCase(), 'theirs']])) }, otherAccount: true });
  for (const name of owned) expect([name, url.searchParams.getAll(name)]).toEqual([name, ['mine']]);
  expect([url.searchParams.get('audience'), url.searchParams.get('prompt')]).toEqual(['api', 'login select_account']);
  expect(url.href).not.toContain('theirs');
});

it('The account is what the tokens say, and nothing when they say nothing', () => {
  const jwt = (claims: object) => `e30.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`;
  const tokens = { access_token: 'opaque', token_type: 'Bearer' };
  expect(accountOf(tokens)).toBeUndefined();
  expect(accountOf({ ...tokens, access_token: jwt({ sub: 'u1' }) })).toBe('u1');
  expect(accountOf({ ...tokens, access_token: jwt({ sub: 'u1' }), id_token: jwt({ sub: 'u1', email: 'a@b.example' }) })).toBe('a@b.example');
  expect(accountOf({ ...tokens, access_token: 'a.!!.c', id_token: jwt({ sub: 7 }) })).toBeUndefined();
});

it('What is told of a request holds no value of it, and an answer’s field names only', async () => {
  const told: SignInExchange[] = [];
  const base: typeof fetch = async () => new Response(JSON.stringify({ access_token: 'SECRET-A', refresh_token: 'SECRET-R' }), { headers: { 'content-type': 'application/json' } });
  const send = recordedFetch(base, {
    clock: { now: () => 5, sleep: async () => undefined, doze: async () => undefined }, step: () => 'token', mask: (text) => text, onExchange: (exchange) => told.push(exchange), signal: new AbortController().signal,
  });
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'SECRET-C', code_verifier: 'SECRET-V', client_secret: 'SECRET-S' });
  const response = await send('https://as.example/token?key=SECRET-Q', { method: 'POST', body, headers: { authorization: 'Basic SECRET-B' } });
  expect(await response.json()).toEqual({ access_token: 'SECRET-A', refresh_token: 'SECRET-R' });
  expect(told).toEqual([{
    at: 5, ms: 0, step: 'token', method: 'POST', url: 'https://as.example/token', status: 200, answer: 'access_token, refresh_token',
    sent: ['key', 'grant_type=authorization_code', 'code', 'code_verifier', 'client_secret', 'header authorization'],
  }]);
});
