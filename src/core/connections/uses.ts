import { aborted } from '../kernel/aborted.ts';
import { deadline } from '../kernel/deadline.ts';

/** The work in progress on a connection, so that it can end before the connection does. */
export class Uses {
  readonly #running = new Map<AbortController, Promise<unknown>>();

  /** The signal aborts with the caller's, or when the connection stops waiting. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const controller = new AbortController();
    const forward = (): void => controller.abort(signal.reason);
    if (signal.aborted) forward();
    else signal.addEventListener('abort', forward, { once: true });
    const task = work(controller.signal);
    this.#running.set(controller, task);
    try {
      return await task;
    } finally {
      signal.removeEventListener('abort', forward);
      this.#running.delete(controller);
    }
  }

  get size(): number {
    return this.#running.size;
  }

  /** Resolves when what runs now has ended, however it ends. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Waits for what runs, at most `ms`; then ends the rest with `reason` and waits for that. */
  async drain(ms: number, reason: Error): Promise<void> {
    if (this.#running.size === 0) return;
    using limit = deadline(ms, new AbortController().signal);
    await Promise.race([this.idle(), aborted(limit.signal)]);
    for (const controller of this.#running.keys()) controller.abort(reason);
    using last = deadline(ms, new AbortController().signal);
    await Promise.race([this.idle(), aborted(last.signal)]);
  }
}
