import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

/** What a person sees in the end. */
export interface BrowserView {
  readonly url: string;
  readonly text: string;
}

const program = join(import.meta.dirname, 'programs/browser.mjs');

/** A person with a real browser, which is a process of its own: clicks through an authorization server's pages. Needs the Electron and the display of the end-to-end tests. */
export class BrowserPerson implements AsyncDisposable {
  readonly #app: ElectronApplication;
  readonly #profile: string;

  private constructor(app: ElectronApplication, profile: string) {
    this.#app = app;
    this.#profile = profile;
  }

  static async start(): Promise<BrowserPerson> {
    const profile = await mkdtemp(join(tmpdir(), 'gatehouse-browser-'));
    const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
    const app = await _electron.launch({ args: [`--user-data-dir=${profile}`, program], env: definedOnly(env) });
    return new BrowserPerson(app, profile);
  }

  /** A tab of its own, which stays open until it is closed. */
  async open(url: string): Promise<Page> {
    const opened = this.#app.waitForEvent('window');
    await this.#app.evaluate(({ BrowserWindow }) => {
      void new BrowserWindow({ width: 900, height: 700 }).loadURL('about:blank');
    });
    const page = await opened;
    await page.goto(url);
    return page;
  }

  /** Signs in where that is asked, agrees, and sees the page at the end. */
  async signIn(url: string, account = 'alice'): Promise<BrowserView> {
    const page = await this.open(url);
    const { origin } = new URL(url);
    while (new URL(page.url()).origin === origin) {
      const login = page.locator('input[name=login]');
      if ((await login.count()) > 0) {
        await login.fill(account);
        await page.locator('input[name=password]').fill('x');
      }
      const before = page.url();
      await page.locator('button[type=submit]').first().click();
      await page.waitForURL((now) => now.href !== before);
    }
    return await seenThenClosed(page);
  }

  /** Says no, and sees the page at the end. */
  async deny(url: string): Promise<BrowserView> {
    const page = await this.open(url);
    const { origin } = new URL(url);
    await page.getByRole('link', { name: /cancel|abort/i }).first().click();
    await page.waitForURL((now) => now.origin !== origin);
    return await seenThenClosed(page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function seenThenClosed(page: Page): Promise<BrowserView> {
  await page.waitForLoadState();
  const seen = { url: page.url(), text: await page.locator('body').innerText() };
  await page.close();
  return seen;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
