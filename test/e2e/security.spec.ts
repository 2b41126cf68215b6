import { createServer } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { createContentStore } from '../../src/node/contents/content-store.ts';
import type { ChatId } from '../../src/shared/ids.ts';
import { ask, codeOf, give } from './bridge.ts';
import { expect, test as base } from './fixtures.ts';

interface Outside {
  readonly url: string;
  /** What has reached it. */
  readonly hits: string[];
}
/** `outside` is a web server that nothing in the window may reach. */
const test = base.extend<{ outside: Outside }>({
  outside: async ({}, use) => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(`${request.method} ${request.url}`);
      response.setHeader('access-control-allow-origin', '*').end('<script>document.title = "outside"</script>');
    });
    server.on('upgrade', (request, socket) => {
      hits.push(`UPGRADE ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits }); // it listens on TCP
    server.closeAllConnections();
    server.close();
  },
});
const pageUrl = /^app:\/\/gatehouse\/index\.html/;

test('every page runs in a sandbox, apart from its preload and without Node', async ({ app, page }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  const preferences = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()), // not in the types
  );
  expect(preferences).toHaveLength(1);
  expect(preferences[0]).toMatchObject({
    contextIsolation: true, sandbox: true, nodeIntegration: false, nodeIntegrationInSubFrames: false, webSecurity: true,
    webviewTag: false, allowRunningInsecureContent: false, experimentalFeatures: false,
  });
  expect(await page.evaluate('[typeof require, typeof process, typeof module, typeof Buffer, typeof global]')).toEqual(Array.from({ length: 5 }, () => 'undefined'));
  expect(await page.evaluate(() => typeof (document.createElement('webview') as { loadURL?: unknown }).loadURL)).toBe('undefined');
});

test('the bridge is three functions that a page cannot change', async ({ page }) => {
  expect(await page.evaluate(() => Object.entries(globalThis.gatehouse).map(([key, value]) => `${key}: ${typeof value}`).toSorted())).toEqual(['cancel: function', 'onState: function', 'request: function']);
  const changed = await page.evaluate(() => {
    const before = globalThis.gatehouse;
    for (const change of [() => Object.assign(globalThis.gatehouse, { request: 1 }), () => Object.assign(globalThis, { gatehouse: 1 })]) {
      try {
        change();
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
    return before !== globalThis.gatehouse || typeof globalThis.gatehouse.request !== 'function';
  });
  expect(changed).toBe(false);
});

test("the page's policy stops inline script, eval, and whatever comes from elsewhere or goes there", async ({ page, outside }) => {
  const seen = await page.evaluate(async (url) => {
    const blocked: string[] = [];
    addEventListener('securitypolicyviolation', (event) => blocked.push(`${event.effectiveDirective} ${event.blockedURI.replace(/^(http|ws):\/\/[^/]+/, 'outside')}`));
    const ran: string[] = [];
    Object.assign(globalThis, { ran: (what: string) => ran.push(what) });
    const put = (tag: string, properties: object) => document.body.append(Object.assign(document.createElement(tag), properties));
    put('script', { textContent: 'ran("inline script")' });
    put('script', { src: `${url}/script.js` });
    const link = document.createElement('a');
    link.setAttribute('onclick', 'ran("inline handler")');
    link.click();
    // Later, as the page itself: what a test evaluates may evaluate.
    setTimeout(() => Reflect.construct(Function, ['ran("eval")'])());
    put('img', { src: `${url}/image.png` });
    put('iframe', { src: `${url}/frame` });
    put('object', { data: `${url}/object` });
    put('audio', { src: `${url}/audio`, autoplay: true });
    put('link', { rel: 'stylesheet', href: `${url}/style.css` });
    put('base', { href: url });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@font-face { font-family: f; src: url(${url}/font) } body { font-family: f }`);
    document.adoptedStyleSheets = [sheet];
    put('style', { textContent: 'body { color: red }' });
    const styled = document.createElement('div');
    styled.setAttribute('style', 'color: red');
    await fetch(`${url}/fetch`).catch(() => undefined);
    await fetch(`${url}/fetch`, { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => undefined);
    navigator.sendBeacon(`${url}/beacon`, 'x');
    try {
      new WebSocket(`${url.replace('http', 'ws')}/socket`);
      new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
    const form = Object.assign(document.createElement('form'), { action: `${url}/form`, method: 'post' });
    document.body.append(form);
    form.submit();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { blocked: [...new Set(blocked)], ran, base: document.baseURI };
  }, outside.url);
  expect(seen.ran).toEqual([]);
  expect(seen.base).toMatch(pageUrl);
  const scripts = ['script-src eval', 'script-src-attr inline', 'script-src-elem inline', 'script-src-elem outside/script.js', 'worker-src blob'];
  const loads = ['base-uri outside/', 'font-src outside/font', 'frame-src outside', 'img-src outside/image.png', 'media-src outside/audio', 'object-src outside', 'style-src-attr inline', 'style-src-elem inline', 'style-src-elem outside/style.css'];
  const sends = ['connect-src outside/beacon', 'connect-src outside/fetch', 'connect-src outside/socket', 'form-action outside/form'];
  expect(seen.blocked.toSorted()).toEqual([...scripts, ...loads, ...sends].toSorted());
  expect(outside.hits).toEqual([]);
});

test('the window itself keeps to the policy, with all its pages, dialogs and menus', async ({ page }) => {
  const broken: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) broken.push(message.text());
  });
  await expect(page.getByRole('navigation').first()).toBeVisible();
  let opened = 0;
  const openEach = async () => {
    for (const opener of await page.locator('[role=combobox]:visible, [aria-haspopup]:visible').all()) {
      await opener.click({ timeout: 1_000 }).then(() => (opened += 1), () => undefined); // one may have gone with what was opened before
      await page.keyboard.press('Escape');
    }
  };
  for (const name of ['Chat', 'Servers', 'Tools', 'Approvals', 'Settings']) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).first().click();
    await openEach();
  }
  // A select brings its styles only when it is open.
  await page.getByRole('link', { name: /^Servers/ }).first().click();
  await page.getByRole('button', { name: /^Add (a )?server/ }).first().click();
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByRole('combobox').first().click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').last()).toBeVisible();
  expect(opened).toBeGreaterThan(1);
  expect(broken).toEqual([]);
});

test('no request leaves the app, whatever a page may do', async ({ app, page, outside }) => {
  await expect(page).toHaveURL(pageUrl);
  const answer = await app.evaluate(({ session }, url) => session.defaultSession.fetch(`${url}/x`).then(() => 'reached', (error: Error) => error.message), outside.url);
  expect(answer).toBe('net::ERR_BLOCKED_BY_CLIENT');
  expect(outside.hits).toEqual([]);
});

test('a page stays where it is', async ({ app, page, outside }) => {
  const started: string[] = [];
  page.on('framenavigated', (frame) => started.push(frame.url()));
  const goals = [`${outside.url}/go`, 'app://gatehouse/assets/', 'app://gatehouse/other.html', 'app://other/index.html', 'content://abc/', 'file:///etc/hostname', 'data:text/html,x'];
  for (const goal of goals) {
    await page.evaluate((url) => {
      location.href = url;
      const link = Object.assign(document.createElement('a'), { href: url });
      document.body.append(link);
      link.click();
    }, goal);
    // The page answers, so it is still there; a navigation that had begun would be committed by now.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }
  expect(started).toEqual([]);
  expect(page.url()).toMatch(pageUrl);
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().map((contents) => contents.getURL()))).toEqual([expect.stringMatching(pageUrl)]);
  expect(outside.hits).toEqual([]);
  // Nothing is asked before a page empties itself; then it is loaded again.
  await page.evaluate(() => void (location.href = 'about:blank'));
  await expect.poll(() => started.at(-1)).toMatch(pageUrl);
});

test('a page opens no windows', async ({ app, page, outside }) => {
  const opened = await page.evaluate((url) => [url, 'about:blank', 'app://gatehouse/index.html', 'javascript:alert(1)', 'file:///etc/hostname', ''].map((one) => window.open(one) === null), outside.url);
  await page.evaluate((url) => {
    const link = Object.assign(document.createElement('a'), { href: url, target: '_blank' });
    document.body.append(link);
    link.click();
  }, outside.url);
  expect(opened).toEqual(Array.from({ length: 6 }, () => true));
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
  expect(outside.hits).toEqual([]);
});

test('a page gets no permission, and is told so when it looks', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const query = async (name: string) => (await navigator.permissions.query({ name: name as PermissionName })).state; // names that the types lack
    const position = () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('granted'), (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'asked')));
    const denied = (work: Promise<unknown>) => work.then(() => 'granted', (error: Error) => error.name);
    return {
      looked: await Promise.all(['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'].map(query)),
      asked: [await Notification.requestPermission(), await position()],
      display: await denied(navigator.mediaDevices.getDisplayMedia({ video: true })),
      midi: await denied(navigator.requestMIDIAccess({ sysex: true })),
      clipboard: await denied(navigator.clipboard.readText()),
    };
  });
  expect(answers.looked).toEqual(Array.from({ length: 6 }, () => 'denied'));
  expect(answers.asked).toEqual(['denied', 'denied']);
  expect([answers.display, answers.midi, answers.clipboard]).not.toContain('granted');
});

test('a page downloads nothing', async ({ app, page }) => {
  const download = app.evaluate(({ session }) => new Promise((resolve) => session.defaultSession.once('will-download', (event) => resolve(event.defaultPrevented))));
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['x'])), download: 'x.sh' });
    document.body.append(link);
    link.click();
  });
  expect(await download).toBe(true);
});

test('a frame has no bridge, and a window that is not ours is not answered', async ({ app, page }) => {
  expect(await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return 'gatehouse' in (frame.contentWindow ?? {});
  })).toBe(false);
  expect(codeOf(await ask(page, 'shell.copy', { text: '' }))).toBe('ok');
  // The same page, preload and origin, yet not opened by us.
  const forged = await app.evaluate(async ({ app: electron, BrowserWindow }) => {
    const window = new BrowserWindow({ show: false, webPreferences: { preload: `${electron.getAppPath()}/out/preload/app.cjs`, sandbox: true, contextIsolation: true } });
    await window.loadURL('app://gatehouse/index.html');
    const reply: unknown = await window.webContents.executeJavaScript('window.gatehouse.request({ id: 1000000, route: "shell.copy", input: { text: "forged" } })');
    window.destroy();
    return reply;
  });
  expect(forged).toMatchObject({ ok: false, error: { code: 'request/forbidden' } });
});

test('only routes of the contract are answered, and only with what they take', async ({ app, page }) => {
  for (const route of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'shell.constructor', 'shell.', '', 'servers']) {
    expect([route, codeOf(await ask(page, route, {}))]).toEqual([route, 'request/unknown-route']);
  }
  await ask(page, 'shell.copy', { text: 'before' });
  const inputs: readonly (readonly [string, unknown])[] = [
    ['shell.copy', { text: 'x'.repeat(4_194_305) }], ['shell.copy', { text: 'x', extra: 1 }], ['shell.copy', { text: 7 }], ['shell.copy', undefined],
    ['shell.follow', { topic: 'x'.repeat(9_001) }], ['shell.theme', { theme: 'url(x)' }], ['chats.send', { chatId: 'c', text: 'x'.repeat(500_001) }], ['servers.start', { serverId: 'x'.repeat(201) }],
  ];
  for (const [route, input] of inputs) expect([route, codeOf(await ask(page, route, input))]).toEqual([route, 'request/invalid']);
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('before');
  const malformed = await page.evaluate(async () => {
    const messages: unknown[] = [undefined, null, 'chats.create', {}, { id: '1', route: 'app.info' }, { id: 2e6, route: ['app.info'] }, { id: 2e6, route: 'x'.repeat(1e6) }];
    return await Promise.all(messages.map((message) => globalThis.gatehouse.request(message as never)));
  });
  for (const reply of malformed) expect(reply).toMatchObject({ ok: false, error: { code: 'request/invalid' } });
});

test('only web addresses are opened outside', async ({ app, page }) => {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  const refused = ['file:///etc/passwd', 'javascript:alert(1)', 'smb://h/s', 'ms-msdt:/id', 'vscode://x', 'http://example.com/', 'https://u:p@example.com/', 'data:text/html,x', 'app://gatehouse/', ' https://example.com'];
  for (const url of refused) expect([url, codeOf(await ask(page, 'shell.open-external', { url }))]).toEqual([url, 'request/invalid']);
  expect(codeOf(await ask(page, 'shell.open-external', { url: 'https://example.com/?a=$(b)' }))).toBe('ok');
  expect(await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual(['https://example.com/?a=%24%28b%29']); // set above
});

test("the app's files are those of the window alone", async ({ page }) => {
  const statuses = await page.evaluate(async () => {
    const paths = ['/../../package.json', '/..%2f..%2fpackage.json', '/%2e%2e%2f%2e%2e%2fpackage.json', '/..%5c..%5cpackage.json', '/%2fetc%2fpasswd', '//etc/passwd', '/index.html%00.js', '/preload/app.cjs', '/..%2fpreload%2fapp.cjs', '/..%2fmain%2findex.js'];
    return await Promise.all(paths.map(async (path) => (await fetch(`app://gatehouse${path}`)).status));
  });
  expect(statuses).toEqual(statuses.map(() => 404));
  expect(await page.evaluate(async () => await fetch('app://other/index.html').then((response) => response.status, () => 'refused'))).toBe('refused');
  const headers = await page.evaluate(async () => Object.fromEntries((await fetch('/index.html')).headers));
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
});

test('content is shown as what it is, and an SVG runs nothing', async ({ app, page, home, outside }) => {
  const { signal } = new AbortController();
  const store = createContentStore(join(home, 'contents'));
  // Contents of no chat are tidied away.
  const { chatId: chat } = await give<{ readonly chatId: ChatId }>(page, 'chats.create', {});
  const put = async (text: string | Buffer, type: string) => (await store.put(chat, Buffer.from(text), type, signal)).id;
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="top.hit=1"><script>top.hit = 1</script><image href="${outside.url}/x.png"/></svg>`;
  const ids = { png: await put(picture, 'image/png'), svg: await put(svg, 'image/svg+xml'), disguised: await put(svg, 'image/png'), html: await put('<script>top.hit=1</script>', 'text/html') };
  const drawn = await page.evaluate(async (all) => {
    const draw = (id: string) => new Promise((resolve) => {
      const image = new Image();
      image.addEventListener('load', () => resolve(`${image.naturalWidth} wide`));
      image.addEventListener('error', () => resolve('not drawn'));
      image.src = `content://${id}`;
      document.body.append(image);
    });
    for (const id of Object.values(all)) {
      for (const [tag, key] of [['iframe', 'src'], ['object', 'data'], ['embed', 'src']] as const) document.body.append(Object.assign(document.createElement(tag), { [key]: `content://${id}` }));
      document.body.append(Object.assign(document.createElement('script'), { src: `content://${id}` }));
    }
    const games = ['', '..', `${all.png}/../x`, `${all.png}/x`, `${all.png}?x`, `..%2f${all.png}`, 'etc/passwd', '%2e%2e', 'a'.repeat(300)];
    const result = { png: await draw(all.png), svg: await draw(all.svg), disguised: await draw(all.disguised), html: await draw(all.html), games: await Promise.all(games.map(draw)) };
    return { ...result, hit: 'hit' in globalThis };
  }, ids);
  expect(drawn).toEqual({ png: '1 wide', svg: 'not drawn', disguised: 'not drawn', html: 'not drawn', games: Array.from({ length: 9 }, () => 'not drawn'), hit: false });
  const served = await app.evaluate(async ({ session }, all) => {
    const look = async (id: string) => {
      const { status, headers } = await session.defaultSession.fetch(`content://${id}/`);
      return [status, ...['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy'].map((name) => headers.get(name))];
    };
    return { png: await look(all.png), svg: await look(all.svg), html: await look(all.html) };
  }, ids);
  const file = [200, 'application/octet-stream', 'attachment', 'nosniff', "default-src 'none'; sandbox"];
  expect(served).toEqual({ png: [200, 'image/png', 'inline', 'nosniff', "default-src 'none'; sandbox"], svg: file, html: file });
  expect(outside.hits).toEqual([]);
});
