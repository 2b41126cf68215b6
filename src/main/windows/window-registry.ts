import type { BrowserWindow } from 'electron';

/** Which windows are ours. Only they may ask anything of main. */
export class WindowRegistry {
  readonly #windows = new Map<number, BrowserWindow>();

  /** By the id of its web contents, until it is closed. */
  add(window: BrowserWindow): void {
    const { id } = window.webContents;
    this.#windows.set(id, window);
    window.once('closed', () => this.#windows.delete(id));
  }

  has(id: number): boolean {
    return this.#windows.has(id);
  }

  find(id: number): BrowserWindow | undefined {
    return this.#windows.get(id);
  }
}
