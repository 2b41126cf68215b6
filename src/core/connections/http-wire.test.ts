import { describe, expect, it } from 'vitest';
import { echoTool, RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { startModern } from '../../../test/servers/http/sdk-modern.ts';
import { eventually, http, never, TestPool, textOf } from '../../../test/support/test-pool.ts';

const toCall = (answer: (exchange: Exchange) => void) => ({
  take: (exchange: Exchange) => {
    if (exchange.seen.rpc !== 'tools/call') return false;
    answer(exchange);
    return true;
  },
});
const said = (exchange: Exchange, text: string) => ({
  jsonrpc: '2.0',
  id: exchange.seen.id,
  result: { content: [{ type: 'text', text }] },
});

it('[H-33] posts JSON-RPC, accepts both kinds of body, and reads both', async () => {
  await using server = await RawServer.start();
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(await test.echo(id, 'as JSON')).toBe('as JSON');
  const [call] = server.of('tools/call');
  expect(call?.http).toBe('POST');
  expect(call?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  server.behaviour = toCall((exchange) => {
    const stream = exchange.stream();
    stream.event(said(exchange, 'as events'));
    stream.end();
  });
  expect(await test.echo(id, 'x')).toBe('as events');
});

describe('limits of a server', () => {
  it.each([
    ['the handshake', 'initialize', (test: TestPool, id: ReturnType<TestPool['define']>) => test.echo(id, 'x')],
    [
      'a call, even one that reports progress',
      'tools/call',
      (test: TestPool, id: ReturnType<TestPool['define']>) => test.call(id, 'echo', {}, { idleMs: 200, totalMs: 400 }),
    ],
    [
      'reading a resource',
      'resources/read',
      (test: TestPool, id: ReturnType<TestPool['define']>) =>
        test.pool.use(id, (session, signal) => session.readResource('a:b', signal), never),
    ],
    [
      'a prompt',
      'prompts/get',
      (test: TestPool, id: ReturnType<TestPool['define']>) =>
        test.pool.use(id, (session, signal) => session.getPrompt('p', {}, signal), never),
    ],
  ])('[H-34] each HTTP request ends at its deadline: %s', async (_, method, request) => {
    const timers: NodeJS.Timeout[] = [];
    await using server = await RawServer.start({
      capabilities: { tools: {}, resources: {}, prompts: {} },
      take: (exchange) => {
        if (exchange.seen.rpc !== method) return false;
        const { progressToken } = (exchange.seen.params['_meta'] ?? {}) as { progressToken?: number }; // as the client sends it
        const stream = exchange.stream();
        timers.push(
          setInterval(
            () => stream.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: Date.now() } }),
            50,
          ),
        );
        return true;
      },
    });
    const test = new TestPool();
    const id = test.define(http(server.url), { protocol: 'legacy', limits: { handshakeMs: 400, callIdleMs: 400, callTotalMs: 400 } });
    const before = Date.now();
    await expect(request(test, id)).rejects.toMatchObject({ code: method === 'tools/call' ? 'tool/timed-out' : 'connection/timed-out' });
    expect(Date.now() - before).toBeLessThan(3_000);
    for (const timer of timers) clearInterval(timer);
  });

  it('[H-34] and a list', async () => {
    await using server = await RawServer.start({ take: (exchange) => exchange.seen.rpc === 'tools/list' });
    const test = new TestPool();
    const id = await test.ready(http(server.url), { limits: { handshakeMs: 400 } });
    expect(test.listing(id)).toMatchObject({ tools: [], warnings: [expect.stringContaining('did not answer in time')] });
  });
});

it.each(['ftp://127.0.0.1/mcp', 'file:///etc/passwd', 'ws://127.0.0.1:1/', 'javascript:alert(1)', 'not a url'])(
  '[H-35] %s is not dialled',
  async (url) => {
    const asked: unknown[] = [];
    for (const type of ['streamable-http', 'sse'] as const) {
      const test = new TestPool({
        transports: {
          stdio: () => expect.unreachable(),
          socket: () => expect.unreachable(),
          fetch: async (input) => {
            asked.push(input);
            return new Response();
          },
        },
      });
      const { failure } = await test.failing({ type, url, headers: {} });
      expect(failure).toMatchObject({ code: 'config/invalid', message: 'Only http:// and https:// addresses can be used' });
      expect(asked).toEqual([]);
    }
  },
);

it('[H-36] a refusal by HTTP tells its status, and one by JSON-RPC its message and code', async () => {
  await using server = await RawServer.start(toCall((exchange) => exchange.send(418, 'I am a teapot')));
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  await expect(test.echo(id, 'x')).rejects.toMatchObject({
    code: 'server/http-error',
    message: 'The server answered HTTP 418: I am a teapot',
    data: { status: 418 },
  });
  server.behaviour = toCall((exchange) => exchange.error(-32099, 'Quota exceeded'));
  await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'tool/failed', message: 'Quota exceeded (code -32099)' });
  server.behaviour = toCall((exchange) => exchange.error(-32602, 'Bad arguments', 400));
  await expect(test.echo(id, 'x')).rejects.toMatchObject({
    code: 'server/http-error',
    message: 'The server answered HTTP 400: Bad arguments (code -32602)',
  });
  expect(server.of('tools/call')).toHaveLength(3);
  server.behaviour = {
    take: ({ seen, ...exchange }) => (seen.rpc === 'initialize' ? exchange.response.writeHead(503).end('down') && true : false),
  };
  const { failure } = await test.failing(http(server.url), { id: 'other', protocol: 'legacy' });
  expect(failure).toMatchObject({ code: 'server/http-error', httpStatus: 503, message: 'The server answered HTTP 503: down' });
});

describe('[H-37] what the first harness fell short of', () => {
  it('[H-37] an event of megabytes and one of several lines arrive whole', async () => {
    await using server = await RawServer.start(
      toCall((exchange) => {
        const stream = exchange.stream();
        if (exchange.seen.params['name'] === 'big') stream.event(said(exchange, 'x'.repeat(5_000_000)));
        else
          stream.raw(
            `: comment\nevent: message\n${JSON.stringify(said(exchange, 'in lines'), null, 2)
              .split('\n')
              .map((line) => `data: ${line}\n`)
              .join('')}\n`,
          );
        stream.end();
      }),
    );
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(textOf(await test.call(id, 'big'))).toHaveLength(5_000_000);
    expect(textOf(await test.call(id, 'lines'))).toBe('in lines');
  });

  it('[H-37] of several events the one with the right id is the answer', async () => {
    await using server = await RawServer.start(
      toCall((exchange) => {
        const stream = exchange.stream();
        for (const id of [999, String(exchange.seen.id), null, `${String(exchange.seen.id)}0`])
          stream.event({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'wrong' }] } });
        stream.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'between' } });
        stream.event(said(exchange, 'right'));
        stream.end();
      }),
    );
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(await test.echo(id, 'x')).toBe('right');
    expect(test.lines.filter(({ from }) => from === 'gatehouse').map(({ text }) => text)).toContain(
      'The server answered a request that was not made or has ended (id 999)',
    );
    expect(test.lines).toContainEqual(expect.objectContaining({ from: 'server', level: 'info', text: 'between' }));
  });

  it('[H-37] the session id goes with every request, `initialized` is sent, and lists are read to their end', async () => {
    await using server = await RawServer.start({
      sessions: true,
      take: (exchange) => {
        const { seen } = exchange;
        if (seen.rpc !== 'tools/list' || !server.sessions.has(String(seen.headers['mcp-session-id']))) return false;
        exchange.json(
          seen.params['cursor'] === 'p2' ? { tools: [{ ...echoTool, name: 'second' }] } : { tools: [echoTool], nextCursor: 'p2' },
        );
        return true;
      },
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await test.echo(id, 'x');
    const [session] = server.sessions;
    const later = server.seen.filter(({ rpc }) => rpc !== 'initialize' && rpc !== 'server/discover');
    expect(later.map(({ rpc, http: verb }) => rpc ?? verb)).toEqual(
      ['notifications/initialized', 'GET', 'tools/list', 'tools/list', 'tools/call'].toSorted(
        (a, b) =>
          later.findIndex(({ rpc, http: verb }) => (rpc ?? verb) === a) - later.findIndex(({ rpc, http: verb }) => (rpc ?? verb) === b),
      ),
    );
    expect(later.every(({ headers }) => headers['mcp-session-id'] === session && headers['mcp-protocol-version'] === '2025-11-25')).toBe(
      true,
    );
    expect(test.tools(id)).toEqual(['echo', 'second']);
    await test.pool.stop(id, 'asleep', never);
    expect(server.of('DELETE')).toHaveLength(1);
  });
});

describe('the new era', () => {
  it('[F-53] sends its headers, some arguments among them, and opens no stream of its own', async () => {
    await using server = await startModern();
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(textOf(await test.call(id, 'place', { region: 'Zürich' }))).toBe('Zürich');
    const call = server.seen.find(({ rpc }) => rpc === 'tools/call');
    expect(call?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'place',
      'mcp-param-region': `=?base64?${btoa(unescape(encodeURIComponent('Zürich')))}?=`,
    });
    expect(server.seen.find(({ rpc }) => rpc === 'tools/list')?.headers).toMatchObject({ 'mcp-method': 'tools/list' });
    expect(server.seen.filter(({ http: verb }) => verb !== 'POST')).toEqual([]);
    expect(server.seen.some(({ headers }) => 'mcp-session-id' in headers)).toBe(false);
  });

  it('hears of changes through a subscription', async () => {
    await using server = await startModern();
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await eventually(() => expect(server.seen.map(({ rpc }) => rpc)).toContain('subscriptions/listen'));
    const before = server.seen.filter(({ rpc }) => rpc === 'tools/list').length;
    await eventually(() => {
      server.toolsChanged();
      expect(server.seen.filter(({ rpc }) => rpc === 'tools/list').length).toBeGreaterThan(before);
    });
    expect(test.listings.get(id)).toHaveLength(1);
  });

  it('reports progress', async () => {
    await using server = await startModern();
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    const progress: number[] = [];
    await test.call(id, 'steps', { count: 3 }, { onProgress: ({ done }) => progress.push(done) });
    expect(progress).toEqual([1, 2, 3]);
  });
});

describe('a broken body', () => {
  it('[F-61] of an event stream fails its own request only', async () => {
    const held: Exchange[] = [];
    await using server = await RawServer.start(toCall((exchange) => void held.push(exchange)));
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    const broken = test.call(id, 'a');
    const whole = test.call(id, 'b');
    await eventually(() => expect(held).toHaveLength(2));
    const [a, b] = held.toSorted((x, y) => String(x.seen.params['name']).localeCompare(String(y.seen.params['name'])));
    const streamOfB = b?.stream();
    const streamOfA = a?.stream();
    streamOfA?.raw('event: message\ndata: {"jsonrpc":"2.0","id":');
    await new Promise(setImmediate);
    streamOfA?.break();
    await expect(broken).rejects.toMatchObject({ code: 'tool/outcome-unknown', data: { server: 'srv', tool: 'a' } });
    streamOfB?.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'later' } });
    if (b) streamOfB?.event(said(b, 'whole'));
    streamOfB?.end();
    expect(textOf(await whole)).toBe('whole');
    await eventually(() => expect(test.lines).toContainEqual(expect.objectContaining({ from: 'server', text: 'later' })));
    expect(test.phases(id)).toEqual(['starting', 'ready']);
    expect(server.of('tools/call')).toHaveLength(2);
  });

  it('an event that is no JSON leaves the stream to the events after it', async () => {
    await using server = await RawServer.start(
      toCall((exchange) => {
        const stream = exchange.stream();
        stream.raw('data: {not json\n\ndata: [1,2]\n\ndata: "text"\n\n');
        stream.event(said(exchange, 'fine'));
        stream.end();
      }),
    );
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(await test.echo(id, 'x')).toBe('fine');
  });
});
