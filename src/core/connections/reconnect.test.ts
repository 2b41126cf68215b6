import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawServer } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, socket, sse, TestPool } from '../../../test/support/test-pool.ts';

describe('a connection that drops', () => {
  it('[O8] over SSE: reconnecting with its tools listed, tried ever less often, and at once on the next use', async () => {
    const clock = new FakeClock();
    await using server = await RawSse.start();
    const test = new TestPool({ clock, random: () => 1 });
    const id = await test.ready(sse(server.url));
    await server.stop();
    await eventually(() => expect(test.pool.state(id)).toMatchObject({ phase: 'reconnecting', attempt: 1, retryAt: clock.now() + 1_000 }));
    for (const wait of [1_000, 2_000, 4_000]) {
      expect(clock.waits).toEqual([wait]);
      clock.advance(wait);
      await eventually(() => expect(test.pool.state(id)).toMatchObject({ phase: 'reconnecting', retryAt: clock.now() + wait * 2 }));
    }
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/backing-off', data: { retryAt: clock.now() + 8_000 } });
    expect(test.tools(id)).toEqual(['echo']);
    expect(test.listings.get(id)).toHaveLength(1);
    await server.listen();
    clock.advance(8_000);
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
    expect(server.opened).toBe(2);
    expect(server.open).toBe(1);
  });

  it('[O8] the first use after a drop tries at once, and so does the network coming back', async () => {
    const clock = new FakeClock();
    await using server = await RawSse.start();
    const test = new TestPool({ clock, random: () => 1 });
    const id = await test.ready(sse(server.url));
    server.dropStreams();
    await eventually(() => expect(test.pool.state(id).phase).toBe('reconnecting'));
    expect(await Promise.all([test.echo(id, 'at once'), test.echo(id, 'with it')])).toEqual(['at once', 'with it']);
    expect(server.opened).toBe(2);
    await server.stop();
    await eventually(() => expect(test.pool.state(id).phase).toBe('reconnecting'));
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/unreachable' });
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/backing-off' });
    await server.listen();
    test.networkIsBack();
    await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
    expect(server.open).toBe(1);
    expect(clock.waits).toEqual([]);
  });

  it('[O8] over Streamable HTTP: when its stream cannot be opened again, or a request cannot be sent', async () => {
    const clock = new FakeClock();
    await using server: RawServer = await RawServer.start({
      take: (exchange) => {
        exchange.response.shouldKeepAlive = false;
        if (exchange.seen.http !== 'GET') return false;
        exchange.stream().raw(': open\n\n');
        return true;
      },
    });
    const test = new TestPool({ clock, random: () => 1 });
    const id = await test.ready(http(server.url), { protocol: 'legacy' });
    await eventually(() => expect(server.of('GET')).toHaveLength(1));
    await server.stop();
    await eventually(() => expect(clock.waits).toEqual([1_000]));
    expect(test.pool.state(id).phase).toBe('ready');
    clock.advance(1_000);
    await eventually(() =>
      expect(test.pool.state(id)).toMatchObject({ phase: 'reconnecting', failure: { code: 'connection/unreachable' } }),
    );
    expect(test.tools(id)).toEqual(['echo']);
    await server.listen();
    expect(await test.echo(id, 'back')).toBe('back');
    await server.stop();
    await expect(test.echo(id, 'x')).rejects.toMatchObject({ code: 'connection/unreachable' });
    expect(test.pool.state(id).phase).toBe('reconnecting');
    await server.listen();
    test.networkIsBack();
    expect(await test.echo(id, 'back again')).toBe('back again');
  });

  it('[O8] over a socket; one that never holds waits longer each time', async () => {
    const clock = new FakeClock();
    await using server = await RawSocket.start(join(tempFolder(), 's'));
    const test = new TestPool({ clock, random: () => 1 });
    const id = await test.ready(socket(server.path));
    for (const wait of [1_000, 2_000, 4_000]) {
      for (const peer of server.peers) peer.destroy();
      await eventually(() => expect(test.pool.state(id)).toMatchObject({ phase: 'reconnecting', retryAt: clock.now() + wait }));
      clock.advance(wait);
      await eventually(() => expect(test.pool.state(id).phase).toBe('ready'));
    }
    clock.advance(60_000);
    for (const peer of server.peers) peer.destroy();
    await eventually(() => expect(test.pool.state(id)).toMatchObject({ phase: 'reconnecting', retryAt: clock.now() + 1_000 }));
    expect(await test.echo(id, 'on')).toBe('on');
    expect(server.peers.size).toBe(1);
  });
});
