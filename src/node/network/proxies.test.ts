import { expect, it } from 'vitest';
import { environmentProxy, isLoopback, listedProxy } from './proxies.ts';

const said = (url: string, env: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') => environmentProxy(new URL(url), env, platform);

it.each([
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://a.example/', { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1/'],
  ['https://a.example/', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' }, 'http://low:1/'],
  ['https://a.example/', { https_proxy: ' ', HTTPS_PROXY: 'p:3128' }, 'http://p:3128/'],
  ['https://a.example/', { ALL_PROXY: 'https://u:x@p:1' }, 'https://u:x@p:1/'],
  ['https://a.example/', {}, undefined],
])('the environment leads %s with %j through %s', (url, env, proxy) => {
  expect(said(url, env)).toEqual(proxy === undefined ? undefined : { proxy });
});

it.each([
  ['*', true], ['a.example', true], ['A.EXAMPLE', true], ['.example', true], ['*.example', true], ['example', true], ['b.example, a.example', true], ['b.example a.example', true],
  ['a.example:443', true], ['a.example:8443', false], ['ample', false], ['xa.example', false], ['b.a.example', false], ['', false],
])('NO_PROXY=%s excepts a.example: %s', (list, excepted) => {
  expect(said('https://a.example/x', { HTTPS_PROXY: 'p:1', NO_PROXY: list })).toEqual({ proxy: excepted ? undefined : 'http://p:1/' });
});

it.each([
  ['https://10.1.2.3/', '10.0.0.0/8', true], ['https://11.1.2.3/', '10.0.0.0/8', false], ['https://10.1.2.3/', '10.1.2.3', true], ['https://[fd00::1]/', 'fd00::/8', true],
  ['https://[fd00::1]/', '[fd00::1]', true], ['https://[fd00::1]/', 'fd00::1', true], ['https://[fd00::1]:8443/', '[fd00::1]:8443', true], ['https://10.1.2.3/', '10.0.0.0/99', false], ['https://a.example/', '10.0.0.0/8', false],
])('for %s, NO_PROXY=%s excepts: %s', (url, list, excepted) => {
  expect(said(url, { HTTPS_PROXY: 'p:1', no_proxy: list })).toEqual({ proxy: excepted ? undefined : 'http://p:1/' });
});

it('names of variables differ by case alone on Windows', () => {
  expect(said('https://a.example/', { Https_Proxy: 'p:1' }, 'win32')).toEqual({ proxy: 'http://p:1/' });
  expect(said('https://a.example/', { Https_Proxy: 'p:1' })).toBeUndefined();
});

it.each([
  ['DIRECT', undefined], ['', undefined], ['PROXY p:8080', 'http://p:8080/'], ['PROXY p:8080; DIRECT', 'http://p:8080/'], ['HTTPS p:443;PROXY q:1', 'https://p/'], ['SOCKS s:1; PROXY p:1', 'http://p:1/'],
  ['SOCKS5 s:1; DIRECT', undefined], ['proxy p:1', 'http://p:1/'],
])('of what the system lists, %j, the first that can be used counts: %s', (list, proxy) => {
  expect(listedProxy(list)).toBe(proxy);
});

it('says so where only a proxy is set that cannot be used', () => {
  const refusal = (kind: string) => expect.objectContaining({ code: 'connection/unreachable', message: expect.stringContaining(`a proxy of the kind ${kind} for this address`) as string }) as Error;
  expect(() => listedProxy('SOCKS5 s:1')).toThrow(refusal('SOCKS5'));
  expect(() => said('https://a.example/', { ALL_PROXY: 'socks5h://u:secret@s:1' })).toThrow(refusal('SOCKS5H'));
  expect(() => said('https://a.example/', { ALL_PROXY: 'http://' })).toThrow(refusal('UNREADABLE'));
});

it.each(['http://localhost/', 'https://LOCALHOST:1/', 'http://a.localhost/', 'http://localhost./', 'http://127.0.0.1/', 'http://2130706433/', 'http://127.1/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'])('%s is this machine itself', (url) => {
  expect(isLoopback(new URL(url))).toBe(true);
});

it.each(['http://localhost.example/', 'http://mylocalhost/', 'http://128.0.0.1/', 'http://127.0.0.1.example/', 'http://[::2]/', 'http://10.0.0.1/'])('%s is not', (url) => {
  expect(isLoopback(new URL(url))).toBe(false);
});
