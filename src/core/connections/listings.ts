import * as z from 'zod';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ServerId } from '../../shared/ids.ts';
import { hashOf } from '../kernel/hash.ts';
import { asAppError } from './failure.ts';
import { keepListening } from './listen.ts';
import type { Link, ListKind } from './link.ts';
import { asListing, noLists, readLists, type Lists } from './listing.ts';
import { Refresh } from './refresh.ts';
import type { ConnectionPoolDeps } from './session.ts';

const allKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** What a server offers, read after each connect and when it says that something changed; published when it differs. */
export class Listings {
  readonly #serverId: ServerId;
  readonly #deps: ConnectionPoolDeps;
  readonly #pageMs: () => number;
  readonly #onSessionLost: (link: Link) => void;
  #current: { readonly link: Link; readonly refresh: Refresh; readonly end: AbortController } | undefined;
  #lists: Lists = noLists;
  #published: string | undefined;
  #schemas = new Map<string, JsonObject>();
  /** Tools that say now that they only read, or that doing it twice is doing it once. */
  #repeatable: ReadonlySet<string> = new Set();

  constructor(serverId: ServerId, deps: ConnectionPoolDeps, pageMs: () => number, onSessionLost: (link: Link) => void) {
    this.#serverId = serverId;
    this.#deps = deps;
    this.#pageMs = pageMs;
    this.#onSessionLost = onSessionLost;
  }

  attach(link: Link): void {
    this.detach();
    const end = new AbortController();
    const refresh = new Refresh({ clock: this.#deps.clock, read: (kinds) => this.#read(link, kinds, end.signal) }, end.signal);
    this.#current = { link, refresh, end };
    this.#published = undefined;
    this.#repeatable = new Set();
    refresh.announce(allKinds);
    keepListening(link, this.#deps, end.signal);
    setLogLevel(link, this.#pageMs(), end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) this.#deps.log.info('A server did not take the log level', { code: asAppError(error).code });
    });
  }

  detach(): void {
    this.#current?.end.abort();
    this.#current = undefined;
  }

  announce(kinds: Iterable<ListKind>): void {
    this.#current?.refresh.announce(kinds);
  }

  async settled(): Promise<void> {
    await this.#current?.refresh.settled();
  }

  inputSchema(tool: string): JsonObject | undefined {
    return this.#schemas.get(tool);
  }

  isRepeatable(tool: string): boolean {
    return this.#repeatable.has(tool);
  }

  async #read(link: Link, kinds: ReadonlySet<ListKind>, signal: AbortSignal): Promise<void> {
    try {
      const lists = await readLists(link, kinds, this.#lists, this.#pageMs(), signal);
      signal.throwIfAborted();
      this.#lists = lists;
      this.#publish(link);
    } catch (error) {
      if (signal.aborted) return;
      if (link.isSessionLoss(error)) this.#onSessionLost(link);
      else this.#deps.log.info('The lists of a server could not be read', { server: this.#serverId, code: asAppError(error).code });
    }
  }

  #publish(link: Link): void {
    const listing = asListing(link, this.#lists, this.#deps.mask);
    const hash = hashOf(listing);
    if (hash === this.#published) return;
    this.#published = hash;
    this.#schemas = new Map(listing.tools.flatMap(schemaOf));
    this.#repeatable = new Set(listing.tools.flatMap(nameOfRepeatable));
    this.#deps.onListing(this.#serverId, listing);
  }
}

function schemaOf(tool: unknown): readonly (readonly [string, JsonObject])[] {
  if (typeof tool !== 'object' || tool === null || !('name' in tool) || !('inputSchema' in tool)) return [];
  const { name, inputSchema } = tool;
  return typeof name === 'string' && typeof inputSchema === 'object' && inputSchema !== null ? [[name, { ...inputSchema }]] : [];
}

const Repeatable = z.object({
  name: z.string(),
  annotations: z.object({ readOnlyHint: z.literal(true) }).or(z.object({ idempotentHint: z.literal(true) })),
});
function nameOfRepeatable(tool: unknown): readonly string[] {
  const { data } = Repeatable.safeParse(tool);
  return data ? [data.name] : [];
}

/** Only the old era has the request, and only servers that say so take it. */
async function setLogLevel(link: Link, limitMs: number, signal: AbortSignal): Promise<void> {
  if (link.era === 'legacy' && link.capabilities['logging'] !== undefined)
    await link.request('logging/setLevel', { level: 'info' }, limitMs, signal);
}
