import { AppError } from '../../shared/errors.ts';
import type { CallOptions } from './session.ts';

/** A call's two limits: silence, which progress ends, and the call in all (O10). Aborting is what ends it: the SDK then tells the server. */
export class CallLimits implements Disposable {
  readonly #controller = new AbortController();
  readonly #options: CallOptions;
  /** The caller's own signal. */
  readonly parent: AbortSignal;
  #total: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** Of the call in all, when its clock was last started. Milliseconds. */
  #leftMs: number;
  #startedAt = 0;
  /** Questions that a person is being asked for it. */
  #holds = 0;
  #disposed = false;
  /** Why it was ended, if one of the limits did it. */
  ended: AppError | undefined;

  constructor(options: CallOptions, parent: AbortSignal) {
    this.#options = options;
    this.parent = parent;
    this.#leftMs = options.totalMs;
    this.#run();
    if (parent.aborted) this.#forward();
    else parent.addEventListener('abort', this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  progressed(): void {
    if (this.#holds > 0) return;
    clearTimeout(this.#idle);
    this.#idle = this.#startIdle();
  }

  /** Neither limit counts until this is disposed. */
  hold(): Disposable {
    this.#holds += 1;
    if (this.#holds === 1) {
      this.#leftMs -= performance.now() - this.#startedAt;
      this.#stop();
    }
    return {
      [Symbol.dispose]: () => {
        this.#holds -= 1;
        if (this.#holds === 0 && !this.#disposed) this.#run();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#stop();
    this.parent.removeEventListener('abort', this.#forward);
  }

  readonly #forward = (): void => this.#controller.abort(this.parent.reason);

  #run(): void {
    this.#startedAt = performance.now();
    this.#total = setTimeout(() => this.#end(`The tool did not finish within ${seconds(this.#options.totalMs)}`), this.#leftMs);
    this.#idle = this.#startIdle();
  }

  #stop(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
  }

  #startIdle(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#end(`The tool was silent for ${seconds(this.#options.idleMs)}`), this.#options.idleMs);
  }

  #end(message: string): void {
    this.ended = new AppError('tool/timed-out', `${message}; it was told to stop, and may have done its work all the same`);
    this.#controller.abort(this.ended);
  }
}

const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);
