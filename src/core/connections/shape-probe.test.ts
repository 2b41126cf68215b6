import { expect, it } from 'vitest';
import { RawServer, type Exchange } from '../../../test/servers/http/raw-server.ts';
import { http, never, TestPool } from '../../../test/support/test-pool.ts';

const page = (exchange: Exchange): void => exchange.send(200, '<!doctype html><title>Shop</title>', { 'content-type': 'text/html; charset=utf-8' });
const onGet = (status: number, get: (exchange: Exchange) => void) => (exchange: Exchange): void => (exchange.seen.http === 'GET' ? get(exchange) : exchange.send(status));

it.each<readonly [string, (exchange: Exchange) => void, string]>([
  ['a web page', page, 'shows a web page and is no MCP server'],
  ['a web page to those who only look', onGet(405, page), 'shows a web page and is no MCP server'],
  ['nothing', (exchange) => exchange.send(404), 'Nothing is at this path'],
  ['another interface', (exchange) => exchange.send(200, '{"ok":true}', { 'content-type': 'application/json' }), 'answers with JSON that is not MCP'],
  ['something else', (exchange) => exchange.send(200, 'hello', { 'content-type': 'text/plain' }), 'answers with text/plain that is not MCP'],
])('[F-54] %s at the address is told in plain words', async (_, answer, words) => {
  await using server = await RawServer.start({ take: (exchange) => (answer(exchange), true) });
  const { failure } = await new TestPool().failing(http(server.url), { protocol: 'legacy' });
  expect(failure.message).toContain(words);
});

it.each([
  ['Bearer resource_metadata="https://a.example/m"', 'An MCP server is there and wants a bearer token'],
  ['Bearer', 'It wants a bearer token before it says what it is'],
])('[F-54] MCP behind a sign-in: %s', async (challenge, words) => {
  await using server = await RawServer.start({ take: (exchange) => (exchange.send(401, '', { 'www-authenticate': challenge }), true) });
  const test = new TestPool();
  const id = test.define(http(server.url));
  await test.pool.start(id, never);
  expect(test.pool.state(id)).toMatchObject({ phase: 'needs', what: 'sign-in', message: expect.stringContaining(words) });
});

it('[F-54] one look a failure: POST, and GET only where POST is not taken', async () => {
  await using server = await RawServer.start({ take: (exchange) => (exchange.send(400), true) });
  const test = new TestPool();
  await test.failing(http(server.url), { protocol: 'legacy' });
  expect(server.seen.map(({ http: method }) => method)).toEqual(['POST', 'POST']);
  server.behaviour = { take: (exchange) => (exchange.send(415), true) };
  server.seen.length = 0;
  await test.failing(http(server.url), { id: 'other', protocol: 'legacy' });
  // The handshake, its SSE fallback (F-52), and the look.
  expect(server.seen.map(({ http: method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
});

it('[F-54] a server that takes connections and stays silent is looked at for five seconds at most', async () => {
  await using server = await RawServer.start({ take: () => true });
  const before = Date.now();
  const { failure } = await new TestPool().failing(http(server.url), { protocol: 'legacy', limits: { handshakeMs: 300 } });
  expect(failure).toMatchObject({ code: 'connection/timed-out', message: expect.stringContaining('says nothing within 5 s') });
  expect(Date.now() - before).toBeLessThan(7_000);
});

it('[F-54] a connection that comes up is not looked at, and neither is one that nobody listens to', async () => {
  await using server = await RawServer.start({ sessions: true });
  const test = new TestPool({ random: () => 0 });
  await test.ready(http(server.url), { protocol: 'legacy' });
  expect(server.of('initialize')).toHaveLength(1);
  await server.stop();
  const { failure } = await test.failing(http(server.url), { id: 'gone', protocol: 'legacy' });
  expect(failure.code).toBe('connection/unreachable');
  expect(failure.message).not.toContain('address');
});
