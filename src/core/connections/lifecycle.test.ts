import { join } from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import type { PackageCommands } from '../ports.ts';
import type { ServerId } from '../../shared/ids.ts';
import { RawServer } from '../../../test/servers/http/raw-server.ts';
import { RawSocket, type SocketTake } from '../../../test/servers/raw-socket.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { processesMarked, processMark } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, never, socket, stdio, TestPool } from '../../../test/support/test-pool.ts';

const path = (): string => join(tempFolder(), 's');
const minuteMs = 60_000;
const asleep = { phase: 'stopped', why: 'asleep' };
/** Time passes, look by look, and what follows from each look happens. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 30_000) {
    clock.advance(Math.min(30_000, left));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }
}
function timed(deps: ConstructorParameters<typeof TestPool>[0] = {}) {
  const clock = new FakeClock();
  return { clock, test: new TestPool({ clock, random: () => 1, ...deps }) };
}
const kill = async (test: TestPool, id: ServerId): Promise<void> => {
  const state = test.pool.state(id);
  if (state.phase === 'ready' && state.pid !== undefined) process.kill(state.pid, 'SIGKILL');
  await eventually(() => expect(test.pool.state(id).phase).not.toBe('ready'));
};

describe('lazy', () => {
  it('[F-31] [F-32] runs nothing at the start, connects at the first use, and is stopped when nobody uses it', async () => {
    const mark = processMark();
    const { clock, test } = timed();
    const id = test.define(stdio('calls.mjs', mark), { options: { lifecycle: 'lazy' } });
    test.pool.begin();
    await pass(clock, minuteMs);
    expect(test.pool.state(id)).toEqual(asleep);
    expect(processesMarked(mark)).toEqual([]);
    expect(await test.echo(id, 'first')).toBe('first');
    await pass(clock, 10 * minuteMs + 30_000);
    expect(test.pool.state(id)).toEqual(asleep);
    await eventually(() => expect(processesMarked(mark)).toEqual([]));
    expect(await test.echo(id, 'and again')).toBe('and again');
  });

  it('[F-36] [F-37] is stopped after its own time and no later than 30 s after it; half a minute is a time too', async () => {
    await using server = await RawSocket.start(path());
    const { clock, test } = timed();
    const id = await test.ready(socket(server.path), { options: { idleTimeout: 0.5 } });
    await pass(clock, 29_000);
    expect(await test.echo(id, 'x')).toBe('x');
    const usedAt = clock.now();
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready' });
    await pass(clock, 1_000);
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', stopsAt: usedAt + 30_000 });
    await pass(clock, 30_000);
    expect(test.pool.state(id)).toEqual(asleep);
    expect(clock.now() - usedAt).toBeLessThanOrEqual(60_000);
  });

  it('[F-36] with 0 is never stopped, whatever the setting is', async () => {
    await using server = await RawSocket.start(path());
    const { clock, test } = timed();
    const id = await test.ready(socket(server.path), { options: { idleTimeout: 0 } });
    await pass(clock, 60 * minuteMs);
    expect(test.pool.state(id).phase).toBe('ready');
  });

  it('[F-38] is not stopped while a call of it runs, or while it waits for an answer of ours', async () => {
    let answer = (): void => undefined;
    const take: SocketTake = (message, say) => {
      if (message.method === 'notifications/initialized') say({ jsonrpc: '2.0', id: 'r', method: 'roots/list' });
      return message.method === 'tools/call' && message.params?.['name'] === 'wait' && Boolean((answer = () => say({ jsonrpc: '2.0', id: message.id, result: { content: [] } })));
    };
    let rooted = (): void => undefined;
    const roots = new Promise<readonly never[]>((resolve) => (rooted = () => resolve([])));
    await using server = await RawSocket.start(path(), take);
    const { clock, test } = timed({ serverRequests: { roots: () => roots } });
    const id = await test.ready(socket(server.path), { options: { idleTimeout: 1 } });
    await pass(clock, 5 * minuteMs);
    expect(test.pool.state(id).phase).toBe('ready');
    rooted();
    await eventually(() => expect(server.seen.some(({ id: answered, method }) => answered === 'r' && method === undefined)).toBe(true));
    const call = test.call(id, 'wait');
    await eventually(() => expect(server.seen.some(({ method }) => method === 'tools/call')).toBe(true));
    await pass(clock, 5 * minuteMs);
    expect(test.pool.state(id).phase).toBe('ready');
    expect(test.pool.state(id)).not.toHaveProperty('stopsAt');
    answer();
    await call;
    await pass(clock, 2 * minuteMs);
    expect(test.pool.state(id)).toEqual(asleep);
  });
});

it('[F-33] eager connects at the start; it is not started again by itself, and not stopped unless it has a time of its own', async () => {
  await using server = await RawSocket.start(path());
  const { clock, test } = timed();
  const process = test.define(stdio('calls.mjs'), { id: 'process', options: { lifecycle: 'eager' } });
  const remote = test.define(socket(server.path), { id: 'remote', options: { lifecycle: 'eager' } });
  const timedOut = test.define(socket(server.path), { id: 'timed', options: { lifecycle: 'eager', idleTimeout: 1 } });
  test.pool.begin();
  const all = [process, remote, timedOut];
  await eventually(() => expect(all.map((id) => test.pool.state(id).phase)).toEqual(['ready', 'ready', 'ready']));
  await pass(clock, 60 * minuteMs);
  expect(all.map((id) => test.pool.state(id).phase)).toEqual(['ready', 'ready', 'stopped']);
  await kill(test, process);
  for (const peer of server.peers) peer.destroy();
  await eventually(() => expect(test.pool.state(remote).phase).not.toBe('ready'));
  const opened = server.opened;
  await pass(clock, 10 * minuteMs);
  expect([process, remote].map((id) => test.pool.state(id).phase)).not.toContain('ready');
  expect(server.opened).toBe(opened);
  expect([await test.echo(process, 'a'), await test.echo(remote, 'b')]).toEqual(['a', 'b']);
});

describe('kept alive', () => {
  it('[F-34] connects at the start, is brought back by the next look, and never stopped for want of use', async () => {
    const { clock, test } = timed();
    const id = test.define(stdio('calls.mjs'), { options: { lifecycle: 'keep-alive', idleTimeout: 1 } });
    test.pool.begin();
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
    await pass(clock, 60 * minuteMs);
    expect(test.phases(id)).toEqual(['starting', 'ready']);
    await kill(test, id);
    clock.advance(30_000);
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
    expect(await test.echo(id, 'back')).toBe('back');
  });

  it('[F-34] [F-37] one that gives no sign of life is replaced; looks do not overlap while it is asked', async () => {
    let deaf = false;
    await using server = await RawSocket.start(path(), (message) => deaf && message.method === 'ping');
    const { clock, test } = timed();
    const id = test.define(socket(server.path), { options: { lifecycle: 'keep-alive' }, limits: { handshakeMs: 1_000 } });
    test.pool.begin();
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
    const pings = (): number => server.seen.filter(({ method }) => method === 'ping').length;
    const untilAsked = (times: number) =>
      eventually(() => {
        if (pings() < times) clock.advance(30_000);
        expect(pings()).toBe(times);
      });
    await untilAsked(1);
    await untilAsked(2);
    expect(server.opened).toBe(1);
    deaf = true;
    const before = pings();
    await untilAsked(before + 1);
    await pass(clock, 3 * minuteMs);
    deaf = false;
    await eventually(() => expect([server.opened, test.pool.state(id).phase]).toEqual([2, 'ready']));
    expect(pings()).toBe(before + 1);
  });

  it('[F-34] an error is a sign of life, in the new era too; what a person stopped stays stopped', async () => {
    await using old = await RawSocket.start(path(), (message, say) => message.method === 'ping' && (say({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'ping?' } }), true));
    await using modern = await RawServer.start({ modern: true });
    const { clock, test } = timed();
    const ids = [test.define(socket(old.path), { id: 'old', options: { lifecycle: 'keep-alive' } }), test.define(http(modern.url), { id: 'new', options: { lifecycle: 'keep-alive' } })];
    test.pool.begin();
    await eventually(() => expect(ids.map((id) => test.pool.state(id).phase)).toEqual(['ready', 'ready']));
    // While its lists are read it is in use, and needs no question.
    await eventually(() => {
      clock.advance(30_000);
      expect(modern.of('server/discover').length).toBeGreaterThan(1);
    });
    expect(ids.map((id) => test.phases(id))).toEqual([['starting', 'ready'], ['starting', 'ready']]);
    for (const id of ids) await test.pool.stop(id, 'by-person', never);
    await pass(clock, 5 * minuteMs);
    expect(ids.map((id) => test.pool.state(id))).toEqual(ids.map(() => ({ phase: 'stopped', why: 'by-person' })));
  });

  it('[F-35] lazily: nothing before the first use, and from then on like the others', async () => {
    const { clock, test } = timed();
    const id = test.define(stdio('calls.mjs'), { options: { lifecycle: 'lazy-keep-alive' } });
    test.pool.begin();
    await pass(clock, 5 * minuteMs);
    expect(test.pool.state(id)).toEqual(asleep);
    expect(await test.echo(id, 'x')).toBe('x');
    await pass(clock, 60 * minuteMs);
    expect(test.pool.state(id).phase).toBe('ready');
    await kill(test, id);
    clock.advance(30_000);
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
  });

  it('[F-41] a server that waits for a sign-in is left alone', async () => {
    await using server = await RawServer.start({ take: (exchange) => (exchange.send(401), true) });
    const { clock, test } = timed();
    const id = test.define(http(server.url), { protocol: 'legacy', options: { lifecycle: 'keep-alive' } });
    test.pool.begin();
    await eventually(() => expect(test.pool.state(id)).toMatchObject({ phase: 'needs', what: 'sign-in' }));
    const { length } = server.seen;
    await pass(clock, 10 * minuteMs);
    expect(server.seen).toHaveLength(length);
    expect(test.pool.state(id).phase).toBe('needs');
  });
});

describe('the start', () => {
  it('[F-39] ten at a time; the others wait for their turn and are seen to; one that fails stops nobody', async () => {
    const held: (() => void)[] = [];
    await using server = await RawSocket.start(path(), (message, say) => message.method === 'initialize' && held.push(() => say({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } })) > 0);
    const test = new TestPool();
    const broken = test.define({ type: 'stdio', command: 'no-such-command-here', args: [], env: {} }, { id: 'broken', options: { lifecycle: 'eager' } });
    const ids = Array.from({ length: 12 }, (_, n) => test.define(socket(server.path), { id: `s${n}`, options: { lifecycle: 'eager' } }));
    test.pool.begin();
    await eventually(() => expect(held).toHaveLength(10));
    expect(test.pool.state(broken)).toMatchObject({ phase: 'failed', failure: { code: 'launch/command-not-found' } });
    expect(ids.slice(10).map((id) => test.pool.state(id))).toEqual([{ ...asleep, queued: true }, { ...asleep, queued: true }]);
    for (let n = 0; n < 12; n += 1) {
      await eventually(() => expect(held.length).toBeGreaterThan(n));
      held[n]?.();
    }
    await eventually(() => expect(ids.map((id) => test.pool.state(id).phase)).toEqual(ids.map(() => 'ready')));
  });

  it('a turn ends with the handshake: ten lists that do not come keep nobody from connecting, and no more than ten connect', async () => {
    await using mute = await RawSocket.start(path(), (message, say) => {
      if (message.method === 'initialize') say({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'mute', version: '1' } } });
      return message.method === 'initialize' || message.method === 'tools/list';
    });
    const opening: unknown[] = [];
    await using shy = await RawSocket.start(path(), (message) => message.method === 'initialize' && opening.push(message) > 0);
    const test = new TestPool();
    for (let n = 0; n < 10; n += 1) test.define(socket(mute.path), { id: `mute${n}`, options: { lifecycle: 'eager' } });
    const ids = Array.from({ length: 12 }, (_, n) => test.define(socket(shy.path), { id: `shy${n}`, options: { lifecycle: 'eager' } }));
    test.pool.begin();
    await eventually(() => expect(opening).toHaveLength(10));
    expect(ids.slice(10).map((id) => test.pool.state(id))).toEqual([{ ...asleep, queued: true }, { ...asleep, queued: true }]);
  });

  it('[O7] of thirty servers one never answers and one is slow: the others are used at once, and each has its own time', async () => {
    await using quick = await RawSocket.start(path());
    await using silent = await RawSocket.start(path(), (message) => message.method === 'initialize');
    let release = (): void => undefined;
    await using slow = await RawSocket.start(path(), (message, say) => {
      if (message.method !== 'initialize') return false;
      release = () => say({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } } });
      return true;
    });
    const test = new TestPool({ random: () => 1 });
    const options = { lifecycle: 'eager' } as const;
    const blocked = test.define(socket(silent.path), { id: 'silent', options, limits: { handshakeMs: 3_000 } });
    const late = test.define(socket(slow.path), { id: 'slow', options });
    const ids = Array.from({ length: 28 }, (_, n) => test.define(socket(quick.path), { id: `q${n}`, options, limits: { handshakeMs: 3_000 } }));
    test.pool.begin();
    const last = ids.at(-1) ?? late;
    expect(await test.echo(last, 'nobody waits for its turn to be used')).toBe('nobody waits for its turn to be used');
    await eventually(() => expect(ids.map((id) => test.pool.state(id).phase)).toEqual(ids.map(() => 'ready')));
    expect([blocked, late].map((id) => test.pool.state(id).phase)).toEqual(['starting', 'starting']);
    await eventually(() => expect(test.pool.state(blocked)).toMatchObject({ phase: 'failed', failure: { code: 'connection/timed-out' } }), 10_000);
    release();
    expect(await test.echo(late, 'late')).toBe('late');
  });

  it('[F-42] looks into a server whose tools are pinned and not known, and into no other that sleeps', async () => {
    await using server = await RawSocket.start(path());
    const test = new TestPool({ needsDiscovery: (id) => id !== 'known' });
    const define = (id: string, directTools: boolean | string[] | undefined) => test.define(socket(server.path), { id, options: directTools === undefined ? {} : { directTools } });
    const [all, named] = [define('all', true), define('named', ['echo'])];
    const sleeping = [define('known', ['echo']), define('unpinned', undefined), define('none', [])];
    test.pool.begin();
    await eventually(() => expect([all, named].map((id) => test.listings.get(id)?.length)).toEqual([1, 1]));
    expect(sleeping.map((id) => test.pool.state(id))).toEqual(sleeping.map(() => asleep));
    expect(server.opened).toBe(2);
  });

  it('goes on for a server that comes later, is switched on, or is made eager', async () => {
    await using server = await RawSocket.start(path());
    const test = new TestPool();
    test.pool.begin();
    const define = (id: string, lifecycle: 'eager' | 'lazy', enabled = true) => test.define(socket(server.path), { id, enabled, options: { lifecycle } });
    const [late, off, lazy] = [define('late', 'eager'), define('off', 'eager', false), define('lazy', 'lazy')];
    await eventually(() => expect(test.pool.state(late).phase).toBe('ready'));
    expect([off, lazy].map((id) => test.pool.state(id).phase)).toEqual(['stopped', 'stopped']);
    define('off', 'eager');
    define('lazy', 'eager');
    await eventually(() => expect([off, lazy].map((id) => test.pool.state(id).phase)).toEqual(['ready', 'ready']));
  });
});

describe('a use of a server that is not there', () => {
  it('[F-40] after a failed connect is told for how long, and tries nothing; when that is over it is said anew', async () => {
    const { clock, test } = timed();
    const mark = processMark();
    const id = test.define(stdio('versatile.mjs', '--exit-at-start', mark));
    void test.pool.start(id, never);
    for (const tries of [1, 2]) {
      await eventually(() => expect(clock.waits).toHaveLength(1));
      clock.advance(250 * tries);
    }
    await eventually(() => expect(test.pool.state(id).phase).toBe('failed'));
    const states = (): number => test.states.get(id)?.length ?? 0;
    const [before, retryAt] = [states(), clock.now() + 1_000];
    clock.advance(900);
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/backing-off', data: { retryAt, ageSeconds: 1 } });
    expect(states()).toBe(before);
    const state = test.pool.state(id);
    expect(state.phase === 'failed' && (state.failure.detail?.length ?? 0) <= 8_192).toBe(true);
    clock.advance(100);
    await eventually(() => expect(states()).toBe(before + 1));
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'server/exited' });
  });

  it('[F-43] while it starts waits 30 s and no longer, and the start goes on', async () => {
    let answer = (): void => undefined;
    await using server = await RawSocket.start(path(), (message, say) => {
      if (message.method !== 'initialize') return false;
      answer = () => say({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
      return true;
    });
    const { clock, test } = timed();
    const id = test.define(socket(server.path), { limits: { handshakeMs: 60_000 } });
    const first = test.echo(id, 'x');
    const second = test.echo(id, 'x');
    const settled = Promise.all([first, second].map((call) => expect(call).rejects.toMatchObject({ code: 'connection/still-starting', data: { init: 'timeout' } })));
    await eventually(() => expect(server.seen).toHaveLength(1));
    clock.advance(29_999);
    await new Promise(setImmediate);
    expect(test.pool.state(id).phase).toBe('starting');
    clock.advance(1);
    await settled;
    answer();
    expect(await test.echo(id, 'in the end')).toBe('in the end');
    expect(server.opened).toBe(1);
  });

  it('[F-43] whose start fails is told so, and one that nobody starts is told that', async () => {
    const test = new TestPool();
    const broken = test.define({ type: 'stdio', command: 'no-such-command-here', args: [], env: {} }, { id: 'broken' });
    await expect(test.echo(broken, 'x')).rejects.toMatchObject({ code: 'launch/command-not-found', data: { init: 'failed' } });
    const stopped = test.define(stdio('calls.mjs'), { id: 'stopped' });
    await test.pool.stop(stopped, 'by-person', never);
    await expect(test.echo(stopped, 'x')).rejects.toMatchObject({ code: 'connection/stopped', data: { init: 'none' } });
  });
});

it('a server that is run without npx says which package it is, and what that saves as soon as it was measured', async () => {
  const measured: { savedBytes: number | undefined } = { savedBytes: undefined };
  const packages: PackageCommands = {
    resolve: async (launch) => ({ ...launch, package: { name: '@acme/tool', version: '1.0.0' } }),
    known: () => undefined,
    get savedBytes() {
      return measured.savedBytes;
    },
  };
  const { clock, test } = timed({ packages });
  const id = await test.ready(stdio('calls.mjs'));
  expect(test.pool.state(id)).toMatchObject({ package: { name: '@acme/tool', version: '1.0.0' } });
  expect(test.pool.state(id)).not.toHaveProperty('package.savedBytes');
  measured.savedBytes = 80_000_000;
  await pass(clock, 30_000);
  expect(test.pool.state(id)).toMatchObject({ package: { savedBytes: 80_000_000 } });
});

it('[F-44] the end closes every connection, and then throws together what could not be closed', async () => {
  await using server = await RawSocket.start(path());
  const real = new TestPool();
  const mark = processMark();
  await real.ready(stdio('calls.mjs', mark));
  await real.ready(socket(server.path), { id: 'socket' });
  await real.pool[Symbol.asyncDispose]();
  expect([processesMarked(mark), server.peers.size]).toEqual([[], 0]);

  const failing = (name: string) => Object.assign(new AppError('internal/bug', name), { name });
  const test = new TestPool({
    resolveLaunch: async ({ name }) => ({ type: 'socket', path: name }),
    transports: {
      stdio: () => expect.unreachable(),
      fetch,
      socket: (name) => {
        const transport: Transport = {
          start: async () => undefined,
          send: async (message) => {
            if ('id' in message && 'method' in message)
              transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name, version: '1' } } });
          },
          close: async () => {
            if (name !== 'fine') throw failing(name);
          },
        };
        return transport;
      },
    },
  });
  test.endsBadly = true;
  for (const id of ['one', 'fine', 'two']) await test.ready(socket(id), { id });
  const end = test.pool[Symbol.asyncDispose]();
  await expect(end).rejects.toBeInstanceOf(AggregateError);
  const said = await end.catch((error: unknown) => JSON.stringify(error, (_, value: unknown) => (value instanceof AggregateError ? value.errors : value instanceof Error ? value.message : value)));
  expect(said).toContain('one');
  expect(said).toContain('two');
  expect(said).not.toContain('fine');
});
