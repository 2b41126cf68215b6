import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ToolPrefix } from '../../shared/model/server-options.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { namesAny, type NamedTool } from '../policy/name-match.ts';
import type { DirectToolsVariable } from './direct-tools-variable.ts';

/** Which of a server's tools a model is given from the start: all, those of these own names, or none (F-102). */
export type Pins = boolean | readonly string[];

/** What configuration says of one server's part of the catalog, with everything taken into account. Plain data: equal rules are equal JSON. */
export interface CatalogRules {
  /** Tools of a server that is switched off are seen and managed, and neither found nor called. */
  readonly on: boolean;
  readonly prefix: ToolPrefix;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly exposeResources: boolean;
  readonly pins: Pins;
  /** Words by which its tools are found, beside those of every server's (H-49). */
  readonly tags?: readonly string[];
}

export const openRules: CatalogRules = { on: true, prefix: 'gatehouse', include: [], exclude: [], exposeResources: true, pins: false };

/** A server's own options over the person's settings; the variable over both (F-103). */
export function catalogRules({ name, enabled, options }: Pick<ServerDefinition, 'name' | 'enabled' | 'options'>, settings: Pick<Settings, 'toolPrefix' | 'directTools'>, variable: DirectToolsVariable | undefined): CatalogRules {
  return {
    on: enabled,
    prefix: options.toolPrefix ?? settings.toolPrefix,
    include: options.includeTools ?? [],
    exclude: options.excludeTools ?? [],
    exposeResources: options.exposeResources ?? true,
    pins: variable ? variable.pinsOf(name) : (options.directTools ?? settings.directTools),
  };
}

/** Why the rules keep a tool of this name away: an empty list is no filter, and what is excluded stays so when it is included (F-68). */
export function filterOf({ include, exclude }: Pick<CatalogRules, 'include' | 'exclude'>): (tool: NamedTool) => 'not-included' | 'excluded' | undefined {
  const included = namesAny(include);
  const excluded = namesAny(exclude);
  return (tool) => (include.length > 0 && !included(tool) ? 'not-included' : exclude.length > 0 && excluded(tool) ? 'excluded' : undefined);
}

export const isPinned = (pins: Pins, tool: string): boolean => pins === true || (Array.isArray(pins) && pins.includes(tool));

/** Models may be told of it and it can be called. */
export const isUsable = (tool: CatalogTool): boolean => tool.hidden === undefined && tool.problem === undefined;

/** So many pinned tools cost more than searching for them (F-109). */
export const manyPins = 75;
