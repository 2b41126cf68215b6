import type { ServerId } from '../../shared/ids.ts';
import type { CatalogCounts, CatalogOrigin, CatalogTool, ServerCatalog, ToolRef } from '../../shared/model/catalog.ts';
import type { ServerListing } from '../connections/session.ts';
import { modelNames } from './model-name.ts';
import { parsePrompts, parseResources, parseTemplates, parseTools, type ListedTool } from './parse-listing.ts';
import { withoutSecrets } from './without-secrets.ts';

export type RawListing = Omit<ServerListing, 'server'>;
interface Listed extends Omit<ServerCatalog, 'tools'> {
  readonly listed: readonly ListedTool[];
}
export interface CatalogDeps {
  /** Hides secret values: servers say what they were given. Revisions are made of what they really said. */
  readonly mask: (text: string) => string;
  readonly onChange: (serverId: ServerId, counts: CatalogCounts, origin: CatalogOrigin, warnings: readonly string[]) => void;
}

const live: CatalogOrigin = { from: 'live' };

/** What the connected servers offer, or offered when last seen. Inside, a tool is (server, tool); model names are computed for all at once, so that collisions show. */
export class Catalog {
  readonly #deps: CatalogDeps;
  readonly #servers = new Map<ServerId, Listed>();
  #all: readonly CatalogTool[] | undefined;
  #byServer = new Map<ServerId, readonly CatalogTool[]>();

  constructor(deps: CatalogDeps) {
    this.#deps = deps;
  }

  set(serverId: ServerId, serverName: string, raw: RawListing): void {
    const tools = parseTools(raw.tools);
    const resources = parseResources(raw.resources);
    const templates = parseTemplates(raw.resourceTemplates);
    const prompts = parsePrompts(raw.prompts);
    const warnings = [...raw.warnings, ...tools.warnings, ...resources.warnings, ...templates.warnings, ...prompts.warnings];
    const shown = <T extends object>(items: readonly T[]): readonly T[] => items.map((item) => withoutSecrets(item, this.#deps.mask));
    this.#servers.set(serverId, {
      serverId, serverName, listed: shown(tools.tools), resources: shown(resources.items), resourceTemplates: shown(templates.items), prompts: shown(prompts.items), warnings, origin: live,
      ...(raw.instructions === undefined ? {} : { instructions: this.#deps.mask(raw.instructions).slice(0, 20_000) }),
    });
    this.#all = undefined;
    this.#deps.onChange(
      serverId,
      { tools: tools.tools.length, resources: resources.items.length + templates.items.length, prompts: prompts.items.length, problems: tools.tools.filter((tool) => tool.problem).length },
      live,
      warnings,
    );
  }

  forget(serverId: ServerId): void {
    if (this.#servers.delete(serverId)) this.#all = undefined;
  }

  has(serverId: ServerId): boolean {
    return this.#servers.has(serverId);
  }

  /** By server name, then as each server lists them. */
  all(): readonly CatalogTool[] {
    return (this.#all ??= this.#build());
  }

  tool(serverId: ServerId, name: string): CatalogTool | undefined {
    this.all();
    return this.#byServer.get(serverId)?.find((tool) => tool.ref.tool === name);
  }

  /** The tool as it was referred to; `undefined` when it is gone or has changed since. */
  current(ref: ToolRef): CatalogTool | undefined {
    const tool = this.tool(ref.serverId, ref.tool);
    return tool?.ref.revision === ref.revision ? tool : undefined;
  }

  server(serverId: ServerId): ServerCatalog | undefined {
    const entry = this.#servers.get(serverId);
    if (!entry) return undefined;
    this.all();
    const { listed: _listed, ...rest } = entry;
    return { ...rest, tools: this.#byServer.get(serverId) ?? [] };
  }

  #build(): readonly CatalogTool[] {
    const servers = [...this.#servers.values()].sort((a, b) => a.serverName.localeCompare(b.serverName) || (a.serverId < b.serverId ? -1 : 1));
    const names = modelNames(servers.flatMap(({ serverId, serverName, listed }) => listed.map((tool) => ({ serverId, serverName, tool: tool.name }))));
    this.#byServer = new Map(
      servers.map(({ serverId, serverName, listed }) => [
        serverId,
        listed.map(({ name, revision, ...tool }) => ({ ...tool, serverName, ref: { serverId, tool: name, revision }, modelName: names.get(serverId, name) })),
      ]),
    );
    return [...this.#byServer.values()].flat();
  }
}
