import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ToolIndex, type FindOptions, type Found } from './tool-index.ts';

/** The search index of a catalog. It follows when it is next asked; servers whose tools are as they were are not indexed anew. */
export class CatalogIndex {
  readonly #source: { all(): readonly CatalogTool[] };
  readonly #index = new ToolIndex();
  #followed: readonly CatalogTool[] | undefined;
  #indexed: ReadonlyMap<ServerId, readonly CatalogTool[]> = new Map();

  constructor(source: { all(): readonly CatalogTool[] }) {
    this.#source = source;
  }

  find(query: string, options: FindOptions = {}): Found {
    this.#follow();
    return this.#index.find(query, options);
  }

  #follow(): void {
    const all = this.#source.all();
    if (this.#followed === all) return;
    const now = new Map<ServerId, CatalogTool[]>();
    for (const tool of all) {
      const tools = now.get(tool.ref.serverId);
      if (tools) tools.push(tool);
      else now.set(tool.ref.serverId, [tool]);
    }
    for (const serverId of this.#indexed.keys()) if (!now.has(serverId)) this.#index.removeServer(serverId);
    for (const [serverId, tools] of now) if (!sameTools(tools, this.#indexed.get(serverId))) this.#index.setServer(serverId, tools);
    this.#followed = all;
    this.#indexed = now;
  }
}

const sameTools = (now: readonly CatalogTool[], before: readonly CatalogTool[] | undefined): boolean =>
  now.length === before?.length &&
  now.every((tool, at) => {
    const old = before[at];
    return (
      old !== undefined && tool.ref.revision === old.ref.revision && tool.modelName === old.modelName && tool.description === old.description &&
      tool.serverName === old.serverName && tool.hidden === old.hidden && tool.pinned === old.pinned
    );
  });
