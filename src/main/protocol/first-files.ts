/** How long after the last file that the page asked for, and how long in all. Milliseconds. */
const quietMs = 10;
const mostMs = 1_000;

/**
 * Tells when the page has its first files. They are served by the thread that also loads the core: until then it does nothing else,
 * so that the page's own start and the core's run side by side.
 */
export class FirstFiles {
  readonly served: Promise<void>;
  #serve: () => void = () => undefined;
  #open = 0;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.served = new Promise((resolve) => {
      const most = setTimeout(resolve, mostMs);
      this.#serve = () => {
        clearTimeout(most);
        resolve();
      };
    });
  }

  /** The page asks for a file; the answer is to be called when it has it. */
  asked(): () => void {
    clearTimeout(this.#quiet);
    this.#open += 1;
    return () => {
      this.#open -= 1;
      clearTimeout(this.#quiet);
      if (this.#open === 0) this.#quiet = setTimeout(this.#serve, quietMs);
    };
  }
}
