import { join } from 'node:path';
import { app, net, powerMonitor } from 'electron';
import type { NetworkEvents } from '../core/ports.ts';

/** What core needs and only Electron has. The rest comes from `createNodePorts`. */
export interface ElectronPorts {
  readonly network: NetworkEvents;
  /** The app's own runtime, which runs the servers that come along. */
  readonly runtime: string;
  readonly scriptsFolder: string;
}

const networkPollMs = 5_000;

export function createElectronPorts(): ElectronPorts {
  return { network: { onBack }, runtime: process.execPath, scriptsFolder: join(app.getAppPath(), 'out', 'servers') };
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
