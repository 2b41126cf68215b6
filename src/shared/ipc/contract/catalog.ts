import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import type { CatalogTool } from '../../model/catalog.ts';
import { request } from '../define.ts';

export interface CatalogPage {
  readonly tools: readonly CatalogTool[];
  readonly total: number;
  /** Servers that could offer more but are not there: still starting, asleep and unseen, or failed. */
  readonly missing: readonly { readonly serverId: ServerId; readonly serverName: string; readonly why: 'starting' | 'unseen' | 'failed' }[];
}
export const catalog = {
  /** One page of the tools of all servers, by server and name; `serverId` narrows it. */
  'catalog.page': request<CatalogPage>()(
    z.strictObject({ serverId: ServerId.optional(), text: z.string().max(500).default(''), offset: z.number().int().nonnegative().default(0), limit: z.number().int().min(1).max(500).default(200) }),
  ),
  /** The tools that fit what a person typed, best first. Wakes servers that were never seen. */
  'catalog.search': request<CatalogPage>()(z.strictObject({ text: z.string().max(2000), limit: z.number().int().min(1).max(50).default(8) })),
};
