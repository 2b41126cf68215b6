import { describe, expect, it } from 'vitest';
import { SecretReference } from '../../shared/model/config-value.ts';
import { definitionOf } from '../servers/definition-of.ts';
import type { RawFields } from '../formats/raw-entry.ts';
import { configHash, sameServer } from './catalog-identity.ts';

const secret = (key: string) => SecretReference.parse({ secretRef: key, scope: 'global' });
const of = (fields: RawFields) => definitionOf('s', 'global', 'global', true, fields);
const stdio: RawFields = { command: 'node', args: ['a.js', '--x'], cwd: '/w', env: { MODE: 'a', API_KEY: secret('one') } };
const http: RawFields = { url: 'https://a.example/mcp', headers: { 'X-Mode': 'a' } };
const hash = (fields: RawFields) => configHash(of(fields));

describe('[F-77] what a remembered catalog is bound to', () => {
  it.each<[string, RawFields, RawFields]>([
    ['command', stdio, { ...stdio, command: 'bun' }], ['arguments', stdio, { ...stdio, args: ['a.js'] }], ['their order', stdio, { ...stdio, args: ['--x', 'a.js'] }], ['folder', stdio, { ...stdio, cwd: '/v' }],
    ['a variable', stdio, { ...stdio, env: { ...stdio.env, MODE: 'b' } }], ['which secret a variable is', stdio, { ...stdio, env: { ...stdio.env, API_KEY: secret('two') } }],
    ['address', http, { ...http, url: 'https://b.example/mcp' }], ['a header', http, { ...http, headers: { 'X-Mode': 'b' } }], ['socket', { socket: '/a' }, { socket: '/b' }],
    ['auth', http, { ...http, auth: 'bearer' }], ['bearer token', http, { ...http, bearerToken: secret('one') }], ['bearer variable', http, { ...http, bearerTokenEnv: 'TOKEN' }],
    ['exposed resources', stdio, { ...stdio, exposeResources: false }], ['included tools', stdio, { ...stdio, includeTools: ['a'] }], ['excluded tools', stdio, { ...stdio, excludeTools: ['a'] }],
  ])('counts %s', (_what, one, other) => {
    expect(hash(one)).not.toBe(hash(other));
    expect(hash(one)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('counts neither the order of keys, nor how long a server lives, may take or what it logs', () => {
    expect(hash({ env: { API_KEY: secret('one'), MODE: 'a' }, cwd: '/w', args: ['a.js', '--x'], command: 'node' })).toBe(hash(stdio));
    expect(hash({ ...stdio, lifecycle: 'eager', idleTimeout: 3, requestTimeoutMs: 5, limits: { handshakeMs: 9 }, debug: true, trace: true, required: true, directTools: true, toolPrefix: 'none' })).toBe(hash(stdio));
  });

  it('holds no secret: another value of the same is the same', () => {
    const literal = (value: string) => hash({ ...stdio, env: { API_KEY: value } });
    expect(literal('sk-live-1111111111111111')).toBe(literal('sk-live-2222222222222222'));
  });

  it('tells another server from the same one under other filters', () => {
    expect(sameServer(of(stdio), of({ ...stdio, includeTools: ['a'], exposeResources: false }))).toBe(true);
    expect(sameServer(of(stdio), of({ ...stdio, cwd: '/v' }))).toBe(false);
  });
});
