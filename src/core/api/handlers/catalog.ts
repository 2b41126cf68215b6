import type { catalog, CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { ToolSearch } from '../../search/tool-search.ts';
import type { Parts } from '../parts.ts';

export const catalogHandlers = (parts: Parts): Handlers<typeof catalog> => {
  const search = cachedSearch(parts);
  return {
    'catalog.page': async ({ serverId, text, offset, limit }) => {
      const wanted = text.trim() === '' ? parts.catalog.all() : search().find(text, Number.POSITIVE_INFINITY);
      const tools = serverId === undefined ? wanted : wanted.filter((tool) => tool.ref.serverId === serverId);
      return { tools: tools.slice(offset, offset + limit), total: tools.length, missing: missing(parts) };
    },
    'catalog.search': async ({ text, limit }) => {
      const unseen = parts.unseen();
      if (unseen.length > 0) parts.inBackground((signal) => parts.pool.wake(unseen, signal));
      const tools = search().find(text, limit);
      return { tools, total: tools.length, missing: missing(parts) };
    },
  };
};

/** The index is built once for each state of the catalog. */
function cachedSearch({ catalog: source }: Parts): () => ToolSearch {
  let built: { readonly of: readonly unknown[]; readonly index: ToolSearch } | undefined;
  return () => {
    const tools = source.all();
    if (built?.of !== tools) built = { of: tools, index: new ToolSearch(tools) };
    return built.index;
  };
}

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
