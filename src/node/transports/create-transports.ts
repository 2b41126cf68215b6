import type { Transports } from '../../core/ports.ts';
import { Network } from '../network/network.ts';
import { definedOnly, type Environment, type Platform } from '../stdio/environment.ts';
import { LiveProcesses } from '../stdio/live-processes.ts';
import { createPersonEnvironment, startedFromTerminal } from '../stdio/shell-path.ts';
import { ProcessTransport } from '../stdio/stdio-transport.ts';
import { defaultStopWaits, type StopWaits } from '../stdio/stop-politely.ts';
import { createHttpFetch } from './http-fetch.ts';
import { SocketTransport } from './socket-transport.ts';

export interface TransportsOptions {
  /** The home folder: what runs is recorded in its `running/`. */
  readonly home: string;
  /** The person's environment; default: that of the login shell for starts from the desktop, asked for once. */
  readonly personEnvironment?: () => Promise<Environment>;
  /** Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  readonly waits?: Partial<StopWaits>;
  readonly maxMessageBytes?: number;
  /** Default: no proxy, and the certificates that Node trusts by itself. */
  readonly network?: Pick<Network, 'send'>;
}

/** The ways to a server: a child process, a socket, HTTP. */
export function createTransports(options: TransportsOptions): Transports {
  const platform: Platform = process.platform;
  const env = options.env ?? process.env;
  const fromTerminal = startedFromTerminal(env, [process.stdin, process.stdout, process.stderr]);
  const personEnvironment = options.personEnvironment ?? createPersonEnvironment({ env, platform, fromTerminal });
  const deps = {
    home: options.home,
    platform,
    live: new LiveProcesses(),
    waits: { ...defaultStopWaits, ...options.waits },
    debug: env['GATEHOUSE_DEBUG'] === '1',
  };
  const limit = options.maxMessageBytes === undefined ? {} : { maxMessageBytes: options.maxMessageBytes };
  return {
    stdio: (launch, observer) =>
      new ProcessTransport({ launch, observer, deps, personEnvironment, processEnvironment: definedOnly(env), ...limit }),
    socket: (path, observer) => new SocketTransport(path, observer, options.maxMessageBytes),
    fetch: createHttpFetch({ network: options.network ?? new Network(), ...(options.maxMessageBytes === undefined ? {} : { maxBodyBytes: options.maxMessageBytes }) }),
  };
}
