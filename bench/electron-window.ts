import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium, type Browser, type Page } from '@playwright/test';
import { poll } from './poll.ts';

/** The mark that a page sets once what it shows answers to keys. */
export const interactiveMark = 'interactive';

/** A program for Electron and where it keeps its data. */
export interface ElectronProgram {
  /** Its folder, and whatever comes after it. */
  readonly args: readonly string[];
  readonly switches?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
export interface OpenWindow extends AsyncDisposable {
  readonly pid: number;
  readonly browser: Browser;
  readonly page: Page;
  /** From spawn to the page's mark. */
  readonly interactiveMs: number;
  /** The mark's own time, in milliseconds since 1970. */
  readonly interactiveAt: number;
}

/** Both sides are started and watched alike: over the DevTools protocol, from outside, and only once the page is there. */
export async function openWindow({ args, switches = [], env }: ElectronProgram): Promise<OpenWindow> {
  const electron = process.env['ELECTRON_EXEC_PATH'];
  if (electron === undefined) throw new Error('ELECTRON_EXEC_PATH is not set: run this by `npm run bench`');
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(electron, [...root, '--remote-debugging-port=0', ...switches, ...args], {
    env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'], detached: true,
  });
  let browser: Browser | undefined;
  const end = async () => {
    await browser?.close().catch(() => undefined);
    await endProgram(child);
  };
  try {
    const address = await debuggerOf(child);
    await poll(async () => ((await hasPage(address)) ? true : undefined), 30_000, 'the window did not open', 100);
    browser = await chromium.connectOverCDP(address);
    const page = await poll(async () => browser?.contexts().flatMap((context) => context.pages())[0], 10_000, 'the window has no page');
    const markedAt = await poll(() => page.evaluate(readMark, interactiveMark), 30_000, 'the page never became interactive', 100);
    if (!(await page.evaluate(takesKeys))) throw new Error('the page says that it is interactive, and its text field has no focus');
    return { pid: child.pid ?? 0, browser, page, interactiveMs: markedAt - spawnedAt, interactiveAt: markedAt, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

// These two run in the page. The first is in milliseconds since 1970, as is `spawnedAt`.
function readMark(name: string): number | undefined {
  const mark = performance.getEntriesByName(name, 'mark')[0];
  return mark && performance.timeOrigin + mark.startTime;
}
function takesKeys(): boolean {
  return Reflect.get(globalThis, 'document')?.activeElement?.tagName === 'TEXTAREA';
}

/** Chromium chooses the port and says it on stderr, which must be read to its end: a full pipe would stop the program. */
function debuggerOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Electron ended with ${code}\n${said}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });
}

async function hasPage(address: string): Promise<boolean> {
  const targets: unknown = await (await fetch(`${address}/json/list`)).json();
  return Array.isArray(targets) && targets.some((target) => target?.type === 'page' && target.url !== '' && target.url !== 'about:blank');
}

async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 15_000);
  await exited;
  clearTimeout(late);
}
