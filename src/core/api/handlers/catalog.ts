import type { catalog, CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { toolLine, type ToolLine } from '../../../shared/model/catalog.ts';
import { isUsable, manyPins } from '../../catalog/catalog-rules.ts';
import type { Parts } from '../parts.ts';

export const catalogHandlers = (parts: Parts): Handlers<typeof catalog> => ({
  'catalog.lines': async ({ text }) => {
    await parts.remembered();
    const { length } = parts.catalog.pinned();
    return { lines: linesOf(parts, text.trim()), pins: { count: length, many: length >= manyPins, fixed: parts.catalog.pinsAreFixed } };
  },
  'catalog.tool': async ({ serverId, tool }) => {
    await parts.remembered();
    return parts.catalog.tool(serverId, tool);
  },
  'catalog.page': async ({ serverId, text, offset, limit }) => {
    await parts.remembered();
    if (text.trim() !== '') {
      const { hits, total } = parts.search.find(text, { limit, offset, typing: true, ...(serverId === undefined ? {} : { serverId }) });
      return { tools: hits.map(({ tool }) => tool), total, missing: missing(parts) };
    }
    const tools = serverId === undefined ? parts.catalog.all() : parts.catalog.all().filter((tool) => tool.ref.serverId === serverId);
    return { tools: tools.slice(offset, offset + limit), total: tools.length, missing: missing(parts) };
  },
  'catalog.search': async ({ text, limit }) => {
    await parts.remembered();
    const unseen = parts.unseen();
    if (unseen.length > 0) parts.inBackground((signal) => parts.pool.wake(unseen, signal));
    const tools = parts.search.find(text, { limit, typing: true }).hits.map(({ tool }) => tool);
    return { tools, total: tools.length, missing: missing(parts) };
  },
  'catalog.costs': async ({ kind }, { signal }) => {
    await parts.remembered();
    return (await parts.costs.servers(kind, signal)) ?? [];
  },
});

function linesOf({ catalog: source, search }: Parts, text: string): readonly ToolLine[] {
  const everything = source.everything();
  if (text === '') return everything.map(toolLine);
  // What models cannot find, a person finds by its words.
  const words = text.toLowerCase().split(/\s+/);
  const others = everything.filter((tool) => !isUsable(tool) && words.every((word) => `${tool.ref.tool} ${tool.title ?? ''} ${tool.description} ${tool.serverName}`.toLowerCase().includes(word)));
  return [...search.find(text, { limit: everything.length, typing: true }).hits.map(({ tool }) => tool), ...others].map(toolLine);
}

function missing({ catalog: source, servers, state }: Parts): CatalogPage['missing'] {
  return servers.all().flatMap(({ id, name, enabled }): CatalogPage['missing'] => {
    const connection = state.current.servers[id]?.connection;
    // Without a project there is nothing that Files could offer: it is off, not missing.
    if (!enabled || source.knows(id) || (connection?.phase === 'needs' && connection.what === 'project')) return [];
    const phase = connection?.phase;
    const why = phase === 'starting' || phase === 'reconnecting' || phase === 'ready' ? 'starting' : phase === 'failed' || phase === 'needs' ? 'failed' : 'unseen';
    return [{ serverId: id, serverName: name, why }];
  });
}
