import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentProblem } from '../../shared/text/document-address.ts';
import { appDocument, documentFor, toleratesRedirect } from './metadata-document.ts';

const shared = appDocument.url;
const browser = { way: 'browser', settings: { hasSecret: false } } as const;

it('the document that comes with the app is a public native app on loopback, at the address that it names', () => {
  const file: unknown = JSON.parse(readFileSync(new URL('../../../resources/client-metadata.json', import.meta.url), 'utf8'));
  expect(file).toEqual({
    client_id: appDocument.url, client_name: appDocument.clientName, client_uri: appDocument.clientUri, redirect_uris: appDocument.redirectUris,
    application_type: 'native', token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
  });
  expect(file).toMatchObject({
    redirect_uris: ['http://localhost:19876/callback', 'http://127.0.0.1:19876/callback', 'http://[::1]:19876/callback'],
  });
  expect(documentProblem(appDocument.url)).toBeUndefined();
});

it('an address is https with a path, and without user name, fragment or dot segments', () => {
  for (const url of ['https://h.example/c.json', 'https://h.example:8443/a/b', 'https://h.example/a?b=c', 'https://h.example/a..b/.c']) expect(documentProblem(url)).toBeUndefined();
  const refused: readonly (readonly [string, string])[] = [
    ['http://h.example/c', 'https'], ['ftp://h.example/c', 'https'], ['client.json', 'https'], ['', 'https'], ['https://h.example', 'path'], ['https://h.example/', 'path'], ['https://h.example/?a=b', 'path'],
    ['https://a@h.example/c', 'user name'], ['https://a:b@h.example/c', 'user name'], ['https://@h.example/c', 'user name'], ['https://h.example/c#f', 'fragment'], ['https://h.example/c#', 'fragment'],
    ['https://h.example/a/../c', 'dot'], ['https://h.example/./c', 'dot'], ['https://h.example/a/..', 'dot'], ['https://h.example/%2e%2E/c', 'dot'], ['https://h.example/a\\..\\c', 'dot'],
  ];
  for (const [url, word] of refused) expect([url, documentProblem(url)]).toEqual([url, expect.stringContaining(word)]);
});

it('stands where nothing is advertised for nobody, and a server’s own option goes before the app’s', () => {
  expect(documentFor(browser, undefined)).toBeUndefined();
  expect(documentFor(browser, false)).toBeUndefined();
  expect(documentFor(browser, 'http://h.example/c')).toBeUndefined();
  expect(documentFor(browser, shared)).toBe(shared);
  const own = 'https://own.example/client.json';
  expect(documentFor({ way: 'browser', settings: { hasSecret: true, clientMetadataUrl: own, clientName: 'Mine', redirectUri: 'http://localhost:1/x' } }, shared)).toBe(own);
  expect(documentFor({ way: 'browser', settings: { hasSecret: false, clientMetadataUrl: false } }, shared)).toBeUndefined();
});

it('the shared one stands for nobody of another name, page or callback, and the same ones said again change nothing', () => {
  const stands = (settings: object) => documentFor({ way: 'browser', settings: { hasSecret: false, ...settings } }, shared) === shared;
  expect(stands({ clientName: 'Gatehouse', clientUri: appDocument.clientUri, redirectUri: 'http://localhost:3118/callback' })).toBe(true);
  for (const settings of [
    { clientName: 'Mine' }, { clientUri: 'https://mine.example' }, { redirectUri: 'http://localhost:3118/back' }, { redirectUri: 'http://localhost:3118/callback?a=b' }, { redirectUri: 'http://localhost:3118/callback/' },
    { redirectUri: 'https://localhost:3118/callback' }, { redirectUri: 'http://127.0.0.2:3118/callback' },
  ]) expect([settings, stands(settings)]).toEqual([settings, false]);
});

it('the shared one stands for no machine, and for nobody with a secret or key', () => {
  for (const way of ['client-credentials', 'jwt-bearer', 'cross-app'] as const) expect(documentFor({ way, settings: { hasSecret: false } }, shared)).toBeUndefined();
  expect(documentFor({ way: 'browser', settings: { hasSecret: true } }, shared)).toBeUndefined();
});

it('another port of loopback is the same registration; another host, scheme, path or query is not', () => {
  const saved = 'http://localhost:19876/callback';
  expect(toleratesRedirect(saved, saved)).toBe(true);
  expect(toleratesRedirect(saved, 'http://localhost:40001/callback')).toBe(true);
  expect(toleratesRedirect('http://[::1]:1/callback', 'http://[::1]:2/callback')).toBe(true);
  expect(toleratesRedirect('https://app.example:1/callback', 'https://app.example:2/callback')).toBe(false);
  for (const now of ['http://127.0.0.1:19876/callback', 'https://localhost:19876/callback', 'http://localhost:19876/back', 'http://localhost:19876/callback?a=b', 'http://a@localhost:19876/callback', 'no address']) {
    expect([now, toleratesRedirect(saved, now)]).toEqual([now, false]);
  }
  expect(toleratesRedirect(undefined, saved)).toBe(false);
});
