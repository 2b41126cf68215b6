import type { Log } from '../../core/ports.ts';

/** Takes what goes wrong before there is a log, and hands it on once there is one. */
export class LateLog {
  #log: Log | undefined;
  #mask = (text: string): string => text;
  #early: (readonly [message: string, error: unknown])[] = [];

  readonly problem = (message: string, error: unknown): void => {
    if (this.#log) this.#log.error(message, error);
    else {
      this.#early.push([message, error]);
      process.stderr.write(this.#mask(`gatehouse: ${message}${error instanceof Error ? `: ${error.message}` : ''}\n`));
    }
  };

  /** From now on values may be known that must not be told. */
  readonly maskWith = (mask: (text: string) => string): void => {
    this.#mask = mask;
  };

  attach(log: Log): void {
    this.#log = log;
    for (const [message, error] of this.#early.splice(0)) log.error(message, error);
  }
}
