import type { App } from '../core/app.ts';
import type { ContentStore, Log } from '../core/ports.ts';
import type { ElectronPorts } from './electron-ports.ts';

export interface OpenedApp {
  readonly app: App;
  readonly contents: ContentStore;
  readonly log: Log;
}

/** Opens the core. Its code is loaded only now, while the window is already on its way. */
export async function openApp(electron: ElectronPorts, home: string, version: string): Promise<OpenedApp> {
  const [{ createNodePorts }, { createApp }] = await Promise.all([import('../node/node-ports.ts'), import('../core/app.ts')]);
  const ports = await createNodePorts({ ...electron, home, interaction: 'person' });
  return { app: await createApp(ports, { version }), contents: ports.contents, log: ports.log };
}
