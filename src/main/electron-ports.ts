import { join } from 'node:path';
import { app, net, powerMonitor, session, shell } from 'electron';
import type { Browser, NetworkEvents } from '../core/ports.ts';
import { AppError } from '../shared/errors.ts';

/** What core needs and only Electron has. The rest comes from `createNodePorts`. */
export interface ElectronPorts {
  readonly network: NetworkEvents;
  readonly browser: Browser;
  /** What the system's settings say of an address, as a proxy auto-configuration file would. */
  readonly systemProxies: (url: string) => Promise<string>;
  /** The app's own runtime, which runs the servers that come along. */
  readonly runtime: string;
  readonly scriptsFolder: string;
}

const networkPollMs = 5_000;

export function createElectronPorts(): ElectronPorts {
  return {
    network: { onBack },
    browser: { open: openInBrowser },
    systemProxies: (url) => session.defaultSession.resolveProxy(url),
    runtime: process.execPath,
    scriptsFolder: join(app.getAppPath(), 'out', 'servers'),
  };
}

async function openInBrowser(url: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await shell.openExternal(url).catch((error: unknown) => {
    throw new AppError('user/needed', 'No browser could be opened', { data: { why: 'no-browser' }, cause: error });
  });
}

/** Main gets no event for the network, so it is looked at; that costs one call into the system. */
function onBack(listener: () => void): Disposable {
  let online = net.isOnline();
  const timer = setInterval(() => {
    const before = online;
    online = net.isOnline();
    if (online && !before) listener();
  }, networkPollMs);
  powerMonitor.on('resume', listener);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      powerMonitor.removeListener('resume', listener);
    },
  };
}
