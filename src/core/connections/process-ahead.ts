import type { StdioTransport } from '../ports.ts';

/**
 * A process that is started while nobody can speak to it yet: it takes its time to begin, and the library that speaks to it takes its own to be read. Whoever takes it
 * closes it; the one that nobody took is closed with this.
 */
export class ProcessAhead implements AsyncDisposable {
  #process: StdioTransport | undefined;

  constructor(process: StdioTransport) {
    this.#process = process;
  }

  /** Resolves when it runs or cannot; why it cannot is told by `start()` to whoever takes it. */
  async launched(): Promise<void> {
    await this.#process?.launch().catch(() => undefined);
  }

  /** Once; `undefined` for everybody after. */
  take(): StdioTransport | undefined {
    const process = this.#process;
    this.#process = undefined;
    return process;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.take()?.close();
  }
}
