import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSamePage } from './navigation-guard.ts';
import { pageRules } from './page-rules.ts';
import { parseWindowMemory, reachableBounds, readWindowMemory, writeWindowMemory } from './window-memory.ts';

describe("the window's page", () => {
  const { pageUrl } = pageRules(undefined);

  it('may load itself again, and nothing else', () => {
    expect(isSamePage('app://gatehouse/index.html#/servers', pageUrl)).toBe(true);
    for (const url of ['app://gatehouse/other.html', 'app://gatehouse/', 'app://other/index.html', 'content://gatehouse/index.html', 'https://gatehouse/index.html', 'about:blank', 'javascript:1', 'file:///index.html', 'app://a@gatehouse/index.html', '']) {
      expect(isSamePage(url, pageUrl)).toBe(false);
    }
  });

  it('may request the app and nothing outside it', () => {
    const { mayRequest } = pageRules(undefined);
    for (const url of ['app://gatehouse/a.js', 'content://abc', 'data:image/png;base64,', 'blob:app://gatehouse/1', 'devtools://devtools/x']) expect(mayRequest(url)).toBe(true);
    for (const url of ['https://example.com/', 'http://127.0.0.1:1/', 'ws://127.0.0.1:1/', 'wss://example.com', 'file:///etc/passwd', 'ftp://x/', 'app://other/', 'chrome://gpu', 'no address']) expect(mayRequest(url)).toBe(false);
  });

  it('comes from a server only while developing, and only from this machine', () => {
    expect(pageRules('http://127.0.0.1:5173/')).toMatchObject({ pageUrl: 'http://127.0.0.1:5173/', origin: 'http://127.0.0.1:5173' });
    expect(pageRules('http://127.0.0.1:5173/').mayRequest('ws://127.0.0.1:5173/')).toBe(true);
    expect(pageRules('http://127.0.0.1:5173/').mayRequest('http://127.0.0.1:5174/')).toBe(false);
    for (const url of ['https://example.com/', 'http://example.com/', 'http://127.0.0.1.example.com/', 'file:///x', 'x']) expect(pageRules(url).origin).toBe('app://gatehouse');
  });
});

describe("the window's place", () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'place-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };

  it('is kept from one start to the next, for its owner alone', async () => {
    const memory = { bounds: { x: 5, y: 6, width: 900, height: 700 }, maximized: true, theme: 'dark' } as const;
    writeWindowMemory(join(folder, 'electron'), memory);
    expect(readWindowMemory(join(folder, 'electron'))).toEqual(memory);
    expect((await stat(join(folder, 'electron', 'window.json'))).mode & 0o777).toBe(0o600);
  });

  it('is the usual one when what was kept makes no sense', async () => {
    for (const text of ['', '{', '[]', 'null', '{"bounds":{"x":"1"},"theme":"sepia"}', '{"bounds":{"x":1e99,"y":0,"width":1,"height":1}}']) {
      await writeFile(join(folder, 'window.json'), text);
      expect(readWindowMemory(folder)).toEqual({ maximized: false, theme: 'system' });
    }
    expect(readWindowMemory(join(folder, 'nothing'))).toEqual({ maximized: false, theme: 'system' });
    expect(parseWindowMemory({ theme: 'light', maximized: 1 })).toEqual({ theme: 'light', maximized: false });
  });

  it('is not off the screens, and not smaller than the page can be', () => {
    expect(reachableBounds({ x: 100, y: 100, width: 100, height: 100 }, [screen])).toEqual({ x: 100, y: 100, width: 640, height: 480 });
    expect(reachableBounds({ x: 2500, y: 100, width: 900, height: 700 }, [screen])).toBeUndefined();
    expect(reachableBounds({ x: 100, y: -500, width: 900, height: 700 }, [screen])).toBeUndefined();
    expect(reachableBounds({ x: 2500, y: 100, width: 900, height: 700 }, [screen, { ...screen, x: 1920 }])).toEqual({ x: 2500, y: 100, width: 900, height: 700 });
    expect(reachableBounds(undefined, [screen])).toBeUndefined();
  });
});
