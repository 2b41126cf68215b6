import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallbackVerdict } from '../../core/ports.ts';
import { createSignInListeners } from './sign-in-listeners.ts';

const listeners = createSignInListeners();
const never = new AbortController().signal;
type Host = 'localhost' | '127.0.0.1' | '[::1]';

async function listen(verdict: (params: URLSearchParams) => CallbackVerdict = () => 'accepted', { host = 'localhost', port = 0, path = '/callback' }: { readonly host?: Host; readonly port?: number; readonly path?: string } = {}) {
  const heard: string[] = [];
  const listener = await listeners.open({ host, port, path }, (params) => {
    heard.push(params.toString());
    return verdict(params);
  }, never);
  onTestFinished(() => listener[Symbol.asyncDispose]());
  return { listener, heard, url: listener.redirectUri, port: Number(new URL(listener.redirectUri).port) };
}

interface Asked {
  readonly method?: string;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
function ask(port: number, path: string, { method = 'GET', address = '127.0.0.1', headers = {} }: Asked = {}) {
  return new Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }>((resolve, reject) => {
    httpRequest({ host: address, port, path, method, headers: { host: `localhost:${port}`, ...headers } }, (response) => {
      response.toArray().then((parts) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString() }), reject);
    }).on('error', reject).end();
  });
}
/** Bytes as they are; what comes back until the connection ends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let back = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (back += piece)).on('close', () => resolve(back)).on('error', reject);
  });
}
const hasIpv6 = await new Promise<boolean>((resolve) => {
  const server: Server = createServer().on('error', () => resolve(false)).listen(0, '::1', () => server.close(() => resolve(true)));
});

describe('the listener of a sign-in', () => {
  it('hears what the browser brings, and answers with a page that says how it went', async () => {
    const { url, port, heard } = await listen((params) => (params.get('error') === null ? (params.get('state') === 's' ? 'accepted' : 'unknown') : 'denied'));
    expect(url).toBe(`http://localhost:${port}/callback`);
    const accepted = await ask(port, '/callback?code=c%26d&state=s');
    expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining('You can close this tab and return to Gatehouse.')]);
    const denied = await ask(port, '/callback?error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=s');
    expect([denied.status, denied.text]).toEqual([200, expect.stringContaining('You are not signed in')]);
    const unknown = await ask(port, '/callback?code=%22%3E%3Cimg%20src=x%3E&state=other');
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('This sign-in is over')]);
    expect(heard).toEqual(['code=c%26d&state=s', 'error=access_denied&error_description=%3Cscript%3Ealert%281%29%3C%2Fscript%3E&state=s', 'code=%22%3E%3Cimg+src%3Dx%3E&state=other']);
    for (const { text } of [accepted, denied, unknown]) expect(text).not.toMatch(/<script|<img|alert|access_denied|c%26d|c&amp;d/);
  });

  it('answers with pages that run nothing, load nothing, are kept nowhere and tell nobody their address', async () => {
    const { port } = await listen();
    for (const path of ['/callback?code=c', '/elsewhere']) {
      const { headers, text } = await ask(port, path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', connection: 'close' });
      expect(headers['location']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(text).not.toMatch(/<script|\son\w+=|href=|src=|url\(|http-equiv/i);
    }
  });

  it.each<readonly [string, string, Asked]>([
    ['another path', '/', {}], ['a path below', '/callback/x', {}], ['a path with a slash at its end', '/callback/', {}], ['a path written otherwise', '/%63allback', {}], ['a path with steps', '/x/../callback', {}],
    ['a path in capitals', '/CALLBACK', {}], ['POST', '/callback?code=c', { method: 'POST' }], ['HEAD', '/callback?code=c', { method: 'HEAD' }], ['OPTIONS', '/callback?code=c', { method: 'OPTIONS' }],
    ['another host', '/callback?code=c', { headers: { host: 'evil.example' } }], ['another host at its port', '/callback?code=c', { headers: { host: 'evil.example:PORT' } }],
    ['its host by number', '/callback?code=c', { headers: { host: '127.0.0.1:PORT' } }], ['its host without a port', '/callback?code=c', { headers: { host: 'localhost' } }], ['its host at another port', '/callback?code=c', { headers: { host: 'localhost:1' } }],
  ])('does not hear %s: 404', async (_, path, { method, headers }) => {
    const { port, heard } = await listen();
    const asked = { ...(method === undefined ? {} : { method }), ...(headers?.['host'] === undefined ? {} : { headers: { host: headers['host'].replace('PORT', String(port)) } }) };
    expect((await ask(port, path, asked)).status).toBe(404);
    expect(heard).toEqual([]);
    expect((await ask(port, '/callback?code=c')).status).toBe(200);
  });

  it('does not hear a request with no host, with two, or for a whole address', async () => {
    const { port, heard } = await listen();
    const host = `Host: localhost:${port}\r\n`;
    expect(await raw(port, 'GET /callback?code=c HTTP/1.0\r\n\r\n')).toContain(' 404 ');
    expect(await raw(port, `GET /callback?code=c HTTP/1.1\r\n${host}${host}\r\n`)).toMatch(/ 40[04] /);
    expect(await raw(port, `GET /callback?code=c HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`)).toMatch(/ 40[04] /);
    expect(await raw(port, `GET http://localhost:${port}/callback?code=c HTTP/1.1\r\n${host}\r\n`)).toContain(' 404 ');
    expect(heard).toEqual([]);
  });

  it.each(['state=a&state=b', 'state=a&code=1&code=2', 'state=a&iss=x&iss=x', 'state=a&error=x&error=y', 'state=a&%73tate=b', 'state=a?&state=a'])('takes nothing that is said twice: %s', async (query) => {
    const { port, heard } = await listen();
    expect((await ask(port, `/callback?${query}`)).status).toBe(400);
    expect(heard).toEqual([]);
  });

  it.skipIf(!hasIpv6)('listens for localhost on both families at one port, for an address on that one, and never beyond loopback', async () => {
    const both = await listen();
    for (const address of ['127.0.0.1', '::1']) expect((await ask(both.port, '/callback?state=s', { address })).status).toBe(200);
    const four = await listen(undefined, { host: '127.0.0.1', path: '/a/b' });
    expect(four.url).toBe(`http://127.0.0.1:${four.port}/a/b`);
    expect((await ask(four.port, '/a/b', { headers: { host: `127.0.0.1:${four.port}` } })).status).toBe(200);
    await expect(ask(four.port, '/a/b', { address: '::1' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(ask(four.port, '/a/b', { address: '127.0.0.2' })).rejects.toThrow();
    const six = await listen(undefined, { host: '[::1]' });
    expect(six.url).toBe(`http://[::1]:${six.port}/callback`);
    expect((await ask(six.port, '/callback', { address: '::1', headers: { host: `[::1]:${six.port}` } })).status).toBe(200);
    await expect(ask(six.port, '/callback')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.skipIf(!hasIpv6)('says which port is taken, on either family, and takes another where any will do', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen({ host: address, port: 0, ipv6Only: true }, resolve));
      onTestFinished(() => void other.close());
      const { port } = other.address() as AddressInfo; // it listens on a port
      await expect(listeners.open({ host: 'localhost', port, path: '/callback' }, () => 'accepted', never)).rejects.toMatchObject({ code: 'auth/port-busy', data: { port } });
      // Nothing of the attempt is left on the family that was free.
      await expect(ask(port, '/callback', { address: address === '::1' ? '127.0.0.1' : '::1' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
    const { port } = await listen();
    await expect(listen(undefined, { port })).rejects.toMatchObject({ code: 'auth/port-busy', data: { port } });
    expect((await listen()).port).not.toBe(port);
  });

  it('lets go of its port at once, sends what it was answering, and closes who says nothing', async () => {
    const { listener, port } = await listen();
    const silent = connect(port, '127.0.0.1');
    const half = connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => half.on('connect', () => half.write('GET /call', () => resolve())));
    const gone = Promise.all([silent, half].map((socket) => new Promise((resolve) => socket.resume().on('error', () => undefined).on('close', resolve))));
    await listener[Symbol.asyncDispose]();
    await gone;
    await listener[Symbol.asyncDispose]();
    const again = await listen(undefined, { port });
    // As a flow does that ends with the answer it got.
    const ending = await listeners.open({ host: '127.0.0.1', port: 0, path: '/callback' }, () => {
      void ending[Symbol.asyncDispose]();
      return 'denied';
    }, never);
    const own = new URL(ending.redirectUri).host;
    expect((await ask(Number(own.split(':')[1]), '/callback', { headers: { host: own } })).text).toContain('You are not signed in');
    expect(again.port).toBe(port);
  });

  it('takes as many cookies as a browser has for localhost, and only so many connections', async () => {
    const { port } = await listen();
    expect((await ask(port, '/callback?code=c', { headers: { cookie: `a=${'x'.repeat(40_000)}` } })).status).toBe(200);
    const sockets = Array.from({ length: 24 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const dropped = await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.on('error', () => undefined).on('close', () => resolve('dropped')))));
    expect(dropped).toBe('dropped');
  });

  it('is not opened for a sign-in that was given up', async () => {
    const reason = new Error('enough');
    await expect(listeners.open({ host: 'localhost', port: 0, path: '/callback' }, () => 'accepted', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
