import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { startLegacy } from '../../../test/servers/http/sdk-legacy.ts';
import { startModern } from '../../../test/servers/http/sdk-modern.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { http, sse, stdio, TestPool } from '../../../test/support/test-pool.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { systemClock } from '../../node/clock.ts';

const toProbe = (answer: (exchange: Exchange) => void) => ({
  take: (exchange: Exchange) => {
    if (exchange.seen.rpc !== 'server/discover') return false;
    answer(exchange);
    return true;
  },
});
const toInitialize = (answer: (exchange: Exchange) => void) => ({
  take: (exchange: Exchange) => {
    if (exchange.seen.rpc !== 'initialize') return false;
    answer(exchange);
    return true;
  },
});

describe('over HTTP', () => {
  it('[F-50] the new era is agreed on with a server that speaks it, and the old one with one that does not', async () => {
    await using modern = await startModern();
    await using legacy = await startLegacy();
    const test = new TestPool();
    const newer = await test.ready(http(modern.url), { id: 'newer' });
    const older = await test.ready(http(legacy.url), { id: 'older' });
    expect(test.pool.state(newer)).toMatchObject({
      era: 'modern',
      protocolVersion: '2026-07-28',
      server: { name: 'modern', version: '2.0.0' },
    });
    expect(test.pool.state(older)).toMatchObject({
      era: 'legacy',
      protocolVersion: '2025-11-25',
      server: { name: 'legacy', version: '1.0.0' },
    });
    expect(modern.seen.map(({ rpc }) => rpc)).not.toContain('initialize');
    expect(await test.echo(newer, 'new')).toBe('new');
    expect(await test.echo(older, 'old')).toBe('old');
    // `legacy` forces the old handshake on a server that knows both.
    const forced = await test.ready(http(modern.url), { id: 'forced', protocol: 'legacy' });
    expect(test.pool.state(forced)).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' });
    // Elsewhere the old era is the default.
    const child = await test.ready(stdio('versatile.mjs'), { id: 'child' });
    expect(test.pool.state(child)).toMatchObject({ era: 'legacy', server: { name: 'versatile' } });
  });

  it('a server found to be of the old era is not asked again', async () => {
    await using server = await RawServer.start();
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(server.of('initialize')).toHaveLength(2);
    expect(server.of('server/discover')).toHaveLength(1);
  });

  it('a verdict that does not hold any more is dropped, and the era found anew', async () => {
    await using server = await RawServer.start({ modern: true });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect([...test.eras.values()]).toMatchObject([{ era: 'modern' }]);
    server.behaviour = {};
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'legacy' });
    expect([...test.eras.values()]).toMatchObject([{ era: 'legacy' }]);
    server.behaviour = { modern: true, ...toInitialize((exchange) => exchange.error(-32601, 'Only 2026-07-28 here')) };
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'modern' });
  });

  it('a server of the old era is asked again after a day', async () => {
    await using server = await RawServer.start();
    const clock = new FakeClock();
    const test = new TestPool({ clock: { ...systemClock, now: () => clock.now() } });
    const id = await test.ready(http(server.url));
    clock.advance(25 * 3_600_000);
    server.behaviour = { modern: true };
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(test.pool.state(id)).toMatchObject({ era: 'modern' });
  });

  it.each([
    ['5xx', (exchange: Exchange) => exchange.send(500, 'boom')],
    ['a web page', (exchange: Exchange) => exchange.send(200, '<html></html>', { 'content-type': 'text/html' })],
    ['broken JSON', (exchange: Exchange) => exchange.send(200, '{"json', { 'content-type': 'application/json' })],
    ['an answer to somebody else', (exchange: Exchange) => exchange.error(-32600, 'no', 200, 'other')],
    ['an empty event stream', (exchange: Exchange) => exchange.stream().end()],
    ['silence', () => undefined],
  ])('a probe answered by %s is followed by the old handshake', async (_, answer) => {
    await using server = await RawServer.start(toProbe(answer));
    const test = new TestPool();
    const id = await test.ready(http(server.url), { limits: { handshakeMs: 3_000 } });
    expect(test.pool.state(id)).toMatchObject({ era: 'legacy' });
    expect(server.of('server/discover')).toHaveLength(1);
  });

  it('when both eras fail, both failures are told', async () => {
    await using server = await RawServer.start({
      take: (exchange) => {
        exchange.send(
          exchange.seen.rpc === 'server/discover' ? 502 : 400,
          exchange.seen.rpc === 'server/discover' ? 'bad gateway' : 'nothing here',
        );
        return true;
      },
    });
    const { failure } = await new TestPool().failing(http(server.url));
    expect(failure).toMatchObject({ code: 'server/http-error', httpStatus: 400 });
    expect(failure.message).toContain('HTTP 400: nothing here');
    expect(failure.message).toContain('HTTP 502');
  });

  it.each([401, 403])('HTTP %s to the probe is final: nothing else is tried', async (status) => {
    await using server = await RawServer.start({
      take: (exchange) => {
        exchange.send(status, 'who are you?', { 'www-authenticate': 'Bearer' });
        return true;
      },
    });
    const test = new TestPool();
    const id = test.define(http(server.url));
    await test.pool.start(id, AbortSignal.timeout(5_000));
    expect(test.pool.state(id)).toEqual({ phase: 'needs', what: 'sign-in', message: `The server asks for a sign-in (HTTP ${status}). It wants a bearer token before it says what it is` });
    // The second is the one look that says what is there (F-54).
    expect(server.seen.map(({ rpc }) => rpc)).toEqual(['server/discover', 'initialize']);
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'auth/sign-in-required' });
    expect(server.seen).toHaveLength(2);
  });

  it('HTTP 403 without a challenge is a refusal that no sign-in lifts', async () => {
    await using server = await RawServer.start({
      take: (exchange) => {
        exchange.send(403, 'Invalid Host header');
        return true;
      },
    });
    const { failure } = await new TestPool().failing(http(server.url));
    expect(failure).toMatchObject({
      code: 'server/http-error',
      httpStatus: 403,
      message: 'The server answered HTTP 403: Invalid Host header',
    });
    expect(server.of('server/discover')).toHaveLength(1);
  });
});

describe('versions', () => {
  it.each([-32602, -32600])('[H-38] a server that answers %s to 2025-11-25 is asked once more, with 2024-11-05', async (code) => {
    await using server = await RawServer.start(
      toInitialize((exchange) =>
        exchange.seen.params['protocolVersion'] === '2024-11-05'
          ? server.usual(exchange)
          : exchange.error(code, 'Unsupported protocol version'),
      ),
    );
    const test = new TestPool();
    const id = await test.ready(http(server.url), { protocol: 'legacy' });
    expect(server.of('initialize').map(({ params }) => params['protocolVersion'])).toEqual(['2025-11-25', '2024-11-05']);
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', protocolVersion: '2024-11-05' });
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(server.of('initialize').at(-1)?.params['protocolVersion']).toBe('2024-11-05');
    expect(server.of('initialize')).toHaveLength(3);
  });

  it('[H-38] any other error to the handshake is final, and so is a second one', async () => {
    await using server = await RawServer.start(toInitialize((exchange) => exchange.error(-32000, 'Go away')));
    const test = new TestPool();
    const { failure } = await test.failing(http(server.url), { protocol: 'legacy' });
    expect(failure).toMatchObject({ code: 'server/protocol-error', message: 'Go away (code -32000)' });
    expect(server.of('initialize')).toHaveLength(1);
    server.behaviour = toInitialize((exchange) => exchange.error(-32602, 'Never'));
    await test.pool.start(test.define(http(server.url), { protocol: 'legacy' }), AbortSignal.timeout(5_000));
    expect(server.of('initialize')).toHaveLength(3);
  });

  it('[H-38] the older version is also offered after HTTP 400 with such an error, and over stdio', async () => {
    await using server = await RawServer.start(
      toInitialize((exchange) =>
        exchange.seen.params['protocolVersion'] === '2024-11-05' ? server.usual(exchange) : exchange.error(-32602, 'Unsupported', 400),
      ),
    );
    const test = new TestPool();
    await test.ready(http(server.url));
    const log = join(tempFolder(), 'log');
    const child = await test.ready(stdio('eras.mjs', '--only-2024', '--log', log), { id: 'child' });
    expect(test.pool.state(child)).toMatchObject({ protocolVersion: '2024-11-05' });
    expect(readFileSync(log, 'utf8')).toContain('initialize 2025-11-25\n');
  });

  it('[H-39] says who it is, and takes whatever version the server answers', async () => {
    await using server = await RawServer.start({ version: '1999-12-31' });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    expect(server.of('initialize')[0]?.params['clientInfo']).toEqual({ name: 'Gatehouse', version: '0.0.1' });
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', protocolVersion: '1999-12-31', era: 'legacy' });
    expect(await test.echo(id, 'hi')).toBe('hi');
    expect(server.of('tools/call')[0]?.headers['mcp-protocol-version']).toBe('1999-12-31');
  });
});

describe('over stdio', () => {
  const started = (log: string): readonly string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('start '))
      .map((line) => line.split(' ')[1] ?? '');

  it('[F-51] the probe goes to a process of its own: one that exits at it costs the real one nothing', async () => {
    const log = join(tempFolder(), 'log');
    const test = new TestPool();
    const id = await test.ready(stdio('eras.mjs', '--exit-at-probe', '--log', log), { protocol: 'auto' });
    const pids = started(log);
    expect(pids).toHaveLength(2);
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'legacy', pid: Number(pids[1]) });
    expect(
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('initialize')),
    ).toEqual(['initialize 2025-11-25']);
    expect(await test.echo(id, 'hi')).toBe('hi');
    // The verdict is kept: no probe the next time.
    await test.pool.restart(id, AbortSignal.timeout(5_000));
    expect(started(log)).toHaveLength(3);
  });

  it('[F-51] a process that speaks the new era is found to', async () => {
    const log = join(tempFolder(), 'log');
    const test = new TestPool();
    const id = await test.ready(stdio('eras.mjs', '--modern', '--log', log), { protocol: 'auto' });
    const [probe, real] = started(log);
    expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'modern', protocolVersion: '2026-07-28', pid: Number(real) });
    expect(() => process.kill(Number(probe), 0)).toThrow('ESRCH');
    expect(await test.echo(id, 'hi')).toBe('hi');
  });

  it('[F-51] without being asked for, no process is probed', async () => {
    const log = join(tempFolder(), 'log');
    await new TestPool().ready(stdio('eras.mjs', '--exit-at-probe', '--log', log));
    expect(started(log)).toHaveLength(1);
  });

  it('a command that is not there fails once, whatever the era', async () => {
    const { failure, phase } = await new TestPool().failing(
      { type: 'stdio', command: 'no-such-command-here', args: [], env: {} },
      { protocol: 'auto' },
    );
    expect(phase).toBe('failed');
    expect(failure).toMatchObject({ code: 'launch/command-not-found' });
    expect(failure.detail).toContain('Searched in:');
  });
});

it('SSE is always of the old era', async () => {
  await using server = await RawSse.start();
  const test = new TestPool();
  const id = await test.ready(sse(server.url), { protocol: 'auto' });
  expect(test.pool.state(id)).toMatchObject({ era: 'legacy' });
  expect(server.seen).not.toContain('server/discover');
});
