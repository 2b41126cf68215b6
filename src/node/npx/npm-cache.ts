import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { variable, type Environment, type Platform } from '../stdio/environment.ts';

export interface Machine {
  readonly platform: Platform;
  readonly homeFolder: string;
}

/** Where npm keeps what it fetched, as npm finds out: its variable, the person's `.npmrc`, its default. Asking npm would cost more than it saves. */
export async function npmCache(env: Environment, { platform, homeFolder }: Machine): Promise<string> {
  const named = Object.entries(env).find(([name, value]) => name.toLowerCase() === 'npm_config_cache' && value !== '')?.[1];
  if (named !== undefined) return named;
  const home = variable(env, 'HOME', platform) ?? homeFolder;
  const written = /^\s*cache\s*=\s*(.+?)\s*$/m.exec(await readFile(join(home, '.npmrc'), 'utf8').catch(() => ''))?.[1];
  if (written === undefined) return join(home, '.npm');
  const filled = written.replace(/^["']|["']$/g, '').replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => env[name] ?? '');
  return resolve(home, filled.replace(/^~(?=\/|$)/, home));
}
