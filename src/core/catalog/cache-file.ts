import * as z from 'zod';
import { Revision } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';

/** One server in `mcp-cache.json`: raw descriptors as it sent them, secrets taken out (F-76). */
export interface CacheEntry {
  readonly configHash: string;
  /** Milliseconds since the epoch. */
  readonly cachedAt: number;
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly instructions?: string;
  readonly skills?: true;
  readonly warnings: readonly string[];
  /** By tool: of what the server really said. */
  readonly revisions: Readonly<Record<string, Revision>>;
}

/** An entry of either format; `unknown` so that one which nobody can read is carried or left out by itself. */
export type RawEntries = ReadonlyMap<string, unknown>;

/** How long an entry counts (F-77). Milliseconds. */
export const cacheLifeMs = 7 * 24 * 60 * 60_000;
/** A clock that was set back a little; what is from further in the future would never end. Milliseconds. */
const clockSlackMs = 60_000;
/** A larger file is no cache of ours. Characters. */
const largestFile = 64 * 1024 * 1024;
const mostItems = 20_000;
const mostServers = 1_000;

const items = z.array(z.unknown()).max(mostItems);
const Entry = z.object({
  configHash: z.string().max(200),
  cachedAt: z.number(),
  tools: items,
  resources: items.default([]),
  resourceTemplates: items.default([]),
  prompts: items.default([]),
  instructions: z.string().optional(),
  skills: z.literal(true).optional(),
  warnings: z.array(z.string().max(2_000)).max(100).default([]),
  revisions: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/).transform((text) => Revision.parse(text))).default({}),
});
const File = z.object({ version: z.union([z.literal(1), z.literal(2)]), servers: z.unknown() });

/** Formats 1 and 2 (F-76); another version, or no cache at all, is an empty one. Never throws. */
export function readCache(text: string | undefined): RawEntries {
  if (text === undefined || text.length > largestFile) return new Map();
  try {
    const { version, servers } = File.parse(JSON.parse(text));
    if (!isObject(servers)) return new Map();
    return new Map(Object.entries(servers).slice(0, mostServers).map(([key, entry]) => [key, version === 1 ? fromFirstFormat(entry) : entry]));
  } catch {
    return new Map(); // what is remembered can be asked again
  }
}

/** `undefined` for one that is of another configuration, too old, or not understood. */
export function validEntry(raw: unknown, configHash: string, now: number): CacheEntry | undefined {
  if (!isObject(raw) || raw['configHash'] !== configHash || !isFresh(raw, now)) return undefined;
  const parsed = Entry.safeParse(raw);
  if (!parsed.success) return undefined;
  const { instructions, skills, ...entry } = parsed.data;
  return { ...entry, ...(instructions === undefined ? {} : { instructions }), ...(skills ? { skills } : {}) };
}

/** An entry of one configuration that holds for another too. */
export interface Rehashed {
  readonly from: string;
  readonly to: string;
}
export interface CacheChanges {
  readonly changed: ReadonlyMap<string, CacheEntry>;
  readonly rehashed: ReadonlyMap<string, Rehashed>;
}

/** The file with these servers' entries in place of what it held of them (F-78). Others stay as they are while they are fresh. */
export function mergeCache(text: string | undefined, { changed, rehashed }: CacheChanges, now: number): string {
  const merged = new Map([...readCache(text)].filter(([, entry]) => isObject(entry) && isFresh(entry, now)));
  for (const [key, { from, to }] of rehashed) {
    const entry = merged.get(key);
    if (isObject(entry) && entry['configHash'] === from) merged.set(key, { ...entry, configHash: to });
  }
  for (const [key, entry] of changed) {
    merged.delete(key);
    merged.set(key, entry);
  }
  return `${JSON.stringify({ version: 2, servers: Object.fromEntries([...merged].slice(-mostServers)) })}\n`;
}

function isFresh(entry: JsonObject, now: number): boolean {
  const { cachedAt } = entry;
  return typeof cachedAt === 'number' && now - cachedAt <= cacheLifeMs && now - cachedAt >= -clockSlackMs;
}

/** It kept of a tool's app only where its page is. */
function fromFirstFormat(entry: unknown): unknown {
  if (!isObject(entry) || !Array.isArray(entry['tools'])) return entry;
  const tools = entry['tools'].map((tool: unknown) => {
    if (!isObject(tool) || typeof tool['uiResourceUri'] !== 'string') return tool;
    const { uiResourceUri, ...rest } = tool;
    return { ...rest, _meta: { ui: { resourceUri: uiResourceUri } } };
  });
  return { ...entry, tools };
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
