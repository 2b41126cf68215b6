import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonAnswer } from '../servers/sign-in/front-door.ts';
import { idpClient, startIdentityProvider } from '../servers/sign-in/identity-provider.ts';
import { tokenError } from '../servers/sign-in/issuer-behaviour.ts';
import { clientKeyPem, crossAppClient, JWT_BEARER, keyClient, machineClient } from '../servers/sign-in/known-clients.ts';
import type { SecuredServer } from '../servers/sign-in/secured-server.ts';
import { SignInServer, type SignInServerOptions } from '../servers/sign-in/sign-in-server.ts';
import { documentAt } from '../support/client-document.ts';
import { AppWithServer } from '../support/signed-in-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

interface Place extends AsyncDisposable {
  readonly issuer: SignInServer;
  readonly secured: SecuredServer;
}
async function place(options: SignInServerOptions = {}): Promise<Place> {
  const issuer = await SignInServer.start(options);
  return { issuer, secured: await issuer.protect(), [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose]() };
}

/** Whom the server takes this for, in its own words. */
const whoIsIt = async (at: AppWithServer): Promise<string> => JSON.stringify(await at.app.call(await at.app.newChat(), at.id, 'whoami', {}));

describe('as itself', () => {
  it('signs in with a secret, without a browser, and anew after it was signed out', async () => {
    await using at = await place();
    await using one = await AppWithServer.open(parts, at.secured, { oauth: { grantType: 'client_credentials', clientId: machineClient.id, clientSecret: machineClient.secret, scope: 'mcp:tools' } });
    await one.allow(at.issuer.issuer);
    await one.start();
    expect(one.row?.connection).toMatchObject({ phase: 'ready' });
    expect(one.row?.signIn).toMatchObject({ way: 'client-credentials', login: { issuer: at.issuer.issuer, clientId: machineClient.id, scopes: ['mcp:tools'] } });
    expect(await whoIsIt(one)).toContain(machineClient.id);
    const [asked, ...more] = at.issuer.grants('client_credentials');
    expect(more).toEqual([]);
    expect(Object.fromEntries(asked?.form ?? [])).toEqual({ grant_type: 'client_credentials', scope: 'mcp:tools', resource: at.secured.audience });
    expect(at.issuer.at('/auth')).toEqual([]);
    expect(at.issuer.at('/reg')).toEqual([]);
    expect(await one.app.ask('servers.test', { serverId: one.id, timeoutMs: 20_000 })).toMatchObject({ status: 'valid' });
    await one.app.ask('auth.sign-out', { serverId: one.id });
    await one.start();
    expect(at.issuer.grants('client_credentials')).toHaveLength(2);
  });

  it('is tested before it is saved: with the secret that was typed, and nothing of it is kept', async () => {
    await using at = await place();
    await using one = await AppWithServer.open(parts, at.secured, {});
    await one.allow(at.issuer.issuer);
    const test = (secret: string) =>
      one.app.ask('servers.test', {
        scope: 'global', previousName: 'docs', timeoutMs: 20_000,
        draft: { name: 'docs', transport: { type: 'streamable-http', url: at.secured.url, headers: {} }, options: { oauth: { grantType: 'client_credentials', clientId: machineClient.id, clientSecret: { secret } } } },
      });
    // All but the log, where a connection that was closed may still be told.
    const kept = () => [one.onDisk().replaceAll(/^\{"at":.*\n?/gm, ''), JSON.stringify(one.row)];
    const before = kept();
    expect(await test(machineClient.secret)).toEqual({ status: 'valid', tools: 3 });
    expect(await test('another-secret')).toEqual({ status: 'error', message: expect.stringContaining('invalid_client') });
    expect(kept()).toEqual(before);
    for (const secret of [machineClient.secret, 'another-secret']) expect(one.onDisk()).not.toContain(secret);
  });

  it('gives its secret to no other issuer than the first, until it is signed out', async () => {
    await using at = await place();
    await using one = await AppWithServer.open(parts, at.secured, { oauth: { grantType: 'client_credentials', clientId: machineClient.id, clientSecret: machineClient.secret } });
    await one.allow(at.issuer.issuer);
    await one.start();
    await using other = await SignInServer.start();
    other.allow(at.secured.audience);
    await one.allow(other.issuer);
    at.secured.behaviour.authorizationServers = [other.issuer];
    at.secured.behaviour.trusts = { issuer: other.issuer, publicJwk: other.publicJwk };
    await one.app.ask('servers.stop', { serverId: one.id });
    await one.start();
    expect(JSON.stringify(one.row)).toContain('auth/issuer-mismatch');
    expect(other.at('/token')).toEqual([]);
    await one.app.ask('auth.sign-out', { serverId: one.id });
    await one.start();
    expect(one.row?.connection.phase).toBe('ready');
    expect(other.grants('client_credentials')).toHaveLength(1);
  });

  it('asks for another token when its settings name another client', async () => {
    await using at = await place();
    await using one = await AppWithServer.open(parts, at.secured, { oauth: { grantType: 'client_credentials', clientId: machineClient.id, clientSecret: machineClient.secret } });
    await one.allow(at.issuer.issuer);
    await one.start();
    expect(await whoIsIt(one)).toContain(machineClient.id);
    await one.change({ grantType: 'client_credentials', clientId: keyClient.id, privateKeyJwt: { privateKey: { secret: clientKeyPem }, algorithm: 'ES256' } });
    await one.start();
    expect(await whoIsIt(one)).toContain(keyClient.id);
  });

  it('[F-169] signs in with a private key, PEM or JWK, read for each request and kept nowhere; its claims are its own', async () => {
    await using at = await place();
    const folder = tempFolder();
    writeFileSync(join(folder, 'key.pem'), clientKeyPem);
    const privateKeyJwt = { privateKey: `!echo run >> ${folder}/runs; cat ${folder}/key.pem`, algorithm: keyClient.algorithm, claims: { team: 'blue', iss: 'somebody', sub: 'somebody', exp: 1, nbf: 4_000_000_000, iat: 1, aud: 'elsewhere', jti: 'same' } };
    const oauth = { grantType: 'client_credentials', clientId: keyClient.id, scope: 'mcp:tools', privateKeyJwt };
    await using one = await AppWithServer.open(parts, at.secured, { oauth });
    await one.allow(at.issuer.issuer);
    await one.start();
    expect(await whoIsIt(one)).toContain(keyClient.id);
    const runs = () => readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n').length;
    const before = runs();
    await one.app.ask('auth.sign-out', { serverId: one.id });
    await one.start();
    expect(one.row?.connection.phase).toBe('ready');
    expect(runs()).toBeGreaterThan(before);

    const assertions = at.issuer.grants('client_credentials').map(({ form }) => form.get('client_assertion') ?? '');
    expect(assertions).toHaveLength(2);
    for (const assertion of assertions) {
      const { iat = 0, exp = 0, ...claims } = decodeJwt(assertion);
      expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: 'ES256' });
      expect(claims).toMatchObject({ iss: keyClient.id, sub: keyClient.id, aud: at.issuer.issuer, team: 'blue' });
      expect(claims).not.toHaveProperty('nbf');
      expect(claims.jti).not.toBe('same');
      expect(exp - iat).toBe(300);
    }
    expect(new Set(assertions).size).toBe(2);
    const body = clientKeyPem.split('\n')[1] ?? '';
    for (const secret of [body, ...assertions]) expect(one.onDisk()).not.toContain(secret);
    expect(at.issuer.at('/auth')).toEqual([]);

    const jwk = { ...createPrivateKey(clientKeyPem).export({ format: 'jwk' }) };
    await using other = await AppWithServer.open(parts, at.secured, { oauth: { ...oauth, privateKeyJwt: { privateKey: jwk, algorithm: 'ES256', lifetimeSeconds: 60, audience: `${at.issuer.issuer}/token` } } });
    await other.allow(at.issuer.issuer);
    await other.start();
    expect(other.row?.connection.phase).toBe('ready');
    const last = decodeJwt(at.issuer.grants('client_credentials').at(-1)?.form.get('client_assertion') ?? '');
    expect([(last.exp ?? 0) - (last.iat ?? 0), last.aud]).toEqual([60, `${at.issuer.issuer}/token`]);

    await using both = await AppWithServer.open(parts, at.secured, { oauth: { ...oauth, clientSecret: machineClient.secret } });
    const refused = both.app.state.problems.find(({ code }) => code === 'invalid-option');
    expect(refused?.message).toMatch(/privateKeyJwt.*clientSecret/);
    expect(Object.values(both.app.state.servers).some(({ definition }) => definition.name === 'docs')).toBe(false);
  });

  it('says what is wrong with a key, and shows nothing of it', async () => {
    await using at = await place();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const cases: readonly (readonly [string, string, RegExp])[] = [
      [privateKey.export({ format: 'pem', type: 'pkcs1' }).toString(), 'RS256', /PKCS#8/], [clientKeyPem, 'EdDSA', /JWK/], [clientKeyPem, 'RS256', /no key for RS256/], ['nothing of a key', 'ES256', /PEM or a JWK/],
    ];
    for (const [key, algorithm, words] of cases) {
      await using one = await AppWithServer.open(parts, at.secured, { oauth: { grantType: 'client_credentials', clientId: keyClient.id, privateKeyJwt: { privateKey: '${KEY_OF_MINE}', algorithm } } }, { KEY_OF_MINE: key });
      await one.allow(at.issuer.issuer);
      await one.start();
      expect(one.row?.connection).toMatchObject({ phase: 'failed', failure: { code: 'config/invalid', message: expect.stringMatching(words) } });
      expect(JSON.stringify(one.app.state)).not.toContain(key.split('\n')[1] ?? key);
    }
    expect(at.issuer.grants('client_credentials')).toEqual([]);
  });

  it('[F-201] never uses the identity that people share, by secret, by key or for a company: it says that it needs its own', async () => {
    const shared = 'https://gatehouse.example.test/client.json';
    await using idp = await startIdentityProvider();
    await using at = await place({ documents: true, idp });
    at.issuer.documents.set(shared, documentAt(shared));
    const crossAppAccess = { idpUrl: idp.issuer, clientId: idpClient.id, idToken: await idp.idToken() };
    const machines = [{ grantType: 'client_credentials' }, { grantType: 'client_credentials', privateKeyJwt: { privateKey: clientKeyPem, algorithm: 'ES256' } }, { crossAppAccess }];
    for (const oauth of machines) {
      await using one = await AppWithServer.open(parts, at.secured, { oauth });
      await one.app.ask('settings.update', { clientMetadataUrl: shared });
      await one.allow(at.issuer.issuer);
      await one.start();
      expect(one.row?.connection).toMatchObject({ phase: 'failed', failure: { code: 'config/invalid', message: expect.stringContaining('clientId of its own') } });
    }
    await using person = await AppWithServer.open(parts, at.secured, { oauth: { privateKeyJwt: { privateKey: clientKeyPem, algorithm: 'ES256' } } });
    await person.app.ask('settings.update', { clientMetadataUrl: shared });
    await person.allow(at.issuer.issuer);
    await expect(person.app.ask('auth.start', { serverId: person.id, openBrowser: false })).resolves.toMatchObject({ kind: 'needs-client' });
    expect(at.issuer.at('/token')).toEqual([]);
    expect(JSON.stringify(at.issuer.seen.map(({ path, form, query }) => [path, [...form], [...query]]))).not.toContain(shared);
    expect(idp.seen).toEqual([]);
  });
});

describe('as a workload', () => {
  const open = (at: Place, assertion: string, more: object = {}) => AppWithServer.open(parts, at.secured, { oauth: { grantType: 'jwt-bearer', clientId: 'workload-1', scope: 'mcp:tools', assertion, ...more } });

  it('sends the JWT of its platform, read anew each time, with its client id and nothing secret', async () => {
    await using at = await place();
    at.issuer.behaviour.take = ({ path }) => (path === '/token' ? jsonAnswer({ access_token: 'a-token-that-is-refused', token_type: 'Bearer', expires_in: 300 }) : undefined);
    await using one = await open(at, '!echo jwt-of-the-platform-$(date +%N)');
    await one.allow(at.issuer.issuer);
    await one.start();
    const asked = at.issuer.grants(JWT_BEARER);
    expect(asked.length).toBeGreaterThan(0);
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      grant_type: JWT_BEARER, assertion: expect.stringMatching(/^jwt-of-the-platform-\d+$/), scope: 'mcp:tools', client_id: 'workload-1', resource: at.secured.audience,
    });
    expect(new Set(asked.map(({ form }) => form.get('assertion'))).size).toBe(asked.length);
    expect(at.secured.seen.some(({ authorization }) => authorization === 'Bearer a-token-that-is-refused')).toBe(true);
  });

  it('says why it was refused, and tries neither again nor in another way', async () => {
    await using at = await place();
    at.issuer.behaviour.take = ({ path }) => (path === '/token' ? tokenError('invalid_grant') : undefined);
    await using one = await open(at, 'jwt-of-the-platform-expired');
    await one.allow(at.issuer.issuer);
    await one.start();
    expect(at.issuer.at('/token')).toHaveLength(1);
    expect(JSON.stringify(one.row)).toContain('invalid_grant');
    expect(at.issuer.at('/auth')).toEqual([]);
  });
});

describe('for a person of a company', () => {
  it('[F-170] exchanges the ID token for a grant and the grant for a token; the company’s credentials go to the company alone and are kept nowhere', async () => {
    await using idp = await startIdentityProvider();
    await using at = await place({ idp });
    const idToken = await idp.idToken('carol');
    const oauth = {
      clientId: crossAppClient.id, clientSecret: crossAppClient.secret, scope: 'mcp:tools',
      crossAppAccess: { idpUrl: '!echo $IDP_URL', clientId: '${IDP_CLIENT}', idToken: '!echo $ID_TOKEN', clientSecret: '${IDP_SECRET}' },
    };
    const env = { IDP_URL: idp.issuer, IDP_CLIENT: idpClient.id, ID_TOKEN: idToken, IDP_SECRET: idpClient.secret };
    await using one = await AppWithServer.open(parts, at.secured, { oauth }, env);
    await one.allow(at.issuer.issuer);
    await one.start();
    expect(one.row?.connection).toMatchObject({ phase: 'ready' });
    expect(await whoIsIt(one)).toContain('carol');

    const exchange = idp.seen.find(({ path }) => path === '/token')?.form;
    expect(Object.fromEntries(exchange ?? [])).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag', subject_token: idToken, audience: at.issuer.issuer,
      resource: at.secured.audience, client_id: idpClient.id, client_secret: idpClient.secret, scope: 'mcp:tools',
    });
    const [redeemed, ...more] = at.issuer.grants(JWT_BEARER);
    expect(more).toEqual([]);
    const grant = redeemed?.form.get('assertion') ?? '';
    expect(decodeProtectedHeader(grant).typ).toBe('oauth-id-jag+jwt');
    expect(redeemed?.headers.authorization).toMatch(/^Basic /);
    const elsewhere = JSON.stringify([at.issuer.seen.map(({ path, form, query, headers }) => [path, [...form], [...query], headers]), at.secured.seen]);
    for (const secret of [idToken, idpClient.secret]) expect(elsewhere).not.toContain(secret);
    expect(idp.seen.every(({ form, authorization }) => !JSON.stringify([[...form], authorization]).includes(crossAppClient.secret))).toBe(true);
    expect(JSON.stringify(at.secured.seen)).not.toContain(grant);
    const kept = `${one.onDisk()}\n${JSON.stringify(one.app.state)}`;
    for (const secret of [idToken, idpClient.secret, grant, crossAppClient.secret]) expect(kept).not.toContain(secret);
    expect(at.issuer.at('/auth')).toEqual([]);

    await using both = await AppWithServer.open(parts, at.secured, { oauth: { ...oauth, grantType: 'client_credentials' } }, env);
    expect(both.app.state.problems.map(({ message }) => message).join()).toMatch(/grantType and crossAppAccess/);
    expect(Object.values(both.app.state.servers).some(({ definition }) => definition.name === 'docs')).toBe(false);
  });

  it('says what the company refused', async () => {
    await using idp = await startIdentityProvider();
    await using at = await place({ idp });
    const crossAppAccess = { idpUrl: idp.issuer, clientId: idpClient.id, idToken: 'an-id-token-that-is-none' };
    await using one = await AppWithServer.open(parts, at.secured, { oauth: { clientId: crossAppClient.id, clientSecret: crossAppClient.secret, crossAppAccess } });
    await one.allow(at.issuer.issuer);
    await one.start();
    expect(JSON.stringify(one.row)).toContain('invalid_grant');
    expect(JSON.stringify(one.row)).not.toContain('an-id-token-that-is-none');
    expect(at.issuer.at('/token')).toEqual([]);
  });
});
