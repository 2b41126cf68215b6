import { expect, it } from 'vitest';
import { rulesOf } from './server-rules.ts';
import type { ServerOptions } from './server-options.ts';
import type { TransportConfig } from './server-definition.ts';

const stdio: TransportConfig = { type: 'stdio', command: 'x', args: [], env: {} };
const http: TransportConfig = { type: 'streamable-http', url: 'https://a.example/mcp', headers: {} };
const writtenBy = (source: string) => ({ fields: [{ field: 'env', source: 'home', overrode: [] }, { field: 'command', source, overrode: [] }] });
const rules = (options: ServerOptions, { transport = stdio, source = 'home', idleTimeout = 10, requestTimeoutMs }: { transport?: TransportConfig; source?: string; idleTimeout?: number; requestTimeoutMs?: number } = {}) =>
  rulesOf({ options, transport }, writtenBy(source), { idleTimeout, ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }) });

it('[F-31] lazy is the usual mode, and what the entry says wins', () => {
  expect(rules({}).lifecycle).toBe('lazy');
  for (const lifecycle of ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'] as const) expect(rules({ lifecycle }, { source: 'environment' }).lifecycle).toBe(lifecycle);
});

it.each(['environment', 'home-toml', 'project-toml'])('[H-40] a server that %s defines is eager, whoever adds to it, and has 30 s for an answer over HTTP', (source) => {
  expect(rules({}, { source }).lifecycle).toBe('eager');
  expect(rules({}, { source, transport: http }).requestMs).toBe(30_000);
  expect(rules({}, { source }).requestMs).toBe(60_000);
  expect(rules({ requestTimeoutMs: 5 }, { source, transport: http }).requestMs).toBe(5);
});

it.each<readonly [string, ServerOptions, number, number]>([
  ['the usual', {}, 10, 10],
  ['a server’s own', { idleTimeout: 3 }, 10, 3],
  ['a part of a minute', { idleTimeout: 0.25 }, 10, 0.25],
  ['0 of its own', { idleTimeout: 0 }, 10, 0],
  ['0 for all', {}, 0, 0],
  ['its own over 0 for all', { idleTimeout: 2 }, 0, 2],
  ['eager without one', { lifecycle: 'eager' }, 10, 0],
  ['eager with one', { lifecycle: 'eager', idleTimeout: 2 }, 10, 2],
  ['kept alive', { lifecycle: 'keep-alive', idleTimeout: 2 }, 10, 0],
  ['kept alive from its first use', { lifecycle: 'lazy-keep-alive', idleTimeout: 2 }, 10, 0],
])('[F-36] idle time: %s', (_, options, idleTimeout, minutes) => {
  expect(rules(options, { idleTimeout }).idleMs).toBe(minutes * 60_000);
});

it.each<readonly [string, ServerOptions, number | undefined, number]>([
  ['the usual', {}, undefined, 60_000],
  ['the setting', {}, 7_000, 7_000],
  ['a server’s own over the setting', { requestTimeoutMs: 9_000 }, 7_000, 9_000],
  ['0 of its own means the usual', { requestTimeoutMs: 0 }, 7_000, 60_000],
  ['less than 0 too', { requestTimeoutMs: -1 }, undefined, 60_000],
  ['0 as the setting', {}, 0, 60_000],
  ['a limit for silence in calls is more exact', { requestTimeoutMs: 9_000, limits: { callIdleMs: 100 } }, 7_000, 100],
])('[F-55] time for a request: %s', (_, options, requestTimeoutMs, expected) => {
  expect(rules(options, requestTimeoutMs === undefined ? {} : { requestTimeoutMs }).requestMs).toBe(expected);
});

it('a call may last as long as it may be silent, and ten minutes at least unless its entry says otherwise', () => {
  expect(rules({ requestTimeoutMs: 1_200_000 }).callTotalMs).toBe(1_200_000);
  expect(rules({}).callTotalMs).toBe(600_000);
  expect(rules({ limits: { callTotalMs: 50 } }).callTotalMs).toBe(50);
});
