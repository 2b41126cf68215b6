import { createDispatch } from '../../core/api/dispatch.ts';
import type { App } from '../../core/app.ts';
import { AppError } from '../../shared/errors.ts';
import type { ContentId } from '../../shared/ids.ts';
import type { Handlers, Reply, RequestContext } from '../../shared/ipc/define.ts';
import { shellContract, type ShellContract } from '../../shared/ipc/shell-contract.ts';
import { externalUrl } from '../../shared/text/external-url.ts';
import type { Page } from './pages.ts';

export interface ShellDeps {
  readonly app: Promise<Pick<App, 'follow'>>;
  /** Hands an address to the system's browser. */
  readonly openExternal: (url: string) => Promise<void>;
  readonly choose: (what: 'folder' | 'file', windowId: number) => Promise<string | undefined>;
  /** A place for a new file; `undefined` when the person chose none. */
  readonly chooseSave: (name: string) => Promise<string | undefined>;
  /** Throws `storage/failed`. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** Copies what is kept to that place. Throws `storage/failed`, and `request/invalid` for content that is gone. */
  readonly writeContent: (path: string, id: ContentId, signal: AbortSignal) => Promise<void>;
  readonly copy: (text: string) => Promise<void>;
  /** Told by each page once. */
  readonly interactive: () => void;
  readonly quit: () => void;
  readonly restart: () => void;
  readonly setTheme: (theme: 'system' | 'light' | 'dark') => void;
  readonly onBug: (error: unknown, route: string) => void;
}

const shellHandlers = (deps: ShellDeps, page: Page): Handlers<ShellContract> => ({
  'shell.follow': async ({ topic }, { signal }) => page.followers.follow(deps.app, topic, signal),
  'shell.unfollow': async ({ topic }) => page.followers.unfollow(topic),
  'shell.open-external': async ({ url }) => {
    const safe = externalUrl(url);
    if (safe === undefined) throw new AppError('request/invalid', 'This address is not opened');
    await deps.openExternal(safe);
  },
  'shell.choose-folder': async (_input, { caller }) => deps.choose('folder', windowOf(caller)),
  'shell.choose-file': async (_input, { caller }) => deps.choose('file', windowOf(caller)),
  'shell.choose-save': async ({ name }) => deps.chooseSave(name),
  'shell.save-text': async ({ name, text }) => {
    const path = await deps.chooseSave(name);
    if (path !== undefined) await deps.writeText(path, text);
    return path;
  },
  'shell.save-content': async ({ id, name }, { signal }) => {
    const path = await deps.chooseSave(name);
    if (path !== undefined) await deps.writeContent(path, id, signal);
    return path;
  },
  'shell.copy': async ({ text }) => deps.copy(text),
  'shell.interactive': async () => deps.interactive(),
  'shell.quit': async () => deps.quit(),
  'shell.restart': async () => deps.restart(),
  'shell.theme': async ({ theme }) => deps.setTheme(theme),
});

const windowOf = (caller: RequestContext['caller']): number => ('door' in caller ? caller.windowId : 0);

/** Answers the shell's routes; `undefined` for any other. */
export function createShell(deps: ShellDeps) {
  return (route: string, input: unknown, page: Page, context: RequestContext): Promise<Reply<unknown>> | undefined =>
    // Own keys only: a plain look-up would answer to `constructor`.
    Object.hasOwn(shellContract, route) ? createDispatch(shellContract, shellHandlers(deps, page), deps.onBug)(route, input, context) : undefined;
}
