import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { parseEnv } from 'node:util';
import type { Host, Log } from '../../core/ports.ts';
import { runLayerOf } from './run-variables.ts';
import { childEnvironment, variable, type Environment, type Platform } from '../stdio/environment.ts';

export interface HostOptions {
  /** Of the process: where the person's folders are, and the variables that hold servers and what runs are set to. */
  readonly env: Environment;
  readonly platform: Platform;
  readonly gatehouseHome: string;
  /** The person's own, as servers get it. */
  readonly personEnvironment: () => Promise<Environment>;
  readonly log: Pick<Log, 'warn'>;
}

/** The machine and the person's folders; `HOME` and its like decide where they are. */
export function createHost({ env, platform, gatehouseHome, personEnvironment, log }: HostOptions): Host {
  const paths = platform === 'win32' ? win32 : posix;
  const folder = (name: string): string | undefined => {
    const value = variable(env, name, platform);
    // XDG: a relative path is to be ignored.
    return value !== undefined && paths.isAbsolute(value) ? value : undefined;
  };
  const homeFolder = folder(platform === 'win32' ? 'USERPROFILE' : 'HOME') ?? homedir();
  const configFolder = folder('XDG_CONFIG_HOME') ?? paths.join(homeFolder, '.config');
  const appDataFolder = {
    win32: folder('APPDATA') ?? paths.join(homeFolder, 'AppData', 'Roaming'),
    darwin: paths.join(homeFolder, 'Library', 'Application Support'),
    linux: configFolder,
  };
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return {
    platform: system,
    homeFolder,
    configFolder,
    appDataFolder: appDataFolder[system],
    gatehouseHome,
    environmentServers: serversOf(env, platform),
    environmentRun: runLayerOf((name) => variable(env, name, platform), log),
    directTools: variable(env, 'MCP_DIRECT_TOOLS', platform),
    signInPort: portOf(variable(env, 'MCP_OAUTH_CALLBACK_PORT', platform)),
    outputGuard: switchOf(variable(env, 'MCP_OUTPUT_GUARD', platform)),
    async environment(signal) {
      signal.throwIfAborted();
      const person = await personEnvironment();
      signal.throwIfAborted();
      return childEnvironment(person, {}, { platform, ownRuntime: false });
    },
    readEnvFile: (text) => {
      const values: Record<string, string> = {};
      for (const [name, value] of Object.entries(parseEnv(text))) if (value !== undefined) values[name] = value;
      return values;
    },
  };
}

function portOf(text: string | undefined): number | undefined {
  const port = text !== undefined && /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** The first that is set, even to nothing: an empty one switches the alias off too. */
function serversOf(env: Environment, platform: Platform): Host['environmentServers'] {
  for (const name of ['GATEHOUSE_MCP_SERVERS', 'HARNESS_MCP_SERVERS']) {
    const text = variable(env, name, platform);
    if (text !== undefined) return { variable: name, text };
  }
  return undefined;
}

function switchOf(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase() ?? '';
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  return ['0', 'false', 'no', 'off'].includes(word) ? false : undefined;
}
