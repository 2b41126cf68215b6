import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { FormPerson } from '../../support/form-person.ts';
import { SignInServer } from './sign-in-server.ts';

it('a person signs in, and the token opens the server', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const registered = await fetch(`${issuer.issuer}/reg`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ application_type: 'native', token_endpoint_auth_method: 'none', redirect_uris: ['http://localhost:1/callback'], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string }; // RFC 7591, section 3.2.1
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    client_id, response_type: 'code', redirect_uri: 'http://localhost:2/callback', scope: 'mcp:tools', state: 's', resource: secured.audience, code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const back = new URL(await new FormPerson().callbackOf(`${issuer.issuer}/auth?${asked.toString()}`));
  expect(back.searchParams.get('iss')).toBe(issuer.issuer);
  const answer = await fetch(`${issuer.issuer}/token`, {
    method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri: 'http://localhost:2/callback', client_id, code_verifier: verifier, resource: secured.audience }),
  });
  const tokens = (await answer.json()) as Record<string, string>; // RFC 6749, section 5.1
  expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
  const call = (token: string) =>
    fetch(secured.url, {
      method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } }),
    });
  const good = await call(tokens['access_token'] ?? '');
  expect(await good.text()).toContain('alice');
  const bad = await call('x');
  expect(bad.status).toBe(401);
  expect(bad.headers.get('www-authenticate')).toContain(`resource_metadata="${secured.metadataUrl}"`);
  expect(issuer.secrets).toContain(tokens['refresh_token']);
});
