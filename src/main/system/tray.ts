import { join } from 'node:path';
import { Menu, Tray, nativeImage, type MenuItemConstructorOptions } from 'electron';
import type { AppState } from '../../shared/state/app-state.ts';
import { trayMenu, type TrayChoice, type TrayItem } from './tray-menu.ts';
import { trayState, trayWords, type TrayState } from './tray-state.ts';

export interface TrayDeps {
  readonly icons: string;
  readonly windowVisible: () => boolean;
  readonly choose: (choice: TrayChoice) => void;
}

/** On macOS the name's end makes it a template, drawn in the menu bar's own colour. */
const variant = { darwin: '-Template', win32: '-small' }[process.platform as string] ?? '';

/** Setting a menu is work for the whole desktop: after the first, it is set once nothing has changed for a moment, and while things go on changing so often. Milliseconds. */
const menuCalmMs = 500;
const menuEveryMs = 3_000;

/** The icon beside the clock. Owns its looks and its menu; what was chosen goes to `choose`. */
export class AppTray implements Disposable {
  readonly #deps: TrayDeps;
  readonly #tray: Tray;
  #state: AppState | undefined;
  #shown: TrayState = 'idle';
  #items = '';
  #words = '';
  /** Since when another menu is wanted, on the clock of this process. */
  #menuWanted: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #menuTimer: NodeJS.Timeout | undefined;
  #failed = false;

  constructor(deps: TrayDeps) {
    this.#deps = deps;
    this.#tray = new Tray(this.#image('idle'));
    this.#tray.on('click', () => deps.choose({ do: deps.windowVisible() ? 'hide' : 'show' }));
    this.#render();
  }

  /** Takes a new state; several within a moment are drawn once. */
  update(state: AppState): void {
    this.#state = state;
    this.refresh();
  }

  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#render();
    }, 100);
  }

  /** The core could not open. */
  fail(): void {
    this.#failed = true;
    this.#setImage('trouble');
    this.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#menuTimer);
    if (!this.#tray.isDestroyed()) this.#tray.destroy();
  }

  #render(): void {
    if (this.#tray.isDestroyed()) return;
    if (this.#state) this.#setImage(trayState(this.#state));
    const words = this.#state ? trayWords(this.#state) : this.#failed ? 'could not start' : 'starting';
    if (words !== this.#words) this.#tray.setToolTip(`Gatehouse: ${(this.#words = words)}`);
    const now = performance.now();
    this.#menuWanted ??= now;
    clearTimeout(this.#menuTimer);
    const wait = this.#items === '' ? 0 : Math.min(menuCalmMs, this.#menuWanted + menuEveryMs - now);
    this.#menuTimer = setTimeout(() => this.#renderMenu(), Math.max(0, wait));
  }

  #renderMenu(): void {
    this.#menuWanted = undefined;
    if (this.#tray.isDestroyed()) return;
    const items = trayMenu(this.#state, this.#deps.windowVisible());
    // Setting a menu closes the one that is open: only when it says something else.
    const said = JSON.stringify(items);
    if (said === this.#items) return;
    this.#items = said;
    this.#tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => this.#template(item))));
  }

  #setImage(state: TrayState): void {
    if (state === this.#shown) return;
    this.#shown = state;
    this.#tray.setImage(this.#image(state));
  }

  #image(state: TrayState) {
    return nativeImage.createFromPath(join(this.#deps.icons, `tray-${state}${variant}.png`));
  }

  #template(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'words':
        return { label: item.label, enabled: false };
      case 'choice':
        return { label: item.label, click: () => this.#deps.choose(item.choice) };
      case 'submenu':
        return { label: item.label, submenu: item.items.map((inner) => this.#template(inner)) };
    }
  }
}
