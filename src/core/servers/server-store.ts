import { applyEdits, modify } from 'jsonc-parser';
import { AppError } from '../../shared/errors.ts';
import { SecretId, type ServerId } from '../../shared/ids.ts';
import type { ConfigValue, DraftValue, ServerDefinition, ServerDraft, TransportConfig } from '../../shared/model/server-definition.ts';
import type { ConfigProblem } from '../../shared/state/app-state.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import { Lanes } from '../kernel/lanes.ts';
import { Secret } from '../kernel/secret.ts';
import type { Documents, Vault } from '../ports.ts';
import { assertWritable, readDefinitionFile, type FileEntry } from './definition-file.ts';
import { launchRevision } from './launch-revision.ts';
import { serverId } from './server-id.ts';

const file = 'mcp.json';
const builtInNames = ['Notes', 'Files'] as const;

export interface ServerStoreDeps {
  readonly documents: Documents;
  readonly vault: Vault;
  readonly onChange: (change: { readonly put: readonly ServerDefinition[]; readonly removed: readonly ServerId[] }) => void;
  readonly onProblems: (problems: readonly ConfigProblem[]) => void;
}

/** The servers that a person has: those that come with the app, and those of `mcp.json` in the home, which the app edits in place. */
export class ServerStore {
  readonly #deps: ServerStoreDeps;
  readonly #lane = new Lanes<'file'>();
  #definitions: ReadonlyMap<ServerId, ServerDefinition> = new Map();

  constructor(deps: ServerStoreDeps) {
    this.#deps = deps;
  }

  get(id: ServerId): ServerDefinition | undefined {
    return this.#definitions.get(id);
  }

  all(): readonly ServerDefinition[] {
    return [...this.#definitions.values()];
  }

  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(file, signal);
    const { entries, problems } = readDefinitionFile(file, text ?? '');
    this.#deps.onProblems(problems);
    this.#replace(entries);
  }

  /** Secrets reach the vault before the file names them. Throws `server/exists`, `config/invalid`, `vault/*`, `request/invalid`. */
  async add(draft: ServerDraft, signal: AbortSignal): Promise<ServerId> {
    const id = serverId('global', draft.name);
    this.#refuseTakenName(draft.name, undefined);
    await this.#write(draft.name, await this.#entryOf(draft, undefined, signal), signal);
    return id;
  }

  /** Answers the id, which is another one when the name changed. */
  async update(id: ServerId, draft: ServerDraft, signal: AbortSignal): Promise<ServerId> {
    const old = this.#editable(id);
    this.#refuseTakenName(draft.name, id);
    const entry = await this.#entryOf(draft, old, signal);
    const kept = { ...(old.enabled ? {} : { enabled: false }), ...(old.approveTools === undefined ? {} : { approveTools: old.approveTools }) };
    if (draft.name !== old.name) await this.#write(old.name, undefined, signal);
    await this.#write(draft.name, { ...entry, ...kept }, signal);
    await this.#dropUnusedSecrets(old, signal);
    return serverId('global', draft.name);
  }

  async remove(id: ServerId, signal: AbortSignal): Promise<void> {
    const old = this.#editable(id);
    await this.#write(old.name, undefined, signal);
    await this.#dropUnusedSecrets(old, signal);
  }

  async setEnabled(id: ServerId, enabled: boolean, signal: AbortSignal): Promise<void> {
    const definition = this.#find(id);
    await this.#edit([{ path: ['mcpServers', definition.name, 'enabled'], value: enabled ? undefined : false }, { path: ['mcpServers', definition.name, 'disabled'], value: undefined }], signal);
  }

  #find(id: ServerId): ServerDefinition {
    const definition = this.#definitions.get(id);
    if (!definition) throw new AppError('server/not-found', 'There is no such server');
    return definition;
  }

  #editable(id: ServerId): ServerDefinition {
    const definition = this.#find(id);
    if (definition.source === 'built-in') throw new AppError('server/read-only', `“${definition.name}” comes with Gatehouse; it can only be switched on and off`);
    return definition;
  }

  #refuseTakenName(name: string, except: ServerId | undefined): void {
    const taken = this.all().find((definition) => definition.name.toLowerCase() === name.toLowerCase() && definition.id !== except);
    if (taken) throw new AppError('server/exists', `There is a server “${taken.name}” already`, { data: { name: taken.name } });
  }

  async #entryOf(draft: ServerDraft, old: ServerDefinition | undefined, signal: AbortSignal): Promise<Record<string, unknown>> {
    const { transport } = draft;
    const shared = { ...(draft.protocol === undefined ? {} : { protocolVersion: draft.protocol }), ...(draft.limits === undefined ? {} : { limits: draft.limits }) };
    switch (transport.type) {
      case 'stdio':
        return { command: transport.command, args: transport.args, ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }), ...(await this.#values(draft.name, 'env', transport.env, old, signal)), ...shared };
      case 'streamable-http':
      case 'sse':
        return { type: transport.type, url: transport.url, ...(await this.#values(draft.name, 'headers', transport.headers, old, signal)), ...shared };
      case 'socket':
        return { socket: transport.path, ...shared };
    }
  }

  async #values(server: string, field: 'env' | 'headers', values: Readonly<Record<string, DraftValue>>, old: ServerDefinition | undefined, signal: AbortSignal): Promise<object> {
    const saved: Record<string, ConfigValue> = {};
    const keepable = old ? secretsOf(old.transport) : new Set();
    for (const [key, value] of Object.entries(values)) {
      if ('plain' in value) {
        if (looksSecret(key)) throw new AppError('request/invalid', `“${key}” looks like a secret, so its value is kept in the vault`, { data: { field, key } });
        saved[key] = { plain: value.plain };
      } else if ('kept' in value) {
        if (!keepable.has(value.kept)) throw new AppError('secret/missing', `The saved value of “${key}” is not there`, { data: { field, key } });
        saved[key] = { secretRef: value.kept, scope: 'global' };
      } else {
        const id = SecretId.parse(`mcp.${server}.${field}.${key}`.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 200));
        await this.#deps.vault.put(id, new Secret(value.secret), 'global', signal);
        saved[key] = { secretRef: id, scope: 'global' };
      }
    }
    return Object.keys(saved).length > 0 ? { [field]: saved } : {};
  }

  async #dropUnusedSecrets(old: ServerDefinition, signal: AbortSignal): Promise<void> {
    const used = new Set(this.all().flatMap((definition) => [...secretsOf(definition.transport)]));
    for (const id of secretsOf(old.transport)) if (!used.has(id)) await this.#deps.vault.remove(id, signal);
  }

  #write(name: string, entry: Record<string, unknown> | undefined, signal: AbortSignal): Promise<void> {
    return this.#edit([{ path: ['mcpServers', name], value: entry }], signal);
  }

  async #edit(edits: readonly { readonly path: readonly string[]; readonly value: unknown }[], signal: AbortSignal): Promise<void> {
    await this.#lane.run('file', async () => {
      await this.#deps.documents.update(
        file,
        (current) => {
          let text = current ?? '{\n  "mcpServers": {}\n}\n';
          assertWritable(file, text);
          for (const { path, value } of edits) text = applyEdits(text, modify(text, [...path], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
          return text;
        },
        signal,
      );
      await this.load(signal);
    });
  }

  #replace(entries: readonly FileEntry[]): void {
    const next = new Map(merge(entries).map((definition) => [definition.id, definition]));
    const put = [...next.values()].filter((definition) => JSON.stringify(this.#definitions.get(definition.id)) !== JSON.stringify(definition));
    const removed = [...this.#definitions.keys()].filter((id) => !next.has(id));
    this.#definitions = next;
    this.#deps.onChange({ put, removed });
  }
}

/** Built-in servers first; an entry of the file without a transport only switches one of them. */
function merge(entries: readonly FileEntry[]): readonly ServerDefinition[] {
  const builtIn = builtInNames.map((name): ServerDefinition => {
    const entry = entries.find((candidate) => candidate.transport === undefined && candidate.name === name);
    const transport: TransportConfig = { type: 'stdio', command: 'gatehouse', args: [name.toLowerCase()], env: {} };
    return { id: serverId('built-in', name), name, source: 'built-in', enabled: entry?.enabled ?? true, transport, revision: launchRevision(transport), ...extras(entry) };
  });
  const own = entries.flatMap((entry): ServerDefinition[] =>
    entry.transport === undefined
      ? []
      : [{ id: serverId('global', entry.name), name: entry.name, source: 'global', enabled: entry.enabled ?? true, transport: entry.transport, revision: launchRevision(entry.transport), ...extras(entry) }],
  );
  return [...builtIn, ...own];
}

const extras = (entry: FileEntry | undefined) => ({
  ...(entry?.protocol === undefined ? {} : { protocol: entry.protocol }),
  ...(entry?.limits === undefined ? {} : { limits: entry.limits }),
  ...(entry?.approveTools === undefined ? {} : { approveTools: entry.approveTools }),
});

function secretsOf(transport: TransportConfig): ReadonlySet<SecretId> {
  const values = transport.type === 'stdio' ? transport.env : transport.type === 'socket' ? {} : transport.headers;
  return new Set(Object.values(values).flatMap((value) => ('secretRef' in value ? [value.secretRef] : [])));
}
