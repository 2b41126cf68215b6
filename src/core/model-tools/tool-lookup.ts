import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { nearNames } from '../search/near-names.ts';
import { refused, type Refusal } from './action-answer.ts';
import type { OwnToolContext } from './own-tool.ts';
import { findServer, isOff, knownServer, type ServerLookupDeps } from './server-lookup.ts';

export type ToolFound = { readonly ok: true; readonly tool: CatalogTool } | Refusal;

/** Whether this chat may use a tool, and its server is on. */
export function allowedBy(deps: ServerLookupDeps, context: OwnToolContext): (tool: CatalogTool) => boolean {
  const on = new Set(deps.view(context.caller).servers().flatMap((server) => (server.enabled && !isOff(server, context) ? [server.id] : [])));
  return ({ ref: { serverId, tool } }) => on.has(serverId) && context.mayUse({ serverId, tool });
}

export function usableTools(deps: ServerLookupDeps, context: OwnToolContext, serverId?: ServerId): readonly CatalogTool[] {
  const allowed = allowedBy(deps, context);
  return deps.view(context.caller).catalog.all().filter((tool) => (serverId === undefined || tool.ref.serverId === serverId) && allowed(tool));
}

/** The one tool that a name means (F-73, F-74). A server that is named and was never seen is connected first; a miss elsewhere connects nothing. */
export async function findTool(deps: ServerLookupDeps, name: string, serverName: string | undefined, context: OwnToolContext, signal: AbortSignal): Promise<ToolFound> {
  const known = serverName === undefined ? undefined : await knownServer(deps, serverName, context, signal);
  if (known && !known.ok) return known;
  const within = known ? { server: known.server.id } : {};
  const resolve = () => deps.view(context.caller).catalog.resolve(name, { ...within, may: allowedBy(deps, context) });
  let resolved = resolve();
  if (resolved.kind === 'unknown' && known) {
    // It may be in a list that is on its way.
    await deps.listed(known.server.id, signal);
    resolved = resolve();
  }
  switch (resolved.kind) {
    case 'found':
      return resolved.tool.problem === undefined ? { ok: true, tool: resolved.tool } : refused('tool_not_found', `“${name}” cannot be used: ${resolved.tool.problem}`);
    case 'ambiguous':
      return ambiguous(name, resolved.tools);
    case 'native':
      return refused('native_tool', `“${name}” is one of your own tools: call it by itself, not through the gateway.`);
    case 'unknown-server':
      return refused('server_not_found', `There is no server “${(serverName ?? '').slice(0, 200)}”.`);
    case 'unknown':
      return off(deps, name, within, context) ?? unknown(deps, name, known?.server, resolved.elsewhere, context);
  }
}

function ambiguous(name: string, tools: readonly CatalogTool[]): Refusal {
  const some = tools.slice(0, 10);
  return refused('ambiguous_tool', `“${name}” means more than one tool; say which server: ${some.map((tool) => `${tool.ref.tool} on ${tool.serverName}`).join(', ')}. Nothing was called.`, {
    matches: some.map((tool) => ({ server: tool.serverName, tool: tool.ref.tool, path: tool.modelName })),
  });
}

/** It is there, and switched off: for everybody, or in this chat. */
function off(deps: ServerLookupDeps, name: string, within: { readonly server?: string }, context: OwnToolContext): Refusal | undefined {
  const resolved = deps.view(context.caller).catalog.resolve(name, within);
  if (resolved.kind !== 'found') return undefined;
  const server = findServer(deps, resolved.tool.serverName, context);
  return server.ok ? refused('tool_not_found', `“${name}” is switched off for this chat. Only the person can change that.`) : server;
}

function unknown(deps: ServerLookupDeps, name: string, server: ServerDefinition | undefined, elsewhere: CatalogTool | undefined, context: OwnToolContext): Refusal {
  const near = nearNames(name, usableTools(deps, context, server?.id).flatMap(({ ref, modelName }) => [modelName, ref.tool]));
  const hints = [
    ...(elsewhere ? [`There is one on ${elsewhere.serverName}.`] : []),
    ...(near.length > 0 ? [`Did you mean ${near.join(', ')}?`] : []),
    ...(!elsewhere && near.length === 0 ? ['Look for it with action search.'] : []),
  ];
  return refused('tool_not_found', `There is no tool “${name.slice(0, 200)}”${server ? ` on ${server.name}` : ''}. ${hints.join(' ')}`, {
    ...(near.length > 0 ? { suggestions: [...near] } : {}), ...(elsewhere ? { server: elsewhere.serverName } : {}),
  });
}
