import { describe, expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { startLegacy } from '../../../test/servers/http/sdk-legacy.ts';
import { eventually, http, never, TestPool } from '../../../test/support/test-pool.ts';

const toCall = (answer: (exchange: Exchange) => boolean) => ({
  take: (exchange: Exchange) => exchange.seen.rpc === 'tools/call' && answer(exchange),
});

it('[F-57] [O9] a forgotten session is made anew once for all calls, each is sent again once, and the lists are read again', async () => {
  await using server = await startLegacy();
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  server.forgetSessions();
  server.addTool('after-restart');
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => test.echo(id, `call ${n}`)));
  expect(answers).toEqual(Array.from({ length: 8 }, (_, n) => `call ${n}`));
  expect(server.initialized).toBe(2);
  await eventually(() => expect(test.tools(id)).toContain('after-restart'));
  expect(test.pool.state(id).phase).toBe('ready');
  expect(test.phases(id)).toEqual(['starting', 'ready', 'reconnecting', 'ready']);
});

it('[F-57] [O9] also for resources and prompts, and for the reading of lists', async () => {
  await using server = await RawServer.start({
    sessions: true,
    capabilities: { tools: {}, resources: {} },
    take: (exchange) => {
      if (exchange.seen.rpc !== 'resources/read' || !server.sessions.has(String(exchange.seen.headers['mcp-session-id']))) return false;
      exchange.json({ contents: [{ uri: 'a:b', text: 'read' }] });
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  server.sessions.clear();
  expect(await test.pool.use(id, (session, signal) => session.readResource('a:b', signal), never)).toMatchObject({
    contents: [{ text: 'read' }],
  });
  expect(server.of('initialize')).toHaveLength(2);
  expect(server.of('resources/read')).toHaveLength(2);
});

it.each<[string, (exchange: Exchange) => void]>([
  ['404 with the JSON-RPC error', (exchange) => exchange.error(-32001, 'Session not found', 404, null)],
  ['404 with nothing', (exchange) => exchange.send(404)],
  ['400 and -32000', (exchange) => exchange.error(-32000, 'Bad Request: Server not initialized', 400, null)],
  ['400 for an id that is not valid', (exchange) => exchange.error(-32000, 'Bad Request: No valid session ID provided', 400, null)],
  ['200 and -32000', (exchange) => exchange.error(-32000, 'Server not initialized')],
])('[F-57] the loss is seen in %s', async (_, answer) => {
  let lost = true;
  await using server = await RawServer.start({
    sessions: true,
    ...toCall((exchange) => {
      if (!lost) return false;
      lost = false;
      answer(exchange);
      return true;
    }),
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(await test.echo(id, 'again')).toBe('again');
  expect(server.of('initialize')).toHaveLength(2);
  expect(server.of('tools/call')).toHaveLength(2);
});

it('[F-57] [O9] a second loss in a row is an error that shows, and no loop', async () => {
  await using server = await RawServer.start({
    sessions: true,
    ...toCall((exchange) => {
      exchange.send(404, 'never heard of you');
      return true;
    }),
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'server/http-error', data: { status: 404 } });
  expect(server.of('initialize')).toHaveLength(2);
  expect(server.of('tools/call')).toHaveLength(2);
});

describe('[F-57] what is no loss of a session', () => {
  it.each<[string, boolean, (exchange: Exchange) => void, string]>([
    ['404 to a request without a session', false, (exchange) => exchange.send(404, 'no such page'), 'server/http-error'],
    ['"Server not initialized" without a session', false, (exchange) => exchange.error(-32000, 'Server not initialized'), 'tool/failed'],
    ['any 400', true, (exchange) => exchange.send(400, 'Bad Request'), 'server/http-error'],
    ['400 with another JSON-RPC error', true, (exchange) => exchange.error(-32000, 'Bad Request: missing field', 400), 'server/http-error'],
    ['another error of code -32000', true, (exchange) => exchange.error(-32000, 'Database is locked'), 'tool/failed'],
    ['a connection that closes', true, (exchange) => exchange.response.destroy(), 'tool/outcome-unknown'],
  ])('[F-57] [O9] %s', async (_, sessions, answer, code) => {
    await using server = await RawServer.start({
      sessions,
      ...toCall((exchange) => {
        answer(exchange);
        return true;
      }),
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code });
    expect(server.of('initialize')).toHaveLength(1);
    expect(server.of('tools/call')).toHaveLength(1);
  });

  it('[F-57] a call that is cancelled while the session is lost', async () => {
    const stop = new AbortController();
    await using server = await RawServer.start({
      sessions: true,
      ...toCall((exchange) => {
        stop.abort();
        exchange.send(404);
        return true;
      }),
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await expect(test.call(id, 'echo', {}, {}, stop.signal)).rejects.toMatchObject({ code: 'run/cancelled' });
    expect(server.of('tools/call')).toHaveLength(1);
  });
});

it('a lost session whose server cannot be reached again is told as that', async () => {
  await using server = await RawServer.start({
    sessions: true,
    ...toCall((exchange) => {
      server.behaviour = { take: (next) => next.send(503, 'restarting') === undefined };
      exchange.send(404);
      return true;
    }),
  });
  const test = new TestPool({ random: () => 1 });
  const id = await test.ready(http(server.url));
  await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'server/http-error', data: { status: 503 } });
  expect(test.pool.state(id)).toMatchObject({ phase: 'reconnecting', failure: { httpStatus: 503 } });
});

it('the notification stream that is refused as of no session brings a new one', async () => {
  const streams: ReturnType<Exchange['stream']>[] = [];
  await using server: RawServer = await RawServer.start({
    sessions: true,
    take: (exchange) => {
      if (exchange.seen.http !== 'GET') return false;
      if (server.sessions.has(String(exchange.seen.headers['mcp-session-id']))) streams.push(exchange.stream());
      else exchange.send(404);
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  await eventually(() => expect(streams).toHaveLength(1));
  server.sessions.clear();
  streams[0]?.end();
  await eventually(() => expect(streams).toHaveLength(2));
  expect(server.of('initialize')).toHaveLength(2);
  expect(await test.echo(id, 'on')).toBe('on');
});
