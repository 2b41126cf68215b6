import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../src/shared/ids.ts';
import { RawServer, type Exchange } from '../servers/http/raw-server.ts';
import { RawSse } from '../servers/http/raw-sse.ts';
import { RawSocket } from '../servers/raw-socket.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { http, socket, sse, stdio, TestPool } from '../support/test-pool.ts';

const MiB = 1_048_576;
const result = (bytes: number) => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }] });
const isBig = (method: string | undefined, params: unknown): boolean =>
  method === 'tools/call' && typeof params === 'object' && params !== null && 'arguments' in params && typeof params.arguments === 'object' && params.arguments !== null && 'text' in params.arguments && params.arguments.text === 'seventy';

/** A call that brings too much, one beside it, and one after it: over the same connection. */
async function refusedAndAlive(test: TestPool, id: ServerId, big: Promise<unknown>): Promise<void> {
  const beside = test.echo(id, 'beside');
  await expect(big).rejects.toMatchObject({ code: 'tool/result-too-large' });
  expect(await beside).toBe('beside');
  expect(await test.echo(id, 'after')).toBe('after');
  expect(test.phases(id).filter((phase) => phase === 'ready')).toHaveLength(1);
  expect(test.phases(id).at(-1)).toBe('ready');
}

describe('a result over 64 MiB is refused, and the connection lives', () => {
  it('over stdio', async () => {
    const test = new TestPool();
    const id = await test.ready(stdio('broken.mjs', 'huge-frame'));
    await refusedAndAlive(test, id, test.call(id, 'seventy'));
  }, 30_000);

  it.each(['json', 'stream'] as const)('over HTTP, as %s', async (way) => {
    await using server = await RawServer.start({
      sessions: true,
      take: (exchange: Exchange) => {
        const { rpc, id, params } = exchange.seen;
        if (!isBig(rpc, params)) return false;
        if (way === 'json') exchange.json(result(70 * MiB));
        else {
          const stream = exchange.stream();
          stream.event({ jsonrpc: '2.0', id, result: result(70 * MiB) });
          stream.end();
        }
        return true;
      },
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url), { protocol: 'legacy' });
    await refusedAndAlive(test, id, test.call(id, 'echo', { text: 'seventy' }));
    expect(server.of('initialize')).toHaveLength(1);
  }, 30_000);

  it('over HTTP with SSE', async () => {
    await using server = await RawSse.start((message, say) => {
      if (!isBig(message.method, message.params)) return false;
      say({ jsonrpc: '2.0', id: message.id, result: result(70 * MiB) });
      return true;
    });
    const test = new TestPool();
    const id = await test.ready(sse(server.url));
    await refusedAndAlive(test, id, test.call(id, 'echo', { text: 'seventy' }));
    expect(server.opened).toBe(1);
  }, 30_000);

  it('over a Unix socket', async () => {
    await using server = await RawSocket.start(join(tempFolder(), 'mcp.sock'), (message, say) => {
      if (!isBig(message.method, message.params)) return false;
      say({ jsonrpc: '2.0', id: message.id, result: result(70 * MiB) });
      return true;
    });
    const test = new TestPool();
    const id = await test.ready(socket(server.path));
    await refusedAndAlive(test, id, test.call(id, 'echo', { text: 'seventy' }));
    expect(server.opened).toBe(1);
  }, 30_000);
});
