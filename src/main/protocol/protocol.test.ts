import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { contentFiles, contentIdOf, rangeOf, servedAs } from './content-files.ts';
import { fileOf, pageFiles } from './page-files.ts';

describe("the window's own files", () => {
  let base = '';
  let folder = '';
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'page-'));
    folder = join(base, 'renderer');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await mkdir(join(base, 'renderer-2'));
    await Promise.all([
      writeFile(join(folder, 'index.html'), '<title>Gatehouse</title>'), writeFile(join(folder, 'assets', 'a b.js'), '1'),
      writeFile(join(base, 'secret.json'), 'secret'), writeFile(join(base, 'renderer-2', 'a.js'), 'secret'), writeFile(join(folder, 'note.txt'), 'secret'),
    ]);
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('are served with their type and the policy', async () => {
    const response = await pageFiles(folder)(new Request('app://gatehouse/index.html'));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await (await pageFiles(folder)(new Request('app://gatehouse/assets/a%20b.js?v=1'))).text()).toBe('1');
  });

  it('tell when the page has a script: whole, and not while much of it is still to be taken', async () => {
    const script = '0123456789'.repeat(60_000);
    await writeFile(join(folder, 'big.js'), script);
    const heard: string[] = [];
    const files = pageFiles(folder, () => {
      heard.push('asked');
      return () => heard.push('taken');
    });
    await files(new Request('app://gatehouse/index.html'));
    expect(heard).toEqual([]);
    const { body } = await files(new Request('app://gatehouse/big.js'));
    if (!body) throw new Error('no body');
    const parts: Uint8Array[] = [];
    for await (const part of Readable.fromWeb(body)) {
      if (parts.length === 1) expect(heard).toEqual(['asked']);
      parts.push(part);
    }
    expect(Buffer.concat(parts).toString()).toBe(script);
    expect(heard).toEqual(['asked', 'taken']);
  });

  it.each([
    'app://other/index.html', 'app://gatehouse/', 'app://gatehouse/assets', 'app://gatehouse/nothing.html', 'app://gatehouse/note.txt',
    'app://gatehouse/../secret.json', 'app://gatehouse/%2e%2e/secret.json', 'app://gatehouse/%2e%2e%2fsecret.json', 'app://gatehouse/..%2fsecret.json',
    'app://gatehouse/..%5csecret.json', 'app://gatehouse/assets/..%2f..%2fsecret.json', 'app://gatehouse/..%2frenderer-2%2fa.js', 'app://gatehouse/index.html%00.js',
    'app://gatehouse/C:%2fsecret.json', 'app://gatehouse//etc/passwd', 'app://gatehouse/%2fetc%2fpasswd', 'app://gatehouse/index.html::$DATA', 'app://gatehouse/%E0%A4%A',
  ])('do not include %s', async (address) => {
    const response = await pageFiles(folder)(new Request(address));
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it('stay inside the folder, whatever the address', () => {
    for (const address of ['app://gatehouse/..%2fsecret.json', 'app://gatehouse/..%2frenderer-2%2fa.js']) expect(fileOf(folder, address)).toBeUndefined();
  });

  it('are only read', async () => {
    expect((await pageFiles(folder)(new Request('app://gatehouse/index.html', { method: 'POST', body: 'x' }))).status).toBe(405);
  });

  it('may be reached through a link to the folder', async () => {
    await symlink(folder, join(base, 'link'));
    expect((await pageFiles(join(base, 'link'))(new Request('app://gatehouse/index.html'))).status).toBe(200);
  });
});

describe('content', () => {
  const bytes = new Uint8Array(2_500_000).map((_, i) => i % 251);
  const serve = (mimeType: string, size = bytes.length) =>
    contentFiles(
      Promise.resolve({
        read: async (id, offset, limit) => {
          if (id !== 'abc-1') throw new AppError('storage/failed', 'There is none');
          return { bytes: bytes.subarray(offset, Math.min(offset + limit, size)), total: size, mimeType };
        },
      }),
    );
  const get = (mimeType: string, headers: Record<string, string> = {}) => serve(mimeType)(new Request('content://abc-1', { headers }));

  it('is handed out whole, piece by piece', async () => {
    const response = await get('image/png');
    expect(response.headers.get('content-length')).toBe('2500000');
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))).toBe(0);
  });

  it('shows images and plays sound; anything else is only a file, SVG and HTML too', async () => {
    for (const shown of ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'audio/mpeg', 'audio/wav', 'IMAGE/PNG; q=1']) {
      const { headers } = await get(shown);
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([shown.split(';')[0]?.toLowerCase(), 'inline']);
    }
    for (const file of ['image/svg+xml', 'text/html', 'application/xhtml+xml', 'text/xml', 'application/pdf', 'text/javascript', '', 'image/png,text/html', 'image/png\nx']) {
      expect(servedAs(file)).toEqual({ type: 'application/octet-stream', inline: false });
    }
    const { headers } = await get('image/svg+xml');
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual(['application/octet-stream', 'attachment']);
  });

  it('is never sniffed and runs nothing', async () => {
    const { headers } = await get('image/png');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  });

  it('gives the part that a player asks for', async () => {
    const response = await get('audio/mpeg', { range: 'bytes=1000000-2499999' });
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 1000000-2499999/2500000']);
    expect((await response.arrayBuffer()).byteLength).toBe(1_500_000);
    expect((await get('audio/mpeg', { range: 'bytes=2500000-' })).status).toBe(416);
    expect(rangeOf('bytes=-10', 100)).toEqual({ from: 90, to: 99 });
    expect(rangeOf('bytes=0-', 100)).toEqual({ from: 0, to: 99 });
    for (const bad of ['bytes=-', 'bytes=5-2', 'items=0-1', 'bytes=0-1,3-4']) expect(rangeOf(bad, 100)).toBeUndefined();
  });

  it('may be empty', async () => {
    const response = await serve('image/png', 0)(new Request('content://abc-1'));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it.each(['content://nothing', 'content://abc-1/../x', 'content://abc-1/x', 'content://abc-1?x', 'content://..%2fabc-1', 'content://abc_1', 'content:abc-1'])('has nothing at %s', async (address) => {
    expect((await serve('image/png')(new Request(address))).status).toBe(404);
  });

  it('is found by its bare id alone', () => {
    expect(contentIdOf('content://abc-1/')).toBe('abc-1');
    expect(contentIdOf('content://a@abc-1')).toBeUndefined();
  });
});
