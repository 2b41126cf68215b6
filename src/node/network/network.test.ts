import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { TestAuthority } from '../../../test/support/test-authority.ts';
import { TestProxy } from '../../../test/support/test-proxy.ts';
import { createHttpFetch } from '../transports/http-fetch.ts';
import { Network, type Lookup } from './network.ts';
import { environmentProxy } from './proxies.ts';
import { createSignInFetch } from './sign-in-fetch.ts';
import { systemCertificates } from './system-certificates.ts';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // it listens on a port
}
const toThisMachine: Lookup = (_host, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]);
const nowhere: Lookup = (host, _options, answer) => answer(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), []);

/** As the app makes them, in this environment. */
function fetches(env: Readonly<Record<string, string>>, lookup: Lookup) {
  const network = new Network({
    lookup,
    proxyFor: async (url) => environmentProxy(url, env, 'linux')?.proxy,
    certificates: () => systemCertificates({ platform: 'linux', env: { SSL_CERT_DIR: tempFolder(), ...env }, onProblem: () => undefined }),
  });
  onTestFinished(() => network[Symbol.asyncDispose]());
  return { network, 'an MCP server': createHttpFetch({ network }), 'signing in': createSignInFetch({ network })((host) => host.startsWith('corp.example:')) };
}

describe('a server of an authority that only this machine knows', () => {
  const authority = new TestAuthority();
  let port: number;
  beforeAll(async () => {
    const server = createServer(authority.issue(['corp.example']), (request, response) => response.end(JSON.stringify({ path: request.url })));
    port = await listening(server);
    return () => {
      server.closeAllConnections();
      server.close();
    };
  });
  const bundled = (): string => {
    const bundle = join(tempFolder(), 'ca.pem');
    writeFileSync(bundle, authority.pem);
    return bundle;
  };

  it.each(['an MCP server', 'signing in'] as const)('[S4] is reached for %s by the system’s certificates and proxies, and a failure keeps its cause and names the host', async (what) => {
    await using proxy = await TestProxy.start({ login: 'me:p%w' });
    const address = `https://corp.example:${port}/a`;
    for (const variable of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
      expect(await (await fetches({ [variable]: bundled() }, toThisMachine)[what](address)).json()).toEqual({ path: '/a' });
    }
    expect(proxy.seen).toEqual([]);
    // Only the proxy knows the name. A bare percent sign in its password is no reason to fail.
    const through = { HTTPS_PROXY: proxy.url.replace('//', '//me:p%w@'), SSL_CERT_FILE: bundled() };
    expect(await (await fetches(through, nowhere)[what](address)).json()).toEqual({ path: '/a' });
    expect(proxy.seen).toEqual([`CONNECT corp.example:${port}`]);
    const untrusting = fetches({}, toThisMachine)[what](address);
    await expect(untrusting).rejects.toMatchObject({
      code: 'connection/unreachable',
      message: `Cannot reach corp.example:${port}: its certificate is not from a known authority (unable to verify the first certificate)`,
      data: { host: `corp.example:${port}`, systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      cause: expect.any(TypeError) as TypeError,
    });
  });

  it('is not reached under a name that its certificate does not have, nor with a certificate that is over', async () => {
    const { network } = fetches({ SSL_CERT_FILE: bundled() }, toThisMachine);
    const mcp = createHttpFetch({ network });
    await expect(mcp(`https://other.example:${port}/`)).rejects.toMatchObject({ message: expect.stringMatching(/for another name \(.*other\.example.*corp\.example/) as string });
    const late = createServer(authority.issue(['corp.example'], { expired: true }), (_, response) => response.end());
    onTestFinished(() => void late.close());
    await expect(mcp(`https://corp.example:${await listening(late)}/`)).rejects.toMatchObject({ message: expect.stringContaining('has expired (certificate has expired)') as string });
  });
});

describe('a proxy', () => {
  async function plain(): Promise<number> {
    const server = createHttpServer((request, response) => response.end(`${request.method} ${request.url} for ${request.headers.host}`));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return await listening(server);
  }

  it('gets plain http as a whole address, and nothing for this machine itself', async () => {
    await using proxy = await TestProxy.start();
    const port = await plain();
    const mcp = fetches({ HTTP_PROXY: proxy.url }, nowhere)['an MCP server'];
    expect(await (await mcp(`http://intranet:${port}/a?b`, { method: 'POST', body: 'x' })).text()).toBe(`POST /a?b for intranet:${port}`);
    expect(proxy.seen).toEqual([`POST http://intranet:${port}/a?b`]);
    expect(await (await mcp(`http://127.0.0.1:${port}/b`)).text()).toContain('GET /b');
    expect(proxy.seen).toHaveLength(1);
  });

  it('that refuses, wants a login, is not there or is of another kind is named, without its password', async () => {
    await using strict = await TestProxy.start({ login: 'a:b' });
    await using refusing = await TestProxy.start({ refuses: 403 });
    const closed = createTcpServer();
    const gone = `http://127.0.0.1:${await listening(closed)}/`;
    await new Promise((resolve) => closed.close(resolve));
    const hostOf = (url: string) => new URL(url).host;
    const cases = [
      [strict.url.replace('//', '//me:secret-word@'), 'https://corp.example/', `the proxy ${hostOf(strict.url)} wants a login`],
      [strict.url, 'http://corp.example/', `the proxy ${hostOf(strict.url)} wants a login`],
      [refusing.url, 'https://corp.example/', `the proxy ${hostOf(refusing.url)} refused with status 403`],
      [gone, 'https://corp.example/', `nothing listens there (through the proxy ${hostOf(gone)})`],
      ['socks5://me:secret-word@127.0.0.1:1', 'https://corp.example/', 'a proxy of the kind SOCKS5'],
    ] as const;
    for (const [proxy, address, words] of cases) {
      const failure: unknown = await fetches({ ALL_PROXY: proxy }, nowhere)['an MCP server'](address).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'connection/unreachable', message: expect.stringContaining(words) as string });
      expect(JSON.stringify([failure, String(failure)])).not.toContain('secret-word');
    }
  });
});

it('an abort does not wait for what others wait for', async () => {
  const network = new Network({ proxyFor: () => new Promise(() => undefined) });
  const controller = new AbortController();
  const reason = new Error('enough');
  const sending = expect(network.send(new URL('https://a.example/'), { signal: controller.signal }, 'anywhere')).rejects.toBe(reason);
  controller.abort(reason);
  await sending;
});

it('asks for the certificates once, and not for plain http', async () => {
  let asked = 0;
  const network = new Network({ lookup: toThisMachine, certificates: async () => void (asked += 1) });
  onTestFinished(() => network[Symbol.asyncDispose]());
  const send = (url: string) => network.send(new URL(url), {}, 'anywhere').catch(() => undefined);
  await send('http://a.example:9/');
  expect(asked).toBe(0);
  await Promise.all([send('https://a.example:9/'), send('https://b.example:9/')]);
  await network.send(new URL('https://a.example:9/'), {}, 'public').catch(() => undefined);
  expect(asked).toBe(1);
});
