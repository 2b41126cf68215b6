import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import type { CatalogTool, ToolLine } from '../../model/catalog.ts';
import type { ServerCost } from '../../model/cost.ts';
import { ProviderKind } from '../../model/settings.ts';
import { request } from '../define.ts';

export interface CatalogPage {
  readonly tools: readonly CatalogTool[];
  readonly total: number;
  /** Servers that could offer more but are not there: still starting, asleep and unseen, or failed. */
  readonly missing: readonly { readonly serverId: ServerId; readonly serverName: string; readonly why: 'starting' | 'unseen' | 'failed' }[];
}
export interface CatalogLines {
  /** By server and as each lists them; with text, best first, and after them the hidden and the unusable ones that hold all its words. */
  readonly lines: readonly ToolLine[];
  /** Usable pinned tools of all servers. `many`: so many that they cost more than searching (F-109). `fixed`: `MCP_DIRECT_TOOLS` says which, and no file is asked (F-103). */
  readonly pins: { readonly count: number; readonly many: boolean; readonly fixed: boolean };
}
export const catalog = {
  /** Every tool there is, hidden and unusable ones too, in a line each: what a person manages. Connects nothing. */
  'catalog.lines': request<CatalogLines>()(z.strictObject({ text: z.string().max(500).default('') })),
  /** All that is known of one tool. */
  'catalog.tool': request<CatalogTool | undefined>()(z.strictObject({ serverId: ServerId, tool: z.string().max(20_000) })),
  /** One page of the tools of all servers, by server and name; `serverId` narrows it. */
  'catalog.page': request<CatalogPage>()(
    z.strictObject({ serverId: ServerId.optional(), text: z.string().max(500).default(''), offset: z.number().int().nonnegative().default(0), limit: z.number().int().min(1).max(500).default(200) }),
  ),
  /** The tools that fit what a person typed, best first. Wakes servers that were never seen. */
  'catalog.search': request<CatalogPage>()(z.strictObject({ text: z.string().max(2000), limit: z.number().int().min(1).max(50).default(8) })),
  /**
   * What every server's usable tools cost a model that is given them all: estimates in tokens (o200k), in the form that this kind of provider takes. Empty where it cannot be
   * counted.
   */
  'catalog.costs': request<readonly ServerCost[]>()(z.strictObject({ kind: ProviderKind.default('openai') })),
};
