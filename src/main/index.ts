import { join } from 'node:path';
import { app, dialog, nativeTheme, powerMonitor, session } from 'electron';
import { homeFolder } from '../node/home/home-folder.ts';
import { channels } from '../shared/ipc/channels.ts';
import { Desktop, appIcon, askToQuit, shellParts, tellOfIncident } from './desktop.ts';
import { createElectronPorts } from './electron-ports.ts';
import { Commands } from './ipc/commands.ts';
import { Pages } from './ipc/pages.ts';
import { openWindowDoor } from './ipc/window-door.ts';
import { openApp, type OpenedApp } from './open-app.ts';
import { FirstFiles } from './protocol/first-files.ts';
import { warmAnswers } from './protocol/page-files.ts';
import { registerSchemes, serveSchemes } from './protocol/schemes.ts';
import { watchIncidents } from './system/incidents.ts';
import { LateLog } from './system/late-log.ts';
import { withoutDefaultMenu } from './system/menu.ts';
import { Quit } from './system/quit.ts';
import { saveContent } from './system/save-content.ts';
import { claimHome } from './system/single-instance.ts';
import { MainWindow } from './windows/main-window.ts';
import { guardContents, guardSession } from './windows/navigation-guard.ts';
import { pageRules } from './windows/page-rules.ts';
import { readWindowMemory } from './windows/window-memory.ts';
import { WindowRegistry } from './windows/window-registry.ts';

const closeWithinMs = 8_000;
const log = new LateLog();

watchIncidents(log.problem, tellOfIncident);
registerSchemes();
withoutDefaultMenu();
// While the page starts and while an answer streams in, much is made and soon forgotten; with the little room that a page begins with (1 MB), collecting it takes a fifth of the time.
app.commandLine.appendSwitch('js-flags', '--min-semi-space-size=8');
if (process.platform === 'win32') app.setAppUserModelId('dev.gatehouse.app');
try {
  // Not `await`: Electron holds `ready` back until this module has loaded.
  if (claimHome(homeFolder(process.env))) app.whenReady().then(start).catch(fail);
  else app.exit(0);
} catch (error) {
  fail(error);
}

function start(): void {
  const developing = !app.isPackaged;
  const rules = pageRules(developing ? process.env['ELECTRON_RENDERER_URL'] : undefined);
  const folder = app.getPath('userData');
  const memory = readWindowMemory(folder);
  nativeTheme.themeSource = memory.theme;

  // Who may do what, before there is anybody.
  app.on('web-contents-created', (_event, contents) => guardContents(contents, rules));
  guardSession(session.defaultSession, rules);

  // The window comes first; requests that it makes early wait for the core.
  const windows = new WindowRegistry();
  const pages = new Pages(channels.state, (host) => commands.flush(host));
  const commands = new Commands((id) => pages.find(id) !== undefined);
  const window: MainWindow = new MainWindow({
    url: rules.pageUrl, preload: join(import.meta.dirname, '../preload/app.cjs'), icon: appIcon(), folder, memory, developing,
    stays: () => !quit.leaving, onProblem: log.problem,
  });
  windows.add(window.window);
  const files = new FirstFiles();
  const opened = files.served.then(() => openApp(createElectronPorts(), process.env, app.getVersion(), log.maskWith));
  const core = opened.then((parts) => parts.app);
  const contents = opened.then((parts) => parts.contents);
  serveSchemes(session.defaultSession, join(import.meta.dirname, '../renderer'), contents, () => files.asked());
  // With it come the schemas that its requests are parsed by: loaded while the page's process starts.
  const shell = import('./ipc/shell-handlers.ts').then(({ createShell }) =>
    createShell({ app: core, ...shellParts(() => window, { quit: () => leave(true), restart: () => leave(true, true), interactive: () => desktop.interactive() }, log), writeContent: async (path, id, signal) => saveContent(path, id, await contents, signal) }),
  );
  openWindowDoor({ windows, origins: new Set([rules.origin]), pages, app: core, shell, onRefused: (why) => log.problem(`Refused ${why}`, undefined) });
  window.load();
  warmAnswers();

  const quit: Quit = new Quit({
    busy: () => running?.app.busy() ?? { runs: 0, calls: 0, approvals: 0 },
    ask: (message, detail) => askToQuit(window.window, message, detail),
    async close() {
      window.hide();
      desktop[Symbol.dispose]();
      pages.endAll();
      await opened.then((parts) => parts.close(), () => undefined);
    },
    exit(again) {
      session.defaultSession.flushStorageData();
      if (again) app.relaunch();
      app.exit(0);
    },
    onProblem: log.problem,
    closeWithinMs,
  });
  const leave = (polite: boolean, again = false) => void quit.request({ polite, again }).catch((error: unknown) => log.problem('Quitting failed', error));
  const desktop = new Desktop({ window, commands, opened, quit: () => leave(true), log, developing });
  let running: OpenedApp | undefined;
  // That it did not open is told once, below.
  for (const part of [core, contents]) part.catch(() => undefined);
  opened
    .then((parts) => {
      running = parts;
      log.attach(parts.log);
      desktop.attach(parts.app);
    })
    .catch((error: unknown) => {
      log.problem('Gatehouse could not open', error);
      desktop.fail();
    });

  app.on('second-instance', () => window.show());
  app.on('activate', () => window.show());
  // The tray stays.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    if (quit.exiting) return;
    event.preventDefault();
    leave(true);
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => leave(false));
  powerMonitor.on('shutdown', () => leave(false));
  window.window.on('session-end', () => leave(false));
}

function fail(error: unknown): void {
  log.problem('Gatehouse could not start', error);
  dialog.showErrorBox('Gatehouse could not start', error instanceof Error ? error.message : String(error));
  app.exit(1);
}
