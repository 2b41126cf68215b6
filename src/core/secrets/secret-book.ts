import { AppError } from '../../shared/errors.ts';
import type { Revision, SecretId, ServerId } from '../../shared/ids.ts';
import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import type { SecretEntry, SecretPolicy, SecretUse } from '../../shared/model/secret-entry.ts';
import type { VaultStatus } from '../../shared/model/settings.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Clock, Documents, Log, Vault } from '../ports.ts';
import type { Redactor } from './redactor.ts';
import { emptySecretsFile, readSecretsFile, secretsDocument, type Permission, type SecretsFile } from './secrets-file.ts';
import { secretIdOf, secretNameOf } from './secret-id.ts';

/** A place that names a secret, and which. */
export interface NamedUse extends SecretUse {
  readonly key: SecretKey;
  readonly scope: ConfigScope;
}
export interface SecretBookDeps {
  readonly vault: Vault;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  /** The open one: `project` secrets are its own. */
  readonly project: () => string | undefined;
  /** What holds for a secret without a policy of its own (U-16). */
  readonly defaultPolicy: () => SecretPolicy;
  /** Everywhere that a secret is named now, in files that count and in those that do not. */
  readonly uses: () => readonly NamedUse[];
  /** Rewrites the references in the files that the app owns; afterwards `uses` says what is named. */
  readonly renameReferences: (scope: ConfigScope, from: SecretKey, to: SecretKey, signal: AbortSignal) => Promise<void>;
  /** Names, policies or uses may be others now. */
  readonly onChange: () => void;
}
/** Which launch may read which secret. */
export interface PermissionSubject {
  readonly secret: SecretId;
  readonly serverId: ServerId;
  /** For people. */
  readonly server: string;
  readonly revision: Revision;
  /** Of the project's files, when one of them names a global secret. */
  readonly digest?: string;
}

/** Secrets by name: what there is, who names it, who may read it. Values are in the vault; policies and permissions in secrets.json. */
export class SecretBook {
  readonly #deps: SecretBookDeps;
  #file: SecretsFile = emptySecretsFile;

  constructor(deps: SecretBookDeps) {
    this.#deps = deps;
  }

  /** Throws `config/invalid` for a file that cannot be understood: every secret has the global default then, and nothing is written. */
  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(secretsDocument, signal);
    this.#file = text === undefined ? emptySecretsFile : readSecretsFile(text);
  }

  /** Those of the home, and of the open project; also those that a file names and the vault has no value for. Throws `vault/*`. */
  async list(signal: AbortSignal): Promise<readonly SecretEntry[]> {
    const project = this.#deps.project();
    const uses = this.#deps.uses();
    const stored = (await this.#deps.vault.list(signal)).flatMap(({ id, updatedAt, lastReadAt, lastReadBy, empty }): readonly SecretEntry[] => {
      const name = secretNameOf(id, project);
      if (!name) return [];
      return [{
        ...this.#entry(name.key, name.scope, id, uses), updatedAt, missing: empty === true,
        ...(lastReadAt === undefined ? {} : { lastReadAt }), ...(lastReadBy === undefined ? {} : { lastReadBy }),
      }];
    });
    const known = new Set(stored.map(nameOf));
    const missing = uses.flatMap((use): readonly SecretEntry[] => {
      const id = known.has(nameOf(use)) ? undefined : this.#idIfAny(use.scope, use.key);
      known.add(nameOf(use));
      return id === undefined ? [] : [{ ...this.#entry(use.key, use.scope, id, uses), updatedAt: 0, missing: true }];
    });
    return [...stored, ...missing].toSorted((a, b) => (a.scope === b.scope ? (a.key < b.key ? -1 : 1) : a.scope === 'global' ? -1 : 1));
  }

  /** By the vault's id, then by the key of the scope (U-21). Throws `secret/missing`, naming both. */
  async find(scope: ConfigScope, idOrKey: string, signal: AbortSignal): Promise<SecretEntry> {
    const ofScope = (await this.list(signal)).filter((entry) => entry.scope === scope);
    const found = ofScope.find(({ key }) => this.#idIfAny(scope, key) === idOrKey) ?? ofScope.find(({ key }) => key === idOrKey);
    if (found) return found;
    throw new AppError('secret/missing', `No secret of the ${scope} scope has the id “${idOrKey}” or the key “${idOrKey}”`, { data: { key: idOrKey, scope } });
  }

  /** Its id in the vault. Throws `project/needed`, `request/invalid`. */
  idOf(scope: ConfigScope, key: SecretKey): SecretId {
    return secretIdOf(scope, key, this.#deps.project());
  }

  /** Creates it, or gives it a new value. What was allowed for it stays allowed. Throws `vault/*`, `project/needed`, `request/invalid`. */
  async put(scope: ConfigScope, key: SecretKey, value: Secret, { policy }: { readonly policy?: SecretPolicy }, signal: AbortSignal): Promise<void> {
    const id = this.idOf(scope, key);
    this.#deps.redactor.register(value);
    // Before the value: it is never readable under another policy than its own.
    if (policy !== undefined) await this.#change((file) => withPolicy(file, id, policy), signal);
    await this.#deps.vault.put(id, value, scope, signal);
    this.#deps.log.info('A secret was stored', { secret: id });
    this.#deps.onChange();
  }

  /** Under the new name first, then the references, then the old name goes: whenever it ends, no value is lost. A file that still names the old one keeps it. */
  async rename(scope: ConfigScope, from: string, to: SecretKey, signal: AbortSignal): Promise<void> {
    const { key } = await this.find(scope, from, signal);
    if (key === to) return;
    const [oldId, newId] = [this.idOf(scope, key), this.idOf(scope, to)];
    const value = await this.#deps.vault.get(oldId, 'Gatehouse', signal);
    if (!value) throw new AppError('secret/missing', `${key} has no value`, { data: { key, scope } });
    const taken = (await this.#deps.vault.list(signal)).some(({ id, empty }) => id === newId && empty !== true);
    // The same value there: an earlier renaming that did not come to its end.
    if (taken && (await this.#deps.vault.get(newId, 'Gatehouse', signal))?.reveal() !== value.reveal()) {
      throw new AppError('secret/exists', `There is a secret ${to} already`, { data: { key: to, scope } });
    }
    await this.#change((file) => withCopy(file, oldId, newId), signal);
    await this.#deps.vault.put(newId, value, scope, signal);
    await this.#deps.renameReferences(scope, key, to, signal);
    if (!this.#usesOf(scope, key).length) {
      await this.#deps.vault.remove(oldId, signal);
      await this.#change((file) => without(file, oldId), signal);
    }
    this.#deps.log.info('A secret was renamed', { secret: newId, before: oldId });
    this.#deps.onChange();
  }

  /** Throws `secret/in-use` with `data.usedBy` while a file names it, unless forced; `secret/missing`. */
  async remove(scope: ConfigScope, idOrKey: string, force: boolean, signal: AbortSignal): Promise<void> {
    const { key, usedBy } = await this.find(scope, idOrKey, signal);
    if (usedBy.length > 0 && !force) {
      throw new AppError('secret/in-use', `${key} is used by ${usedBy.map(({ server }) => server).join(', ')}`, { data: { key, scope, usedBy } });
    }
    const id = this.idOf(scope, key);
    await this.#deps.vault.remove(id, signal);
    await this.#change((file) => without(file, id), signal);
    this.#deps.log.info('A secret was removed', { secret: id });
    this.#deps.onChange();
  }

  /** `undefined`: the global default holds. */
  async setPolicy(scope: ConfigScope, idOrKey: string, policy: SecretPolicy | undefined, signal: AbortSignal): Promise<void> {
    const { key } = await this.find(scope, idOrKey, signal);
    await this.#change((file) => withPolicy(file, this.idOf(scope, key), policy), signal);
    this.#deps.onChange();
  }

  /** A new master key: names, scopes, policies and permissions stay, values are gone. */
  async reset(signal: AbortSignal): Promise<VaultStatus> {
    const status = await this.#deps.vault.reset(signal);
    this.#deps.log.warn('The vault was reset');
    this.#deps.onChange();
    return status;
  }

  policyOf(id: SecretId): SecretPolicy {
    return own(this.#file.policies, id) ?? this.#deps.defaultPolicy();
  }

  /** A value is there. Throws `vault/*`. */
  async stored(signal: AbortSignal): Promise<ReadonlySet<SecretId>> {
    return new Set((await this.#deps.vault.list(signal)).filter(({ empty }) => empty !== true).map(({ id }) => id));
  }

  /** For a launch that may. The reader's name is stamped on it and said in the log, the value nowhere (U-17); it is masked from now on. */
  async read(id: SecretId, reader: { readonly serverId: ServerId; readonly server: string }, signal: AbortSignal): Promise<Secret | undefined> {
    const value = await this.#deps.vault.get(id, reader.server, signal);
    if (!value) return undefined;
    this.#deps.redactor.register(value);
    this.#deps.log.info('A secret was read', { secret: id, server: reader.serverId });
    return value;
  }

  /** The person allowed this launch to read it, for good. */
  permits({ secret, serverId, revision }: PermissionSubject): boolean {
    return this.#file.permissions.some((given) => given.secret === secret && given.serverId === serverId && given.revision === revision);
  }

  /** The person allowed the project's files, with this content, to name it. */
  grants({ secret, serverId, digest }: PermissionSubject): boolean {
    return digest !== undefined && this.#file.permissions.some((given) => given.secret === secret && given.serverId === serverId && given.digest === digest);
  }

  /** On disk before it counts. Takes the place of what was allowed before to this server for this secret. */
  async allow(subject: PermissionSubject, signal: AbortSignal): Promise<void> {
    const permission: Permission = { ...subject, at: this.#deps.clock.now() };
    await this.#change((file) => ({
      ...file,
      permissions: [...file.permissions.filter(({ secret, serverId }) => secret !== subject.secret || serverId !== subject.serverId), permission],
    }), signal);
    this.#deps.log.info('A secret was allowed', { secret: subject.secret, server: subject.serverId });
  }

  /** The app itself changed a trusted project's files: what was granted at the old content holds at the new one. */
  async renewGrants(from: string, to: string, signal: AbortSignal): Promise<void> {
    if (!this.#file.permissions.some(({ digest }) => digest === from)) return;
    const renewed = (permission: Permission): Permission => (permission.digest === from ? { ...permission, digest: to } : permission);
    await this.#change((file) => ({ ...file, permissions: file.permissions.map(renewed) }), signal);
  }

  #entry(key: SecretKey, scope: ConfigScope, id: SecretId, uses: readonly NamedUse[]): Pick<SecretEntry, 'key' | 'scope' | 'policy' | 'usedBy'> {
    const policy = own(this.#file.policies, id);
    return { key, scope, usedBy: usedBy(uses, scope, key), ...(policy === undefined ? {} : { policy }) };
  }

  #usesOf(scope: ConfigScope, key: SecretKey): readonly SecretUse[] {
    return usedBy(this.#deps.uses(), scope, key);
  }

  /** `undefined` for a name that a file may hold and the vault cannot. */
  #idIfAny(scope: ConfigScope, key: SecretKey): SecretId | undefined {
    try {
      return this.idOf(scope, key);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  async #change(edit: (file: SecretsFile) => SecretsFile, signal: AbortSignal): Promise<void> {
    await this.#deps.documents.update(
      secretsDocument,
      (current) => {
        this.#file = edit(current === undefined ? emptySecretsFile : readSecretsFile(current));
        return `${JSON.stringify(this.#file, null, 2)}\n`;
      },
      signal,
    );
  }
}

const nameOf = ({ key, scope }: { readonly key: SecretKey; readonly scope: ConfigScope }): string => `${scope} ${key}`;
const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);
const usedBy = (uses: readonly NamedUse[], scope: ConfigScope, key: SecretKey): readonly SecretUse[] =>
  uses.filter((use) => use.scope === scope && use.key === key).map(({ key: _key, scope: _scope, ...use }) => use);

function withPolicy(file: SecretsFile, id: SecretId, policy: SecretPolicy | undefined): SecretsFile {
  const { [id]: _old, ...others } = file.policies;
  return { ...file, policies: policy === undefined ? others : { ...others, [id]: policy } };
}
function withCopy(file: SecretsFile, from: SecretId, to: SecretId): SecretsFile {
  const copies = file.permissions.filter(({ secret }) => secret === from).map((permission) => ({ ...permission, secret: to }));
  const kept = file.permissions.filter(({ secret }) => secret !== to);
  return { ...withPolicy(file, to, own(file.policies, from)), permissions: [...kept, ...copies] };
}
const without = (file: SecretsFile, id: SecretId): SecretsFile => ({
  ...withPolicy(file, id, undefined),
  permissions: file.permissions.filter(({ secret }) => secret !== id),
});
