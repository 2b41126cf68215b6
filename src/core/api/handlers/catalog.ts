import type { catalog, CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { ToolIndex } from '../../search/tool-index.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import type { ServerId } from '../../../shared/ids.ts';
import type { Parts } from '../parts.ts';

export const catalogHandlers = (parts: Parts): Handlers<typeof catalog> => {
  const search = cachedSearch(parts);
  return {
    'catalog.page': async ({ serverId, text, offset, limit }) => {
      if (text.trim() !== '') {
        const { hits, total } = search().find(text, { limit, offset, typing: true, ...(serverId === undefined ? {} : { serverId }) });
        return { tools: hits.map(({ tool }) => tool), total, missing: missing(parts) };
      }
      const tools = serverId === undefined ? parts.catalog.all() : parts.catalog.all().filter((tool) => tool.ref.serverId === serverId);
      return { tools: tools.slice(offset, offset + limit), total: tools.length, missing: missing(parts) };
    },
    'catalog.search': async ({ text, limit }) => {
      const unseen = parts.unseen();
      if (unseen.length > 0) parts.inBackground((signal) => parts.pool.wake(unseen, signal));
      const tools = search().find(text, { limit, typing: true }).hits.map(({ tool }) => tool);
      return { tools, total: tools.length, missing: missing(parts) };
    },
  };
};

/** The index follows the catalog when it is next asked; servers whose tools are as they were are not indexed anew. */
function cachedSearch({ catalog: source }: Parts): () => ToolIndex {
  const index = new ToolIndex();
  let followed: readonly CatalogTool[] | undefined;
  let indexed: ReadonlyMap<ServerId, readonly CatalogTool[]> = new Map();
  return () => {
    const all = source.all();
    if (followed === all) return index;
    const now = new Map<ServerId, CatalogTool[]>();
    for (const tool of all) {
      const tools = now.get(tool.ref.serverId);
      if (tools) tools.push(tool);
      else now.set(tool.ref.serverId, [tool]);
    }
    for (const serverId of indexed.keys()) if (!now.has(serverId)) index.removeServer(serverId);
    for (const [serverId, tools] of now) if (!sameTools(tools, indexed.get(serverId))) index.setServer(serverId, tools);
    followed = all;
    indexed = now;
    return index;
  };
}

const sameTools = (now: readonly CatalogTool[], before: readonly CatalogTool[] | undefined): boolean =>
  now.length === before?.length &&
  now.every((tool, at) => {
    const old = before[at];
    return old !== undefined && tool.ref.revision === old.ref.revision && tool.modelName === old.modelName && tool.description === old.description && tool.serverName === old.serverName;
  });

function missing({ catalog: source, servers, state }: Parts): CatalogPage['missing'] {
  return servers.all().flatMap(({ id, name, enabled }): CatalogPage['missing'] => {
    const connection = state.current.servers[id]?.connection;
    // Without a project there is nothing that Files could offer: it is off, not missing.
    if (!enabled || source.has(id) || (connection?.phase === 'needs' && connection.what === 'project')) return [];
    const phase = connection?.phase;
    const why = phase === 'starting' || phase === 'reconnecting' || phase === 'ready' ? 'starting' : phase === 'failed' || phase === 'needs' ? 'failed' : 'unseen';
    return [{ serverId: id, serverName: name, why }];
  });
}
