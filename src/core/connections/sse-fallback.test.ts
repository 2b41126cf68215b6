import { describe, expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { http, TestPool } from '../../../test/support/test-pool.ts';

const toInitialize = (answer: (exchange: Exchange) => void) => ({
  take: (exchange: Exchange) => {
    if (exchange.seen.rpc !== 'initialize') return false;
    answer(exchange);
    return true;
  },
});

describe('falling back to SSE', () => {
  it.each([404, 405, 406, 415])('[F-52] HTTP %s to the handshake leads to SSE', async (status) => {
    await using server = await RawSse.start();
    server.postStatus = status;
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'legacy', protocolVersion: '2024-11-05', server: { name: 'sse' } });
    expect(await test.echo(id, 'hi')).toBe('hi');
  });

  it.each([
    ['400', (exchange: Exchange) => exchange.send(400, 'no')],
    ['500', (exchange: Exchange) => exchange.send(500, 'no')],
    ['401', (exchange: Exchange) => exchange.send(401)],
    ['a broken connection', (exchange: Exchange) => exchange.response.destroy()],
    ['silence', () => undefined],
  ])('[F-52] %s to the handshake does not', async (name, answer) => {
    await using server = await RawServer.start(toInitialize(answer));
    const test = new TestPool();
    const id = test.define(http(server.url), name === 'silence' ? { limits: { handshakeMs: 500 } } : {});
    await test.pool.start(id, AbortSignal.timeout(10_000));
    expect(test.pool.state(id).phase).not.toBe('ready');
    expect(server.of('GET')).toEqual([]);
    await test.pool.stop(id, 'asleep', AbortSignal.timeout(5_000));
  });

  it('is remembered, and given up when the server has learnt Streamable HTTP', async () => {
    await using old = await RawSse.start();
    const test = new TestPool();
    const id = await test.ready(http(old.url));
    expect([...test.eras.values()]).toMatchObject([{ era: 'legacy', over: 'sse' }]);
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(old.opened).toBe(2);
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready' });
    await using server = await RawServer.start();
    test.define(http(server.url), { revision: '1' });
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', server: { name: 'raw' } });
  });

  it('when SSE fails too, both answers are told', async () => {
    await using server = await RawServer.start({
      take: (exchange) => {
        exchange.send(exchange.seen.http === 'GET' ? 500 : 404, 'nothing');
        return true;
      },
    });
    const { failure } = await new TestPool().failing(http(server.url));
    expect(failure).toMatchObject({ code: 'server/http-error', httpStatus: 404 });
    expect(failure.message).toMatch(/HTTP 404: nothing .*over SSE.*500/);
  });
});
