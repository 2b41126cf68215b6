import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../core/app.ts';
import { Lifetime } from '../core/kernel/lifetime.ts';
import type { ContentStore, Log } from '../core/ports.ts';
import { AppError } from '../shared/errors.ts';
import type { ElectronPorts } from './electron-ports.ts';

export interface OpenedApp {
  readonly app: App;
  readonly contents: ContentStore;
  readonly log: Log;
  /** Ends the owner door, then the app, then what it stands on. */
  readonly close: () => Promise<void>;
}

/** A command may be at work on the home: none is for long, but those that wait for a person. Milliseconds. */
const homeWithinMs = 10_000;

/** Opens the core. Its code is loaded only now, while the window is already on its way. `maskWith` is given what takes secrets out of a text, before there are any. */
export async function openApp(electron: ElectronPorts, env: NodeJS.ProcessEnv, version: string, maskWith: (mask: (text: string) => string) => void): Promise<OpenedApp> {
  const validatorWorker = new URL('./validator-worker.js', import.meta.url);
  const tokenWorker = new URL('./token-worker.js', import.meta.url);
  const lifetime = new Lifetime();
  try {
    // The home is looked after while the core's code is still being loaded.
    const making = import('../node/node-ports.ts').then(({ createNodePorts }) => onceFree(() => createNodePorts({ ...electron, env, interaction: 'person', validatorWorker, tokenWorker, version })));
    const [made, loaded] = await Promise.allSettled([making, import('../core/app.ts')]);
    if (made.status === 'rejected') throw made.reason;
    const { ports, redactor, environment } = lifetime.own(made.value);
    maskWith((text) => redactor.mask(text));
    if (loaded.status === 'rejected') throw loaded.reason;
    const { createApp } = loaded.value;
    const app = await createApp(ports, { version, environment, redactor, hasWindow: true });
    lifetime.onEnd(() => app.close());
    // The window does not wait for it, and works without; only the command line cannot reach this app then.
    const opening = import('../http/owner-door.ts')
      .then(({ openOwnerDoor }) => openOwnerDoor({ app, home: environment.home, log: ports.log }))
      .catch((error: unknown) => ports.log.error('There is no owner door', error));
    lifetime.onEnd(async () => (await opening)?.[Symbol.asyncDispose]());
    return { app, contents: ports.contents, log: ports.log, close: () => lifetime.end() };
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}

/** Tries again while the command line uses the home. */
async function onceFree<T>(open: () => Promise<T>): Promise<T> {
  const until = performance.now() + homeWithinMs;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'home/in-use') || performance.now() > until) throw error;
    }
    await sleep(100);
  }
}
