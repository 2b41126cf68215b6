/** So many at a time; the others wait in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when it is this one's turn, which lasts until it is disposed. Rejects with the signal's reason; a turn that nobody took goes to the next. */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#taken < this.#most) this.#taken += 1;
    else await this.#wait(signal);
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#taken -= 1;
      },
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.push(go);
    });
  }
}
