import { expect, it } from 'vitest';
import { echoTool, RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { http, TestPool, textOf } from '../../../test/support/test-pool.ts';

const reads = { ...echoTool, annotations: { readOnlyHint: true } };
const isCall = ({ seen }: Exchange): boolean => seen.rpc === 'tools/call';
const rejected = ({ response }: Exchange): void => void response.destroy();
const gateway = (exchange: Exchange): void => exchange.send(502, 'bad gateway');
const torn = (exchange: Exchange): void => {
  const stream = exchange.stream();
  stream.raw(': working\n\n');
  setImmediate(() => stream.break());
};

interface Case {
  readonly tool?: Record<string, unknown>;
  readonly modern?: boolean;
  readonly allowed?: boolean;
  readonly fail: (exchange: Exchange) => void;
}
/** A server that fails the first call in its way, and the pool that calls it. */
async function failingOnce({ tool = reads, modern = true, allowed = true, fail }: Case) {
  let calls = 0;
  const server: RawServer = await RawServer.start({
    modern, tools: [tool],
    take: (exchange) => {
      if (!isCall(exchange) || (calls += 1) > 1) return false;
      fail(exchange);
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url), { ...(modern ? {} : { protocol: 'legacy' as const }), options: allowed ? { retryOnTransportFailure: true } : {} });
  return { server, test, id };
}

it.each([
  ['a POST that is rejected', rejected],
  ['5xx without a JSON-RPC error', gateway],
  ['an event stream that breaks before the answer', torn],
] as const)('[F-58] %s is sent once more, where the person allows it and the tool says now that it only reads', async (_, fail) => {
  const { server, test, id } = await failingOnce({ fail });
  await using _server = server;
  expect(textOf(await test.call(id, 'echo', { text: 'twice' }))).toBe('twice');
  expect(server.of('tools/call')).toHaveLength(2);
  // On the same client: nobody shook hands again.
  expect(server.of('server/discover')).toHaveLength(1);
});

it('[F-58] one that says that twice is once may be repeated too, and a second loss is told as not known', async () => {
  const tool = { ...echoTool, annotations: { idempotentHint: true } };
  await using server = await RawServer.start({ modern: true, tools: [tool], take: (exchange) => isCall(exchange) && (gateway(exchange), true) });
  const test = new TestPool();
  const id = await test.ready(http(server.url), { options: { retryOnTransportFailure: true } });
  await expect(test.call(id, 'echo')).rejects.toMatchObject({ code: 'tool/outcome-unknown' });
  expect(server.of('tools/call')).toHaveLength(2);
});

it.each([
  ['without the person’s word', { fail: gateway, allowed: false }],
  ['without the server’s word for the tool', { fail: gateway, tool: echoTool }],
  ['with the server’s word that it does not only read', { fail: gateway, tool: { ...echoTool, annotations: { readOnlyHint: false, idempotentHint: false } } }],
  ['in the old era', { fail: gateway, modern: false }],
  ['5xx with a JSON-RPC error', { fail: (exchange: Exchange) => exchange.error(-32000, 'no', 500) }],
  ['an error of the protocol', { fail: (exchange: Exchange) => exchange.error(-32000, 'no') }],
  ['an error of the tool', { fail: (exchange: Exchange) => exchange.json({ content: [], isError: true }) }],
  ['a broken JSON body', { fail: (exchange: Exchange) => exchange.send(200, '{"jsonrpc":', { 'content-type': 'application/json' }) }],
  ['a JSON body that breaks off', {
    fail: ({ response }: Exchange) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc":');
      setImmediate(() => response.destroy());
    },
  }],
  ['a refused sign-in', { fail: (exchange: Exchange) => exchange.send(401) }],
  ['an event stream that ends cleanly', { fail: (exchange: Exchange) => exchange.stream().end() }],
] satisfies readonly (readonly [string, Case])[])('[F-58] [F-60] nothing is sent again: %s', async (_, one) => {
  const { server, test, id } = await failingOnce(one);
  await using _server = server;
  await test.call(id, 'echo').catch(() => undefined);
  expect(server.of('tools/call')).toHaveLength(1);
});

it('[F-56] all sendings of a call share its time: a lost answer does not begin it anew', async () => {
  let calls = 0;
  await using server = await RawServer.start({
    modern: true, tools: [reads],
    take: (exchange) => {
      if (!isCall(exchange)) return false;
      calls += 1;
      if (calls === 1) setTimeout(() => gateway(exchange), 1_500);
      return true;
    },
  });
  const test = new TestPool();
  const id = await test.ready(http(server.url), { options: { retryOnTransportFailure: true } });
  const before = Date.now();
  await expect(test.call(id, 'echo', {}, { totalMs: 2_500 })).rejects.toMatchObject({ code: 'tool/timed-out' });
  expect(calls).toBe(2);
  // Begun anew it would end after four seconds.
  expect(Date.now() - before).toBeLessThan(3_900);
});
