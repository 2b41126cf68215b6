import type { App } from '../core/app.ts';
import type { ContentStore, Log } from '../core/ports.ts';
import type { ElectronPorts } from './electron-ports.ts';

export interface OpenedApp {
  readonly app: App;
  readonly contents: ContentStore;
  readonly log: Log;
  /** Ends the app, then what it stands on. */
  readonly close: () => Promise<void>;
}

/** Opens the core. Its code is loaded only now, while the window is already on its way. */
export async function openApp(electron: ElectronPorts, env: NodeJS.ProcessEnv, version: string): Promise<OpenedApp> {
  const [{ createNodePorts }, { createApp }] = await Promise.all([import('../node/node-ports.ts'), import('../core/app.ts')]);
  const validatorWorker = new URL('./validator-worker.js', import.meta.url);
  const node = await createNodePorts({ ...electron, env, interaction: 'person', validatorWorker });
  const { ports, redactor, environment } = node;
  try {
    const app = await createApp(ports, { version, environment, redactor });
    return {
      app, contents: ports.contents, log: ports.log,
      async close() {
        try {
          await app.close();
        } finally {
          await node[Symbol.asyncDispose]();
        }
      },
    };
  } catch (error) {
    await node[Symbol.asyncDispose]();
    throw error;
  }
}
