import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { appState, ask, codeOf } from './bridge.ts';
import { beginCalls, waitForApproval } from './busy.ts';
import { expect, test } from './fixtures.ts';

const ROOT = join(import.meta.dirname, '../..');
const visible = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));

/** Puts a person with these answers in place of the dialogs, and tells what they were asked. */
async function answerDialogs(app: ElectronApplication, ...answers: readonly number[]): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ dialog }, responses) => {
    const asked: string[] = [];
    const left = [...responses];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = async (...parts: unknown[]) => {
      asked.push((parts.at(-1) as { readonly message: string }).message); // the options come last
      return { response: left.shift() ?? 0, checkboxChecked: false };
    };
  }, answers);
  return () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked); // set above
}

/** Resolves with how the app's own process ended. */
const ending = (app: ElectronApplication) => {
  const child = app.process();
  return new Promise<string>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)));
};
const closeWindow = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
/** As the menu, the tray and ⌘Q do. The app may be gone before it can answer. */
const quit = (app: ElectronApplication) => app.evaluate(({ app: electron }) => setImmediate(() => electron.quit()));

test('closing the window keeps the app in the tray; a second start shows it and ends', async ({ app, page, shell, folder, home }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  await closeWindow(app);
  await expect.poll(() => visible(app)).toEqual([false]);
  await expect.poll(() => shell.items).toHaveLength(1);
  expect(codeOf(await ask(page, 'app.info'))).toBe('ok');
  const executable = await app.evaluate(() => process.execPath);
  const second = spawn(executable, ['--no-sandbox', ROOT], { env: { ...process.env, HOME: join(folder, 'person'), GATEHOUSE_HOME: home }, stdio: 'ignore' });
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
  await expect.poll(() => visible(app)).toEqual([true]);
  expect(app.windows()).toHaveLength(1);
});

test('quitting asks nothing when nothing runs', async ({ app, page }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  const asked = await answerDialogs(app);
  expect(await asked()).toEqual([]);
  const ended = ending(app);
  await quit(app);
  expect(await ended).toBe('code 0');
});

test('quitting asks when tool calls run, stays when told to, and leaves nothing behind when not', async ({ app, page }) => {
  const asked = await answerDialogs(app, 0, 1);
  await beginCalls(page, 2);
  await quit(app);
  await expect.poll(asked).toEqual(['2 tool calls are running. Quit anyway?']);
  // It stays: everything still works.
  expect(codeOf(await ask(page, 'app.info'))).toBe('ok');
  expect(await visible(app)).toEqual([true]);
  const ended = ending(app);
  expect(codeOf(await ask(page, 'shell.quit'))).toBe('ok');
  expect(await ended).toBe('code 0');
});

test('a signal ends the app without a question, and with it what it started', async ({ app, page }) => {
  await beginCalls(page, 1);
  const asked = await answerDialogs(app, 0);
  expect(await asked()).toEqual([]);
  const ended = ending(app);
  app.process().kill('SIGTERM');
  expect(await ended).toBe('code 0');
});

test('what waited for an approval at the end is settled at the next start, and the chat goes on', async ({ app, page, relaunch }) => {
  await using _model = await waitForApproval(page);
  const asked = await answerDialogs(app, 0, 1);
  await quit(app);
  await expect.poll(asked).toEqual(['1 chat is running. Quit anyway?']);
  const again = await relaunch();
  const state = await appState(again.page);
  expect(state.approvals).toEqual([]);
  expect(state.chats).toHaveLength(1);
  expect(['idle', 'interrupted']).toContain(state.chats[0]?.activity);
});

test('the window comes back where it was', async ({ app, page, relaunch }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  const bounds = { x: 30, y: 40, width: 900, height: 640 };
  await app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds);
  const isThere = (one: ElectronApplication) =>
    expect(async () => expect(await one.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(bounds)).toPass();
  await isThere(app);
  const again = await relaunch();
  await isThere(again.app);
});

test('a home of a later version is left alone, and the window says so', async ({ home, launch, shell }) => {
  const version = '{ "format": 99 }';
  await writeFile(join(home, 'version.json'), version);
  const { page } = await launch();
  await expect.poll(async () => codeOf(await ask(page, 'app.info'))).toBe('home/newer');
  await expect.poll(async () => JSON.stringify((await shell.properties())['ToolTip'])).toContain('could not start');
  expect(await readFile(join(home, 'version.json'), 'utf8')).toBe(version);
});

test('what nobody caught is written to the log and told once', async ({ app, page, home }) => {
  await expect.poll(async () => codeOf(await ask(page, 'app.info'))).toBe('ok');
  const asked = await answerDialogs(app);
  await app.evaluate(() => {
    setImmediate(() => { throw new Error('first mishap'); });
    setImmediate(() => { throw new Error('second mishap'); });
    void Promise.reject(new Error('third mishap'));
  });
  await expect.poll(asked).toEqual(['Something in Gatehouse broke']);
  await expect.poll(() => readFile(join(home, 'logs', 'gatehouse.log'), 'utf8')).toMatch(/mishap[^]*mishap[^]*mishap/);
  expect(codeOf(await ask(page, 'app.info'))).toBe('ok');
});

test('a page that crashes is loaded again, and nothing of its memory is kept', async ({ app, page, home }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  const answer = await app.evaluate(async ({ webContents }) => {
    const [contents] = webContents.getAllWebContents();
    if (!contents) throw new Error('no page');
    const loaded = new Promise<void>((resolve) => contents.once('render-process-gone', () => contents.once('did-finish-load', () => resolve())));
    contents.forcefullyCrashRenderer();
    await loaded;
    return await contents.executeJavaScript('gatehouse.request({ id: 1000000, route: "app.info" })') as unknown; // a reply
  });
  expect(answer).toMatchObject({ ok: true });
  const dumps = await app.evaluate(({ app: electron }) => electron.getPath('crashDumps'));
  expect(dumps.startsWith(home)).toBe(true);
  const files = await readdir(home, { recursive: true });
  expect(files.filter((file) => /\.(dmp|core|heapsnapshot)$|(^|\/)report\..*\.json$/i.test(file))).toEqual([]);
  await expect.poll(() => readFile(join(home, 'logs', 'gatehouse.log'), 'utf8')).toContain("The window's page ended (");
});
