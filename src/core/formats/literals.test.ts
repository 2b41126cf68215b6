import { describe, expect, it } from 'vitest';
import { SecretReference } from '../../shared/model/config-value.ts';
import { literalsOf, mask, maskFields, withReplaced } from './literals.ts';
import type { RawFields } from './raw-entry.ts';

const found = (fields: RawFields) => literalsOf('docs', fields, 'global').map(({ field, key, value }) => `${field} ${key} ${value}`);
const env = (values: RawFields['env']) => found({ command: 'x', ...(values ? { env: values } : {}) }).map((line) => line.split(' ')[1]);
const args = (...list: readonly string[]) => found({ command: 'x', args: list });
const url = (text: string) => found({ url: text });

describe('A literal', () => {
  it('is text of a variable or header whose name says that it is secret', () => {
    expect(env({
      API_KEY: 'a', GITHUB_TOKEN: 'b', DbPassword: 'c', CLIENT_SECRET: 'd', MY_CREDENTIALS: 'e', SESSION_COOKIE: 'f', LOG_LEVEL: 'debug',
      HOME: '/root', EMPTY_TOKEN: '',
    })).toEqual(['API_KEY', 'GITHUB_TOKEN', 'DbPassword', 'CLIENT_SECRET', 'MY_CREDENTIALS', 'SESSION_COOKIE']);
    expect(found({
      url: 'https://x.test', headers: { Authorization: 'Basic dTpw', 'X-Api-Key': 'a', Accept: 'text/plain' },
    })).toEqual(['headers Authorization Basic dTpw', 'headers X-Api-Key a']);
  });

  it('is text of the form that issuers give their keys, whatever its name', () => {
    const values = {
      A: 'sk-canary0000000000', B: 'ghp_canary0000000000000000', C: 'github_pat_11CANARY_0000000000', D: 'xoxb-000000-canary',
      E: 'AKIACANARY0000000000', F: 'AIzaCanary00000000000000000', G: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.sig',
      H: 'glpat-canary00000000', I: 'hf_canary00000000', J: 'npg_canary0000', K: 'Bearer canary', L: 'd41d8cd98f00b204e9800998ecf8427e',
      M: 'kJ8sD2mQ9xV4bN7tR1wZ5yH3', N: 'postgres://app:canary@db/app',
      O: '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----', P: 'key is ghp_canary0000000000000000',
    };
    expect(env(values)).toEqual(Object.keys(values));
    const plain = {
      A: '/usr/local/lib/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', B: 'claude-sonnet-4-20250514',
      C: 'https://example.test/some/Long-Path/With-Names-2024/index.html', D: '550e8400-e29b-41d4-a716-446655440000',
      E: 'development', F: 'https://user@example.test/x', G: '2026-11-30T02:00:00.000Z',
      H: 'C:\\Users\\mia\\AppData\\Roaming\\npm\\node_modules', I: 'eu-central-1', J: 'redis://localhost:6379/0', K: '!pass show key',
    };
    expect(env(plain)).toEqual([]);
  });

  it('is not a template, a command or a reference; but the default of a variable is', () => {
    expect(env({
      API_KEY: '${API_KEY}', A_TOKEN: '$env:TOKEN', B_TOKEN: '{env:TOKEN}', C_TOKEN: '!op read x',
      D_TOKEN: SecretReference.parse({ secretRef: 'k', scope: 'global' }), E_TOKEN: 'Bearer ${TOKEN}', F_TOKEN: '${secret:mcp.x}',
      G_TOKEN: '${input:key}',
    })).toEqual([]);
    expect(found({
      command: 'x',
      env: { A_TOKEN: '${TOKEN:-canary}', B: '${API_KEY:-canary}', C: '${X:-sk-canary0000000000}', D: '${HOST:-example.test}', E_TOKEN: '!!canary' },
    })).toEqual(['env A_TOKEN canary', 'env B canary', 'env C sk-canary0000000000', 'env E_TOKEN !canary']);
  });

  it('is what a person marked as no secret when its name says otherwise', () => {
    expect(env({ API_KEY: { plain: 'canary' }, MODE: { plain: 'sk-debug-this-mode' } })).toEqual(['API_KEY']);
  });

  it('is a password, a parameter or a part of the path of an address', () => {
    expect(url('https://user:canary@example.test/mcp?api_key=one&page=2&token=${TOKEN}&key=two#frag')).toEqual(['url password canary', 'url api_key one', 'url key two']);
    expect(url('https://example.test/s/kJ8sD2mQ9xV4bN7tR1wZ5yH3/mcp?x=ghp_canary0000000000000000')).toEqual([
      'url path kJ8sD2mQ9xV4bN7tR1wZ5yH3', 'url x ghp_canary0000000000000000',
    ]);
    expect(url('https://example.test/?token=one&token=two')).toEqual(['url token one', 'url token_2 two']);
    expect(url('https://example.test/mcp?keyword=x&page=1')).toEqual([]);
    expect(url('https://${USER}:${PASSWORD}@example.test/?key=${KEY:-canary}')).toEqual(['url KEY canary']);
    expect(url('https://example.test/?token=${X:-canary}&page=${Y:-1}')).toEqual(['url X canary']);
  });

  it('is an argument that follows or holds a secret name, and cannot be moved from where every program sees it', () => {
    expect(args('--api-key', 'one', '--token=two', 'API_KEY=three', '-e', 'DB_PASSWORD=four', '--header', 'Authorization: Bearer five', 'Bearer six')).toEqual([
      'args 1 one', 'args 2 two', 'args 3 three', 'args 5 four', 'args 7 Bearer five', 'args 8 six',
    ]);
    expect(args(
      '--max-tokens', '4000', '--token-file', '/etc/token', '--key-path=/etc/key', '--auth', 'none', '--auth', 'oauth', '--ssl-key', './key.pem',
      '--api-key', '${API_KEY}', '--token', '--verbose', '-e', 'GITHUB_TOKEN', '--api-key-env', 'NAME',
    )).toEqual([]);
    expect(literalsOf('docs', { command: 'x', args: ['--token', 'a'] }, 'global').map(({ movable }) => movable)).toEqual([false]);
    expect(args('--api-key', '${X:-canary}', '--host', '${Y:-canary}')).toEqual(['args 1 canary']);
    expect(args('postgres://a:canary@db/x?password=more')).toEqual(['args 0 canary@db/x?password=more']);
  });

  it('is every credential of sign-in that is text', () => {
    const fields: RawFields = {
      url: 'https://x.test', bearerToken: 'one',
      oauth: {
        clientId: 'public', clientSecret: 'two', privateKeyJwt: { privateKey: 'three', algorithm: 'ES256' }, assertion: 'seven',
        crossAppAccess: { idpUrl: 'https://idp.test', clientId: 'c', idToken: 'four', clientSecret: '${FIVE}' },
        authorizationParams: { audience: 'x', api_key: 'six' },
      },
    };
    expect(literalsOf('docs', fields, 'project').map(({ field, suggestedKey, scope }) => [field, suggestedKey, scope])).toEqual([
      ['bearerToken', 'mcp.docs.bearerToken', 'project'], ['oauth.clientSecret', 'mcp.docs.oauth.clientSecret', 'project'], [
        'oauth.privateKeyJwt.privateKey', 'mcp.docs.oauth.privateKeyJwt.privateKey', 'project',
      ],
      ['oauth.assertion', 'mcp.docs.oauth.assertion', 'project'], ['oauth.crossAppAccess.idToken', 'mcp.docs.oauth.crossAppAccess.idToken', 'project'], [
        'oauth.authorizationParams', 'mcp.docs.oauth.authorizationParams.api_key', 'project',
      ],
    ]);
  });

  it('gets a name for the vault without what a name cannot hold, and no two the same', () => {
    const keys = literalsOf('My Döcs/1', {
      command: 'x', env: { 'A TOKEN': 'a', 'A-TOKEN': 'b', 'Ä TOKEN': 'c', '_ TOKEN': 'd' },
    }, 'global').map(({ suggestedKey }) => suggestedKey);
    expect(keys).toEqual(['mcp.My_D_cs_1.env.A_TOKEN', 'mcp.My_D_cs_1.env.A-TOKEN', 'mcp.My_D_cs_1.env.__TOKEN', 'mcp.My_D_cs_1.env.__TOKEN_2']);
    expect(literalsOf('x'.repeat(100), { command: 'x', env: { [`TOKEN_${'y'.repeat(300)}`]: 'a' } }, 'global')[0]?.suggestedKey.length).toBeLessThanOrEqual(200);
  });
});

describe('A literal that moves', () => {
  const fields: RawFields = {
    url: 'https://user:canary-one@example.test/?key=${KEY:-canary-two}&token=canary-three',
    headers: { Authorization: 'Bearer canary-four', Accept: 'x' }, bearerToken: 'canary-five', args: ['--token=canary-six', 'b'],
    oauth: { clientId: 'c', clientSecret: 'canary-seven', assertion: 'canary-eight' },
  };

  it('leaves a reference where it stood, also inside of an address', () => {
    const moved = literalsOf('docs', fields, 'global').filter(({ movable }) => movable).toReversed().reduce(
      (all, literal) => withReplaced(all, literal, { secretRef: literal.suggestedKey, scope: literal.scope }),
      fields,
    );
    expect(moved).toEqual({
      url: 'https://user:${secret:mcp.docs.url.password}@example.test/?key=${secret:mcp.docs.url.KEY}&token=${secret:mcp.docs.url.token}',
      headers: {
        Authorization: { secretRef: 'mcp.docs.headers.Authorization', scope: 'global' }, Accept: 'x',
      }, bearerToken: { secretRef: 'mcp.docs.bearerToken', scope: 'global' }, args: ['--token=canary-six', 'b'],
      oauth: { clientId: 'c', clientSecret: { secretRef: 'mcp.docs.oauth.clientSecret', scope: 'global' }, assertion: { secretRef: 'mcp.docs.oauth.assertion', scope: 'global' } },
    });
    expect(literalsOf('docs', moved, 'global').map(({ field }) => field)).toEqual(['args']);
  });

  it('is a mask in views', () => {
    const shown = maskFields(fields);
    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(shown).toMatchObject({
      url: `https://user:${mask}@example.test/?key=\${KEY:-${mask}}&token=${mask}`, args: [`--token=${mask}`, 'b'],
      headers: { Authorization: mask, Accept: 'x' },
    });
    const plain: RawFields = { command: 'x', args: ['a'], env: { A: '${B}' } };
    expect(maskFields(plain)).toBe(plain);
  });
});
