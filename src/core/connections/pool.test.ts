import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RawServer } from '../../../test/servers/http/raw-server.ts';
import { startLegacy } from '../../../test/servers/http/sdk-legacy.ts';
import { RawSocket, type SocketTake } from '../../../test/servers/raw-socket.ts';
import { processesMarked, processMark } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, never, socket, stdio, TestPool } from '../../../test/support/test-pool.ts';

const path = (): string => join(tempFolder(), 's');
const waits: SocketTake = (message) => message.method === 'tools/call' && message.params?.['name'] === 'wait';

describe('waking', () => {
  it('connects at most ten at a time, and one that waits for its turn loses none of its own', async () => {
    const held: (() => void)[] = [];
    await using server = await RawSocket.start(path(), (message, say) => {
      if (message.method !== 'initialize') return false;
      held.push(() =>
        say({
          jsonrpc: '2.0',
          id: message.id,
          result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
        }),
      );
      return true;
    });
    const test = new TestPool();
    const ids = Array.from({ length: 13 }, (_, n) => test.define(socket(server.path), { id: `s${n}`, limits: { handshakeMs: 10_000 } }));
    const woken = test.pool.wake(ids, never);
    await eventually(() => expect(held).toHaveLength(10));
    expect(ids.map((id) => test.pool.state(id).phase)).toEqual([
      ...Array<string>(10).fill('starting'),
      ...Array<string>(3).fill('stopped'),
    ]);
    held[0]?.();
    await eventually(() => expect(held).toHaveLength(11));
    for (let n = 1; n < 13; n += 1) {
      await eventually(() => expect(held.length).toBeGreaterThan(n));
      held[n]?.();
    }
    await woken;
    expect(ids.map((id) => test.pool.state(id).phase)).toEqual(Array<string>(13).fill('ready'));
  });

  it('waits for what others had begun to connect, and for its lists', async () => {
    const held: { readonly method: string | undefined; readonly go: () => void }[] = [];
    await using server = await RawSocket.start(path(), (message, say) => {
      if (message.method !== 'initialize' && message.method !== 'tools/list') return false;
      const result = message.method === 'tools/list' ? { tools: [{ name: 'late', inputSchema: { type: 'object' } }] } : { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
      held.push({ method: message.method, go: () => say({ jsonrpc: '2.0', id: message.id, result }) });
      return true;
    });
    const test = new TestPool();
    const id = test.define(socket(server.path), { limits: { handshakeMs: 10_000 } });
    const over: string[] = [];
    const wake = async (name: string) => {
      await test.pool.wake([id], never);
      over.push(name);
    };
    const first = wake('first');
    await eventually(() => expect(held).toHaveLength(1));
    const second = wake('while it connects');
    held[0]?.go();
    await eventually(() => expect(held.map(({ method }) => method)).toEqual(['initialize', 'tools/list']));
    expect(test.pool.state(id).phase).toBe('ready');
    const third = wake('while it lists');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(over).toEqual([]);
    held[1]?.go();
    await Promise.all([first, second, third]);
    expect(over).toHaveLength(3);
    expect(server.opened).toBe(1);
  });

  it('leaves alone what a person stopped, what is switched off and what failed', async () => {
    await using server = await RawSocket.start(path());
    const test = new TestPool();
    const byPerson = await test.ready(socket(server.path), { id: 'by-person' });
    await test.pool.stop(byPerson, 'by-person', never);
    const off = test.define(socket(server.path), { id: 'off', enabled: false });
    const broken = test.define({ type: 'stdio', command: 'no-such-command-here', args: [], env: {} }, { id: 'broken' });
    await test.pool.start(broken, never);
    await test.pool.wake([byPerson, off, broken], never);
    expect(server.opened).toBe(1);
    expect([byPerson, off, broken].map((id) => test.pool.state(id))).toMatchObject([
      { why: 'by-person' },
      { why: 'disabled' },
      { phase: 'failed' },
    ]);
    await expect(test.echo(byPerson, 'x')).rejects.toMatchObject({ code: 'connection/stopped' });
    await expect(test.echo(off, 'x')).rejects.toMatchObject({ code: 'server/disabled' });
    await expect(test.pool.start(off, never)).rejects.toMatchObject({ code: 'server/disabled' });
    await expect(test.echo(broken, 'x')).rejects.toMatchObject({ code: 'launch/command-not-found' });
  });
});

describe('stopping', () => {
  it('lets a call in progress end, and then closes', async () => {
    const ends: (() => void)[] = [];
    await using server = await RawSocket.start(path(), (message, say) => {
      if (message.method !== 'tools/call') return false;
      ends.push(() => say({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'ended' }] } }));
      return true;
    });
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    const call = test.echo(id, 'x');
    await eventually(() => expect(ends).toHaveLength(1));
    const stopping = test.pool.stop(id, 'by-person', never);
    expect(test.pool.state(id)).toEqual({ phase: 'stopped', why: 'by-person' });
    await expect(test.echo(id, 'late')).rejects.toMatchObject({ code: 'connection/stopped' });
    ends[0]?.();
    expect(await call).toBe('ended');
    await stopping;
    await eventually(() => expect(server.peers.size).toBe(0));
  });

  it('fails after two seconds what does not end, and tells the server', async () => {
    await using server = await RawSocket.start(path(), waits);
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    const call = test.call(id, 'wait');
    const settled = expect(call).rejects.toMatchObject({ code: 'connection/stopped' });
    await eventually(() => expect(server.seen.some(({ method }) => method === 'tools/call')).toBe(true));
    const before = Date.now();
    await test.pool.stop(id, 'asleep', never);
    expect(Date.now() - before).toBeGreaterThan(1_900);
    expect(Date.now() - before).toBeLessThan(4_500);
    await settled;
    expect(server.seen.map(({ method }) => method)).toContain('notifications/cancelled');
  });

  it('ends an attempt that is under way', async () => {
    await using server = await RawSocket.start(path(), () => true);
    const test = new TestPool();
    const id = test.define(socket(server.path));
    const call = test.echo(id, 'x');
    await eventually(() => expect(server.peers.size).toBe(1));
    await Promise.all([expect(call).rejects.toMatchObject({ code: 'connection/stopped' }), test.pool.stop(id, 'asleep', never)]);
    expect(test.pool.state(id)).toEqual({ phase: 'stopped', why: 'asleep' });
    await eventually(() => expect(server.peers.size).toBe(0));
  });

  it('the end of the pool leaves no process behind within five seconds, however stubborn', async () => {
    const mark = processMark();
    const test = new TestPool();
    await Promise.all(Array.from({ length: 3 }, (_, n) => test.ready(stdio('stubborn.mjs', mark), { id: `s${n}` })));
    expect(processesMarked(mark)).toHaveLength(3);
    const before = Date.now();
    await test.pool[Symbol.asyncDispose]();
    expect(Date.now() - before).toBeLessThan(5_000);
    await eventually(() => expect(processesMarked(mark)).toEqual([]));
  });
});

describe('definitions', () => {
  it('a changed launch ends the connection, and one that was up comes up again', async () => {
    await using first = await RawServer.start({ name: 'first' });
    await using second = await RawServer.start({ name: 'second' });
    const test = new TestPool();
    const id = await test.ready(http(first.url));
    test.define(http(second.url), { revision: '2' });
    await eventually(() => expect(test.pool.state(id)).toMatchObject({ phase: 'ready', server: { name: 'second' } }));
    test.define(http(first.url), { revision: '3', enabled: false });
    expect(test.pool.state(id)).toEqual({ phase: 'stopped', why: 'disabled' });
    test.define(http(first.url), { revision: '3' });
    expect(test.pool.state(id)).toEqual({ phase: 'stopped', why: 'asleep' });
    expect(await test.echo(id, 'on use')).toBe('on use');
  });

  it('new limits leave the connection as it is', async () => {
    await using server = await RawSocket.start(path(), waits);
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    test.define(socket(server.path), { limits: { callIdleMs: 1_000 } });
    expect(await test.echo(id, 'same')).toBe('same');
    expect(server.opened).toBe(1);
  });

  it('one that is forgotten is gone', async () => {
    await using server = await RawSocket.start(path());
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    await test.pool.forget(id, never);
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'server/not-found' });
    expect(() => test.pool.state(id)).toThrow('There is no such server');
    await eventually(() => expect(server.peers.size).toBe(0));
  });
});

it('paused, nothing connects and nothing stays connected', async () => {
  await using server = await RawSocket.start(path());
  const test = new TestPool();
  const id = await test.ready(socket(server.path));
  await test.pool.setPaused(true, never);
  await eventually(() => expect(server.peers.size).toBe(0));
  await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/stopped', data: { why: 'paused' } });
  await expect(test.pool.start(id, never)).rejects.toMatchObject({ code: 'connection/stopped' });
  await test.pool.wake([id], never);
  test.networkIsBack();
  expect(server.opened).toBe(1);
  await test.pool.setPaused(false, never);
  expect(await test.echo(id, 'on')).toBe('on');
});

describe('what a server asks back', () => {
  const ask: SocketTake = (message, say) => {
    if (message.method !== 'notifications/initialized') return false;
    for (const method of ['roots/list', 'ping', 'sampling/createMessage', 'elicitation/create'])
      say({ jsonrpc: '2.0', id: method, method });
    return true;
  };
  type Answer = { readonly id?: unknown; readonly result?: unknown; readonly error?: { readonly code: number } };

  it('is answered truthfully, and nothing is advertised that is not answered', async () => {
    await using server = await RawSocket.start(path(), ask);
    const test = new TestPool({ serverRequests: { roots: async () => [{ uri: 'file:///work', name: 'work' }] } });
    await test.ready(socket(server.path));
    expect(server.seen[0]?.params).toMatchObject({ capabilities: { roots: {} } });
    const answers = await eventually(() => {
      const found = server.seen.filter(({ method }) => method === undefined) as readonly Answer[]; // JSON-RPC responses
      expect(found).toHaveLength(4);
      return new Map(found.map(({ id, result, error }) => [id, result ?? error?.code]));
    });
    expect(answers.get('roots/list')).toEqual({ roots: [{ uri: 'file:///work', name: 'work' }] });
    expect(answers.get('ping')).toEqual({});
    expect([answers.get('sampling/createMessage'), answers.get('elicitation/create')]).toEqual([-32601, -32601]);
  });

  it('is refused when nobody answers it', async () => {
    await using server = await RawSocket.start(path(), ask);
    await new TestPool().ready(socket(server.path));
    expect(server.seen[0]?.params).toMatchObject({ capabilities: {} });
    expect(server.seen[0]?.params?.['capabilities']).not.toHaveProperty('roots');
    await eventually(() =>
      expect(server.seen.filter(({ id, method }) => id === 'roots/list' && method === undefined)).toMatchObject([
        { error: { code: -32601 } },
      ]),
    );
  });
});

it('what a server logs by protocol is in its log, and it is asked for it', async () => {
  await using server = await startLegacy();
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  await test.call(id, 'say', { text: 'disk is nearly full' });
  await eventually(() =>
    expect(test.lines).toContainEqual(
      expect.objectContaining({ serverId: id, from: 'server', level: 'warning', text: 'app: disk is nearly full' }),
    ),
  );
});

it('[F-45] what a server writes to stderr is on the app’s own too, for one that is debugged and no other', async () => {
  const own = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => own.mockRestore());
  const said = () => own.mock.calls.map(([chunk]) => String(chunk)).join('');
  const test = new TestPool();
  const quiet = await test.ready(stdio('versatile.mjs'), { id: 'quiet' });
  const debugged = await test.ready(stdio('versatile.mjs'), { id: 'debugged', options: { debug: true } });
  await test.call(quiet, 'stderr', { line: 'in private', times: 1 });
  await test.call(debugged, 'stderr', { line: 'out loud', times: 1 });
  await eventually(() => expect(said()).toContain('out loud 0'));
  await eventually(() => expect(test.lines.filter(({ from }) => from === 'stderr')).toHaveLength(2));
  expect(said()).not.toContain('in private');
});

it('requests over HTTP share no signal: on a shared one each would leave a listener behind', async () => {
  await using server = await RawServer.start();
  const signals: unknown[] = [];
  const test = new TestPool({
    transports: {
      stdio: () => expect.unreachable(),
      socket: () => expect.unreachable(),
      fetch: (input, init) => {
        if (init?.method === 'POST') signals.push(init.signal);
        return fetch(input, init);
      },
    },
  });
  const id = await test.ready(http(server.url), { protocol: 'legacy' });
  for (let n = 0; n < 3; n += 1) await test.echo(id, 'x');
  expect(signals).toHaveLength(6);
  expect(new Set(signals).size).toBe(6);
});
