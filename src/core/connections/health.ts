import { AppError } from '../../shared/errors.ts';
import type { Lifecycle } from '../../shared/model/server-options.ts';
import { asAppError } from './failure.ts';
import type { Link } from './link.ts';

/** How long a server may take to say that it is there. Milliseconds. */
const answerMs = 10_000;

/** It is brought back when it is gone, and never stopped for want of use (F-34, F-35). */
export const isKeptAlive = (lifecycle: Lifecycle, wasUp: boolean): boolean => lifecycle === 'keep-alive' || (lifecycle === 'lazy-keep-alive' && wasUp);
/** It connects when the app starts (F-33, F-34). */
export const connectsAtStart = (lifecycle: Lifecycle): boolean => lifecycle === 'eager' || lifecycle === 'keep-alive';

/**
 * Asks the server for a sign of life: a ping, or what the new era has in its place. Any answer is one, an error too. Resolves with the reason when there is none;
 * throws a lost session as it is.
 */
export async function whyNotThere(link: Link, handshakeMs: number, signal: AbortSignal): Promise<AppError | undefined> {
  const limitMs = Math.min(answerMs, handshakeMs);
  try {
    await link.request(link.era === 'legacy' ? 'ping' : 'server/discover', {}, limitMs, signal);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (link.isSessionLoss(error)) throw error;
    const app = asAppError(error, link.ended);
    switch (app.code) {
      case 'connection/timed-out':
        return new AppError('connection/timed-out', `The server gave no sign of life within ${limitMs / 1_000} s`, { cause: error });
      case 'connection/closed':
      case 'connection/unreachable':
      case 'server/exited':
        return app;
      default:
        return undefined;
    }
  }
}
