import { AppError } from '../../shared/errors.ts';
import type { ServerLogLine } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { deadline } from '../kernel/deadline.ts';
import type { Link } from './link.ts';
import { openLink } from './negotiate.ts';
import type { ConnectionPoolDeps, LaunchProgress } from './session.ts';

/** One try at a connection: what the definition needs, then the handshake within its limit. Throws AppError. */
export async function makeLink(
  definition: ServerDefinition,
  deps: ConnectionPoolDeps,
  limitMs: number,
  progress: LaunchProgress,
  signal: AbortSignal,
): Promise<Link> {
  const log = (line: Omit<ServerLogLine, 'at'>): void =>
    deps.onLog(definition.id, { ...line, at: deps.clock.now(), text: deps.mask(line.text) });
  const warn = (text: string): void => {
    log({ from: 'gatehouse', level: 'warning', text });
    progress.warn(deps.mask(text));
  };
  const launch = await deps.resolveLaunch(definition, { ...progress, warn }, signal);
  signal.throwIfAborted();
  using limit = deadline(limitMs, signal);
  try {
    return await openLink({ launch, serverId: definition.id, deps, log, limitMs }, definition, limit.signal);
  } catch (error) {
    if (!limit.expired() || signal.aborted) throw error;
    const data = error instanceof AppError ? error.data : undefined;
    throw new AppError('connection/timed-out', `The server did not finish the handshake within ${limitMs / 1_000} s`, {
      data,
      cause: error,
    });
  }
}
