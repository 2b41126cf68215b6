import { setTimeout as sleep } from 'node:timers/promises';
import { homeFolder } from '../node/home/home-folder.ts';
import { AppError } from '../shared/errors.ts';
import { attach } from './attach.ts';
import { CliError } from './cli-error.ts';
import { CoreClient } from './client.ts';
import type { HeadlessOptions } from './headless.ts';

/** How long a home that another process uses is tried again: a starting app, or a command that is about to end. */
const patienceSeconds = 15;
function patienceMs({ GATEHOUSE_WAIT_SECONDS: chosen }: NodeJS.ProcessEnv): number {
  const seconds = Number(chosen ?? '');
  return 1_000 * (chosen !== undefined && chosen.trim() !== '' && seconds >= 0 ? seconds : patienceSeconds);
}

/** The running app, or a core of our own. A busy home is tried again, with longer and longer pauses. Throws `home/*`, `storage/failed`. */
export async function connect(options: HeadlessOptions, signal: AbortSignal): Promise<CoreClient> {
  const until = performance.now() + patienceMs(options.env);
  for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
    signal.throwIfAborted();
    const app = await attach(homeFolder(options.env), signal);
    if (app) {
      if (options.configPath === undefined) return new CoreClient('app', app);
      throw new CliError('Gatehouse is running on this home, with its own configuration.', { hint: 'Quit it, or set GATEHOUSE_HOME to another folder, to use --config.' });
    }
    try {
      // Loaded only now: most of the program is in it.
      const { openHeadless } = await import('./headless.ts');
      return new CoreClient('headless', await openHeadless(options));
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'home/in-use') || performance.now() > until) throw error;
    }
    await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal });
  }
}
