import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import { Secret } from '../kernel/secret.ts';
import { Redactor } from '../secrets/redactor.ts';
import { clientAuthentication } from './client-authentication.ts';
import type { SignInSettings, SignInTarget } from './sign-in-target.ts';

const never = new AbortController().signal;
const endpoint = new URL('https://as.example/token');
/** What decides of a provider's metadata. */
const metadata = (methods?: readonly string[]) => ({
  issuer: 'https://as.example', authorization_endpoint: 'https://as.example/auth', token_endpoint: endpoint.href, response_types_supported: ['code'],
  ...(methods ? { token_endpoint_auth_methods_supported: [...methods] } : {}),
});

class Client {
  readonly redactor = new Redactor();
  reads = 0;
  readonly #key: string | undefined;

  constructor(key?: string) {
    this.#key = key;
  }

  async ask(settings: Partial<SignInSettings>, client: { client_id: string; client_secret?: string }, methods?: readonly string[]) {
    const target: SignInTarget = {
      serverId: ServerId.parse('global:docs'), server: 'docs', url: 'https://h.example/mcp', way: 'browser', settings: { hasSecret: true, ...settings },
      credentials: async () => ((this.reads += 1), this.#key === undefined ? {} : { privateKey: new Secret(this.#key) }),
    };
    const headers = new Headers();
    const params = new URLSearchParams({ grant_type: 'x' });
    await clientAuthentication(target, client, this.redactor, never)(headers, params, endpoint, metadata(methods));
    return { authorization: headers.get('authorization'), params: Object.fromEntries(params) };
  }
}
const secret = { client_id: 'id:1', client_secret: 's+e/c=r et%ö' };

it('a secret goes in the way that the provider names: in the header, each part in the form of a form, or in the body', async () => {
  const client = new Client();
  const basic = `Basic ${btoa('id%3A1:s%2Be%2Fc%3Dr+et%25%C3%B6')}`;
  expect(await client.ask({}, secret)).toEqual({ authorization: basic, params: { grant_type: 'x' } });
  expect(await client.ask({}, secret, ['client_secret_post', 'client_secret_basic'])).toMatchObject({ authorization: basic });
  expect(await client.ask({}, secret, ['client_secret_post'])).toEqual({ authorization: null, params: { grant_type: 'x', client_id: 'id:1', client_secret: secret.client_secret } });
  expect(client.redactor.mask(basic)).not.toContain(basic.slice(6));
  expect(client.reads).toBe(0);
});

it('without a secret the client says its name alone, whatever the provider names', async () => {
  expect(await new Client().ask({}, { client_id: 'public' }, ['client_secret_basic'])).toEqual({ authorization: null, params: { grant_type: 'x', client_id: 'public' } });
});

it('a key signs anew for each request, read each time; PEM from a variable keeps its lines', async () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const client = new Client(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString().replaceAll('\n', '\\n'));
  const settings = { privateKeyJwt: { algorithm: 'PS256' } };
  const asked = [await client.ask(settings, { client_id: 'c' }), await client.ask(settings, { client_id: 'c' })];
  const assertions = asked.map(({ params }) => params['client_assertion'] ?? '');
  expect(client.reads).toBe(2);
  expect(new Set(assertions).size).toBe(2);
  for (const assertion of assertions) await jwtVerify(assertion, pair.publicKey, { audience: 'https://as.example', issuer: 'c', subject: 'c' });
  expect(asked[0]?.params['client_assertion_type']).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
  expect(asked[0]?.params).not.toHaveProperty('client_secret');
  expect(client.redactor.mask(assertions.join())).toBe('•••,•••');
});

it('Ed25519 signs with a JWK', async () => {
  const pair = generateKeyPairSync('ed25519');
  for (const algorithm of ['EdDSA', 'Ed25519']) {
    const { params } = await new Client(JSON.stringify(pair.privateKey.export({ format: 'jwk' }))).ask({ privateKeyJwt: { algorithm } }, { client_id: 'c' });
    await jwtVerify(params['client_assertion'] ?? '', pair.publicKey, { subject: 'c' });
  }
});

it('a key that cannot be used is said by its form, without a part of it', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const why = async (given: string | undefined, algorithm: string) => await new Client(given).ask({ privateKeyJwt: { algorithm } }, { client_id: 'c' }).then(() => 'it signed', (error: Error) => error.message);
  expect(await why(key, 'RS256')).toMatch(/no key for RS256/);
  expect(await why(key, 'EdDSA')).toMatch(/JWK/);
  expect(await why(undefined, 'ES256')).toMatch(/no value/);
  expect(await why('{"kty":"EC","d":"canary"}', 'ES256')).toMatch(/^(?!.*canary).*no key for ES256/);
});
