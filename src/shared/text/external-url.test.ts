import { expect, it } from 'vitest';
import { externalUrl } from './external-url.ts';

it.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['HTTPS://Example.com', 'https://example.com/'],
  ['https://auth.example/a?x=$(calc)&y=`id`|calc', 'https://auth.example/a?x=$(calc)&y=`id`|calc'],
  ['https://аpple.com/', 'https://xn--pple-43d.com/'],
  ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
  ['http://localhost/x', 'http://localhost/x'],
  ['http://[::1]:1/', 'http://[::1]:1/'],
])('opens %s', (text, address) => {
  expect(externalUrl(text)).toBe(address);
});

it.each([
  'http://example.com/', 'http://127.0.0.1.example.com/', 'http://localhost.example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'smb://h/s',
  'ms-msdt:/id', 'vscode://x', 'app://gatehouse/', 'https://user@example.com/', 'https://user:pass@example.com/', 'https://example.com/\n', ' https://example.com/', 'https://exa\tmple.com/',
  'https://example.com/\u202Egpj', 'example.com', '', '//example.com', `https://example.com/${'x'.repeat(8200)}`,
])('does not open %j', (text) => {
  expect(externalUrl(text)).toBeUndefined();
});
