import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestProxy } from '../../../test/support/test-proxy.ts';
import { Network, type Lookup } from './network.ts';
import { createSignInFetch } from './sign-in-fetch.ts';

const nobody = (): boolean => false;
const network = new Network();
afterAll(() => network[Symbol.asyncDispose]());
const signIn = createSignInFetch({ network });

/** Where a name leads; `answers` one after another. */
function naming(...answers: readonly (readonly string[])[]): { readonly network: Network; readonly asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = (host, _options, answer) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    answer(null, addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  const named = new Network({ lookup });
  onTestFinished(() => named[Symbol.asyncDispose]());
  return { network: named, asked };
}

async function serving(listener: RequestListener): Promise<{ readonly host: string; readonly url: string; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return { host, url: `http://${host}`, seen };
}
const trusting = (...hosts: readonly string[]) => signIn((host) => hosts.includes(host));

describe('an address of this machine or its network', () => {
  it.each([
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254:80'], ['https://127.0.0.1/', '127.0.0.1:443'], ['https://2130706433/', '127.0.0.1:443'], ['https://0x7f.1/', '127.0.0.1:443'],
    ['https://0177.0.0.1/', '127.0.0.1:443'], ['https://127.1:8443/', '127.0.0.1:8443'], ['https://①②⑦.0.0.1/', '127.0.0.1:443'], ['https://[::1]/', '[::1]:443'], ['https://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]:443'],
    ['https://[::ffff:a9fe:a9fe]/', '[::ffff:a9fe:a9fe]:443'], ['https://[64:ff9b::a9fe:a9fe]/', '[64:ff9b::a9fe:a9fe]:443'], ['https://[2002:7f00:1::]/', '[2002:7f00:1::]:443'], ['https://10.1.2.3/', '10.1.2.3:443'],
    ['https://[fd00::1]/', '[fd00::1]:443'], ['https://100.64.0.1/', '100.64.0.1:443'], ['https://0/', '0.0.0.0:443'], ['http://localhost:9000/', 'localhost:9000'], ['http://[::1]:9000/', '[::1]:9000'], ['https://localhost/', 'localhost:443'],
  ])('is not called unless it is trusted: %s', async (address, host) => {
    await expect(signIn(nobody)(address)).rejects.toMatchObject({ code: 'auth/host-blocked', data: { host } });
  });

  it('is called where it is trusted, over http too, and then at that port only', async () => {
    const server = await serving((_, response) => response.end('{}'));
    expect(await (await trusting(server.host)(`${server.url}/a`)).json()).toEqual({});
    await expect(trusting('127.0.0.1:1')(`${server.url}/a`)).rejects.toMatchObject({ code: 'auth/host-blocked', data: { host: server.host } });
    await expect(trusting('localhost:1')(`${server.url}/a`)).rejects.toMatchObject({ code: 'auth/host-blocked' });
    expect(server.seen).toEqual(['GET /a']);
  });

  it('is not reached by a name that has it among its addresses', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['2606:2800:220:1::1', '::1']]) {
      const { network: named, asked } = naming(addresses);
      await expect(createSignInFetch({ network: named })(nobody)('https://rebind.example/')).rejects.toMatchObject({ code: 'auth/host-blocked', data: { host: 'rebind.example:443' } });
      expect(asked).toEqual(['rebind.example']);
    }
  });

  it('is not reached by a name that stands for something else when it is asked for again: what was looked at is what is dialled', async () => {
    const server = await serving((_, response) => response.end('this one'));
    const named = naming(['127.0.0.1'], ['192.0.2.1']);
    const fetchFn = createSignInFetch({ network: named.network })(() => true);
    expect(await (await fetchFn(`http://rebind.example:${server.host.split(':')[1] ?? ''}/`)).text()).toBe('this one');
    expect(named.asked).toEqual(['rebind.example']);
  });

  it('is refused through a proxy where it is written as an address; what a name stands for is the proxy’s to know', async () => {
    await using proxy = await TestProxy.start({ refuses: 403 });
    const proxied = new Network({ proxyFor: async () => proxy.url });
    onTestFinished(() => proxied[Symbol.asyncDispose]());
    const fetchFn = createSignInFetch({ network: proxied })(nobody);
    await expect(fetchFn('https://10.0.0.1/')).rejects.toMatchObject({ code: 'auth/host-blocked', data: { host: '10.0.0.1:443' } });
    expect(proxy.seen).toEqual([]);
    await expect(fetchFn('https://issuer.example/')).rejects.toMatchObject({ code: 'connection/unreachable' });
    expect(proxy.seen).toEqual(['CONNECT issuer.example:443']);
  });
});

describe('an address of the sign-in', () => {
  it.each([
    ['gopher://x/', 'scheme'], ['file:///etc/passwd', 'scheme'], ['data:text/html,x', 'scheme'], ['javascript:alert(1)', 'scheme'], ['ws://x/', 'scheme'], ['no address', 'scheme'],
    ['http://8.8.8.8/', 'scheme'], ['https://u:secret-word@issuer.example/', 'credentials'], ['https://u@issuer.example/', 'credentials'],
  ])('is refused for its form, and nothing is sent: %s', async (address, why) => {
    const failure: unknown = await signIn(nobody)(address).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'auth/address-refused', data: { why } });
    expect(String(failure)).not.toContain('secret-word');
  });

  it('is refused over http for a public name, and for one that nobody knows', async () => {
    for (const addresses of [['93.184.215.14'], []]) {
      await expect(createSignInFetch({ network: naming(addresses).network })(nobody)('http://issuer.example/')).rejects.toMatchObject({ code: 'auth/address-refused', data: { why: 'scheme' } });
    }
  });
});

describe('a redirect', () => {
  const redirects: RequestListener = (request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/end') response.end('end');
    else response.writeHead(Number(searchParams.get('status') ?? 302), { location: searchParams.get('to') ?? '' }).end();
  };
  const to = (location: string, status = 302): string => `/r?status=${status}&to=${encodeURIComponent(location)}`;

  it('is followed within the origin, at most three times, and only for GET', async () => {
    const server = await serving(redirects);
    const fetchFn = trusting(server.host);
    const response = await fetchFn(server.url + to(to(to('/end'))));
    expect([await response.text(), response.url]).toEqual(['end', `${server.url}/end`]);
    const refusal = { code: 'auth/address-refused', data: { why: 'redirect' } };
    await expect(fetchFn(server.url + to(to(to(to('/end')))))).rejects.toMatchObject(refusal);
    server.seen.length = 0;
    // Credentials would go along.
    for (const status of [301, 302, 303, 307, 308]) await expect(fetchFn(server.url + to('/end', status), { method: 'POST', body: 'client_secret=x' })).rejects.toMatchObject(refusal);
    await expect(fetchFn(new Request(server.url + to('/end'), { method: 'POST', body: 'x' }))).rejects.toMatchObject(refusal);
    expect(server.seen.filter((line) => line.includes('/end') && !line.includes('/r'))).toEqual([]);
  });

  it('to another origin is refused, to a trusted one too; one that brings a login as well', async () => {
    const [victim, server] = [await serving((_, response) => response.end('{}')), await serving(redirects)];
    const fetchFn = trusting(server.host, victim.host);
    for (const location of [`${victim.url}/internal`, 'http://169.254.169.254/', 'https://evil.example/', 'file:///etc/passwd', 'javascript:1']) {
      await expect(fetchFn(server.url + to(location))).rejects.toMatchObject({ code: 'auth/address-refused', data: { why: 'redirect' } });
    }
    await expect(fetchFn(server.url + to(`${server.url.replace('//', '//u:p@')}/end`))).rejects.toMatchObject({ code: 'auth/address-refused', data: { why: 'credentials' } });
    expect(victim.seen).toEqual([]);
  });
});

describe('an answer', () => {
  it('is read up to 1 MiB, packed or not, and no further', async () => {
    const limit = 1024 * 1024;
    let written = 0;
    const server = await serving((request, response) => {
      const [, way = '', size = '0'] = (request.url ?? '').split('/');
      const text = Buffer.alloc(Number(size), 'x');
      if (way === 'gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
      else if (way === 'br') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(text));
      else if (way === 'stream') response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
      else if (way === 'endless') {
        const more = (): void => {
          if (response.destroyed) return;
          written += limit;
          response.write(Buffer.alloc(limit, 'x'), more);
        };
        more();
      } else response.end(text);
    });
    const fetchFn = trusting(server.host);
    for (const way of ['plain', 'gzip', 'br', 'stream']) {
      expect(await (await fetchFn(`${server.url}/${way}/${limit}`)).text()).toHaveLength(limit);
      await expect(fetchFn(`${server.url}/${way}/${limit + 1}`)).rejects.toMatchObject({ code: 'tool/result-too-large', data: { limit } });
    }
    await expect(fetchFn(`${server.url}/gzip/${32 * limit}`)).rejects.toMatchObject({ code: 'tool/result-too-large' });
    await expect(fetchFn(`${server.url}/endless`)).rejects.toMatchObject({ code: 'tool/result-too-large' });
    expect(written).toBeLessThan(32 * limit);
  });

  it('comes in time, headers and body, or not at all; a caller may give up before', async () => {
    const server = await serving((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('x');
    });
    const hasty = createSignInFetch({ network, timeLimitMs: 100 })(() => true);
    for (const path of ['/headers', '/body']) await expect(hasty(server.url + path)).rejects.toMatchObject({ code: 'connection/timed-out', data: { host: server.host } });
    const controller = new AbortController();
    const reason = new Error('enough');
    const waiting = expect(trusting(server.host)(`${server.url}/body`, { signal: controller.signal })).rejects.toBe(reason);
    controller.abort(reason);
    await waiting;
  });

  it('is passed on as it is, and what was asked arrives as it was sent', async () => {
    const server = await serving((request, response) => {
      void request.toArray().then((parts) => {
        response.writeHead(400, { 'content-type': 'application/json', 'x-a': 'b' });
        response.end(JSON.stringify({ method: request.method, length: request.headers['content-length'], type: request.headers['content-type'], authorization: request.headers.authorization, body: Buffer.concat(parts).toString() }));
      });
    });
    const fetchFn = trusting(server.host);
    const init = { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code' }), headers: { authorization: 'Basic x' } };
    const expected = { method: 'POST', length: '29', type: 'application/x-www-form-urlencoded;charset=UTF-8', authorization: 'Basic x', body: 'grant_type=authorization_code' };
    for (const response of [await fetchFn(`${server.url}/t`, init), await fetchFn(new URL(`${server.url}/t`), init), await fetchFn(new Request(`${server.url}/t`, init))]) {
      expect(response).toBeInstanceOf(Response);
      expect([response.status, response.headers.get('x-a'), response.url, await response.json()]).toEqual([400, 'b', `${server.url}/t`, expected]);
    }
    const empty = await serving((_, response) => response.writeHead(204).end());
    expect((await trusting(empty.host)(empty.url)).status).toBe(204);
  });
});
