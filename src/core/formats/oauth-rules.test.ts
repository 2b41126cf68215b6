import { expect, it } from 'vitest';
import { keyProblem, oauthProblems } from './oauth-rules.ts';
import type { RawOAuth } from './raw-entry.ts';
import { readSource } from './read-source.ts';

const said = (oauth: RawOAuth) => oauthProblems(oauth).map(({ path, severity }) => `${severity} ${path.join('.')}`);
const privateKeyJwt = { privateKey: '${KEY}', algorithm: 'ES256' };
const crossAppAccess = { idpUrl: 'https://idp.example', clientId: 'c', idToken: '${ID}' };

it('finds nothing wrong with what works', () => {
  for (const oauth of [
    {}, { scope: 'a', redirectUri: 'http://localhost:1/x' }, { clientId: 'c', clientSecret: 's' }, { grantType: 'client_credentials', clientId: 'c', privateKeyJwt }, { clientId: 'c', crossAppAccess },
    { grantType: 'jwt-bearer', assertion: '!cat x' }, { clientMetadataUrl: 'https://h.example/c.json', privateKeyJwt }, { clientMetadataUrl: false }, { clientMetadataUrl: '${WHERE}' },
  ] satisfies readonly RawOAuth[]) expect(said(oauth)).toEqual([]);
});

it('says what cannot be together, and what is missing or does nothing', () => {
  expect(said({ clientId: 'c', clientSecret: 's', privateKeyJwt })).toEqual(['error privateKeyJwt']);
  expect(said({ clientId: 'c', grantType: 'client_credentials', clientSecret: 's', crossAppAccess })).toEqual(['error grantType']);
  expect(said({ clientId: 'c', grantType: 'authorization_code', crossAppAccess })).toEqual(['error grantType']);
  expect(said({ clientMetadataUrl: 'https://h.example/' })).toEqual(['error clientMetadataUrl']);
  expect(said({ clientId: 'c', privateKeyJwt: { ...privateKeyJwt, algorithm: 'HS256' } })).toEqual(['error privateKeyJwt.algorithm']);
  expect(said({ clientId: 'c', privateKeyJwt: { algorithm: 'EdDSA', privateKey: '-----BEGIN PRIVATE KEY-----\nx' } })).toEqual(['error privateKeyJwt.privateKey']);
  expect(said({ clientId: 'c', privateKeyJwt: { ...privateKeyJwt, claims: { team: 1, aud: 'x' } } })).toEqual(['warning privateKeyJwt.claims']);
  expect(said({ grantType: 'client_credentials' })).toEqual(['warning grantType']);
  expect(said({ grantType: 'client_credentials', clientId: 'c' })).toEqual(['warning grantType']);
  expect(said({ clientSecret: 's' })).toEqual(['warning clientSecret']);
  expect(said({ privateKeyJwt })).toEqual(['warning privateKeyJwt']);
  expect(said({ crossAppAccess })).toEqual(['warning crossAppAccess']);
  expect(said({ grantType: 'jwt-bearer' })).toEqual(['warning grantType']);
  expect(said({ assertion: 'x' })).toEqual(['warning assertion']);
  for (const redirectUri of ['https://localhost:1/x', 'http://localhost/x', 'http://app.example:1/x', 'http://a@localhost:1/x', 'x']) expect(said({ redirectUri })).toEqual(['warning redirectUri']);
  expect(said({ authorizationParams: { audience: 'x', State: 'y', client_id: 'z' } })).toEqual(['warning authorizationParams']);
});

it('knows keys by their form', () => {
  const pem = (label: string) => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----\n`;
  expect(keyProblem(pem('PRIVATE KEY'), 'ES256')).toBeUndefined();
  expect(keyProblem('{"kty":"OKP","crv":"Ed25519","x":"x","d":"d"}', 'EdDSA')).toBeUndefined();
  const refused: readonly (readonly [string, string, RegExp])[] = [
    [pem('RSA PRIVATE KEY'), 'RS256', /PKCS#8/], [pem('EC PRIVATE KEY'), 'ES256', /PKCS#8/], [pem('ENCRYPTED PRIVATE KEY'), 'RS256', /encrypted/], [pem('PUBLIC KEY'), 'RS256', /not a private key/],
    [pem('PRIVATE KEY'), 'EdDSA', /JWK/], ['{"kty":"EC","x":"x"}', 'ES256', /public/], ['{"kty":"oct","k":"k"}', 'ES256', /shared/], ['{', 'ES256', /PEM or a JWK/], ['key', 'ES256', /PEM or a JWK/],
  ];
  for (const [key, algorithm, words] of refused) expect(keyProblem(key, algorithm)).toMatch(words);
});

it('stands at its line in a file of one’s own, which then does not count; in another program’s file the sign-in alone is left out', () => {
  const entry = { url: 'https://h.example/mcp', oauth: { clientId: 'c', clientSecret: '${S}', privateKeyJwt: { privateKey: '${K}', algorithm: 'ES256' } } };
  const own = readSource(JSON.stringify({ mcpServers: { docs: entry } }, undefined, 2), { file: 'mcp.json', shape: 'gatehouse' });
  expect(own.entries).toEqual([]);
  expect(own.issues).toEqual([expect.objectContaining({ severity: 'error', path: 'mcpServers.docs.oauth.privateKeyJwt', line: 8, server: 'docs', message: expect.stringContaining('clientSecret') })]);
  const other = readSource(JSON.stringify({ mcpServers: { docs: entry } }), { file: 'mcp.json', shape: 'cursor' });
  expect(other.entries[0]?.fields).toEqual({ url: entry.url });
  expect(other.issues).toEqual([expect.objectContaining({ severity: 'warning' })]);
});
