/** A secret value in memory. Printing, cloning or serialising one never shows it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Call only on the line where the value leaves for its owner: a header, an environment variable, the vault's cipher. */
  reveal(): string {
    return this.#value;
  }

  toJSON(): string {
    return '[secret]';
  }

  toString(): string {
    return '[secret]';
  }
}
