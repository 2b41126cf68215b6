import { expect, it } from 'vitest';
import { answerJson, startHttpServer } from '../../../test/support/plain-http-server.ts';
import { exchangeEndpointOf } from './company-provider.ts';

/** A provider that describes itself at one place, with the two fields and no more. */
const provider = (place: string, said: (origin: string) => unknown) =>
  startHttpServer(({ path, headers }, response) => {
    const origin = `http://${String(headers.host)}`;
    if (path === place) answerJson(response, said(origin));
    else answerJson(response, {}, 404);
  });

it('finds where a company’s provider exchanges tokens, wherever it describes that, and takes nobody else’s word', async () => {
  const places: readonly (readonly [string, string])[] = [
    ['/.well-known/oauth-authorization-server', ''], ['/.well-known/openid-configuration', '/'], ['/.well-known/oauth-authorization-server/tenant', '/tenant'],
    ['/.well-known/openid-configuration/tenant', '/tenant/'], ['/tenant/.well-known/openid-configuration', '/tenant'],
  ];
  for (const [place, path] of places) {
    await using idp = await provider(place, (origin) => ({ issuer: `${origin}${path.replace(/\/$/, '')}`, token_endpoint: `${origin}/token` }));
    expect(await exchangeEndpointOf(`${idp.origin}${path}`, fetch)).toBe(`${idp.origin}/token`);
  }
  await using other = await provider('/.well-known/openid-configuration', (origin) => ({ issuer: 'https://accounts.example', token_endpoint: `${origin}/token` }));
  await expect(exchangeEndpointOf(other.origin, fetch)).rejects.toMatchObject({ code: 'auth/issuer-mismatch' });
  await using silent = await provider('/.well-known/openid-configuration', () => ({ issuer: 'no address' }));
  await expect(exchangeEndpointOf(silent.origin, fetch)).rejects.toMatchObject({ code: 'auth/discovery-failed' });
});
