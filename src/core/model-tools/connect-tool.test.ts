import { expect, it } from 'vitest';
import { newServer } from './connect-tool.ts';

const named = (url: string, more: object = {}) => {
  const wanted = newServer({ url, ...more });
  return wanted.ok ? [wanted.server.name, wanted.server.url] : wanted.error.message;
};

it('[H-50] is called after its host where no name is given, whatever the host looks like', () => {
  expect(named('https://tools.example.com:8443/mcp?x=1#top')).toEqual(['tools_example_com', 'https://tools.example.com:8443/mcp?x=1']);
  expect(named(' HTTP://LocalHost/ ')).toEqual(['localhost', 'http://localhost/']);
  expect(named('http://127.0.0.1:3000')).toEqual(['127_0_0_1', 'http://127.0.0.1:3000/']);
  expect(named('http://[fe80::1]:3000/mcp')).toEqual(['fe80__1', 'http://[fe80::1]:3000/mcp']);
  expect(named('https://bücher.example/')).toEqual(['xn--bcher-kva_example', 'https://xn--bcher-kva.example/']);
  expect(named(`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`)[0]).toHaveLength(64);
  for (const server_name of [undefined, null, '']) expect(named('https://a.example/', { server_name })).toEqual(['a_example', 'https://a.example/']);
});

it('is told in words what is wrong with what it wrote', () => {
  expect(named('ftp://a.example/')).toBe('url: must be an http or https address');
  expect(named('https://me:secret@a.example/')).toBe('url: must hold no user name or password');
  expect(named('https://a.example/', { server_name: 'my server' })).toBe('server_name: letters, digits, _ and - only, 64 at most; “my server” is not');
  expect(newServer({})).toMatchObject({ error: { code: 'invalid_arguments', message: 'url is missing' } });
});
