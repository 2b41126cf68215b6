import { AppError } from '../../shared/errors.ts';
import type { ServerLogLine } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { aborted } from '../kernel/aborted.ts';
import { deadline } from '../kernel/deadline.ts';
import { loadSdk } from '../kernel/sdk.ts';
import type { Link } from './link.ts';
import { ProcessAhead } from './process-ahead.ts';
import type { LinkDeps, LaunchProgress, ReadyLaunch } from './session.ts';

export interface LinkProgress extends LaunchProgress {
  /** What is launched or contacted, before it is. */
  readonly onLaunch?: (launch: ReadyLaunch) => void;
}

/** One try at a connection: what the definition needs, then the handshake within its limit. Throws AppError. */
export async function makeLink(
  definition: ServerDefinition,
  deps: LinkDeps,
  limitMs: number,
  progress: LinkProgress,
  signal: AbortSignal,
): Promise<Link> {
  const log = (line: Omit<ServerLogLine, 'at'>): void =>
    deps.onLog(definition.id, { ...line, at: deps.clock.now(), text: deps.mask(line.text) });
  const warn = (text: string): void => {
    log({ from: 'gatehouse', level: 'warning', text });
    progress.warn(deps.mask(text));
  };
  const { byPerson, asking, onLaunch } = progress;
  const launch = await withoutPackageManager(await deps.resolveLaunch(definition, { byPerson, asking, warn }, signal), definition, deps, signal);
  signal.throwIfAborted();
  onLaunch?.(launch);
  await using ahead = launch.type === 'stdio' ? new ProcessAhead(deps.transports.stdio(launch.launch, { log })) : undefined;
  if (ahead) await startWithin(ahead, limitMs, signal);
  // With the first connection, and outside its time.
  const [{ openLink }] = await Promise.all([import('./negotiate.ts'), loadSdk()]);
  signal.throwIfAborted();
  using limit = deadline(limitMs, signal);
  try {
    return await openLink({ launch, serverId: definition.id, deps, log, limitMs, ...(ahead ? { ahead } : {}) }, definition, limit.signal);
  } catch (error) {
    if (!limit.expired() || signal.aborted) throw error;
    const data = error instanceof AppError ? error.data : undefined;
    if (typeof data === 'object' && data !== null && 'stdout' in data) throw new AppError('server/not-mcp', `The server wrote text and nothing of MCP within ${limitMs / 1_000} s`, { data, cause: error });
    throw new AppError('connection/timed-out', `The server did not finish the handshake within ${limitMs / 1_000} s`, {
      data,
      cause: error,
    });
  }
}

/** Not longer than a handshake may take: what cannot even be started in that time is waited for within the handshake's own limit. */
async function startWithin(ahead: ProcessAhead, limitMs: number, signal: AbortSignal): Promise<void> {
  using limit = deadline(limitMs, signal);
  await Promise.race([ahead.launched(), aborted(limit.signal)]);
}

/** F-176, before the handshake's time begins. The person's wish to see all that a server writes goes along (F-45). */
async function withoutPackageManager(ready: ReadyLaunch, { options }: ServerDefinition, { packages }: LinkDeps, signal: AbortSignal): Promise<ReadyLaunch> {
  if (ready.type !== 'stdio' || ready.launch.ownRuntime) return ready;
  const launch = packages ? await packages.resolve(ready.launch, signal) : ready.launch;
  return { type: 'stdio', launch: options.debug === true ? { ...launch, debug: true } : launch };
}
