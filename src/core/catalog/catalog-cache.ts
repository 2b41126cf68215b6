import type { ServerId } from '../../shared/ids.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { Lanes } from '../kernel/lanes.ts';
import type { Clock, Documents, Log } from '../ports.ts';
import { mergeCache, readCache, validEntry, type CacheEntry, type Rehashed } from './cache-file.ts';
import type { Catalog, RawListing } from './catalog.ts';
import { configHash } from './catalog-identity.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface CatalogCacheDeps {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly mask: (text: string) => string;
  readonly catalog: Pick<Catalog, 'remember' | 'knows' | 'revisions'>;
  readonly definitions: () => readonly ServerDefinition[];
  readonly inBackground: (work: (signal: AbortSignal) => Promise<unknown>) => void;
}

const file = 'mcp-cache.json';
/** Servers that connect together are written together. Milliseconds. */
const gatherMs = 2_000;
/** What an app that ends may take to write. Milliseconds. */
const lastWriteMs = 3_000;

/**
 * What servers listed when they were last connected, kept in the home across starts (F-76…F-79). It is read when it is first needed and never holds up a start; a file
 * that cannot be read costs a look at each server and nothing else. Only the home's file counts: a project cannot bring one (F-7).
 */
export class CatalogCache implements AsyncDisposable {
  readonly #deps: CatalogCacheDeps;
  readonly #lane = new Lanes<'file'>();
  readonly #changed = new Map<ServerId, CacheEntry>();
  readonly #rehashed = new Map<ServerId, Rehashed>();
  #reading: Promise<void> | undefined;
  #scheduled = false;

  constructor(deps: CatalogCacheDeps) {
    this.#deps = deps;
  }

  /** Resolves when the catalog knows what is remembered. The first to ask begins the reading. Never rejects. */
  ready(): Promise<void> {
    return (this.#reading ??= this.#recall());
  }

  /** There are other servers now; what is remembered of them is looked up, unless nobody has asked for anything yet. */
  serversChanged(): void {
    if (this.#reading) this.#reading = this.#recall();
  }

  /** A connected server listed this; it is written soon, together with others. */
  note(definition: ServerDefinition, listing: RawListing): void {
    this.#changed.set(definition.id, this.#entryOf(definition, listing));
    this.#schedule();
  }

  /** Only filters changed: what the server listed holds under them too, though they count for the entry (F-77). */
  refilter(before: ServerDefinition, now: ServerDefinition): void {
    const [from, to] = [configHash(before), configHash(now)];
    if (from === to) return;
    const waiting = this.#changed.get(now.id);
    if (waiting) this.#changed.set(now.id, { ...waiting, configHash: to });
    else this.#rehashed.set(now.id, { from: this.#rehashed.get(now.id)?.from ?? from, to });
    this.#schedule();
  }

  /** What waits is on disk when this resolves, or was reported. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#write(AbortSignal.timeout(lastWriteMs));
    await this.#lane.drained();
  }

  #recall(): Promise<void> {
    return this.#lane
      .run('file', async () => {
        const { documents, clock, catalog, definitions } = this.#deps;
        const unknown = definitions().filter(({ id }) => !catalog.knows(id) && !this.#changed.has(id));
        if (unknown.length === 0) return;
        const entries = readCache(await documents.read(file, AbortSignal.timeout(30_000)));
        for (const definition of unknown) {
          const entry = validEntry(entries.get(definition.id), configHash(definition), clock.now());
          if (entry) catalog.remember(definition.id, { ...entry, seenAt: entry.cachedAt, revisions: new Map(Object.entries(entry.revisions)) });
        }
      })
      .catch((error: unknown) => this.#deps.log.error('What servers offered before could not be read', error));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#deps.inBackground(async (signal) => {
      await this.#deps.clock.doze(gatherMs, signal);
      await this.#write(AbortSignal.timeout(30_000));
    });
  }

  #write(signal: AbortSignal): Promise<void> {
    return this.#lane.run('file', async () => {
      this.#scheduled = false;
      const changed = new Map(this.#changed);
      const rehashed = new Map(this.#rehashed);
      if (changed.size === 0 && rehashed.size === 0) return;
      this.#changed.clear();
      this.#rehashed.clear();
      await this.#deps.documents
        .update(file, (current) => mergeCache(current, { changed, rehashed }, this.#deps.clock.now()), signal)
        .catch((error: unknown) => this.#deps.log.error('What servers offer could not be saved', error));
    });
  }

  /** What repeats a secret where a call needs it word for word is not kept at all. */
  #entryOf(definition: ServerDefinition, listing: RawListing): CacheEntry {
    const { mask, clock, catalog } = this.#deps;
    const left: string[] = [];
    const shown = (what: string, items: readonly unknown[]): readonly unknown[] => {
      const kept = items.flatMap((item) => {
        if (typeof item !== 'object' || item === null) return [];
        const masked = withoutSecrets(item, mask);
        const text = JSON.stringify(masked);
        return mask(text) === text ? [masked] : [];
      });
      if (kept.length < items.length) left.push(`${items.length - kept.length} of ${items.length} ${what} are not remembered`);
      return kept;
    };
    return {
      configHash: configHash(definition), cachedAt: clock.now(),
      tools: shown('tools', listing.tools), resources: shown('resources', listing.resources), resourceTemplates: shown('resource templates', listing.resourceTemplates), prompts: shown('prompts', listing.prompts),
      ...(listing.instructions === undefined ? {} : { instructions: mask(listing.instructions) }),
      ...(listing.skills ? { skills: true } : {}),
      warnings: [...left, ...listing.warnings.map(mask)].map((text) => text.slice(0, 2_000)).slice(0, 100),
      revisions: Object.fromEntries(catalog.revisions(definition.id)),
    };
  }
}
