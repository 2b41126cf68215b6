import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import type { App } from '../../core/app.ts';
import { AppError } from '../../shared/errors.ts';
import type { Reply, RequestContext } from '../../shared/ipc/define.ts';
import type { Page, Pages } from './pages.ts';
import { isTrustedSender } from './trusted-sender.ts';
import { untilAborted } from './until-aborted.ts';

export interface RequestDeps {
  readonly windows: { has(id: number): boolean };
  readonly origins: ReadonlySet<string>;
  readonly pages: Pages;
  /** Requests that come before it has opened wait for it; when it cannot open, they are answered with the reason. */
  readonly app: Promise<Pick<App, 'dispatch'>>;
  /** Answers the shell's own routes; `undefined` for a route that is none of them. It is there before the core is. */
  readonly shell: Promise<(route: string, input: unknown, page: Page, context: RequestContext) => Promise<Reply<unknown>> | undefined>;
  readonly onRefused: (why: string) => void;
}

/** Never rejects: Electron would keep only an error's message. */
export async function answerRequest(deps: RequestDeps, event: IpcMainInvokeEvent, message: unknown, token: unknown): Promise<Reply<unknown>> {
  try {
    if (!isTrustedSender(event, deps.windows, deps.origins)) {
      deps.onRefused('a request from a page that is not ours');
      throw new AppError('request/forbidden', 'This page may not ask');
    }
    const { id, route, input } = readRequest(message);
    const page = deps.pages.speaking(event.sender, readToken(token));
    const signal = page.begin(id);
    if (!signal) throw new AppError('request/invalid', `Request ${id} is open already`);
    try {
      const context: RequestContext = { caller: { door: 'window', windowId: event.sender.id }, signal };
      const shell = await deps.shell;
      return await (shell(route, input, page, context) ?? (await untilAborted(deps.app, signal)).dispatch(route, input, context));
    } finally {
      page.finish(id);
    }
  } catch (error) {
    return { ok: false, error: AppError.from(error).toData() };
  }
}

export function cancelRequest(deps: RequestDeps, event: IpcMainEvent, id: unknown, token: unknown): void {
  if (!isTrustedSender(event, deps.windows, deps.origins)) {
    deps.onRefused('a cancellation from a page that is not ours');
    return;
  }
  const page = deps.pages.find(event.sender.id);
  if (typeof id === 'number' && page?.token === token) page?.cancel(id);
}

function readRequest(message: unknown): { readonly id: number; readonly route: string; readonly input: unknown } {
  if (typeof message === 'object' && message !== null && 'id' in message && 'route' in message) {
    const { id, route } = message;
    const input = 'input' in message ? message.input : undefined;
    if (typeof id === 'number' && Number.isSafeInteger(id) && typeof route === 'string' && route.length <= 200) return { id, route, input };
  }
  throw new AppError('request/invalid', 'This is no request');
}

function readToken(token: unknown): string {
  if (typeof token === 'string' && token.length <= 100) return token;
  throw new AppError('request/invalid', 'The page does not say which it is');
}
