import { describe, expect, it } from 'vitest';
import { echoTool, RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { eventually, http, sse, TestPool } from '../../../test/support/test-pool.ts';
import { Secret } from '../kernel/secret.ts';

describe('the stream for notifications', () => {
  it.each([400, 404, 405, 406, 501])('[S2] a server that answers HTTP %s to it has none, and nothing is wrong', async (status) => {
    await using server = await RawServer.start({
      sessions: true,
      take: (exchange) => {
        if (exchange.seen.http !== 'GET') return false;
        exchange.send(status);
        return true;
      },
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(await test.echo(id, 'hi')).toBe('hi');
    expect(test.pool.state(id).phase).toBe('ready');
    expect(server.of('GET')).toHaveLength(1);
    expect(server.of('initialize')).toHaveLength(1);
    expect(test.lines).toEqual([]);
    expect(test.bugs).toEqual([]);
  });

  it('one that keeps closing is opened again ever more slowly, and given up with a note', async () => {
    const clock = new FakeClock();
    await using server = await RawServer.start({
      take: (exchange) => {
        if (exchange.seen.http !== 'GET') return false;
        exchange.stream().end();
        return true;
      },
    });
    const test = new TestPool({ clock });
    const id = await test.ready(http(server.url), { protocol: 'legacy' });
    const waits: number[] = [];
    for (let opened = 1; opened <= 10; opened += 1) {
      await eventually(() => expect(clock.waits).toHaveLength(1));
      waits.push(...clock.waits);
      expect(server.of('GET')).toHaveLength(opened);
      clock.advance(clock.waits[0] ?? 0);
    }
    await eventually(() =>
      expect(test.lines.map(({ text }) => text)).toContain(
        'The server keeps closing its stream for notifications; it is not opened again until the next connect',
      ),
    );
    expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(server.of('GET')).toHaveLength(11);
    expect(clock.waits).toEqual([]);
    expect(await test.echo(id, 'still there')).toBe('still there');
  });

  it('what may have been missed while it was away is read again', async () => {
    const clock = new FakeClock();
    const streams: ReturnType<Exchange['stream']>[] = [];
    await using server = await RawServer.start({
      capabilities: { tools: { listChanged: true } },
      take: (exchange) => {
        if (exchange.seen.http !== 'GET') return false;
        streams.push(exchange.stream());
        return true;
      },
    });
    const test = new TestPool({ clock });
    const id = await test.ready(http(server.url), { protocol: 'legacy' });
    await eventually(() => expect(streams).toHaveLength(1));
    server.behaviour = { ...server.behaviour, tools: [echoTool, { ...echoTool, name: 'new' }] };
    streams[0]?.end();
    await eventually(() => expect(clock.waits).toHaveLength(1));
    clock.advance(1_000);
    await eventually(() => expect(test.tools(id)).toEqual(['echo', 'new']));
  });
});

describe('headers', () => {
  it('what a person configured goes along, secrets among it, but never in place of the protocol’s own', async () => {
    await using server = await RawServer.start({ sessions: true });
    const test = new TestPool();
    const headers = {
      Authorization: new Secret('Bearer s3cret'),
      'X-Team': 'blue',
      'Content-Type': 'text/plain',
      Accept: 'nothing',
      'Mcp-Session-Id': 'mine',
    };
    const id = await test.ready(http(server.url), { launch: () => ({ type: 'streamable-http', url: server.url, headers }) });
    await test.echo(id, 'x');
    for (const { headers: sent, http: verb } of server.seen) {
      expect(sent).toMatchObject({ authorization: 'Bearer s3cret', 'x-team': 'blue' });
      expect(sent['content-type']).toBe(verb === 'POST' ? 'application/json' : undefined);
      expect(sent['mcp-session-id']).not.toBe('mine');
      expect(Object.keys(sent).filter((name) => name.startsWith('x-gatehouse'))).toEqual([]);
    }
  });

  it('a value that HTTP does not allow is refused without telling it', async () => {
    const test = new TestPool();
    for (const transport of [http('http://127.0.0.1:1/'), sse('http://127.0.0.1:1/')]) {
      const { failure } = await test.failing(transport, {
        id: transport.type,
        launch: () => ({
          type: transport.type === 'sse' ? 'sse' : 'streamable-http',
          url: 'http://127.0.0.1:1/',
          headers: { 'X-Key': new Secret('line\nbreak') },
        }),
      });
      expect(failure).toMatchObject({ code: 'config/invalid' });
      expect(JSON.stringify(failure)).not.toContain('break');
    }
  });
});
