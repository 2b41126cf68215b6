import { describe, expect, it } from 'vitest';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { join } from 'node:path';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, socket, TestPool } from '../../../test/support/test-pool.ts';

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

/** A server on a socket whose list has `tools` in it, and that says so when told to. */
async function changing(afterEach = false) {
  const tools = ['first'];
  let asked = 0;
  const server = await RawSocket.start(join(tempFolder(), 's'), (message, say) => {
    const reply = (result: object) => say({ jsonrpc: '2.0', id: message.id, result });
    if (message.method === 'initialize')
      reply({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true }, prompts: {} },
        serverInfo: { name: 'changing', version: '1' },
      });
    else if (message.method === 'tools/list') {
      asked += 1;
      reply({ tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) });
      if (afterEach) say(changed);
    } else return false;
    return true;
  });
  return { server, tools, asked: () => asked, announce: () => server.peers.forEach((peer) => peer.write(`${JSON.stringify(changed)}\n`)) };
}

describe('[O12] a server that announces changes', () => {
  it('[O12] 200 times at once is asked twice more, and its last change is there', async () => {
    const { server, tools, asked, announce } = await changing();
    await using _server = server;
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    expect(asked()).toBe(1);
    for (let n = 0; n < 200; n += 1) {
      if (n === 199) tools.push('last');
      announce();
    }
    await eventually(() => expect(test.tools(id)).toEqual(['first', 'last']));
    await test.echo(id, 'every notice has come');
    await test.pool.start(id, AbortSignal.timeout(5_000));
    expect(asked()).toBeLessThanOrEqual(3);
    expect(test.listings.get(id)).toHaveLength(2);
  });

  it('[O12] after every list is asked ever less often, and nothing is told while the list is the same', async () => {
    const clock = new FakeClock();
    const { server, tools, asked } = await changing(true);
    await using _server = server;
    const test = new TestPool({ clock });
    const id = test.define(socket(server.path));
    void test.pool.start(id, AbortSignal.timeout(20_000));
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await eventually(() => expect(clock.waits).toHaveLength(1));
      expect(asked()).toBe(round + 2);
      waits.push(...clock.waits);
      if (round === 8) tools.push('different');
      clock.advance(clock.waits[0] ?? 0);
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000].slice(0, 9));
    await eventually(() => expect(test.tools(id)).toEqual(['first', 'different']));
    expect(test.listings.get(id)).toHaveLength(2);
    expect(test.pool.state(id).phase).toBe('ready');
  });

  it('[O12] is read at once again after it was quiet', async () => {
    const clock = new FakeClock();
    const { server, tools, asked, announce } = await changing();
    await using _server = server;
    const test = new TestPool({ clock });
    const id = await test.ready(socket(server.path));
    for (const name of ['a', 'b', 'c']) {
      clock.advance(10_000);
      tools.push(name);
      announce();
      await eventually(() => expect(test.tools(id)).toContain(name));
    }
    expect(asked()).toBe(4);
    expect(clock.waits).toEqual([]);
  });

  it('[O12] of one list is asked for that list only', async () => {
    await using server: RawServer = await RawServer.start({
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
      take: (exchange: Exchange) => {
        if (exchange.seen.http === 'GET') streams.push(exchange.stream());
        else if (exchange.seen.rpc === 'prompts/list') exchange.json({ prompts: [{ name: 'p' }] });
        else return false;
        return true;
      },
    });
    const streams: ReturnType<Exchange['stream']>[] = [];
    const test = new TestPool();
    const id = await test.ready(http(server.url), { protocol: 'legacy' });
    await eventually(() => expect(streams).toHaveLength(1));
    streams[0]?.event({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
    await eventually(() => expect(server.of('prompts/list')).toHaveLength(2));
    expect(server.of('tools/list')).toHaveLength(1);
    expect(test.tools(id)).toEqual(['echo']);
    expect(test.listings.get(id)).toHaveLength(1);
  });

  it('[O12] and whose list does not come then keeps the one it had, with a warning', async () => {
    const { server, announce } = await changing();
    await using _server = server;
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    const { take } = server;
    server.take = (message, say, peer) => {
      if (message.method !== 'tools/list') return take(message, say, peer);
      say({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'Later' } });
      return true;
    };
    announce();
    await eventually(() =>
      expect(test.listing(id).warnings).toEqual([
        'Page 1 of the tools did not arrive: Later (code -32603)',
        'Page 1 of the prompts did not arrive: Method not found (code -32601)',
      ]),
    );
    expect(test.tools(id)).toEqual(['first']);
  });
});
