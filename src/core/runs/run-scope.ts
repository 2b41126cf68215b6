import { AppError } from '../../shared/errors.ts';
import type { ChatId, RunId, ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolName } from '../../shared/model/chat-tools.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { RunServer } from '../../shared/model/run-setup.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { Provenance, SourceRef } from '../../shared/model/source.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { CatalogRules } from '../catalog/catalog-rules.ts';
import { joinedCatalog, type CatalogView } from '../catalog/joined-catalog.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import { loginOf } from '../connections/sign-in-target.ts';
import type { RawField, RawFields } from '../formats/raw-entry.ts';
import { allowList, type AllowList } from '../policy/allow-list.ts';
import { matchesName } from '../policy/name-match.ts';
import type { Log } from '../ports.ts';
import { definitionOf } from '../servers/definition-of.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import { launchTarget } from '../servers/launch-revision.ts';
import { runKin } from '../servers/server-id.ts';

export interface RunScopeDeps {
  readonly log: Log;
  readonly now: () => number;
  readonly mask: (text: string) => string;
  readonly pool: Pick<ConnectionPool, 'define' | 'forget' | 'look'>;
  /** What the settings say of a server's part of the catalog. */
  readonly rules: (definition: ServerDefinition) => CatalogRules;
  /** The person's. */
  readonly catalog: Catalog;
  readonly servers: () => readonly ServerDefinition[];
  /** Nothing of this server is wanted any more: log, messages. */
  readonly forget: (id: ServerId) => void;
  readonly onAdded: (owned: Owned) => void;
}
/** A server that only this run has: what a file, or the person's answer to `connect_mcp`, says of it. */
export interface RunServerWanted {
  readonly name: string;
  readonly fields: RawFields;
  readonly source: SourceRef;
  /** For a file of a project: the project, and the content at which it is trusted. */
  readonly project?: { readonly folder: string; readonly digest: string | undefined };
  /** Its tools are offered from the first request on, without a search (H-24). */
  readonly offered: boolean;
}
export interface Owned {
  readonly definition: ServerDefinition;
  readonly material: LaunchMaterial;
  readonly provenance: Pick<Provenance, 'fields'>;
  readonly offered: boolean;
}

/** What a run may use. */
export interface RunLimits {
  /** False: nothing of MCP. */
  readonly mcp: boolean;
  /** Each list must name a tool, in any of its forms. */
  readonly allow: readonly (readonly string[])[];
}

/** One run's servers beside the person's (H-14, H-24 to H-26), and the limits of its tools. It has connections and a catalog of its own; all of it ends with the run, however that ends. */
export class RunScope implements AsyncDisposable {
  readonly chatId: ChatId;
  readonly runId: RunId;
  readonly catalog: CatalogView;
  /** Of its own servers alone. */
  readonly own: Catalog;
  readonly #deps: RunScopeDeps;
  readonly #owned = new Map<ServerId, Owned>();
  readonly #shadowed = new Set<ServerId>();
  readonly #limits: RunLimits;
  readonly #lists: readonly AllowList[];
  #taken: { readonly from: readonly CatalogTool[]; readonly shadowed: number; readonly names: ReadonlySet<string> } | undefined;

  constructor(ids: { readonly chatId: ChatId; readonly runId: RunId }, limits: RunLimits, deps: RunScopeDeps) {
    this.chatId = ids.chatId;
    this.runId = ids.runId;
    this.#deps = deps;
    this.#limits = limits;
    this.#lists = limits.allow.map(allowList);
    this.own = new Catalog({ mask: deps.mask, now: deps.now, pinsFrozen: () => false, taken: () => this.#takenNames(), onChange: () => undefined });
    this.catalog = joinedCatalog(deps.catalog, this.own, (id) => this.#shadowed.has(id));
  }

  /** Everything that this run can see: its own, and the person's that none of them stands in front of. */
  servers(): readonly ServerDefinition[] {
    return [...this.#deps.servers().filter(({ id }) => !this.#shadowed.has(id)), ...[...this.#owned.values()].map(({ definition }) => definition)];
  }

  ownedAll(): readonly Owned[] {
    return [...this.#owned.values()];
  }

  owned(id: ServerId): Owned | undefined {
    return this.#owned.get(id);
  }

  /** Tools that are at hand without a search: of its own servers, and those that its lists ask for (F-207). */
  offered(): readonly CatalogTool[] {
    const asked = (tool: CatalogTool) => this.#lists.some((list) => list.asksFor({ serverName: tool.serverName, tool: tool.ref.tool }));
    return this.catalog.all().filter((tool) => (this.#owned.get(tool.ref.serverId)?.offered === true || asked(tool)) && this.allows(tool.ref));
  }

  /** Servers of the person's that its lists ask for by name. */
  asked(): readonly ServerId[] {
    return this.servers().filter(({ name, enabled }) => enabled && this.#lists.some((list) => list.asksForServer(name))).map(({ id }) => id);
  }

  /** An empty tool stands for the whole server. */
  allows({ serverId: id, tool }: ToolName): boolean {
    if (!this.#limits.mcp || this.#shadowed.has(id)) return false;
    if (tool === '' || this.#lists.length === 0) return true;
    if (id === ownToolsId) return this.#limits.allow.every((names) => matchesName(names, tool));
    const known = this.catalog.tool(id, tool);
    const serverName = known?.serverName ?? this.servers().find((server) => server.id === id)?.name ?? '';
    const named = { serverName, tool, modelName: known?.modelName ?? tool };
    return this.#lists.every((list) => list.allows(named));
  }

  /** Connects them side by side. What does not connect is said, and keeps neither the others nor the run. Throws for a `required` one, and the signal's reason. */
  async begin(wanted: readonly RunServerWanted[], signal: AbortSignal): Promise<readonly RunServer[]> {
    const added = wanted.map((one) => this.#add(one));
    return Promise.all(added.map((one) => this.#reach(one, signal)));
  }

  /** Throws `server/exists` for a name that is taken, and why it did not connect: then it is as if it had never been asked for. */
  async connect(wanted: RunServerWanted, signal: AbortSignal): Promise<{ readonly serverName: string; readonly tools: readonly CatalogTool[] }> {
    const same = (name: string) => name.replaceAll('-', '_').toLowerCase();
    if (this.servers().some(({ name }) => same(name) === same(wanted.name))) throw new AppError('server/exists', `There is a server “${wanted.name}” already`);
    const { definition } = this.#add(wanted);
    try {
      await this.#deps.pool.look(definition.id, { anew: false }, signal);
    } catch (error) {
      await this.#remove(definition.id);
      throw error;
    }
    return { serverName: definition.name, tools: this.own.all().filter(({ ref }) => ref.serverId === definition.id) };
  }

  #add({ name, fields, source, project, offered }: RunServerWanted): { readonly definition: ServerDefinition; readonly shadows: ServerId | undefined } {
    const shadows = this.#deps.servers().find((server) => server.name === name)?.id;
    if (shadows !== undefined) this.#shadowed.add(shadows);
    const owner = project ? 'project' : 'global';
    const known = definitionOf(name, owner, `run:${this.runId}`, fields.enabled !== false, fields);
    const definition: ServerDefinition = { ...known, kin: runKin(source.path ?? source.id, name) };
    const written = Object.keys(fields) as readonly RawField[]; // the keys of `RawFields`
    const material: LaunchMaterial = {
      fields, owner,
      ...(project ? { project: project.folder, ...(project.digest === undefined ? {} : { digest: project.digest }) } : {}),
      origins: Object.fromEntries(written.map((field) => [field, source])),
    };
    const fieldsOf = written.map((field) => ({ field, source: source.kind, overrode: [] }));
    const owned: Owned = { definition, material, provenance: { fields: fieldsOf }, offered };
    this.#owned.set(definition.id, owned);
    this.#deps.onAdded(owned);
    this.own.define(definition.id, name, { ...this.#deps.rules(definition), tags: ['dynamic', `mcp_server:${name}`] });
    this.#deps.pool.define(definition);
    return { definition, shadows };
  }

  async #reach({ definition, shadows }: { readonly definition: ServerDefinition; readonly shadows: ServerId | undefined }, signal: AbortSignal): Promise<RunServer> {
    const { id, name, transport, options } = definition;
    const row = { serverId: id, loginId: loginOf(definition), name, target: this.#deps.mask(launchTarget(transport)), ...(shadows === undefined ? {} : { shadows }) };
    if (!definition.enabled) return { ...row, problem: 'It is switched off in the profile' };
    try {
      await this.#deps.pool.look(id, { anew: false }, signal);
      return { ...row, tools: this.own.all().filter(({ ref }) => ref.serverId === id && this.allows(ref)).length };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = AppError.from(error);
      if (options.required === true) throw new AppError(code, `The server “${name}” is required and is not there (${message})`);
      return { ...row, problem: message };
    }
  }

  async #remove(id: ServerId): Promise<void> {
    this.own.remove(id);
    await this.#deps.pool.forget(id, new AbortController().signal).catch((error: unknown) => this.#deps.log.error('A server of a run could not be closed', error));
    this.#owned.delete(id);
    this.#deps.forget(id);
  }

  /** Of the person's tools that this run can see: none of its own takes such a name. */
  #takenNames(): ReadonlySet<string> {
    const from = this.#deps.catalog.everything();
    if (this.#taken?.from === from && this.#taken.shadowed === this.#shadowed.size) return this.#taken.names;
    const names = new Set(from.filter(({ ref }) => !this.#shadowed.has(ref.serverId)).map(({ modelName }) => modelName));
    this.#taken = { from, shadowed: this.#shadowed.size, names };
    return names;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#owned.keys()].map((id) => this.#remove(id)));
  }
}
