import { AppError } from '../../shared/errors.ts';
import type { CallOptions } from './session.ts';

/** A call's two limits: silence, which progress ends, and the call in all (O10). Aborting is what ends it: the SDK then tells the server. */
export class CallLimits implements Disposable {
  readonly #controller = new AbortController();
  readonly #options: CallOptions;
  /** The caller's own signal. */
  readonly parent: AbortSignal;
  readonly #total: ReturnType<typeof setTimeout>;
  #idle: ReturnType<typeof setTimeout>;
  /** Why it was ended, if one of the limits did it. */
  ended: AppError | undefined;

  constructor(options: CallOptions, parent: AbortSignal) {
    this.#options = options;
    this.parent = parent;
    this.#total = setTimeout(() => this.#end(`The tool did not finish within ${seconds(options.totalMs)}`), options.totalMs);
    this.#idle = this.#startIdle();
    if (parent.aborted) this.#forward();
    else parent.addEventListener('abort', this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  progressed(): void {
    clearTimeout(this.#idle);
    this.#idle = this.#startIdle();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.parent.removeEventListener('abort', this.#forward);
  }

  readonly #forward = (): void => this.#controller.abort(this.parent.reason);

  #startIdle(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#end(`The tool was silent for ${seconds(this.#options.idleMs)}`), this.#options.idleMs);
  }

  #end(message: string): void {
    this.ended = new AppError('tool/timed-out', `${message}; it was told to stop, and may have done its work all the same`);
    this.#controller.abort(this.ended);
  }
}

const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);
