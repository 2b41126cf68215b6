import type { Clock } from '../ports.ts';

/** What is left of a script's time. It passes while the script or one of its calls runs, once for all that run side by side, and stands still while a person is asked. */
export class ScriptTime {
  readonly #clock: Clock;
  #left: number | null;
  #running = 0;
  #since = 0;

  constructor(leftMs: number | null, clock: Clock) {
    this.#left = leftMs;
    this.#clock = clock;
  }

  /** Milliseconds, never less than one, so that an answer can still be told; `null` for no limit. */
  get leftMs(): number | null {
    this.#count();
    return this.#left === null ? null : Math.max(1, this.#left);
  }

  begin(): void {
    this.#count();
    this.#running += 1;
  }

  end(): void {
    this.#count();
    this.#running -= 1;
  }

  #count(): void {
    const now = this.#clock.now();
    if (this.#running > 0 && this.#left !== null) this.#left -= now - this.#since;
    this.#since = now;
  }
}
