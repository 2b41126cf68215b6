import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron';
import { isSamePage } from './navigation-guard.ts';
import { reachableBounds, smallest, usual, writeWindowMemory, type Theme, type WindowMemory } from './window-memory.ts';

/** The page's own background, so that nothing flashes before it is drawn. */
const background = { light: '#f6f5f2', dark: '#171816' } as const;

export interface MainWindowOptions {
  readonly url: string;
  readonly preload: string;
  readonly icon: string;
  /** Where the window's place is kept. */
  readonly folder: string;
  readonly memory: WindowMemory;
  readonly developing: boolean;
  /** While true, closing hides. */
  readonly stays: () => boolean;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** The one window. Closing it hides it; the tray stays. */
export class MainWindow {
  readonly window: BrowserWindow;
  readonly #options: MainWindowOptions;
  #theme: Theme;
  #crashes = 0;

  constructor(options: MainWindowOptions) {
    this.#options = options;
    this.#theme = options.memory.theme;
    const bounds = reachableBounds(options.memory.bounds, screen.getAllDisplays().map((display) => display.workArea));
    this.window = new BrowserWindow({
      ...(bounds ?? usual),
      minWidth: smallest.width,
      minHeight: smallest.height,
      show: false,
      title: 'Gatehouse',
      icon: options.icon,
      autoHideMenuBar: true,
      backgroundColor: background[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
      webPreferences: {
        preload: options.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        nodeIntegrationInWorker: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: process.platform === 'darwin',
        devTools: options.developing,
      },
    });
    if (options.memory.maximized) this.window.maximize();
    this.#watch();
  }

  load(): void {
    this.window.once('ready-to-show', () => this.window.show());
    this.#load();
  }

  get contents(): WebContents {
    return this.window.webContents;
  }

  /** Is the person looking at it? */
  get inFront(): boolean {
    return !this.window.isDestroyed() && this.window.isVisible() && !this.window.isMinimized() && this.window.isFocused();
  }

  get visible(): boolean {
    return !this.window.isDestroyed() && this.window.isVisible() && !this.window.isMinimized();
  }

  show(): void {
    if (this.window.isDestroyed()) return;
    if (this.window.isMinimized()) this.window.restore();
    this.window.show();
    this.window.focus();
  }

  hide(): void {
    if (!this.window.isDestroyed()) this.window.hide();
  }

  setTheme(theme: Theme): void {
    if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
    if (this.#theme === theme) return;
    this.#theme = theme;
    this.#remember();
  }

  #load(): void {
    this.window.loadURL(this.#options.url).catch((error: unknown) => this.#options.onProblem('The window could not be loaded', error));
  }

  #watch(): void {
    const { window } = this;
    window.on('close', (event) => {
      this.#remember();
      if (!this.#options.stays()) return;
      event.preventDefault();
      window.hide();
    });
    for (const event of ['resized', 'moved', 'maximize', 'unmaximize', 'hide'] as const) window.on(event as 'hide', () => this.#remember());
    window.on('page-title-updated', (event) => event.preventDefault());
    nativeTheme.on('updated', () => {
      if (!window.isDestroyed()) window.setBackgroundColor(background[nativeTheme.shouldUseDarkColors ? 'dark' : 'light']);
    });
    // A page can still empty itself, by going to about:blank.
    this.contents.on('did-navigate', (_event, url) => {
      if (!isSamePage(url, this.#options.url)) this.#load();
    });
    this.contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit' || window.isDestroyed()) return;
      this.#crashes += 1;
      this.#options.onProblem(`The window's page ended (${reason}, ${exitCode})`, undefined);
      // A page that cannot live is not tried for ever.
      if (this.#crashes <= 3) this.#load();
    });
  }

  #remember(): void {
    const { window } = this;
    if (window.isDestroyed()) return;
    const maximized = window.isMaximized();
    try {
      writeWindowMemory(this.#options.folder, { bounds: window.getNormalBounds(), maximized, theme: this.#theme });
    } catch (error) {
      this.#options.onProblem("The window's place could not be kept", error);
    }
  }
}
