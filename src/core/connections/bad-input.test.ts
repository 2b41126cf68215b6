import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, never, socket, sse, stdio, TestPool, type Failing } from '../../../test/support/test-pool.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { TransportConfig } from '../../shared/model/server-definition.ts';
import type { ServerLimits } from '../../shared/model/server-options.ts';

const limits = { handshakeMs: 500 };
/** For a process that shall come so far. */
const patient = { handshakeMs: 15_000 };
const limitsFor = (code: string): ServerLimits => (code === 'connection/timed-out' ? limits : patient);

/** The bad server's state after a start, and a healthy neighbour that works before, during and after it. */
async function besideHealthy(
  transport: TransportConfig,
  limitsOfBad: ServerLimits,
  within?: (test: TestPool, bad: Parameters<TestPool['call']>[0]) => Promise<void>,
): Promise<ConnectionState> {
  const test = new TestPool({ random: () => 1 });
  await using neighbour = await RawSocket.start(join(tempFolder(), 'good'));
  const good = await test.ready(socket(neighbour.path), { id: 'good' });
  const bad = test.define(transport, { id: 'bad', limits: limitsOfBad });
  const starting = test.pool.start(bad, never);
  expect(await test.echo(good, 'during')).toBe('during');
  await starting;
  await within?.(test, bad);
  expect(await test.echo(good, 'after')).toBe('after');
  expect(test.pool.state(good).phase).toBe('ready');
  expect(test.bugs).toEqual([]);
  const state = test.pool.state(bad);
  await test.pool.stop(bad, 'asleep', never);
  return state;
}
/** A program that runs this. */
const program = (code: string): TransportConfig => ({ type: 'stdio', command: process.execPath, args: ['-e', code], env: {} });
const failed = (state: ConnectionState): Failing => {
  if ('failure' in state) return state;
  throw new Error(`Not failed: ${JSON.stringify(state)}`);
};

describe('a bad server over stdio', () => {
  it.each([
    ['exits at once', ['exits-at-once'], 'server/exited'],
    ['never answers', ['never-answers'], 'connection/timed-out'],
    ['answers under wrong ids', ['wrong-ids', 'at-start'], 'connection/timed-out'],
  ])('that %s has a clear state', async (_, args, code) => {
    expect(failed(await besideHealthy(stdio('broken.mjs', ...args), limitsFor(code))).failure).toMatchObject({ code });
  });

  it.each<[string, TransportConfig, string]>([
    ['answers with half a JSON', stdio('broken.mjs', 'garbage-json', 'at-start'), '{'],
    ['writes a web page', stdio('broken.mjs', 'html'), '<'],
    ['is no server at all', program('console.log("Usage: tool [--help]"); setInterval(() => {}, 1e6)'), 'Usage: tool [--help]'],
  ])('that %s is told to speak no MCP, with what it wrote', async (_, transport, wrote) => {
    const { failure } = failed(await besideHealthy(transport, { handshakeMs: 3_000 }));
    expect(failure).toMatchObject({ code: 'server/not-mcp', message: 'The server wrote text and nothing of MCP within 3 s' });
    expect(failure.detail).toContain(wrote);
  });

  it('that writes why to stdout and ends is quoted; what is on stderr goes before it', async () => {
    const quiet = failed(await besideHealthy(program('console.log("no such option: --stdio"); process.exitCode = 2'), patient)).failure;
    expect(quiet).toMatchObject({ code: 'server/exited', exitCode: 2, message: 'The server exited with code 2: no such option: --stdio', detail: expect.stringContaining('no such option') });
    const both = failed(await besideHealthy(program('console.log("usage"); console.error("bad key"); process.exitCode = 2'), patient)).failure;
    expect(both).toMatchObject({ message: 'The server exited with code 2: bad key', detail: expect.stringMatching(/bad key[^]*usage/) });
  });

  it('that floods stderr works', async () => {
    expect(
      await besideHealthy(stdio('broken.mjs', 'floods-stderr'), patient, async (test, bad) =>
        expect(await test.echo(bad, 'through the flood')).toBe('through the flood'),
      ),
    ).toMatchObject({ phase: 'ready' });
  });

  it('that answers some calls with garbage loses those calls only', async () => {
    const quick = { idleMs: 200 };
    await besideHealthy(stdio('broken.mjs', 'garbage-json'), patient, async (test, bad) => {
      expect(await test.call(bad, 'garbage_then_answer')).toMatchObject({ content: [{ text: 'answered' }] });
      for (const tool of ['half_json', 'not_rpc', 'no_result'])
        await expect(test.call(bad, tool, {}, quick)).rejects.toMatchObject({ code: 'tool/timed-out' });
      expect(await test.echo(bad, 'on')).toBe('on');
    });
    await besideHealthy(stdio('broken.mjs', 'wrong-ids'), patient, async (test, bad) => {
      for (const tool of ['unknown_id', 'string_id', 'null_id', 'no_id'])
        await expect(test.call(bad, tool, {}, quick)).rejects.toMatchObject({ code: 'tool/timed-out' });
      expect(await test.call(bad, 'twice')).toMatchObject({ content: [{ text: 'first' }] });
      expect(await test.call(bad, 'unknown_then_answer')).toMatchObject({ content: [{ text: 'answered' }] });
      expect(await test.echo(bad, 'on')).toBe('on');
    });
  });
});

describe('a bad server over HTTP', () => {
  it.each<[string, (exchange: Exchange) => void, string]>([
    ['closes every connection', (exchange) => exchange.response.destroy(), 'connection/unreachable'],
    ['never answers', () => undefined, 'connection/timed-out'],
    [
      'answers with half a JSON',
      (exchange) => exchange.send(200, '{"jsonrpc"', { 'content-type': 'application/json' }),
      'server/protocol-error',
    ],
    [
      'answers with JSON that is no JSON-RPC',
      (exchange) => exchange.send(200, '{"hello":"world"}', { 'content-type': 'application/json' }),
      'server/protocol-error',
    ],
    [
      'answers under a wrong id',
      (exchange) => exchange.send(200, '{"jsonrpc":"2.0","id":99,"result":{}}', { 'content-type': 'application/json' }),
      'server/protocol-error',
    ],
    ['answers with a result that is none', (exchange) => exchange.json({ nothing: true }), 'server/protocol-error'],
    ['answers with a web page', (exchange) => exchange.send(200, '<html>', { 'content-type': 'text/html' }), 'server/not-mcp'],
    ['takes everything and says nothing', (exchange) => exchange.send(202), 'server/protocol-error'],
    ['redirects to another place', (exchange) => exchange.send(302, '', { location: 'http://127.0.0.1:1/' }), 'server/http-error'],
    [
      'streams comments for ever',
      (exchange) => {
        const stream = exchange.stream();
        const timer = setInterval(() => stream.raw(': still here\n\n'), 20);
        exchange.response.on('close', () => clearInterval(timer));
      },
      'connection/timed-out',
    ],
  ])('that %s has a clear state', async (_, answer, code) => {
    await using server = await RawServer.start({
      take: (exchange) => {
        answer(exchange);
        return true;
      },
    });
    expect(failed(await besideHealthy(http(server.url), limitsFor(code))).failure).toMatchObject({ code });
  });

  it('that floods with notices and strays works', async () => {
    await using server = await RawServer.start({
      take: (exchange) => {
        if (exchange.seen.rpc !== 'tools/call') return false;
        const stream = exchange.stream();
        for (let n = 0; n < 200; n += 1) {
          stream.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: `none ${n}`, progress: n } });
          stream.event({ jsonrpc: '2.0', id: n + 1_000_000, result: {} });
          stream.event({ jsonrpc: '2.0', method: 'notifications/unheard-of', params: {} });
          stream.event({ jsonrpc: '2.0', id: `ask ${n}`, method: 'sampling/createMessage', params: {} });
        }
        stream.event({ jsonrpc: '2.0', id: exchange.seen.id, result: { content: [{ type: 'text', text: 'through' }] } });
        stream.end();
        return true;
      },
    });
    const state = await besideHealthy(http(server.url), patient, async (test, bad) => {
      expect(await test.echo(bad, 'x')).toBe('through');
      expect(test.lines.filter(({ from }) => from === 'gatehouse').length).toBeLessThanOrEqual(201);
    });
    expect(state).toMatchObject({ phase: 'ready' });
  });
});

it('a server that asks without end has only so many answers under way to it', async () => {
  await using server = await RawServer.start({
    take: (exchange) => {
      if (exchange.seen.rpc === 'response') return true;
      if (exchange.seen.rpc !== 'tools/call') return false;
      const stream = exchange.stream();
      for (let n = 0; n < 200; n += 1) stream.event({ jsonrpc: '2.0', id: `ask ${n}`, method: 'ping' });
      stream.event({ jsonrpc: '2.0', id: exchange.seen.id, result: { content: [{ type: 'text', text: 'answered' }] } });
      stream.end();
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(await test.echo(id, 'x')).toBe('answered');
  await eventually(() => expect(server.of('response')).toHaveLength(64));
  expect(test.lines.map(({ text }) => text)).toContain('The server asks too much at the same time; some of it is not answered');
});

describe('a bad server over SSE and sockets', () => {
  it.each([
    ['never answers', () => true, 'connection/timed-out'],
    [
      'answers under wrong ids',
      (message: { readonly id?: unknown }, say: (reply: object) => void) =>
        say({ jsonrpc: '2.0', id: Number(message.id) + 5, result: {} }) === undefined,
      'connection/timed-out',
    ],
    [
      'answers with a result that is none',
      (message: { readonly id?: unknown }, say: (reply: object) => void) =>
        say({ jsonrpc: '2.0', id: message.id, result: { nothing: true } }) === undefined,
      'server/protocol-error',
    ],
    [
      'answers with what is no message',
      (_message: object, say: (reply: object) => void) => say([1, 2]) === undefined,
      'connection/timed-out',
    ],
    [
      'refuses without saying what',
      (_message: object, say: (reply: object) => void) =>
        say({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } }) === undefined,
      'server/protocol-error',
    ],
    [
      'refuses',
      (message: { readonly id?: unknown }, say: (reply: object) => void) =>
        say({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'No' } }) === undefined,
      'server/protocol-error',
    ],
  ])('that %s has a clear state', async (_, take, code) => {
    await using sseServer = await RawSse.start(take);
    await using socketServer = await RawSocket.start(join(tempFolder(), 's'), take);
    for (const transport of [sse(sseServer.url), socket(socketServer.path)])
      expect(failed(await besideHealthy(transport, limitsFor(code))).failure).toMatchObject({ code });
    await eventually(() => expect([sseServer.open, socketServer.peers.size]).toEqual([0, 0]));
  });

  it('that is not there, or hangs up at once, has a clear state', async () => {
    await using hangsUp = await RawSocket.start(join(tempFolder(), 's'), (_message, _say, peer) => peer.destroy() !== undefined);
    await using noSse = await RawServer.start();
    for (const [transport, code] of [
      [socket(join(tempFolder(), 'none')), 'connection/unreachable'],
      [socket(hangsUp.path), 'connection/closed'],
      [sse('http://127.0.0.1:1/sse'), 'connection/unreachable'],
      [sse(noSse.url), 'server/http-error'],
    ] as const) {
      expect(failed(await besideHealthy(transport, limitsFor(code))).failure, JSON.stringify(transport)).toMatchObject({ code });
    }
  });
});
