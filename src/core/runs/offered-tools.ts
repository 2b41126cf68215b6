import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolName } from '../../shared/model/chat-tools.ts';
import { mayUse } from '../../shared/model/every-tool.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import type { ChatState } from '../../shared/state/chat-state.ts';
import type { RunSettings } from '../profiles/run-settings.ts';
import type { RunScope } from './run-scope.ts';
import { fitTool, fitTools, type FittedTool, type ToolToFit } from '../catalog/provider-fit.ts';

/** Where a request's tools come from. Servers' tools are usable ones of servers that are switched on. */
export interface OfferSource {
  /** Gatehouse's own, the same for every catalog. */
  readonly own: () => readonly CatalogTool[];
  readonly ownTool: (name: string) => CatalogTool | undefined;
  /** Own tools that are at hand because lists of allowed tools name them; without that they are found by searching. */
  readonly askedFor: (allow: readonly (readonly string[])[]) => readonly CatalogTool[];
  readonly pinned: () => readonly CatalogTool[];
  readonly tool: (serverId: ServerId, name: string) => CatalogTool | undefined;
  /** The gateway is left out while there are pinned tools (F-95). */
  readonly gatewayHidden: () => boolean;
}
/** What a run says of its tools. */
export interface OfferingRun {
  readonly scope: Pick<RunScope, 'allows' | 'offered'>;
  readonly settings: Pick<RunSettings, 'mcp' | 'toolsAllow'>;
}
/** A request's tools, each kind in the order in which it is sent: what was loaded last stands last, so that a provider's cache of the rest holds. */
export interface ToolsToOffer {
  readonly own: readonly CatalogTool[];
  readonly pinned: readonly CatalogTool[];
  readonly loaded: readonly CatalogTool[];
}
export interface OfferedTool {
  readonly tool: CatalogTool;
  readonly fitted: FittedTool;
}
export interface Offer {
  readonly offered: readonly OfferedTool[];
  /** With the reason; what a provider has no room for can be called through the gateway all the same. */
  readonly setAside: readonly { readonly name: string; readonly reason: string }[];
}

/** What a chat's next request carries: own tools, pins and what searches loaded, without what the chat may not use (F-100). */
export function toolsToOffer(source: OfferSource, { loaded, tools: allowed }: Pick<ChatState, 'loaded' | 'tools'>, run: OfferingRun): ToolsToOffer {
  if (!run.settings.mcp) return { own: [], pinned: [], loaded: [] };
  const may = ({ ref }: CatalogTool) => mayUse(allowed, { serverId: ref.serverId, tool: ref.tool }) && (ref.serverId === ownToolsId || run.scope.allows(ref));
  // Of the run's own servers all are at hand from the first request on (H-24).
  const pinned = onceEach([...source.pinned(), ...run.scope.offered()].filter(may));
  const own = [...source.own(), ...source.askedFor(run.settings.toolsAllow)].filter(({ modelName }) => !(modelName === 'mcp' && source.gatewayHidden() && pinned.length > 0));
  const atHand = new Set([...own, ...pinned].map(keyOf));
  const found = loaded
    .flatMap((name) => (name.serverId === ownToolsId ? source.ownTool(name.tool) : source.tool(name.serverId, name.tool)) ?? [])
    .filter((tool) => may(tool) && !atHand.has(keyOf(tool)));
  return { own, pinned, loaded: found };
}

/**
 * As many as the provider takes (O14): own tools first, then pins, then what was loaded most recently. `refused` are those that it would not take in this run. One
 * that cannot be offered never keeps another from being offered.
 */
export function offerFor(kind: ProviderKind, { own, pinned, loaded }: ToolsToOffer, refused: ReadonlyMap<string, string>): Offer {
  const asSent = [...own, ...pinned, ...loaded];
  const inTurn = [...own, ...pinned, ...loaded.toReversed()].filter(({ modelName }) => !refused.has(modelName));
  const { offered, setAside } = fitTools(kind, inTurn.map(toFit));
  const byName = new Map(inTurn.toReversed().map((tool) => [tool.modelName, tool]));
  const place = new Map(asSent.map((tool, at) => [tool, at]));
  const known = offered.flatMap((fitted) => {
    const tool = byName.get(fitted.tool.name);
    return tool ? [{ tool, fitted }] : [];
  });
  return {
    offered: known.toSorted((a, b) => (place.get(a.tool) ?? 0) - (place.get(b.tool) ?? 0)),
    setAside: [...setAside, ...[...refused].map(([name, reason]) => ({ name, reason }))],
  };
}

/** Why a provider cannot be offered a tool; `undefined` when it can. */
export function notOfferable(kind: ProviderKind, tool: CatalogTool): string | undefined {
  const fit = fitTool(kind, toFit(tool));
  return fit.kind === 'fits' ? undefined : fit.reason;
}

export const toFit = (tool: CatalogTool): ToolToFit => ({ name: tool.modelName, description: described(tool), inputSchema: tool.inputSchema });

const described = (tool: CatalogTool): string => [tool.title, tool.description].filter((text) => text !== undefined && text !== '').join('. ');
const onceEach = (tools: readonly CatalogTool[]): readonly CatalogTool[] => [...new Map(tools.map((tool) => [keyOf(tool), tool])).values()];
const keyOf = ({ ref }: CatalogTool): string => keyOfName(ref);
const keyOfName = ({ serverId, tool }: Pick<ToolName, 'serverId' | 'tool'>): string => JSON.stringify([serverId, tool]);
