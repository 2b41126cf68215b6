import type { Keyring } from '../../src/node/vault/keyring.ts';

/** A keyring in memory that remembers what was asked of it. For tests of what is built on a keyring; the keyring's own tests use a real one. */
export class MemoryKeyring implements Keyring {
  readonly entries = new Map<string, string>();
  readonly asked: string[] = [];
  /** Thrown by everything while it is set. */
  fault: Error | undefined;

  async read(account: string): Promise<string | undefined> {
    this.#ask(`read ${account}`);
    return this.entries.get(account);
  }

  async write(account: string, value: string): Promise<void> {
    this.#ask(`write ${account}`);
    this.entries.set(account, value);
  }

  async remove(account: string): Promise<void> {
    this.#ask(`remove ${account}`);
    this.entries.delete(account);
  }

  #ask(what: string): void {
    this.asked.push(what);
    if (this.fault) throw this.fault;
  }
}
