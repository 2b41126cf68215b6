import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { http, socket, sse, stdio, TestPool, textOf } from '../../../test/support/test-pool.ts';

const toCall = (answer: (exchange: Exchange) => void) => ({
  take: (exchange: Exchange) => {
    if (exchange.seen.rpc !== 'tools/call') return false;
    answer(exchange);
    return true;
  },
});
const seen = async (test: TestPool, id: Parameters<TestPool['call']>[0]): Promise<readonly (readonly [string, string, unknown])[]> =>
  JSON.parse(String(textOf(await test.call(id, 'seen'))));

describe('time', () => {
  it('silence ends a call, progress starts its time anew, and the whole has an end all the same', async () => {
    const test = new TestPool();
    const id = await test.ready(stdio('calls.mjs'));
    await expect(test.call(id, 'wait', {}, { idleMs: 150 })).rejects.toMatchObject({
      code: 'tool/timed-out',
      message: expect.stringContaining('silent for 150 ms'),
    });
    const progress: unknown[] = [];
    expect(
      textOf(
        await test.call(id, 'steps', { times: 8, everyMs: 60, end: true }, { idleMs: 250, onProgress: (step) => progress.push(step) }),
      ),
    ).toBe('after 8');
    // The last one may come together with the answer.
    expect(progress.length).toBeGreaterThanOrEqual(7);
    expect(progress[6]).toEqual({ done: 7, total: 8, message: 'step 7' });
    await expect(test.call(id, 'steps', { times: 1_000, everyMs: 30 }, { idleMs: 250, totalMs: 500 })).rejects.toMatchObject({
      code: 'tool/timed-out',
      message: expect.stringContaining('within 500 ms'),
    });
    expect((await seen(test, id)).filter(([method]) => method === 'notifications/cancelled')).toHaveLength(2);
  });
});

describe('an answer that is lost', () => {
  it.each<[string, (exchange: Exchange) => void, string]>([
    ['the connection breaks before the answer', (exchange) => exchange.response.destroy(), 'connection/unreachable'],
    [
      'the connection breaks inside the answer',
      (exchange) => {
        exchange.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        exchange.response.write('{"jsonrpc"', () => exchange.response.destroy());
      },
      'connection/unreachable',
    ],
    [
      'the answer is broken JSON',
      (exchange) => exchange.send(200, '{"jsonrpc":"2.0","id":', { 'content-type': 'application/json' }),
      'server/protocol-error',
    ],
    [
      'the answer is for somebody else',
      (exchange) =>
        exchange.send(200, JSON.stringify({ jsonrpc: '2.0', id: 4711, result: { content: [] } }), { 'content-type': 'application/json' }),
      'server/protocol-error',
    ],
    ['the answer is a web page', (exchange) => exchange.send(200, '<html>', { 'content-type': 'text/html' }), 'server/not-mcp'],
    ['the event stream ends before the answer', (exchange) => exchange.stream().end(), 'server/protocol-error'],
    [
      'the event stream breaks',
      (exchange) => {
        const stream = exchange.stream();
        stream.raw(': hello\n\n');
        setImmediate(stream.break);
      },
      'server/protocol-error',
    ],
    ['a gateway fails', (exchange) => exchange.send(502, 'Bad Gateway'), 'server/http-error'],
    ['nothing but 202 comes', (exchange) => exchange.send(202), 'server/protocol-error'],
  ])('[F-60] over HTTP, when %s, is not asked for again: nobody knows what happened', async (_, answer, because) => {
    await using server = await RawServer.start(toCall(answer));
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    const lost = test.call(id, 'echo', { text: 'x' });
    await expect(lost).rejects.toMatchObject({
      code: 'tool/outcome-unknown',
      data: { server: 'srv', tool: 'echo', because },
      message: expect.stringContaining('may have taken effect'),
    });
    expect(server.of('tools/call')).toHaveLength(1);
    server.behaviour = {};
    expect(await test.echo(id, 'and on')).toBe('and on');
    expect(test.bugs).toEqual([]);
  });

  it('has an unknown outcome over stdio, SSE and a socket, when the server goes away', async () => {
    const taken: unknown[] = [];
    const call = (message: { readonly method?: string; readonly params?: Readonly<Record<string, unknown>> }): boolean =>
      message.method === 'tools/call' && message.params?.['name'] === 'drop' && taken.push(message) > 0;
    await using sseServer: RawSse = await RawSse.start((message) => {
      if (!call(message)) return false;
      sseServer.dropStreams();
      return true;
    });
    await using socketServer = await RawSocket.start(join(tempFolder(), 's'), (message, _say, peer) => {
      if (!call(message)) return false;
      peer.destroy();
      return true;
    });
    const test = new TestPool();
    for (const [transport, tool] of [
      [sse(sseServer.url), 'drop'],
      [socket(socketServer.path), 'drop'],
      [stdio('calls.mjs'), 'boom'],
    ] as const) {
      const id = await test.ready(transport, { id: transport.type });
      await expect(test.call(id, tool)).rejects.toMatchObject({ code: 'tool/outcome-unknown', data: { server: transport.type, tool } });
      expect(await test.echo(id, 'and on')).toBe('and on');
    }
    expect(taken).toHaveLength(2);
  });

  it('a server that cannot be reached got nothing, and that is what is said', async () => {
    await using server = await RawServer.start({
      take: ({ response }) => {
        response.shouldKeepAlive = false;
        return false;
      },
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await server.stop();
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/unreachable' });
  });
});

describe('[F-60] what is never sent again', () => {
  it.each<[string, (exchange: Exchange) => void, object]>([
    ['a refusal for want of a sign-in', (exchange) => exchange.send(401), { code: 'auth/sign-in-required' }],
    [
      'a JSON-RPC error',
      (exchange) => exchange.error(-32000, 'Busy'),
      { code: 'tool/failed', message: 'Busy (code -32000)', data: { rpcCode: -32000 } },
    ],
    [
      'an HTTP error that holds a JSON-RPC error',
      (exchange) => exchange.error(-32000, 'Broken', 500),
      { code: 'server/http-error', message: 'The server answered HTTP 500: Broken (code -32000)' },
    ],
    ['a refusal', (exchange) => exchange.send(400, 'Bad Request'), { code: 'server/http-error' }],
  ])('[F-60] %s', async (_, answer, error) => {
    await using server = await RawServer.start({ sessions: true, ...toCall(answer) });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await expect(test.call(id, 'echo')).rejects.toMatchObject(error);
    expect(server.of('tools/call')).toHaveLength(1);
    expect(server.of('initialize')).toHaveLength(1);
  });

  it('[F-60] a result that says it is an error, a cancelled call, and one that took too long', async () => {
    const test = new TestPool();
    const id = await test.ready(stdio('calls.mjs'));
    expect(await test.call(id, 'fails')).toMatchObject({ isError: true, content: [{ type: 'text', text: 'no luck' }] });
    await expect(test.call(id, 'refuses')).rejects.toMatchObject({ code: 'tool/failed', message: 'Not today (code -32050)' });
    await expect(test.call(id, 'wait', {}, { idleMs: 100 })).rejects.toMatchObject({ code: 'tool/timed-out' });
    const stop = new AbortController();
    const cancelled = test.call(id, 'wait', {}, {}, stop.signal);
    setImmediate(() => stop.abort());
    await expect(cancelled).rejects.toMatchObject({ code: 'run/cancelled' });
    expect((await seen(test, id)).filter(([method]) => method === 'tools/call').map(([, name]) => name)).toEqual([
      'fails',
      'refuses',
      'wait',
      'wait',
      'seen',
    ]);
  });
});

it('a result is returned as it came, whatever it holds and whatever the tool promised', async () => {
  await using modern = await RawServer.start({
    modern: true,
    ...toCall((exchange) => exchange.json({ content: [{ type: 'hologram', data: 1 }], structuredContent: { count: 'many' }, extra: true })),
  });
  const test = new TestPool();
  for (const id of [await test.ready(stdio('calls.mjs'), { id: 'child' }), await test.ready(http(modern.url), { id: 'modern' })]) {
    expect(await test.call(id, 'misfit')).toMatchObject({
      content: [{ type: 'hologram', data: 1 }],
      structuredContent: { count: 'many' },
      isError: false,
      raw: { extra: true },
    });
  }
  expect(await test.call(test.define(stdio('calls.mjs'), { id: 'child' }), 'shapeless')).toMatchObject({
    content: [],
    structuredContent: [1],
    raw: { content: 'no list' },
  });
});
