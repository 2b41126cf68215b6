type Cleanup = () => void | Promise<void>;

/** How long something lives: a signal that aborts when it ends, the background work it waits for, and the cleanups that run then, last first. */
export class Lifetime implements AsyncDisposable {
  readonly #controller = new AbortController();
  readonly #cleanups: Cleanup[] = [];
  readonly #work = new Set<Promise<unknown>>();
  #ended: Promise<void> | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  onEnd(cleanup: Cleanup): void {
    if (this.#ended) throw new Error('Lifetime has ended');
    this.#cleanups.push(cleanup);
  }

  own<T extends Disposable | AsyncDisposable>(resource: T): T {
    this.onEnd(async () => {
      if (Symbol.asyncDispose in resource) await resource[Symbol.asyncDispose]();
      else resource[Symbol.dispose]();
    });
    return resource;
  }

  child(): Lifetime {
    return this.own(new Lifetime());
  }

  /** Background work that this lifetime waits for. Its failure goes to `onError`, never to the void. */
  run(work: (signal: AbortSignal) => Promise<unknown>, onError: (error: unknown) => void): void {
    const task = work(this.signal)
      .catch((error: unknown) => {
        if (!this.signal.aborted) onError(error);
      })
      .finally(() => this.#work.delete(task));
    this.#work.add(task);
  }

  /** Aborts, waits for the work, cleans up. One failing cleanup never skips the rest; failures come together. */
  end(reason: unknown = new DOMException('Ended', 'AbortError')): Promise<void> {
    return (this.#ended ??= this.#finish(reason));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #finish(reason: unknown): Promise<void> {
    this.#controller.abort(reason);
    await Promise.allSettled(this.#work);
    const failures: unknown[] = [];
    for (const cleanup of this.#cleanups.reverse()) {
      try {
        await cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Some cleanups failed');
  }
}
