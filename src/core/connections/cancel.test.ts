import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawServer } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { startLegacy } from '../../../test/servers/http/sdk-legacy.ts';
import { startModern } from '../../../test/servers/http/sdk-modern.ts';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, http, never, socket, sse, stdio, TestPool, textOf } from '../../../test/support/test-pool.ts';

const seen = async (test: TestPool, id: Parameters<TestPool['call']>[0]): Promise<readonly (readonly [string, string, unknown])[]> =>
  JSON.parse(String(textOf(await test.call(id, 'seen'))));

describe('cancelling a call', () => {
  it('[F-62] [O11] over stdio: the server is told with the right id, only that call ends, and a late answer is dropped', async () => {
    const test = new TestPool();
    const id = await test.ready(stdio('calls.mjs'));
    const stop = new AbortController();
    const stopped = test.call(id, 'wait', {}, {}, stop.signal);
    const other = test.call(id, 'steps', { times: 3, everyMs: 40, end: true });
    await eventually(async () => expect((await seen(test, id)).map(([, name]) => name)).toEqual(expect.arrayContaining(['wait', 'steps'])));
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'run/cancelled' });
    expect(textOf(await other)).toBe('after 3');
    const messages = await seen(test, id);
    expect(messages.filter(([method]) => method === 'notifications/cancelled')).toEqual([
      ['notifications/cancelled', '', messages.find(([, name]) => name === 'wait')?.[2]],
    ]);
    expect(textOf(await test.call(id, 'late'))).toBe('sent');
    expect(await test.echo(id, 'and on')).toBe('and on');
    await eventually(() =>
      expect(test.lines.map(({ text }) => text)).toContainEqual(
        expect.stringContaining('answered a request that was not made or has ended'),
      ),
    );
    expect(test.pool.state(id).phase).toBe('ready');
  });

  it('[F-62] [O11] over HTTP of the old era: by a notification', async () => {
    await using server = await startLegacy();
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    const stop = new AbortController();
    const stopped = test.call(id, 'wait', { name: 'a' }, {}, stop.signal);
    const other = test.call(id, 'wait', { name: 'b' });
    other.catch(() => undefined);
    await test.echo(id, 'both are there');
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'run/cancelled' });
    await eventually(() => expect(server.cancelled).toEqual(['a']));
    expect(await test.echo(id, 'and on')).toBe('and on');
  });

  it('[F-62] [O11] over HTTP of the new era: by closing the answer’s stream', async () => {
    await using server = await startModern();
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    const stop = new AbortController();
    const stopped = test.call(id, 'wait', { name: 'a' }, {}, stop.signal);
    const other = test.call(id, 'wait', { name: 'b' });
    other.catch(() => undefined);
    await eventually(() => expect(server.seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2));
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'run/cancelled' });
    await eventually(() => expect(server.abandoned).toEqual(['a']));
    expect(server.seen.map(({ rpc }) => rpc)).not.toContain('notifications/cancelled');
    expect(await test.echo(id, 'and on')).toBe('and on');
  });

  it('[F-62] [O11] over SSE and a socket alike', async () => {
    const cancelled: unknown[] = [];
    const waits: unknown[] = [];
    type Message = { readonly id?: unknown; readonly method?: string; readonly params?: Readonly<Record<string, unknown>> };
    const take = (message: Message, say: (reply: object) => void): boolean => {
      if (message.method === 'notifications/cancelled') {
        cancelled.push(message.params?.['requestId']);
        say({ jsonrpc: '2.0', id: message.params?.['requestId'], result: { content: [{ type: 'text', text: 'late' }] } });
      }
      const waiting = message.method === 'tools/call' && message.params?.['name'] === 'wait';
      if (waiting) waits.push(message.id);
      return waiting;
    };
    await using sseServer = await RawSse.start(take);
    await using socketServer = await RawSocket.start(join(tempFolder(), 's'), take);
    const test = new TestPool();
    for (const id of [await test.ready(sse(sseServer.url), { id: 'sse' }), await test.ready(socket(socketServer.path), { id: 'socket' })]) {
      const stop = new AbortController();
      const stopped = test.call(id, 'wait', {}, {}, stop.signal);
      await eventually(() => expect(waits).toHaveLength(1));
      stop.abort();
      await expect(stopped).rejects.toMatchObject({ code: 'run/cancelled' });
      await eventually(() => expect(cancelled).toEqual(waits));
      expect(await test.echo(id, 'and on')).toBe('and on');
      cancelled.length = 0;
      waits.length = 0;
    }
  });

  it('[O11] a call that is stopped before it begins is not sent, and the handshake is never cancelled', async () => {
    await using server = await RawServer.start({ take: ({ seen: { rpc } }) => rpc === 'initialize' });
    const test = new TestPool();
    const id = test.define(http(server.url), { protocol: 'legacy' });
    const stop = new AbortController();
    const call = test.call(id, 'echo', {}, {}, stop.signal);
    await eventually(() => expect(server.of('initialize')).toHaveLength(1));
    stop.abort();
    await expect(call).rejects.toThrow();
    await test.pool.stop(id, 'asleep', never);
    expect(server.seen.map(({ rpc }) => rpc)).toEqual(['initialize']);
    const child = await test.ready(stdio('calls.mjs'), { id: 'child' });
    await expect(test.call(child, 'echo', { text: 'x' }, {}, AbortSignal.abort())).rejects.toThrow();
    expect((await seen(test, child)).map(([, name]) => name)).toEqual(['', 'seen']);
  });
});
