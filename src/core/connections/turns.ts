/** So many at a time; the others wait in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Who comes now has to wait. */
  get areTaken(): boolean {
    return this.#taken >= this.#most;
  }

  /** Resolves when it is this one's turn, which lasts until it is disposed. Rejects with the signal's reason where that aborts before, once the turn has come. */
  async take(signal: AbortSignal): Promise<Disposable> {
    if (this.areTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    if (signal.aborted) {
      this.#pass();
      throw signal.reason;
    }
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (!over) this.#pass();
        over = true;
      },
    };
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }
}
