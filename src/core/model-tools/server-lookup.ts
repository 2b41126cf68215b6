import type { ServerId, ToolCallId } from '../../shared/ids.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { CatalogOrigin } from '../../shared/model/catalog.ts';
import type { Caller } from '../../shared/model/tool-call.ts';
import type { CatalogView } from '../catalog/joined-catalog.ts';
import { nearNames } from '../search/near-names.ts';
import { refusalOf, refused, type Refusal } from './action-answer.ts';
import type { OwnToolContext } from './own-tool.ts';

/** What a caller can see: the person's servers, and within a run those that only it has. */
export interface ServerView {
  /** Switched-off ones included. */
  servers(): readonly ServerDefinition[];
  readonly catalog: CatalogView;
}
export interface ServerLookupDeps {
  readonly view: (caller: Caller) => ServerView;
  readonly origin: (serverId: ServerId) => CatalogOrigin | undefined;
  readonly connection: (serverId: ServerId) => ConnectionState;
  /** Connects if need be, for the call of the own tool that wants it. Resolves when the server's lists are of now; throws why it is not there. */
  readonly connect: (serverId: ServerId, invocation: ToolCallId, signal: AbortSignal) => Promise<void>;
  /** Resolves when lists that the server announced anew have come, or after a moment. */
  readonly listed: (serverId: ServerId, signal: AbortSignal) => Promise<void>;
}
export type ServerFound = { readonly ok: true; readonly server: ServerDefinition } | Refusal;

/** A server that may be used here, by its name; `-`, `_` and case do not count where that leaves no doubt. */
export function findServer(deps: ServerLookupDeps, name: string, context: OwnToolContext): ServerFound {
  const all = deps.view(context.caller).servers();
  const id = deps.view(context.caller).catalog.serverNamed(name);
  const server = all.find((one) => one.id === id);
  if (!server) {
    const near = nearNames(name, all.map((one) => one.name));
    return refused('server_not_found', `There is no server “${name.slice(0, 200)}”.${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ' Use action status to see which there are.'}`);
  }
  if (!server.enabled) return refused('server_disabled', `“${server.name}” is switched off. Only the person can switch it on.`);
  if (isOff(server, context)) return refused('server_disabled', `“${server.name}” is switched off for this chat. Only the person can change that.`);
  return { ok: true, server };
}

/** No tool of it may be used here, whatever its tools are. */
export const isOff = ({ id }: ServerDefinition, context: OwnToolContext): boolean => !context.mayUse({ serverId: id, tool: '' });

/** The server with its catalog; one that was never seen is connected first (F-88). */
export async function knownServer(deps: ServerLookupDeps, name: string, context: OwnToolContext, signal: AbortSignal): Promise<ServerFound> {
  const found = findServer(deps, name, context);
  if (!found.ok || deps.view(context.caller).catalog.knows(found.server.id)) return found;
  try {
    await deps.connect(found.server.id, context.callId, signal);
    return found;
  } catch (error) {
    return refusalOf(error, 'connect_failed', signal);
  }
}

/** The same where its lists are what is wanted: those that the last call changed come first. */
export async function listedServer(deps: ServerLookupDeps, name: string, context: OwnToolContext, signal: AbortSignal): Promise<ServerFound> {
  const found = await knownServer(deps, name, context, signal);
  if (found.ok) await deps.listed(found.server.id, signal);
  return found;
}

/** “cached, not connected”, where that is so (F-79). */
export function cachedMark(deps: ServerLookupDeps, serverId: ServerId): string | undefined {
  const { phase } = deps.connection(serverId);
  return deps.origin(serverId)?.from === 'cache' && phase !== 'ready' ? 'cached, not connected' : undefined;
}
