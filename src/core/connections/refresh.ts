import type { Clock } from '../ports.ts';
import type { ListKind } from './link.ts';

/** A server that announces a change after every reading is read ever more slowly. Milliseconds. */
const firstWaitMs = 250;
const longestWaitMs = 60_000;
/** Quiet for this long, and the next change is read at once again. Milliseconds. */
const quietMs = 10_000;

export interface RefreshDeps {
  readonly clock: Clock;
  /** Reads these lists now. Must not throw. */
  readonly read: (kinds: ReadonlySet<ListKind>) => Promise<void>;
}

/**
 * Turns any flood of change notices into few readings: one at a time, one more after it if something was announced meanwhile. The last
 * change is always read.
 */
export class Refresh {
  readonly #deps: RefreshDeps;
  readonly #signal: AbortSignal;
  #announced = new Set<ListKind>();
  #running: Promise<void> | undefined;
  #endedAt: number | undefined;
  #inARow = 0;

  constructor(deps: RefreshDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  announce(kinds: Iterable<ListKind>): void {
    if (this.#signal.aborted) return;
    for (const kind of kinds) this.#announced.add(kind);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when nothing is being read and nothing waits to be. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, read } = this.#deps;
    try {
      while (this.#announced.size > 0) {
        const since = this.#endedAt === undefined ? quietMs : clock.now() - this.#endedAt;
        this.#inARow = since >= quietMs ? 0 : this.#inARow + 1;
        // The first follow-up goes at once: it is what ends an ordinary flood.
        if (this.#inARow > 1) await clock.sleep(Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#inARow - 2)), this.#signal);
        const kinds = this.#announced;
        this.#announced = new Set();
        await read(kinds);
        this.#endedAt = clock.now();
      }
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
  }
}
