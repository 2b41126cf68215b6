import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Lanes } from '../../core/kernel/lanes.ts';
import { Lifetime } from '../../core/kernel/lifetime.ts';
import { Secret } from '../../core/kernel/secret.ts';
import type { Clock, Vault } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { SecretId } from '../../shared/ids.ts';
import type { VaultStatus } from '../../shared/model/settings.ts';
import { privateFolder } from '../home/private-folder.ts';
import { removeLeftTemps } from '../records/atomic-write.ts';
import { withLock } from '../records/file-lock.ts';
import { storageProblem } from '../records/storage-problem.ts';
import type { Keyring } from './keyring.ts';
import { ReadStamps } from './read-stamps.ts';
import { codeOf, unavailableBy } from './unavailable.ts';
import { fits, newKey, readVaultFile, seal, unseal, writeVaultFile, type VaultContent, type VaultRecord } from './vault-file.ts';

export interface VaultOptions {
  /** Holds vault.json and nothing of anybody else. */
  readonly folder: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
}
/** After a reset the old file stays beside the new one, as it was. */
export interface FileVault extends Vault, AsyncDisposable {
  /** A place without a value, as a reset leaves one; a value that is there stays. */
  keepName(id: SecretId, scope: string, signal: AbortSignal): Promise<void>;
  /** For what is sealed beside the vault. `make`: a vault that has no key yet gets one. `undefined` where there is no key to be had. */
  masterKey(make: boolean, signal: AbortSignal): Promise<{ readonly kid: string; readonly key: Uint8Array } | undefined>;
}

interface Known {
  readonly scope: string;
  readonly updatedAt: number;
  readonly lastReadAt?: number | undefined;
  readonly lastReadBy?: string | undefined;
  readonly empty?: true;
}
const stampsWaitMs = 60_000;

/** Values encrypted in one file, their key on the keyring, which is not touched before `open`. Reading, writing and removing see what other processes wrote. */
export function createVault(options: VaultOptions): FileVault {
  return new EncryptedVault(options);
}

class EncryptedVault implements FileVault {
  readonly #options: VaultOptions;
  readonly #file: string;
  readonly #lanes = new Lanes<'file'>();
  readonly #lifetime = new Lifetime();
  readonly #listeners = new Set<(status: VaultStatus) => void>();
  readonly #keys = new Map<string, Uint8Array>();
  readonly #stamps = new ReadStamps();
  /** Put while memory-only; never written. */
  readonly #memory = new Map<SecretId, Known & { readonly value: Secret }>();
  #status: VaultStatus = { phase: 'unopened' };
  #flushing = false;

  constructor(options: VaultOptions) {
    this.#options = options;
    this.#file = join(options.folder, 'vault.json');
  }

  get status(): VaultStatus {
    return this.#status;
  }

  onStatus(listener: (status: VaultStatus) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  open(signal: AbortSignal): Promise<VaultStatus> {
    return this.#lanes.run('file', async () => {
      try {
        const content = await this.#read();
        if (content) await this.#keyOf(content, signal);
        // With nothing stored yet there is no key to ask for: whether a keyring answers is all that can be known.
        else await this.#options.keyring.read('master.none', signal);
        return this.#become({ phase: 'ready', secrets: countOf(content) });
      } catch (error) {
        signal.throwIfAborted();
        const unavailable = unavailableBy(error);
        if (!unavailable) throw storageProblem('Cannot open the vault', error);
        return this.#status.phase === 'memory-only' ? this.#status : this.#become(unavailable);
      }
    });
  }

  useMemoryOnly(): VaultStatus {
    return this.#status.phase === 'ready' ? this.#status : this.#become({ phase: 'memory-only', secrets: this.#memory.size });
  }

  put(id: SecretId, value: Secret, scope: string, signal: AbortSignal): Promise<void> {
    return this.#lanes.run('file', async () => {
      if (!SecretId.safeParse(id).success) throw new AppError('request/invalid', 'Not a secret id');
      const updatedAt = this.#options.clock.now();
      if (this.#status.phase === 'memory-only') {
        this.#memory.set(id, { value, scope, updatedAt });
        this.useMemoryOnly();
        return;
      }
      this.#demandReady();
      const content = await this.#change(async (current) => {
        const base = current ?? (await this.#newContent(new Map(), signal));
        const key = await this.#keyOf(base, signal);
        const sealed = seal(key, value.reveal(), 'secret', { id, scope, kid: base.kid });
        return { ...base, secrets: new Map(base.secrets).set(id, { scope, kid: base.kid, ...sealed, updatedAt }) };
      }, signal);
      this.#memory.delete(id);
      this.#become({ phase: 'ready', secrets: countOf(content) });
    });
  }

  keepName(id: SecretId, scope: string, signal: AbortSignal): Promise<void> {
    return this.#lanes.run('file', async () => {
      this.#demandReady();
      await this.#change(async (current) => {
        const base = current ?? (await this.#newContent(new Map(), signal));
        if (base.secrets.has(id)) return undefined;
        return { ...base, secrets: new Map(base.secrets).set(id, { scope, empty: true, updatedAt: this.#options.clock.now() }) };
      }, signal);
    });
  }

  get(id: SecretId, reader: string, signal: AbortSignal): Promise<Secret | undefined> {
    return this.#lanes.run('file', async () => {
      const remembered = this.#memory.get(id);
      const now = this.#options.clock.now();
      if (remembered) {
        this.#memory.set(id, { ...remembered, lastReadAt: now, lastReadBy: reader });
        return remembered.value;
      }
      if (this.#status.phase === 'memory-only') return undefined;
      this.#demandReady();
      const value = await this.#guarded('Cannot read the vault', () => this.#open(id, signal), signal);
      if (!value) return undefined;
      this.#stamps.add(id, now, reader);
      this.#flushSoon();
      return value;
    });
  }

  async masterKey(make: boolean, signal: AbortSignal): Promise<{ readonly kid: string; readonly key: Uint8Array } | undefined> {
    if (this.#status.phase === 'unopened') await this.open(signal);
    if (this.#status.phase !== 'ready') return undefined;
    return this.#lanes.run('file', async () => {
      const content = await this.#change(async (current) => (current || !make ? undefined : this.#newContent(new Map(), signal)), signal);
      return content && { kid: content.kid, key: await this.#keyOf(content, signal) };
    });
  }

  /** Needs no key: what cannot be read can still be removed. */
  remove(id: SecretId, signal: AbortSignal): Promise<void> {
    return this.#lanes.run('file', async () => {
      this.#memory.delete(id);
      this.#stamps.forget(id);
      if (this.#status.phase === 'memory-only') this.useMemoryOnly();
      if (!(await this.#guarded('Cannot read the vault', () => this.#read(), signal))?.secrets.has(id)) return;
      const content = await this.#change(async (current) => {
        if (!current?.secrets.has(id)) return undefined;
        return { ...current, secrets: new Map([...current.secrets].filter(([other]) => other !== id)) };
      }, signal);
      if (this.#status.phase === 'ready') this.#become({ phase: 'ready', secrets: countOf(content) });
    });
  }

  list(signal: AbortSignal): ReturnType<Vault['list']> {
    return this.#lanes.run('file', async () => {
      const stored = this.#status.phase === 'memory-only' ? undefined : await this.#guarded('Cannot read the vault', () => this.#read(), signal);
      const all = new Map<SecretId, Known>([...(stored?.secrets ?? []), ...this.#memory]);
      return [...all].map(([id, record]) => {
        const { scope, updatedAt, lastReadAt, lastReadBy, empty } = this.#stamps.over(id, record);
        return {
          id, scope, updatedAt,
          ...(lastReadAt === undefined ? {} : { lastReadAt }), ...(lastReadBy === undefined ? {} : { lastReadBy }), ...(empty ? { empty } : {}),
        };
      });
    });
  }

  reset(signal: AbortSignal): Promise<VaultStatus> {
    return this.#lanes.run('file', async () => {
      const content = await this.#guarded('Cannot reset the vault', () => this.#locked(async () => {
        const reading = await readVaultFile(this.#file);
        if (reading.kind === 'refused') throw new AppError('vault/unavailable', reading.message, { data: { why: 'refused' } });
        const old = reading.kind === 'read' ? reading.content.secrets : new Map<SecretId, VaultRecord>();
        const next = await this.#newContent(new Map([...old].map(([id, record]) => [id, emptied(record)])), signal);
        if (reading.kind !== 'none') await this.#keepOld();
        await writeVaultFile(this.#file, next);
        return next;
      }, signal), signal);
      return this.#become({ phase: 'ready', secrets: countOf(content) });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lifetime.end();
    await this.#lanes.drained();
    await this.#flush(new AbortController().signal);
    this.#keys.clear();
    this.#memory.clear();
  }

  async #read(): Promise<VaultContent | undefined> {
    await privateFolder(this.#options.folder);
    const reading = await readVaultFile(this.#file);
    switch (reading.kind) {
      case 'none': return undefined;
      case 'read': return reading.content;
      case 'damaged': throw new AppError('vault/damaged', reading.message);
      case 'refused': throw new AppError('vault/unavailable', reading.message, { data: { why: 'refused' } });
    }
  }

  async #open(id: SecretId, signal: AbortSignal): Promise<Secret | undefined> {
    const content = await this.#read();
    const record = content?.secrets.get(id);
    if (!content || !record || 'empty' in record) return undefined;
    const key = await this.#keyOf(content, signal);
    const value = record.kid === content.kid ? unseal(key, record, 'secret', { id, scope: record.scope, kid: record.kid }) : undefined;
    if (value === undefined) throw new AppError('vault/damaged', `The secret ${id} was changed outside of Gatehouse and cannot be trusted`, { data: { id } });
    return new Secret(value);
  }

  /** The key that belongs to the file. A missing one is never made anew: that would be the end of everything sealed with it. */
  async #keyOf(content: VaultContent, signal: AbortSignal): Promise<Uint8Array> {
    const known = this.#keys.get(content.kid);
    if (known && fits(known, content)) return known;
    const stored = await this.#options.keyring.read(`master.${content.kid}`, signal);
    const key = stored === undefined ? undefined : Buffer.from(stored, 'base64');
    if (!key) throw new AppError('vault/key-missing', 'The key of the vault is not on this keyring');
    if (key.length !== 32 || !fits(key, content)) throw new AppError('vault/key-missing', 'The key on the keyring does not fit the vault');
    this.#keys.set(content.kid, key);
    return key;
  }

  async #newContent(secrets: ReadonlyMap<SecretId, VaultRecord>, signal: AbortSignal): Promise<VaultContent> {
    const { kid, key, check } = newKey();
    const text = Buffer.from(key).toString('base64');
    await this.#options.keyring.write(`master.${kid}`, text, signal);
    // Read back before anything depends on it.
    if ((await this.#options.keyring.read(`master.${kid}`, signal)) !== text) throw new AppError('vault/unavailable', 'The keyring did not keep the key');
    this.#keys.set(kid, key);
    return { kid, check, secrets };
  }

  /** `edit` gives what to write, or nothing. Stamps that wait go along. */
  #change(edit: (current: VaultContent | undefined) => Promise<VaultContent | undefined>, signal: AbortSignal): Promise<VaultContent | undefined> {
    return this.#guarded('Cannot write the vault', () => this.#locked(async () => {
      const current = await this.#read();
      const next = await edit(current);
      if (!next) return current;
      const { secrets, written } = this.#stamps.applied(next.secrets);
      await writeVaultFile(this.#file, { ...next, secrets });
      written();
      return next;
    }, signal), signal);
  }

  async #locked<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await privateFolder(this.#options.folder);
    return await withLock(join(this.#options.folder, '.vault.json.lock'), async () => {
      await removeLeftTemps(this.#file);
      return await work();
    }, signal);
  }

  /** What shows that the whole vault cannot be used becomes its status, and is thrown. */
  async #guarded<T>(doing: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      const unavailable = unavailableBy(error);
      if (unavailable && this.#status.phase === 'ready') this.#become(unavailable);
      throw storageProblem(doing, error);
    }
  }

  #demandReady(): void {
    if (this.#status.phase === 'unavailable') throw new AppError(codeOf(this.#status), this.#status.message);
    if (this.#status.phase !== 'ready') throw new AppError('vault/unavailable', 'The vault has not been opened');
  }

  #become(status: VaultStatus): VaultStatus {
    const changed = JSON.stringify(status) !== JSON.stringify(this.#status);
    this.#status = status;
    if (changed) for (const listener of this.#listeners) listener(status);
    return status;
  }

  #flushSoon(): void {
    if (this.#flushing || this.#lifetime.signal.aborted) return;
    this.#flushing = true;
    this.#lifetime.run(async (signal) => {
      try {
        await this.#options.clock.sleep(stampsWaitMs, signal);
      } finally {
        this.#flushing = false;
      }
      await this.#lanes.run('file', () => this.#flush(signal));
    }, () => undefined); // Only stamps: they wait for the next write.
  }

  async #flush(signal: AbortSignal): Promise<void> {
    if (!this.#stamps.waiting || this.#status.phase !== 'ready') return;
    try {
      await this.#change(async (current) => current, signal);
    } catch (error) {
      if (this.#lifetime.signal.aborted) return; // Closing goes on without the stamps.
      throw error;
    }
  }

  async #keepOld(): Promise<void> {
    const kept = join(this.#options.folder, `vault-before-reset-${this.#options.clock.now()}.json`);
    await rm(kept, { force: true });
    await copyFile(this.#file, kept);
  }
}

const countOf = (content: VaultContent | undefined): number => [...(content?.secrets.values() ?? [])].filter((record) => !('empty' in record)).length;
const emptied = ({ scope, updatedAt }: VaultRecord): VaultRecord => ({ scope, empty: true, updatedAt });
