import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { resourceAlias } from '../catalog/resource-alias.ts';
import { toolRevision } from '../catalog/revision.ts';
import type { InvokeToolDeps } from './invoke-tool.ts';
import { receiveResult } from './receive-result.ts';

/** A resource as policy, approvals and records see it: reading it is a tool of this alias (F-143). `undefined` for what the server does not list. */
export function resourceTool(catalog: Pick<Catalog, 'server'>, serverId: ServerId, uri: string): CatalogTool | undefined {
  const server = catalog.server(serverId);
  const resource = server?.resources.find((one) => one.uri === uri);
  if (!server || !resource) return undefined;
  const name = resourceAlias(resource.name);
  const description = `Reads ${uri}${resource.description === undefined ? '' : `: ${resource.description}`}`;
  const inputSchema = { type: 'object', properties: {} };
  return {
    ref: { serverId, tool: name, revision: toolRevision({ name, description: uri, inputSchema }) }, serverName: server.serverName, title: resource.title ?? resource.name, description,
    inputSchema, annotations: { readOnlyHint: true }, modelName: name,
  };
}

/** Where a reading leaves for its server. Its contents come back as the parts of a result, through the same guard. Throws AppError. */
export async function readResource(call: ToolCall & { readonly resource: string }, tool: CatalogTool, { pool, ...receiving }: InvokeToolDeps, signal: AbortSignal) {
  const raw = await pool.use(call.ref.serverId, (session, using) => session.readResource(call.resource, using), signal);
  const contents = Array.isArray(raw['contents']) ? raw['contents'] : [];
  const content = contents.map((resource: unknown) => ({ type: 'resource', resource }));
  return receiveResult({ content, isError: false, raw: { content } }, call, tool, receiving, signal);
}
