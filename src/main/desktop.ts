import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, clipboard, dialog, shell, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { CommandAction } from '../shared/ipc/channels.ts';
import { AppError } from '../shared/errors.ts';
import type { AppState } from '../shared/state/app-state.ts';
import type { Commands } from './ipc/commands.ts';
import type { ShellDeps } from './ipc/shell-handlers.ts';
import type { OpenedApp } from './open-app.ts';
import { ApprovalNotices, waitingNotices } from './system/approval-notices.ts';
import type { LateLog } from './system/late-log.ts';
import { setAppMenu } from './system/menu.ts';
import { showNotice } from './system/notifications.ts';
import type { TrayChoice } from './system/tray-menu.ts';
import { AppTray } from './system/tray.ts';
import type { MainWindow } from './windows/main-window.ts';

export interface DesktopDeps {
  readonly window: MainWindow;
  readonly commands: Commands;
  readonly opened: Promise<OpenedApp>;
  readonly quit: () => void;
  readonly log: LateLog;
  readonly developing: boolean;
}

/** Servers do not wait longer for a page that says nothing, nor does the tray. Milliseconds. */
const pageWithinMs = 20_000;
const trayWithinMs = 3_000;

export const iconsFolder = () => join(app.getAppPath(), 'resources', 'icons');
export const appIcon = () => join(iconsFolder(), 'app.png');

/**
 * Tray, menu and notifications: what a person sees of the app outside its window, and what they ask of it there. Tray and menu come once the page answers to the
 * person: until then it has the machine to itself.
 */
export class Desktop implements Disposable {
  readonly #deps: DesktopDeps;
  readonly #late: NodeJS.Timeout;
  readonly #notices: ApprovalNotices;
  readonly #signal = new AbortController();
  #tray: AppTray | undefined;
  #failed = false;
  #core: OpenedApp['app'] | undefined;
  #following: Disposable | undefined;

  constructor(deps: DesktopDeps) {
    this.#deps = deps;
    const { window } = deps;
    for (const event of ['show', 'hide', 'minimize', 'restore'] as const) window.window.on(event as 'show', () => this.#tray?.refresh());
    // A window that is put away before its page has answered must not be the only way back to itself.
    window.window.on('hide', () => this.#appear());
    this.#notices = new ApprovalNotices({
      inFront: () => window.inFront,
      show: (text, onClick) => showNotice(text, appIcon(), onClick),
      open: ({ page, id }) => this.command(page, id),
    });
    this.#late = setTimeout(() => this.#appear(), trayWithinMs);
  }

  /** Follows the app from now on. */
  attach(core: OpenedApp['app']): void {
    this.#core = core;
    this.#following = core.state.follow(() => this.#update(core.state.current));
    this.#update(core.state.current);
    const late = setTimeout(() => core.begin(), pageWithinMs).unref();
    this.#signal.signal.addEventListener('abort', () => clearTimeout(late), { once: true });
  }

  /** The page answers to the person: servers may start now without being in its way. */
  interactive(): void {
    this.#core?.begin();
    setImmediate(() => this.#appear());
  }

  /** The core did not open; the window says why. */
  fail(): void {
    this.#failed = true;
    this.#appear();
  }

  command(command: CommandAction['command'], id?: string): void {
    this.#deps.window.show();
    this.#deps.commands.send(this.#deps.window.contents, { type: 'command', command, ...(id === undefined ? {} : { id }) });
  }

  [Symbol.dispose](): void {
    this.#signal.abort();
    this.#following?.[Symbol.dispose]();
    this.#notices[Symbol.dispose]();
    clearTimeout(this.#late);
    this.#tray?.[Symbol.dispose]();
  }

  /** Tray and menu are there from now on. */
  #appear(): void {
    if (this.#signal.signal.aborted) return;
    clearTimeout(this.#late);
    if (!this.#tray) {
      const { window, quit, developing } = this.#deps;
      this.#tray = new AppTray({ icons: iconsFolder(), windowVisible: () => window.visible, choose: (choice) => this.#choose(choice) });
      setAppMenu({ command: (command) => this.command(command), quit, developing });
      if (this.#core) this.#tray.update(this.#core.state.current);
    }
    if (this.#failed) this.#tray.fail();
  }

  #update(state: AppState): void {
    this.#tray?.update(state);
    this.#notices.update(waitingNotices(state), state.settings.notifications);
    this.#deps.window.setTheme(state.settings.theme);
  }

  #choose(choice: TrayChoice): void {
    switch (choice.do) {
      case 'show':
        return this.#deps.window.show();
      case 'hide':
        return this.#deps.window.hide();
      case 'quit':
        return this.#deps.quit();
      case 'approval':
        return this.command('approvals', choice.approvalId);
      case 'approvals':
      case 'servers':
        return this.command(choice.do);
      case 'start':
        return this.#ask('servers.start', { serverId: choice.serverId });
      case 'stop':
        return this.#ask('servers.stop', { serverId: choice.serverId });
      case 'enable':
        return this.#ask('servers.set-enabled', { serverId: choice.serverId, enabled: true });
      case 'pause':
        return this.#ask('servers.pause-all', { paused: choice.paused });
    }
  }

  /** Asks the core as the window would. How it went is seen in the state. */
  #ask(route: string, input: unknown): void {
    const { opened, window, log } = this.#deps;
    const context = { caller: { door: 'window', windowId: window.contents.id }, signal: this.#signal.signal } as const;
    opened
      .then(({ app: core }) => core.dispatch(route, input, context))
      .then((reply) => {
        if (!reply.ok && reply.error.code !== 'run/cancelled') log.problem(`${route} from the tray`, new AppError(reply.error.code, reply.error.message));
      })
      .catch((error: unknown) => log.problem(`${route} from the tray`, error));
  }
}

/** What a window may ask of the system. */
export function shellParts(window: () => MainWindow, tell: Pick<ShellDeps, 'quit' | 'restart' | 'interactive'>, log: LateLog): Omit<ShellDeps, 'app' | 'writeContent'> {
  return {
    openExternal: (url) => shell.openExternal(url),
    async choose(what) {
      const properties = what === 'folder' ? (['openDirectory', 'createDirectory'] as const) : (['openFile'] as const);
      const { canceled, filePaths } = await dialog.showOpenDialog(window().window, { properties: [...properties] });
      return canceled ? undefined : filePaths[0];
    },
    async chooseSave(name) {
      const { canceled, filePath } = await dialog.showSaveDialog(window().window, {
        defaultPath: join(app.getPath('documents'), name), properties: ['createDirectory', 'showOverwriteConfirmation'],
      });
      return canceled || filePath === '' ? undefined : filePath;
    },
    async writeText(path, text) {
      // The dialog has asked already whether to write over what is there.
      await writeFile(path, text, { mode: 0o600 }).catch((error: unknown) => {
        throw new AppError('storage/failed', error instanceof Error ? error.message : 'The file could not be written', { cause: error });
      });
    },
    async copy(text) {
      await clipboard.writeText(text);
    },
    ...tell,
    setTheme: (theme) => window().setTheme(theme),
    onBug: (error, route) => log.problem(`Bug in ${route}`, error),
  };
}

export async function tellOfIncident(): Promise<void> {
  await app.whenReady();
  await dialog.showMessageBox({
    type: 'error', title: 'Gatehouse', message: 'Something in Gatehouse broke',
    detail: 'It was written to the log. You can go on working; if something looks wrong, quit and start Gatehouse again.',
  });
}

/** Asks in the window when it is there to be seen, else on its own. The safe answer is the default. */
export async function askToQuit(window: BrowserWindow, message: string, detail: string): Promise<boolean> {
  const options: MessageBoxOptions = {
    type: 'question', title: 'Gatehouse', message, detail, buttons: ['Stay', 'Quit'], defaultId: 0, cancelId: 0, noLink: true,
  };
  const asked = window.isDestroyed() || !window.isVisible() ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options);
  return (await asked).response === 1;
}
