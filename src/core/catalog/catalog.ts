import type { Revision, ServerId } from '../../shared/ids.ts';
import type { CatalogCounts, CatalogOrigin, CatalogPrompt, CatalogResource, CatalogResourceTemplate, CatalogTool, JsonObject, ServerCatalog, ToolRef } from '../../shared/model/catalog.ts';
import type { ServerListing } from '../connections/session.ts';
import { openRules, isUsable, type CatalogRules } from './catalog-rules.ts';
import { modelNames } from './model-name.ts';
import { parsePrompts, parseResources, parseTemplates, parseTools, type ListedTool } from './parse-listing.ts';
import { resolveAmong, type ResolvedTool, type ResolveOptions } from './resolve-tool.ts';
import { ruledResources, ruledTools, type RuledTool } from './ruled-listing.ts';
import { withoutSecrets } from './without-secrets.ts';

export type RawListing = Omit<ServerListing, 'server'>;
/** What a server said when it was last connected, secrets taken out. */
export interface RememberedListing extends RawListing {
  readonly seenAt: number;
  /** Of what it really said, by its tools' names. */
  readonly revisions: ReadonlyMap<string, Revision>;
}
export interface CatalogDeps {
  readonly now: () => number;
  /** Hides secret values: servers say what they were given. Revisions are made of what they really said. */
  readonly mask: (text: string) => string;
  /** What is pinned stays as it was first offered until a person connects the server again (F-104). */
  readonly pinsFrozen: () => boolean;
  /** `MCP_DIRECT_TOOLS` says what is pinned, whatever files say (F-103). */
  readonly pinsFixed?: boolean;
  /** Model names that are not to be had; the same set until one changes. */
  readonly taken?: () => ReadonlySet<string>;
  readonly onChange: (serverId: ServerId, counts: CatalogCounts, origin: CatalogOrigin, warnings: readonly string[]) => void;
}
interface Defined {
  readonly name: string;
  readonly rules: CatalogRules;
}
/** As the server listed it, secrets taken out, before any rule. */
interface Listed {
  readonly tools: readonly ListedTool[];
  readonly resources: readonly CatalogResource[];
  readonly resourceTemplates: readonly CatalogResourceTemplate[];
  readonly prompts: readonly CatalogPrompt[];
  readonly instructions?: string;
  readonly skills?: true;
  readonly warnings: readonly string[];
  readonly descriptors: readonly unknown[];
  readonly seenAt: number;
  readonly live: boolean;
}
interface Ruled extends Listed, Defined {
  readonly serverId: ServerId;
  readonly ruled: readonly RuledTool[];
  readonly shownResources: readonly CatalogResource[];
  readonly shownTemplates: readonly CatalogResourceTemplate[];
}
/** Names depend on all servers, and are worked out when they are next asked for. */
interface Built {
  readonly byServer: ReadonlyMap<ServerId, readonly CatalogTool[]>;
  readonly everything: readonly CatalogTool[];
  readonly usable: readonly CatalogTool[];
  readonly taken: ReadonlySet<string> | undefined;
}

const instructionsLimit = 20_000;

/**
 * What servers offer, or offered when last seen, under the rules of their configuration: names, filters, pins. Inside, a tool is (server, tool); model names are
 * computed for all at once, so that collisions show. It knows the servers that are defined; one that has no listing yet offers nothing.
 */
export class Catalog {
  readonly #deps: CatalogDeps;
  readonly #defined = new Map<ServerId, Defined>();
  readonly #servers = new Map<ServerId, Ruled>();
  readonly #frozen = new Map<ServerId, readonly CatalogTool[]>();
  readonly #thawed = new Set<ServerId>();
  #built: Built | undefined;
  #before: ReadonlyMap<ServerId, readonly CatalogTool[]> = new Map();

  constructor(deps: CatalogDeps) {
    this.#deps = deps;
  }

  get pinsAreFixed(): boolean {
    return this.#deps.pinsFixed ?? false;
  }

  /** A server's name and rules, before it lists anything and whenever they change. */
  define(serverId: ServerId, name: string, rules: CatalogRules = openRules): void {
    const old = this.#defined.get(serverId);
    if (old && old.name === name && JSON.stringify(old.rules) === JSON.stringify(rules)) return;
    this.#defined.set(serverId, { name, rules });
    const listed = this.#servers.get(serverId);
    if (!listed) return;
    if (JSON.stringify(old?.rules.pins) !== JSON.stringify(rules.pins)) this.#frozen.delete(serverId);
    this.#put(serverId, listed);
  }

  /** The server is no more. */
  remove(serverId: ServerId): void {
    this.#defined.delete(serverId);
    this.forget(serverId);
  }

  /** What a connected server lists now. */
  set(serverId: ServerId, raw: RawListing): void {
    if (this.#thawed.delete(serverId)) this.#frozen.delete(serverId);
    this.#put(serverId, this.#read(raw, this.#deps.now(), true));
  }

  /** What a server listed when it was last connected; nothing where more is known. */
  remember(serverId: ServerId, raw: RememberedListing): void {
    if (this.#servers.has(serverId) || !this.#defined.has(serverId)) return;
    this.#put(serverId, this.#read(raw, raw.seenAt, false, raw.revisions));
  }

  /** Its connection ended: what it listed is what it last said. */
  asleep(serverId: ServerId): void {
    const listed = this.#servers.get(serverId);
    if (listed?.live) this.#tell({ ...listed, live: false, seenAt: this.#deps.now() });
  }

  forget(serverId: ServerId): void {
    this.#frozen.delete(serverId);
    if (this.#servers.delete(serverId)) this.#built = undefined;
  }

  /** A person connects it: what it pins may become another (F-104). */
  thaw(serverId: ServerId): void {
    this.#thawed.add(serverId);
    this.#frozen.delete(serverId);
  }

  isDefined(serverId: ServerId): boolean {
    return this.#defined.has(serverId);
  }

  /** It has listed something, now or when it was last connected. */
  knows(serverId: ServerId): boolean {
    return this.#servers.has(serverId);
  }

  /** It pins tools that nobody has seen yet (F-42). */
  needsDiscovery(serverId: ServerId): boolean {
    const pins = this.#defined.get(serverId)?.rules.pins ?? false;
    return !this.knows(serverId) && this.#isOn(serverId) && (pins === true || (Array.isArray(pins) && pins.length > 0));
  }

  origin(serverId: ServerId): CatalogOrigin | undefined {
    const listed = this.#servers.get(serverId);
    return listed && originOf(listed);
  }

  /** Usable tools: neither hidden, nor with a problem, nor of a server that is off. By server name, then as each server lists them. The same list until something changes. */
  all(): readonly CatalogTool[] {
    return this.#build().usable;
  }

  /** Hidden tools and those with a problem too: what a person sees and manages. */
  everything(): readonly CatalogTool[] {
    return this.#build().everything;
  }

  /** What a model is given from the start (F-102), as it was first offered where pins are frozen (F-104). */
  pinned(): readonly CatalogTool[] {
    const { byServer } = this.#build();
    const on = [...byServer].filter(([serverId]) => this.#isOn(serverId));
    return on.flatMap(([serverId, tools]) => this.#pinnedOf(serverId, tools.filter((tool) => tool.pinned === true && isUsable(tool))));
  }

  /** Also when it is hidden or has a problem. */
  tool(serverId: ServerId, name: string): CatalogTool | undefined {
    return this.#build().byServer.get(serverId)?.find((tool) => tool.ref.tool === name);
  }

  /** The tool as it was referred to; `undefined` when it is gone or has changed since. */
  current(ref: ToolRef): CatalogTool | undefined {
    const tool = this.tool(ref.serverId, ref.tool);
    return tool?.ref.revision === ref.revision ? tool : undefined;
  }

  /** The tool's descriptor as the server sent it, `_meta` and what nobody knows included, secrets taken out (F-90). */
  descriptor({ serverId, tool }: Pick<ToolRef, 'serverId' | 'tool'>): JsonObject | undefined {
    for (const item of this.#servers.get(serverId)?.descriptors ?? [])
      if (isNamed(item) && item.name === tool) return withoutSecrets({ ...item }, this.#deps.mask);
    return undefined;
  }

  /**
   * What a name stands for, in any of its forms (F-73). `server`: its name as a person or a model writes it, or its id. Hidden tools, and those that `may` leaves out, have no
   * names. A tool with a problem has one, so that the problem can be told.
   */
  resolve(name: string, options: ResolveOptions = {}): ResolvedTool {
    return resolveAmong(name, this.named(), (server) => this.serverNamed(server), options);
  }

  /** Tools that a name may stand for: of servers that are on, and not hidden. */
  named(): readonly CatalogTool[] {
    return this.everything().filter((tool) => tool.hidden === undefined && this.#isOn(tool.ref.serverId));
  }

  /** By id, by name, or by a name with `-` and `_` alike that only one has. Switched-off servers are among them. */
  serverNamed(name: string): ServerId | undefined {
    const servers = [...this.#defined];
    const exact = servers.find(([serverId, defined]) => serverId === name || defined.name === name);
    if (exact) return exact[0];
    const alike = (text: string) => text.replaceAll('-', '_').toLowerCase();
    const near = servers.filter(([, defined]) => alike(defined.name) === alike(name));
    return near.length === 1 ? near[0]?.[0] : undefined;
  }

  /** Of what it really said, by its tools' names. Works nothing out. */
  revisions(serverId: ServerId): ReadonlyMap<string, Revision> {
    return new Map(this.#servers.get(serverId)?.tools.map(({ name, revision }) => [name, revision]));
  }

  server(serverId: ServerId): ServerCatalog | undefined {
    const entry = this.#servers.get(serverId);
    if (!entry) return undefined;
    return {
      serverId, serverName: entry.name, tools: this.#build().byServer.get(serverId) ?? [], resources: entry.shownResources, resourceTemplates: entry.shownTemplates,
      prompts: entry.prompts, warnings: entry.warnings, origin: originOf(entry), ...(entry.instructions === undefined ? {} : { instructions: entry.instructions }),
      ...(entry.skills ? { skills: true } : {}),
    };
  }

  /** Whether the rules let a resource of this name be read. */
  exposes(serverId: ServerId, name: string): boolean {
    const defined = this.#defined.get(serverId);
    return defined !== undefined && ruledResources(defined.name, defined.rules, [{ name }]).length > 0;
  }

  /** All that have listed something, by name. */
  servers(): readonly ServerCatalog[] {
    return [...this.#build().byServer.keys()].flatMap((serverId) => this.server(serverId) ?? []);
  }

  #isOn(serverId: ServerId): boolean {
    return this.#defined.get(serverId)?.rules.on ?? true;
  }

  #pinnedOf(serverId: ServerId, now: readonly CatalogTool[]): readonly CatalogTool[] {
    if (!this.#deps.pinsFrozen() || this.#thawed.has(serverId)) {
      this.#frozen.delete(serverId);
      return now;
    }
    const first = this.#frozen.get(serverId);
    // An answer without pins is no first offer: a server may list its tools bit by bit.
    if (!first && now.length > 0) this.#frozen.set(serverId, now);
    // The words stay as they were offered; what is called is the tool of now, and a filter of now binds it.
    return (first ?? now).flatMap((tool) => {
      const current = this.tool(serverId, tool.ref.tool);
      return current?.hidden === undefined ? [{ ...tool, ref: current?.ref ?? tool.ref }] : [];
    });
  }

  #read(raw: RawListing, seenAt: number, live: boolean, revisions?: ReadonlyMap<string, Revision>): Listed {
    const tools = parseTools(raw.tools, revisions);
    const resources = parseResources(raw.resources);
    const templates = parseTemplates(raw.resourceTemplates);
    const prompts = parsePrompts(raw.prompts);
    const shown = <T extends object>(items: readonly T[]): readonly T[] => items.map((item) => withoutSecrets(item, this.#deps.mask));
    return {
      tools: shown(tools.tools), resources: shown(resources.items), resourceTemplates: shown(templates.items), prompts: shown(prompts.items),
      warnings: [...raw.warnings, ...tools.warnings, ...resources.warnings, ...templates.warnings, ...prompts.warnings],
      descriptors: raw.tools, seenAt, live,
      ...(raw.instructions === undefined ? {} : { instructions: this.#deps.mask(raw.instructions).slice(0, instructionsLimit) }),
      ...(raw.skills ? { skills: true } : {}),
    };
  }

  #put(serverId: ServerId, listed: Listed): void {
    const defined = this.#defined.get(serverId) ?? { name: serverId, rules: openRules };
    this.#built = undefined;
    this.#tell({
      ...listed, ...defined, serverId,
      ruled: ruledTools(serverId, defined.name, defined.rules, listed.tools),
      shownResources: ruledResources(defined.name, defined.rules, listed.resources),
      shownTemplates: ruledResources(defined.name, defined.rules, listed.resourceTemplates),
    });
  }

  #tell(entry: Ruled): void {
    this.#servers.set(entry.serverId, entry);
    this.#deps.onChange(entry.serverId, countsOf(entry), originOf(entry), entry.warnings);
  }

  #build(): Built {
    const taken = this.#deps.taken?.();
    if (this.#built && this.#built.taken === taken) return this.#built;
    const servers = [...this.#servers.values()].sort((a, b) => a.name.localeCompare(b.name) || (a.serverId < b.serverId ? -1 : 1));
    const names = modelNames(servers.flatMap(({ ruled }) => ruled.map(({ alone }) => alone)), taken);
    const byServer = new Map(
      servers.map(({ serverId, name, ruled }) => {
        const tools = ruled.map((one): CatalogTool => ({ ...one.tool, serverName: name, modelName: names.get(one.alone) }));
        const before = this.#before.get(serverId);
        return [serverId, before && sameTools(before, tools) ? before : tools] as const;
      }),
    );
    const everything = [...byServer.values()].flat();
    this.#before = byServer;
    const usable = everything.filter((tool) => isUsable(tool) && this.#isOn(tool.ref.serverId));
    return (this.#built = { byServer, everything, usable, taken });
  }
}

const originOf = ({ live, seenAt }: Listed): CatalogOrigin => (live ? { from: 'live' } : { from: 'cache', seenAt });
const isNamed = (item: unknown): item is JsonObject & { readonly name: string } => typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';

function countsOf({ ruled, shownResources, shownTemplates, prompts }: Ruled): CatalogCounts {
  const shown = ruled.filter(({ tool }) => tool.hidden === undefined);
  return { tools: shown.length, resources: shownResources.length + shownTemplates.length, prompts: prompts.length, problems: shown.filter(({ tool }) => tool.problem !== undefined).length };
}

/** So that what follows the catalog sees which servers stayed as they were. */
const sameTools = (before: readonly CatalogTool[], now: readonly CatalogTool[]): boolean =>
  before.length === now.length && before.every((tool, at) => tool.modelName === now[at]?.modelName && tool.ref === now[at].ref && tool.hidden === now[at].hidden && tool.pinned === now[at].pinned && tool.serverName === now[at].serverName);
