import type { Page } from '@playwright/test';
import type { Bridge } from '../../src/shared/ipc/channels.ts';
import type { Reply } from '../../src/shared/ipc/define.ts';
import type { AppState } from '../../src/shared/state/app-state.ts';

declare global {
  // What the preload gives the page; the tests' pages are typed like this one.
  var gatehouse: Bridge;
}

let lastId = 1_000_000;

/** One request over the page's own bridge, beside those that the window makes. */
export async function ask(page: Page, route: string, input?: unknown): Promise<Reply<unknown>> {
  lastId += 1;
  const reply = await page.evaluate((message) => globalThis.gatehouse.request(message), { id: lastId, route, input });
  return reply as Reply<unknown>; // main answers with nothing else
}

/** The error's code, or `ok`. */
export const codeOf = (reply: Reply<unknown>): string => (reply.ok ? 'ok' : reply.error.code);

/** What the route gives; an error reply fails the test. */
export async function give<T>(page: Page, route: string, input?: unknown): Promise<T> {
  const reply = await ask(page, route, input);
  if (!reply.ok) throw new Error(`${route}: ${reply.error.code} ${reply.error.message}`);
  return reply.value as T; // the contract says what the route gives
}

/** The app's state as it is now. The window's own follow is not disturbed: both see every action. */
export const appState = async (page: Page): Promise<AppState> => (await give<{ readonly state: AppState }>(page, 'shell.follow', { topic: 'app' })).state;
