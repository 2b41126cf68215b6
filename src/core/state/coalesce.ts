/** Joins text that streams in, so that one write and one action carry what arrived in `everyMs`. `flush` before anything that must come after it. */
export class TextCoalescer implements Disposable {
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #everyMs: number;
  readonly #emit: (text: string) => void;

  constructor(everyMs: number, emit: (text: string) => void) {
    this.#everyMs = everyMs;
    this.#emit = emit;
  }

  push(delta: string): void {
    this.#text += delta;
    this.#timer ??= setTimeout(() => this.flush(), this.#everyMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#emit(text);
  }

  [Symbol.dispose](): void {
    this.flush();
  }
}
