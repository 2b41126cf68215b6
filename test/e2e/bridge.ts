import type { Page } from '@playwright/test';
import type { Bridge } from '../../src/shared/ipc/channels.ts';
import type { Reply } from '../../src/shared/ipc/define.ts';

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
