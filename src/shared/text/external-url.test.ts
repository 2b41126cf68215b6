import { expect, it } from 'vitest';
import { externalUrl } from './external-url.ts';

it.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['HTTPS://Example.com', 'https://example.com/'],
  ['https://auth.example/a?x=$(calc)&y=`id`|calc', 'https://auth.example/a?x=%24%28calc%29&y=%60id%60%7Ccalc'],
  ['https://auth.example/a;b"c/!?d=\'e\'^<f>{g}#h;i', 'https://auth.example/a%3Bb%22c/%21?d=%27e%27%5E%3Cf%3E%7Bg%7D#h%3Bi'],
  ['https://auth.example/a?x=%24%28calc%29&y=a%20b+c%2520~*,:@-_.', 'https://auth.example/a?x=%24%28calc%29&y=a%20b+c%2520~*,:@-_.'],
  ['https://auth.example/ä?ö', 'https://auth.example/%C3%A4?%C3%B6'],
  ['https://[2606:2800:220:1::1]:8443/', 'https://[2606:2800:220:1::1]:8443/'],
  ['https://sub_domain.example-1.com/', 'https://sub_domain.example-1.com/'],
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
  'https://example.com/\u202Egpj', 'https://example.com/\u200Bx', 'https://example.com/\u2066x', 'https://example.com/\u2065x', 'https://example.com/\uFEFF', 'https://example.com/\u00ADx', 'https://example.com/\u{E0041}',
  'https:\\\\evil.example', 'https://example.com\\@evil.example/', 'https://a$(id).example/', 'https://a;b.example/', "https://a'b.example/", 'example.com', '', '//example.com', `https://example.com/${'x'.repeat(8200)}`,
])('does not open %j', (text) => {
  expect(externalUrl(text)).toBeUndefined();
});
