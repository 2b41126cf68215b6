import type { ConnectionFailure, ConnectionState } from '../../shared/model/connection-state.ts';
import { countDeath, healthyMs, isCrashLoop, quickTries, slowWait } from './backoff.ts';
import { isPassing } from './failure.ts';

/** How often and how lately a server failed, and what follows from it. */
export class Recovery {
  readonly #random: () => number;
  /** Since it last held; they decide the next wait. */
  #failures = 0;
  #deaths: readonly number[] = [];
  #readySince = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** A person wants it: what was does not count. */
  forgive(): void {
    this.#failures = 0;
    this.#deaths = [];
  }

  /** The tries that may follow each other quickly now. */
  get tries(): number {
    return this.#failures === 0 ? quickTries : 1;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Another quick try may help. A handshake that ran out of time has had enough of it. */
  mayTryQuickly(failure: ConnectionFailure): boolean {
    return isPassing(failure) && failure.code !== 'connection/timed-out' && !isCrashLoop(this.#deaths);
  }

  died(now: number): void {
    this.#deaths = countDeath(this.#deaths, now);
  }

  ready(now: number): void {
    this.#readySince = now;
  }

  dropped(now: number): void {
    if (now - this.#readySince >= healthyMs) this.#failures = 0;
  }

  /** The state after a failure: to be tried again at its time, or by a person only. */
  after(failure: ConnectionFailure, wasReady: boolean, now: number): ConnectionState {
    if (isCrashLoop(this.#deaths)) {
      const times = this.#deaths.length;
      const message = `The server ended ${times} times within a minute and is not started again by itself. ${failure.message}`;
      return { phase: 'failed', at: now, failure: { ...failure, code: 'connection/crash-loop', message: message.slice(0, 500) } };
    }
    this.#failures += 1;
    if (!isPassing(failure)) return { phase: 'failed', at: now, failure };
    const retryAt = now + slowWait(this.#failures, this.#random);
    if (!wasReady) return { phase: 'failed', at: now, failure, retryAt };
    return { phase: 'reconnecting', since: now, attempt: this.#failures, retryAt, failure };
  }
}
