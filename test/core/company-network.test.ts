import { writeFileSync } from 'node:fs';
import { request as httpRequest, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RawServer } from '../servers/http/raw-server.ts';
import { AppWithServer } from '../support/signed-in-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { TestAuthority } from '../support/test-authority.ts';
import { TestProxy } from '../support/test-proxy.ts';

vi.setConfig({ testTimeout: 60_000 });

/** What an authorization server at this origin says of itself, and of what it protects. */
function papers(origin: string, path: string): object | undefined {
  if (path === '/.well-known/oauth-protected-resource/secured') return { resource: `${origin}/secured`, authorization_servers: [origin] };
  if (path === '/register') return { client_id: 'registered', redirect_uris: ['http://localhost:1/callback'], token_endpoint_auth_method: 'none' };
  if (path !== '/.well-known/oauth-authorization-server') return undefined;
  return {
    issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'], code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'],
  };
}

describe('in a company, whose servers only its proxy finds and only its authority vouches for', () => {
  const authority = new TestAuthority();
  const company = createServer(authority.issue(['corp.example']), (request, response) => answer(request, response));
  let parts: BuiltParts;
  let mcp: RawServer;
  let proxy: TestProxy;
  let origin: string;
  const answer: RequestListener = (request, response) => {
    const paper = papers(origin, request.url ?? '');
    if (request.url === '/v1/models') response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data: [{ id: 'company-large', object: 'model' }] }));
    else if (paper) response.writeHead(request.url === '/register' ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(paper));
    else if (request.url === '/secured') response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/secured"` }).end();
    else {
      const onward = httpRequest(mcp.url, { method: request.method, headers: { ...request.headers, host: new URL(mcp.url).host } }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    }
  };
  beforeAll(async () => {
    parts = await buildParts();
    mcp = await RawServer.start({ capabilities: { tools: {} } });
    proxy = await TestProxy.start({ login: 'me:secret-word' });
    await new Promise<void>((resolve) => company.listen(0, '127.0.0.1', resolve));
    origin = `https://corp.example:${(company.address() as AddressInfo).port}`; // it listens on a port
  }, 60_000);
  afterAll(async () => {
    company.closeAllConnections();
    company.close();
    await proxy[Symbol.asyncDispose]();
    await mcp[Symbol.asyncDispose]();
    await parts[Symbol.asyncDispose]();
  });
  /** As from a terminal: the environment is that of the process. */
  const env = (more: Readonly<Record<string, string>>) => ({ TERM: 'xterm', SSL_CERT_FILE: '', SSL_CERT_DIR: tempFolder(), NODE_EXTRA_CA_CERTS: '', NO_PROXY: '', no_proxy: '', ...more });
  const proxied = () => ({ HTTPS_PROXY: proxy.url.replace('//', '//me:secret-word@') });
  const trusting = () => {
    const file = join(tempFolder(), 'company.pem');
    writeFileSync(file, authority.pem);
    return { SSL_CERT_FILE: file };
  };

  it('[S4] a server is connected by the system’s certificates and proxy; without them its row says what the system found, and where', async () => {
    const before = proxy.seen.length;
    await using good = await AppWithServer.open(parts, { url: `${origin}/mcp` }, {}, env({ ...proxied(), ...trusting() }));
    await good.start();
    expect(good.row?.connection).toMatchObject({ phase: 'ready' });
    expect(new Set(proxy.seen.slice(before))).toEqual(new Set([`CONNECT ${new URL(origin).host}`]));
    await using untrusting = await AppWithServer.open(parts, { url: `${origin}/mcp` }, {}, env(proxied()));
    await untrusting.start();
    const host = new URL(origin).host;
    const message = `Cannot reach ${host}: its certificate is not from a known authority (unable to verify the first certificate) (through the proxy ${new URL(proxy.url).host})`;
    expect(untrusting.row?.connection).toMatchObject({ failure: { code: 'connection/unreachable', message } });
    await using stranger = await AppWithServer.open(parts, { url: `${origin}/mcp` }, {}, env({ ...trusting(), HTTPS_PROXY: proxy.url.replace('//', '//me:wrong-word@') }));
    await stranger.start();
    expect(stranger.row?.connection).toMatchObject({ failure: { message: `Cannot reach ${host}: the proxy ${new URL(proxy.url).host} wants a login` } });
    for (const app of [untrusting, stranger]) expect(JSON.stringify(app.app.state) + app.onDisk()).not.toMatch(/secret-word|wrong-word/);
  });

  it('[S4] and so is its provider, in signing in', async () => {
    await using good = await AppWithServer.open(parts, { url: `${origin}/secured` }, {}, env({ ...proxied(), ...trusting() }));
    await good.start();
    const begun = await good.app.ask('auth.start', { serverId: good.id, openBrowser: false });
    expect(begun).toMatchObject({ kind: 'browser', url: expect.stringMatching(new RegExp(`^${origin}/authorize\\?.*client_id=registered`)) as string });
    await good.app.ask('auth.cancel', { serverId: good.id });
    await using untrusting = await AppWithServer.open(parts, { url: `${origin}/secured` }, {}, env(proxied()));
    const failing = untrusting.app.ask('auth.start', { serverId: untrusting.id, openBrowser: false });
    await expect(failing).rejects.toThrow(`Cannot reach ${new URL(origin).host}: its certificate is not from a known authority (unable to verify the first certificate)`);
  });

  it('[S4] and so is a model provider', async () => {
    const provider = { kind: 'openai-compatible' as const, name: 'Company', baseUrl: `${origin}/v1`, models: [] };
    const modelsOf = async (env: Readonly<Record<string, string>>) => {
      await using app = await TestApp.open(parts, { env });
      const { providerId } = await app.ask('models.save-provider', provider);
      return await app.ask('models.list', { providerId });
    };
    expect(await modelsOf(env({ ...proxied(), ...trusting() }))).toContain('company-large');
    await expect(modelsOf(env(proxied()))).rejects.toMatchObject({
      code: 'model/unreachable', message: expect.stringContaining(`Cannot reach ${new URL(origin).host}: its certificate is not from a known authority`) as string,
    });
  });
});
