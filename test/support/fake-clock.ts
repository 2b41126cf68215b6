import type { Clock } from '../../src/core/ports.ts';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Time that passes when the test says so. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #sleepers = new Set<Sleeper>();
  readonly #dozers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#wait(this.#sleepers, ms, signal);
  }

  /** Not among `waits`. */
  doze(ms: number, signal: AbortSignal): Promise<void> {
    return this.#wait(this.#dozers, ms, signal);
  }

  #wait(sleepers: Set<Sleeper>, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = (): void => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      };
      const sleeper: Sleeper = {
        due: this.#now + ms,
        wake: () => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      sleepers.add(sleeper);
    });
  }

  /** How long each sleeper has still to wait, shortest first. */
  get waits(): readonly number[] {
    return [...this.#sleepers].map(({ due }) => due - this.#now).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers, ...this.#dozers].filter(({ due }) => due <= this.#now)) sleeper.wake();
  }
}
