import { expect, it } from 'vitest';
import { fileNameOf } from './file-name.ts';

it.each([
  ['repo:///src/a.cs', 'text/plain', 'a.cs'],
  ['file:///../../evil\u0000.sh', 'application/octet-stream', 'evil.sh'],
  ['https://x.example/a%2F..%2Fb%20c.pdf?sig=1#p', 'application/pdf', 'b c.pdf'],
  ['..', 'image/png', 'file.png'],
  ['doc://105', 'text/plain', '105.txt'],
  ['.bashrc', 'application/octet-stream', 'bashrc'],
  ['-rf', 'application/octet-stream', 'rf'],
  ['C:\\Windows\\con.txt', 'text/plain', '_con.txt'],
  ['report\u202Efdp.exe', 'application/octet-stream', 'reportfdp.exe'],
  ['100%', 'text/csv; charset=utf-8', '100%.csv'],
  ['a<b>:"c|?*', 'audio/wav', 'abc.wav'],
  ['', '', 'file'],
])('the name %j of a %s is saved as %j', (source, mimeType, name) => {
  expect(fileNameOf(source, mimeType)).toBe(name);
});

it('a name is never long, half a character or a way out of its folder', () => {
  for (const source of [`${'👩'.repeat(300)}.png`, 'x'.repeat(5_000), '/'.repeat(50), '\ud800']) {
    const name = fileNameOf(source, 'image/png');
    expect(name.length).toBeLessThanOrEqual(110);
    expect(name).toMatch(/^[^/\\\0]{1,200}$/);
    expect(name).not.toMatch(/\p{Cs}/u);
  }
});
