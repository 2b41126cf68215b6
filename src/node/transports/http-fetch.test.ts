import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { Network } from '../network/network.ts';
import { networkFailure } from '../network/network-failure.ts';
import { createHttpFetch } from './http-fetch.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function http(handler: Handler): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}
async function body(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString('utf8');
}
/** Redirects along `/to?…`, and tells at `/end` how it was asked. */
const redirecting: Handler = (request, response) => {
  const url = new URL(request.url ?? '', 'http://x');
  if (url.pathname === '/end') {
    void body(request).then((text) => response.end(JSON.stringify({ method: request.method, text, authorization: request.headers.authorization })));
  } else response.writeHead(Number(url.searchParams.get('status') ?? 307), { location: url.searchParams.get('location') ?? '' }).end();
};
const to = (location: string, status = 307): string => `/to?status=${status}&location=${encodeURIComponent(location)}`;
const network = new Network();
afterAll(() => network[Symbol.asyncDispose]());
const limited = createHttpFetch({ network, maxBodyBytes: 100_000 });

it.each(['ftp://h/', 'file:///etc/passwd', 'data:,x', 'ws://h/', 'javascript:1'])('[H-35] goes nowhere but over http and https: not to %s', async (address) => {
  await expect(limited(address)).rejects.toMatchObject({ code: 'config/invalid' });
  await expect(limited(new URL(address))).rejects.toMatchObject({ code: 'config/invalid' });
});

it('follows a redirect within the origin with its method, its body and its headers', async () => {
  const origin = await http(redirecting);
  const init = { method: 'POST', body: 'hello', headers: { authorization: 'Bearer x' } };
  const expected = { method: 'POST', text: 'hello', authorization: 'Bearer x' };
  expect(await (await limited(origin + to(to('/end', 308)), init)).json()).toEqual(expected);
  expect(await (await limited(new Request(origin + to('/end'), init))).json()).toEqual(expected);
  const response = await limited(`${origin}${to('end', 302)}`);
  expect(await response.json()).toMatchObject({ method: 'GET' });
  expect(response.url).toBe(`${origin}/end`);
});

it('refuses a redirect to another origin: nothing is sent there', async () => {
  let visits = 0;
  const other = await http((_, response) => response.end(String((visits += 1))));
  const origin = await http(redirecting);
  const refusal = { code: 'server/http-error', data: { status: 307, location: `${other}/secret` } };
  await expect(limited(`${origin}${to(`${other}/secret?token=t`)}`, { headers: { authorization: 'Bearer x' } })).rejects.toMatchObject(refusal);
  // Whatever the caller asks for.
  for (const redirect of ['follow', 'manual', 'error'] as const) await expect(limited(`${origin}${to(`${other}/secret`)}`, { redirect })).rejects.toMatchObject(refusal);
  await expect(limited(`${origin}${to('file:///etc/passwd')}`)).rejects.toMatchObject({ code: 'server/http-error' });
  expect(visits).toBe(0);
});

it('refuses a redirect that goes on too long, that would turn a POST into a GET, or that brings a login', async () => {
  const origin = await http(redirecting);
  expect((await limited(origin + to(to(to('/end'))))).status).toBe(200);
  await expect(limited(origin + to(to(to(to('/end')))))).rejects.toMatchObject({ code: 'server/http-error', message: expect.stringContaining('more than 3') as string });
  for (const status of [301, 302, 303]) {
    await expect(limited(origin + to('/end', status), { method: 'POST', body: 'x' })).rejects.toMatchObject({ code: 'server/http-error', data: { status, location: `${origin}/end` } });
  }
  await expect(limited(origin + to(`${origin.replace('http://', 'http://u:p@')}/end`))).rejects.toMatchObject({ code: 'server/http-error' });
});

it('reads a body up to the limit and refuses one beyond it, announced, streamed or packed', async () => {
  const origin = await http((request, response) => {
    const [, way = '', size = ''] = (request.url ?? '').split('/');
    const text = Buffer.alloc(Number(size), 'x');
    if (way === 'announced') response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
    else if (way === 'packed') response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(text));
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let at = 0; at < text.length; at += 10_000) response.write(text.subarray(at, at + 10_000));
      response.end();
    }
  });
  for (const way of ['announced', 'streamed', 'packed']) {
    expect(await (await limited(`${origin}/${way}/100000`)).text()).toHaveLength(100_000);
    const reading = limited(`${origin}/${way}/100001`).then((response) => (way === 'announced' ? '' : response.text()));
    await expect(reading).rejects.toMatchObject({ code: 'tool/result-too-large', data: { limit: 100_000 } });
  }
});

it('reads an event stream without end, and leaves out a single event beyond the limit, telling the request that it would have answered', async () => {
  const origin = await http((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const eol = request.url === '/crlf' ? '\r\n' : request.url === '/cr' ? '\r' : '\n';
    for (let n = 0; n < 100; n += 1) response.write(`event: message${eol}data: ${'x'.repeat(10_000)}${eol}${eol}`);
    const answer = `{"jsonrpc":"2.0","id":7,"result":{"text":"${'x'.repeat(100_000)}"}}`;
    if (request.url === '/answer') response.write(`id: 5${eol}data: ${answer}${eol}${eol}`);
    if (request.url === '/crlf') response.write(`event: message${eol}data:${answer.replace('"id":7,', '').replace(/}$/, ',"id":"a-1"}')}${eol}${eol}`);
    if (request.url === '/many-lines') response.write(`data: {"jsonrpc":"2.0","result":{},${eol}${`data: "${'x'.repeat(10_000)}":1,${eol}`.repeat(11)}data: "id":8}${eol}${eol}`);
    if (request.url === '/asks') response.write(`data: {"jsonrpc":"2.0","id":1,"method":"m","params":"${'x'.repeat(100_000)}"}${eol}${eol}`);
    response.end(`data: after${eol}${eol}`);
  });
  const tailOf = async (path: string) => {
    const text = await (await limited(origin + path)).text();
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text.length).toBeLessThan(1_010_000);
    const datas = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:') && !line.startsWith('data: xxx')).map((line) => line.slice(5).trim());
    expect(datas.at(-1)).toBe('after');
    return datas.slice(0, -1).map((data) => JSON.parse(data) as unknown);
  };
  const refusal = (id: unknown) => ({ jsonrpc: '2.0', id, error: { data: { code: 'tool/result-too-large', limit: 100_000 } } });
  for (const path of ['/lf', '/cr', '/asks']) expect(await tailOf(path)).toEqual([]);
  for (const [path, id] of [['/answer', 7], ['/crlf', 'a-1'], ['/many-lines', 8]] as const) expect(await tailOf(path)).toMatchObject([refusal(id)]);
});

it('says in plain words why a server cannot be reached, and keeps the cause', async () => {
  const tcp = createTcpServer((socket) => socket.end('no http\r\n\r\n'));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void tcp.close());
  const { port } = tcp.address() as AddressInfo; // it listens on a port
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port: closedPort } = closed.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => closed.close(resolve));
  const cases = [
    [`http://127.0.0.1:${closedPort}/`, 'nothing listens there', 'ECONNREFUSED'],
    ['http://127.0.0.1:1/', 'no web server may have', undefined],
    ['http://no-such-host.invalid/', 'name', undefined],
    [`http://127.0.0.1:${port}/`, 'it does not speak http', undefined],
    [`https://127.0.0.1:${port}/`, 'it does not speak https on this port', undefined],
  ] as const;
  for (const [address, words, systemCode] of cases) {
    const data = { host: new URL(address).host, ...(systemCode === undefined ? {} : { systemCode }) };
    await expect(limited(address)).rejects.toMatchObject({ code: 'connection/unreachable', message: expect.stringContaining(words) as string, data, cause: expect.any(TypeError) as TypeError });
  }
});

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed (x)'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired (x)'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name (x)'],
  ['SOMETHING_NEW', 'SOMETHING_NEW'],
])('puts %s into words, found behind an error with several causes', (code, words) => {
  const cause = new AggregateError([Object.assign(new Error('x'), { code })]);
  const failure = networkFailure(new TypeError('fetch failed', { cause }), { url: new URL('https://h.example/'), signal: undefined, proxy: undefined });
  expect(failure).toMatchObject({ code: 'connection/unreachable', message: `Cannot reach h.example: ${words}`, data: { systemCode: code } });
});

it('asks for a header in place of a login in the address', async () => {
  await expect(limited('http://user:secret@127.0.0.1:9999/')).rejects.toMatchObject({ code: 'config/invalid', message: expect.not.stringContaining('secret') as string });
});

it('says so when the connection breaks in the middle of an answer', async () => {
  const origin = await http((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('half', () => response.destroy());
  });
  await expect(limited(origin).then((response) => response.text())).rejects.toMatchObject({ code: 'connection/unreachable' });
});

it('ends with the reason of the signal, before the headers and in the body', async () => {
  const origin = await http((request, response) => {
    if (request.url === '/body') response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n');
  });
  const reason = new Error('enough');
  const before = new AbortController();
  const headers = expect(limited(origin, { signal: before.signal })).rejects.toBe(reason);
  before.abort(reason);
  await headers;
  const during = new AbortController();
  const reading = (await limited(`${origin}/body`, { signal: during.signal })).text();
  during.abort(reason);
  await expect(reading).rejects.toBe(reason);
});

it('stops the server when the reader of a body goes away', async () => {
  let closed = (): void => {};
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const origin = await http((_, response) => {
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n');
  });
  const { body: stream } = await limited(origin);
  await stream?.cancel();
  await gone;
});

it('leaves an answer as it is: status, headers and address', async () => {
  const origin = await http((_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer x="y"', 'content-type': 'text/plain' }).end('no'));
  const response = await limited(`${origin}/a`);
  expect([response.status, response.headers.get('www-authenticate'), response.url, await response.text()]).toEqual([401, 'Bearer x="y"', `${origin}/a`, 'no']);
  const empty = await http((_, reply) => reply.writeHead(204).end());
  expect((await limited(empty)).status).toBe(204);
});

it('sets the time that Node itself waits for headers and for the next piece of a body', async () => {
  const origin = await http((request, response) => {
    if (request.url === '/body') response.writeHead(200).write('x');
  });
  // With 0, which is the default, Node waits for ever; what can be seen in a test is that the limit is ours to set.
  const impatient = new Network({ idleMs: 50 });
  onTestFinished(() => impatient[Symbol.asyncDispose]());
  const hasty = createHttpFetch({ network: impatient });
  await expect(hasty(origin)).rejects.toMatchObject({ code: 'connection/unreachable', data: { systemCode: 'UND_ERR_HEADERS_TIMEOUT' } });
  await expect(hasty(`${origin}/body`).then((response) => response.text())).rejects.toMatchObject({ data: { systemCode: 'UND_ERR_BODY_TIMEOUT' } });
});
