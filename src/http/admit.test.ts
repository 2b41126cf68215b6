import { describe, expect, it } from 'vitest';
import { admit, type Knock } from './admit.ts';

const token = 'a'.repeat(43);
const knock: Knock = { method: 'POST', url: '/request', headers: { authorization: `Bearer ${token}`, host: 'gatehouse', 'content-type': 'application/json' } };
const asked = (change: { readonly method?: string; readonly url?: string; readonly headers?: Knock['headers'] }) =>
  admit({ ...knock, ...change, headers: { ...knock.headers, ...change.headers } }, token);

describe('the owner door', () => {
  it('lets in who has the token', () => {
    expect(asked({})).toEqual({ kind: 'request' });
    expect(asked({ method: 'GET', url: '/follow?topic=log%2Fa' })).toEqual({ kind: 'follow', topic: 'log/a' });
  });

  it.each([
    ['no token', ''], ['another token', `Bearer ${'b'.repeat(43)}`], ['a part of it', `Bearer ${token.slice(1)}`], ['more than it', `Bearer ${token}a`],
    ['another scheme', `Basic ${token}`], ['the token alone', token], ['something endless', `Bearer ${'a'.repeat(100_000)}`],
  ])('tells who comes with %s nothing but that, whatever they ask', (_, authorization) => {
    for (const url of ['/request', '/follow?topic=app', '/nothing', '*', '//']) expect(asked({ url, headers: { authorization } })).toEqual({ kind: 'refused', status: 401 });
    expect(asked({ method: 'DELETE', headers: { authorization, origin: 'https://evil.example' } })).toEqual({ kind: 'refused', status: 401 });
  });

  it('refuses what a browser sends for a page', () => {
    expect(asked({ headers: { origin: 'https://evil.example' } })).toEqual({ kind: 'refused', status: 403 });
    expect(asked({ headers: { origin: 'null' } })).toEqual({ kind: 'refused', status: 403 });
  });

  it('is called gatehouse and nothing else', () => {
    expect(asked({ headers: { host: 'localhost' } })).toEqual({ kind: 'refused', status: 421 });
  });

  it('knows two paths, each with its method', () => {
    expect(asked({ url: '/' })).toEqual({ kind: 'refused', status: 404 });
    expect(asked({ url: '/request/' })).toEqual({ kind: 'refused', status: 404 });
    expect(asked({ url: 'http://[' })).toEqual({ kind: 'refused', status: 404 });
    expect(asked({ method: 'GET' })).toEqual({ kind: 'refused', status: 405, allow: 'POST' });
    expect(asked({ url: '/follow?topic=app' })).toEqual({ kind: 'refused', status: 405, allow: 'GET' });
  });

  it('takes JSON only', () => {
    expect(asked({ headers: { 'content-type': 'text/plain' } })).toEqual({ kind: 'refused', status: 415 });
    expect(asked({ headers: { 'content-type': 'application/json; charset=utf-8' } })).toEqual({ kind: 'request' });
  });

  it.each(['/follow', '/follow?topic=', `/follow?topic=${'x'.repeat(301)}`])('follows a topic that is named: not %s', (url) => {
    expect(asked({ method: 'GET', url })).toEqual({ kind: 'refused', status: 400 });
  });
});
