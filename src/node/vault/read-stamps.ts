import type { SecretId } from '../../shared/ids.ts';
import type { VaultRecord } from './vault-file.ts';

interface Stamp {
  readonly lastReadAt: number;
  readonly lastReadBy: string;
}

/** When and for whom each secret was last read, until the file is written. */
export class ReadStamps {
  readonly #stamps = new Map<SecretId, Stamp>();

  get waiting(): boolean {
    return this.#stamps.size > 0;
  }

  add(id: SecretId, lastReadAt: number, lastReadBy: string): void {
    this.#stamps.set(id, { lastReadAt, lastReadBy });
  }

  forget(id: SecretId): void {
    this.#stamps.delete(id);
  }

  over<T extends { readonly lastReadAt?: number | undefined }>(id: SecretId, record: T): T {
    const stamp = this.#stamps.get(id);
    return stamp && stamp.lastReadAt >= (record.lastReadAt ?? 0) ? { ...record, ...stamp } : record;
  }

  /** The records with the stamps on them, and the way to drop just these stamps once they are written. */
  applied(secrets: ReadonlyMap<SecretId, VaultRecord>): { readonly secrets: ReadonlyMap<SecretId, VaultRecord>; readonly written: () => void } {
    const taken = new Map(this.#stamps);
    return {
      secrets: new Map([...secrets].map(([id, record]) => [id, this.over(id, record)])),
      written: () => {
        for (const [id, stamp] of taken) if (this.#stamps.get(id) === stamp) this.#stamps.delete(id);
      },
    };
  }
}
