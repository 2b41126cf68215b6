import { fileURLToPath } from 'node:url';
import type { AppOptions } from '../core/app.ts';
import { createApp } from '../core/app.ts';
import { Lifetime } from '../core/kernel/lifetime.ts';
import type { Ports } from '../core/ports.ts';
import { createNodePorts } from '../node/node-ports.ts';
import type { Core } from './client.ts';

export interface HeadlessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly interaction: Ports['interaction'];
  readonly version: string;
  /** In place of the project that the window had open last. */
  readonly project: string | undefined;
  /** In place of the home's mcp.json. */
  readonly configPath: string | undefined;
}

/** A core of this process's own, on the home that no other Gatehouse uses now. Throws `home/*`, `storage/failed`. */
export async function openHeadless({ env, interaction, version, project, configPath }: HeadlessOptions): Promise<Core> {
  const lifetime = new Lifetime();
  try {
    const node = lifetime.own(
      await createNodePorts({
        env, interaction, version,
        // Whatever fails is told at once, and no command is about models.
        network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) },
        localServers: [],
        runtime: process.execPath,
        scriptsFolder: fileURLToPath(new URL('../servers', import.meta.url)),
        validatorWorker: new URL('../main/validator-worker.js', import.meta.url),
        tokenWorker: new URL('../main/token-worker.js', import.meta.url),
      }),
    );
    const options: AppOptions = {
      version, environment: node.environment, redactor: node.redactor,
      ...(project === undefined ? {} : { project }),
      ...(configPath === undefined ? {} : { configPath }),
    };
    const app = await createApp(node.ports, options);
    lifetime.onEnd(() => app.close());
    return {
      dispatch: (route, input, signal) => app.dispatch(route, input, { caller: { kind: 'cli' }, signal }),
      async follow(topic, listener, signal) {
        const following = await app.follow(topic, listener, signal);
        const end = () => following[Symbol.dispose]();
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
        return { seq: following.seq, state: following.state };
      },
      [Symbol.asyncDispose]: () => lifetime.end(),
    };
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}
