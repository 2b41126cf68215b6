import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { RawSse } from '../../../test/servers/http/raw-sse.ts';
import { RawSocket } from '../../../test/servers/raw-socket.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { http, socket, sse, TestPool } from '../../../test/support/test-pool.ts';

type Json = Readonly<Record<string, unknown>>;
type Message = { readonly id?: unknown; readonly method?: string; readonly params?: Json };
const parts: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};
const capabilities = { tools: {}, resources: {}, prompts: {} };

/** 101 of everything, on three pages whose cursors are odd strings. */
function page(method: string, params: Json | undefined): Json | undefined {
  const part = parts[method];
  if (part === undefined) return undefined;
  const cursors = [undefined, 'p2 =&?"\\', 'P2 =&?"\\'];
  const at = cursors.indexOf(params?.['cursor'] as string | undefined); // what this server gave out
  if (at < 0) throw new Error(`Not my cursor: ${String(params?.['cursor'])}`);
  const items = Array.from({ length: at === 2 ? 1 : 50 }, (_, n) => ({
    name: `${part}-${at * 50 + n}`,
    uri: `a:${n}`,
    uriTemplate: 'a:{x}',
    inputSchema: { type: 'object' },
  }));
  return { [part]: items, ...(at === 2 ? {} : { nextCursor: cursors[at + 1] }) };
}
const paging = (exchange: Exchange): boolean => {
  const result = page(exchange.seen.rpc ?? '', exchange.seen.params);
  if (result) exchange.json({ resultType: 'complete', ...result });
  return result !== undefined;
};
const pagingOver = (message: Message, say: (reply: object) => void): boolean => {
  const result =
    message.method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'pages', version: '1' } }
      : page(message.method ?? '', message.params);
  if (result) say({ jsonrpc: '2.0', id: message.id, result });
  return result !== undefined;
};

describe('[O13] lists of several pages', () => {
  it('[O13] are read to the end, cursors unchanged, in both eras and on every transport', async () => {
    await using legacy = await RawServer.start({ capabilities, take: paging });
    await using modern = await RawServer.start({ capabilities, modern: true, take: paging });
    await using sseServer = await RawSse.start(pagingOver);
    await using socketServer = await RawSocket.start(join(tempFolder(), 's'), pagingOver);
    const test = new TestPool();
    for (const [name, transport] of Object.entries({
      legacy: http(legacy.url),
      modern: http(modern.url),
      sse: sse(sseServer.url),
      socket: socket(socketServer.path),
    })) {
      const id = await test.ready(transport, { id: name });
      const { tools, resources, resourceTemplates, prompts, warnings } = test.listing(id);
      expect([tools, resources, resourceTemplates, prompts].map(({ length }) => length)).toEqual([101, 101, 101, 101]);
      expect(tools[100]).toMatchObject({ name: 'tools-100' });
      expect(warnings).toEqual([]);
    }
  });

  it('[O13] an error on page 3 keeps what came before it, with a warning', async () => {
    await using server = await RawServer.start({
      capabilities,
      take: (exchange) => {
        if (exchange.seen.params['cursor'] !== 'P2 =&?"\\') return paging(exchange);
        exchange.error(-32000, 'Disk on fire');
        return true;
      },
    });
    const test = new TestPool();
    const id = await test.ready(http(server.url));
    const { tools, prompts, warnings } = test.listing(id);
    expect([tools.length, prompts.length]).toEqual([100, 100]);
    expect(warnings).toEqual(
      ['tools', 'resources', 'resource templates', 'prompts'].map(
        (what) => `Page 3 of the ${what} did not arrive: Disk on fire (code -32000)`,
      ),
    );
  });

  it('a list of 5,000 on 64 pages is fine, one that repeats its pages ends, and one without end is cut off', async () => {
    let mode = 'many';
    let pages = 0;
    await using server = await RawServer.start({
      take: (exchange) => {
        if (exchange.seen.rpc !== 'tools/list') return false;
        pages += 1;
        const at = Number(exchange.seen.params['cursor'] ?? 0);
        const tools = Array.from({ length: 80 }, (_, n) => ({ name: `t${at * 80 + n}`, inputSchema: { type: 'object' } }));
        exchange.json({ tools, ...(mode === 'many' && at === 63 ? {} : { nextCursor: mode === 'same' ? '1' : String(at + 1) }) });
        return true;
      },
    });
    const test = new TestPool();
    const many = await test.ready(http(server.url), { id: 'many' });
    expect(test.listing(many)).toMatchObject({ tools: { length: 5_120 }, warnings: [] });
    mode = 'same';
    const same = await test.ready(http(server.url), { id: 'same' });
    expect(test.listing(same)).toMatchObject({
      tools: { length: 160 },
      warnings: ['The server repeats a page of its tools; the rest is left out'],
    });
    mode = 'endless';
    pages = 0;
    const endless = await test.ready(http(server.url), { id: 'endless' });
    expect(test.listing(endless).tools.length).toBeGreaterThanOrEqual(20_000);
    expect(test.listing(endless).warnings[0]).toMatch(/^The server lists more than \d+ tools; the rest is left out$/);
    expect(pages).toBeLessThanOrEqual(256);
  });
});

it.each([false, true])('odd items come through as they are, and hide nothing (new era: %s)', async (modern) => {
  const odd = [
    { name: 'good', inputSchema: { type: 'object' } },
    null,
    42,
    'text',
    { name: 7 },
    { name: 'no schema' },
    { name: 'bad', inputSchema: 'x', annotations: [] },
  ];
  await using server = await RawServer.start({
    modern,
    capabilities,
    take: (exchange) => {
      const part = parts[exchange.seen.rpc ?? ''];
      if (part === undefined) return false;
      // Without `resultType` and the rest that the new era asks for.
      exchange.json({ [part]: odd });
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(test.listing(id)).toMatchObject({ tools: odd, resources: odd, prompts: odd, warnings: [] });
});

it('a list that is none is a warning; a server without templates is not', async () => {
  await using server = await RawServer.start({
    capabilities,
    take: (exchange) => {
      if (exchange.seen.rpc === 'tools/list') exchange.json({ tools: 'many' });
      else if (exchange.seen.rpc === 'prompts/list') exchange.send(500, 'oops');
      else if (exchange.seen.rpc === 'resources/list') exchange.json({ resources: [{ uri: 'a:b', name: 'a' }] });
      else return false;
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(test.listing(id)).toMatchObject({ tools: [], resources: [{ uri: 'a:b' }], resourceTemplates: [], prompts: [] });
  expect(test.listing(id).warnings).toEqual([
    'Page 1 of the tools is not a list',
    'Page 1 of the prompts did not arrive: The server answered HTTP 500: oops',
  ]);
});

it('only what the server says it has is asked for', async () => {
  await using server = await RawServer.start({ capabilities: { prompts: {} } });
  const test = new TestPool();
  await test.ready(http(server.url));
  expect(server.seen.map(({ rpc }) => rpc).filter((rpc) => rpc?.endsWith('/list'))).toEqual(['prompts/list']);
});
