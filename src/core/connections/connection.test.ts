import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { echoTool, RawServer } from '../../../test/servers/http/raw-server.ts';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, never, socket, stdio, TestPool, textOf } from '../../../test/support/test-pool.ts';

const closed = { take: (exchange: { readonly response: { shouldKeepAlive: boolean } }) => (exchange.response.shouldKeepAlive = false) };
/** Lets each quick try of a connect come to its wait, and ends the wait. */
async function throughQuickTries(clock: FakeClock, test: TestPool, id: Parameters<TestPool['call']>[0]): Promise<readonly number[]> {
  const waits: number[] = [];
  while (!('retryAt' in test.pool.state(id)) || test.pool.state(id).phase === 'starting') {
    await eventually(() => expect(clock.waits.length > 0 || test.pool.state(id).phase === 'failed').toBe(true));
    if (test.pool.state(id).phase !== 'starting') break;
    waits.push(...clock.waits);
    clock.advance(clock.waits[0] ?? 0);
    await new Promise(setImmediate);
  }
  return waits;
}

describe('[F-46] one attempt for everybody', () => {
  it('[F-46] callers of a starting server share its attempt', async () => {
    await using server = await RawServer.start();
    const test = new TestPool();
    const id = test.define(http(server.url), { protocol: 'legacy' });
    const answers = await Promise.all([
      test.pool.start(id, never),
      test.pool.wake([id], never),
      ...Array.from({ length: 6 }, (_, n) => test.echo(id, `${n}`)),
    ]);
    expect(answers.slice(2)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(server.of('initialize')).toHaveLength(1);
  });

  it('[F-46] one that gives up waiting takes the attempt from nobody', async () => {
    const held: (() => void)[] = [];
    await using server: RawServer = await RawServer.start({
      take: (exchange) => exchange.seen.rpc === 'initialize' && held.push(() => server.usual(exchange)) > 0,
    });
    const test = new TestPool();
    const id = test.define(http(server.url), { protocol: 'legacy' });
    const impatient = new AbortController();
    const gone = test.call(id, 'echo', {}, {}, impatient.signal);
    const patient = test.echo(id, 'here');
    await eventually(() => expect(held).toHaveLength(1));
    impatient.abort();
    await expect(gone).rejects.toThrow();
    held[0]?.();
    expect(await patient).toBe('here');
  });

  it('[F-46] reconnecting replaces only the connection it was given: news of an older one changes nothing', async () => {
    await using server = await RawSocket.start(join(tempFolder(), 's'));
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    const [first] = server.peers;
    await test.pool.restart(id, never);
    await eventually(() => expect(server.peers.size).toBe(1));
    first?.destroy();
    expect(await test.echo(id, 'the second')).toBe('the second');
    expect(server.opened).toBe(2);
    expect(test.phases(id)).toEqual(['starting', 'ready', 'stopped', 'starting', 'ready']);
  });
});

describe('a process that ends', () => {
  it('[O6] rejects what waits at once, naming code or signal, and the next use starts it again', async () => {
    const test = new TestPool();
    const id = await test.ready(stdio('calls.mjs'));
    const firstPid = textOf(await test.call(id, 'pid'));
    const before = Date.now();
    const [boom, waiting] = await Promise.allSettled([test.call(id, 'boom'), test.call(id, 'wait')]);
    expect(Date.now() - before).toBeLessThan(5_000);
    for (const lost of [boom, waiting]) {
      expect(lost).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'tool/outcome-unknown',
          message: expect.stringContaining('exited with code 137: fatal: out of cheese'),
          data: { because: 'server/exited', exitCode: 137 },
        },
      });
    }
    expect(test.pool.state(id)).toMatchObject({
      phase: 'failed',
      failure: { code: 'server/exited', exitCode: 137, detail: expect.stringContaining('out of cheese') },
    });
    expect(await test.echo(id, 'again')).toBe('again');
    expect(textOf(await test.call(id, 'pid'))).not.toBe(firstPid);
    await expect(test.call(id, 'killed')).rejects.toMatchObject({
      code: 'tool/outcome-unknown',
      message: expect.stringContaining('was ended by SIGKILL'),
    });
    expect(test.pool.state(id)).toMatchObject({ phase: 'failed', failure: { signal: 'SIGKILL' } });
  });

  it('[O6] starts its counting anew after it held for a while: six deaths with good time between them are no loop', async () => {
    const clock = new FakeClock();
    const test = new TestPool({ clock });
    const id = await test.ready(stdio('calls.mjs'));
    for (let round = 0; round < 6; round += 1) {
      await expect(test.call(id, 'boom')).rejects.toMatchObject({ code: 'tool/outcome-unknown' });
      expect(await test.echo(id, `round ${round}`)).toBe(`round ${round}`);
      clock.advance(61_000);
    }
    expect(test.pool.state(id).phase).toBe('ready');
  });

  it('[O6] five deaths within a minute are a crash loop, until a person starts it', async () => {
    const test = new TestPool({ random: () => 0 });
    const id = await test.ready(stdio('calls.mjs'));
    for (let death = 1; death <= 5; death += 1) await expect(test.call(id, 'boom')).rejects.toMatchObject({ code: 'tool/outcome-unknown' });
    const state = test.pool.state(id);
    expect(state).toMatchObject({
      phase: 'failed',
      failure: { code: 'connection/crash-loop', exitCode: 137, message: expect.stringContaining('5 times within a minute') },
    });
    expect(state).not.toHaveProperty('retryAt');
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/crash-loop' });
    test.networkIsBack();
    expect(test.pool.state(id)).toBe(state);
    await test.pool.start(id, never);
    expect(await test.echo(id, 'a person did it')).toBe('a person did it');
    await expect(test.call(id, 'boom')).rejects.toMatchObject({ code: 'tool/outcome-unknown' });
    expect(await test.echo(id, 'and it counts from one')).toBe('and it counts from one');
  });

  it('[O6] one that exits at every start is tried three times, then not before its time, then stops as a loop', async () => {
    const clock = new FakeClock();
    const test = new TestPool({ clock, random: () => 1 });
    const id = test.define(stdio('versatile.mjs', '--exit-at-start'));
    void test.pool.start(id, never);
    expect(await throughQuickTries(clock, test, id)).toEqual([250, 500]);
    expect(test.pool.state(id)).toMatchObject({
      phase: 'failed',
      retryAt: clock.now() + 1_000,
      failure: {
        code: 'server/exited',
        exitCode: 1,
        message: 'The server exited with code 1: starting / Error: API_KEY=sk-test-123 is invalid',
      },
    });
    expect(clock.waits).toEqual([]);
    await expect(test.echo(id, 'x')).rejects.toMatchObject({
      code: 'connection/backing-off',
      data: { retryAt: clock.now() + 1_000, ageSeconds: 0 },
    });
    clock.advance(1_000);
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'server/exited' });
    expect(test.pool.state(id)).toMatchObject({ phase: 'failed', retryAt: clock.now() + 2_000 });
    clock.advance(2_000);
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'server/exited' });
    expect(test.pool.state(id)).toMatchObject({ phase: 'failed', failure: { code: 'connection/crash-loop' } });
  });
});

describe('a connect that fails', () => {
  it('is tried by itself again, over HTTP, until the server is there', async () => {
    const clock = new FakeClock();
    await using server = await RawServer.start(closed);
    await server.stop();
    const test = new TestPool({ clock, random: () => 1 });
    const id = test.define(http(server.url), { protocol: 'legacy' });
    void test.pool.start(id, never);
    expect(await throughQuickTries(clock, test, id)).toEqual([250, 500]);
    expect(test.pool.state(id)).toMatchObject({
      phase: 'failed',
      failure: { code: 'connection/unreachable' },
      retryAt: clock.now() + 1_000,
    });
    await server.listen();
    clock.advance(1_000);
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
  });

  it.each([
    ['a refusal', { take: (exchange: { send: (status: number) => void }) => exchange.send(400) === undefined }, 'server/http-error'],
    [
      'a page that is no MCP',
      {
        take: (exchange: { send: (status: number, body: string, headers: Record<string, string>) => void }) =>
          exchange.send(200, '<html>', { 'content-type': 'text/html' }) === undefined,
      },
      'server/not-mcp',
    ],
  ])('%s is not tried again by itself, and a use says why', async (_, behaviour, code) => {
    await using server = await RawServer.start(behaviour);
    const test = new TestPool();
    const state = await test.failing(http(server.url), { protocol: 'legacy' });
    expect(state).toMatchObject({ phase: 'failed', failure: { code } });
    expect(state).not.toHaveProperty('retryAt');
    await expect(test.echo(test.define(http(server.url), { protocol: 'legacy' }), 'x')).rejects.toMatchObject({ code });
    // One attempt, and the one look that says what is there (F-54).
    expect(server.of('initialize')).toHaveLength(2);
  });

  it('the handshake has its limit, and what stderr said is told', async () => {
    const test = new TestPool({ random: () => 1 });
    const { failure, phase } = await test.failing(stdio('calls.mjs', '--silent'), { limits: { handshakeMs: 1_500 } });
    expect(phase).toBe('failed');
    expect(failure).toMatchObject({
      code: 'connection/timed-out',
      message: 'The server did not finish the handshake within 1.5 s',
      detail: expect.stringContaining('waiting'),
    });
  });

  it.each([
    ['secret/missing', 'secret'],
    ['trust/needed', 'trust'],
    ['project/needed', 'project'],
    ['vault/locked', 'secret'],
  ] as const)('%s is a need of a person, asked for again at each use', async (code, what) => {
    await using server = await RawServer.start();
    let missing = true;
    const test = new TestPool();
    const id = test.define(http(server.url), {
      launch: () => {
        if (missing) throw new AppError(code, 'Something is missing');
        return { type: 'streamable-http', url: server.url, headers: {} };
      },
    });
    await test.pool.start(id, never);
    expect(test.pool.state(id)).toEqual({ phase: 'needs', what, message: 'Something is missing' });
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code });
    expect(server.seen).toEqual([]);
    missing = false;
    expect(await test.echo(id, 'now')).toBe('now');
  });

  it('secrets are masked wherever the failure is shown', async () => {
    const test = new TestPool({ mask: (text) => text.replaceAll('sk-test-123', '•••'), clock: new FakeClock() });
    const id = test.define(stdio('versatile.mjs', '--exit-at-start'));
    void test.pool.start(id, never);
    await eventually(() => expect(test.lines.length).toBeGreaterThan(0));
    await test.pool.stop(id, 'asleep', never);
    const plain = new TestPool({ mask: (text) => text.replaceAll('sk-test-123', '•••') });
    const { failure } = await plain.failing(stdio('versatile.mjs', '--exit-at-start'));
    expect(failure.message).toContain('API_KEY=•••');
    expect(JSON.stringify([failure, test.lines])).not.toContain('sk-test');
    const quoting = new TestPool({ mask: (text) => text.replaceAll('cheese', '•••') });
    const lost: unknown = await quoting.call(await quoting.ready(stdio('calls.mjs')), 'boom').catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'tool/outcome-unknown', message: expect.stringContaining('out of •••') });
    expect(JSON.stringify(lost instanceof AppError && lost.toData())).not.toContain('cheese');
  });
});

it('a tool list that did not change is told again after a reconnect, for whoever forgot it meanwhile', async () => {
  await using server = await RawServer.start({ tools: [echoTool] });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  await test.pool.restart(id, never);
  expect(test.listings.get(id)).toHaveLength(2);
});
