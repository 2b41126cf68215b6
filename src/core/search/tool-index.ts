import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { indexedTools, longestName, nameKey, type IndexedServer, type IndexedTool } from './indexed-tool.ts';
import type { Searched } from './match-words.ts';
import { ToolRanking } from './rank-tools.ts';
import { reasonsOf, type HitReason } from './hit-reasons.ts';
import { TermTable } from './term-table.ts';
import { parseQuery } from './tool-query.ts';

export interface ToolHit {
  readonly tool: CatalogTool;
  /** Comparable within one answer only. */
  readonly score: number;
  /** The query is the tool's name, title or model name; case and separators do not count. Such hits come first. */
  readonly exact: boolean;
}

export interface FindOptions {
  readonly serverId?: ServerId;
  readonly limit?: number;
  readonly offset?: number;
  /** The last word may be unfinished. */
  readonly typing?: boolean;
  /** Leaves tools out, such as those that a chat may not use. */
  readonly may?: (tool: CatalogTool) => boolean;
}

export interface Found {
  readonly hits: readonly ToolHit[];
  /** How many there are without a limit. */
  readonly total: number;
}

interface ServerSlots extends IndexedServer {
  readonly slots: readonly number[];
}

const defaultLimit = 10;
/** Removed tools are swept out of the lists when there are as many as half of those that are left, and at least so many. */
const fewestToSweep = 512;

/**
 * Finds tools by words (F-89; the ranking is Gatehouse's own): offline, without a model, over name, title, server, description and schema.
 * A single wish finds the tool that serves it; of a task, each step finds its tools. Tools with a problem are not found.
 */
export class ToolIndex {
  readonly #table = new TermTable();
  readonly #entries: (IndexedTool | undefined)[] = [];
  /** Term ids by slot, to be uncounted when the tool goes. */
  readonly #termIds: (readonly number[])[] = [];
  readonly #servers = new Map<ServerId, ServerSlots>();
  readonly #byName = new Map<string, Set<number>>();
  #free: number[] = [];
  #removed: number[] = [];
  #size = 0;

  /** Replaces what the index knows of one server; only that server is indexed anew. An empty list removes it. */
  setServer(serverId: ServerId, tools: readonly CatalogTool[]): void {
    this.removeServer(serverId);
    const usable = tools.filter((tool) => tool.problem === undefined);
    if (usable.length === 0) return;
    const slots: number[] = [];
    const server: ServerSlots = { name: usable[0]?.serverName ?? '', slots };
    for (const { entry, terms } of indexedTools(server, usable)) {
      const slot = this.#free.pop() ?? this.#entries.length;
      const ids: number[] = [];
      for (const [term, { strength, share }] of terms) ids.push(this.#table.add(term, slot, strength, share));
      this.#entries[slot] = entry;
      this.#termIds[slot] = ids;
      for (const key of entry.nameKeys) this.#byName.set(key, (this.#byName.get(key) ?? new Set()).add(slot));
      slots.push(slot);
    }
    this.#size += slots.length;
    this.#servers.set(serverId, server);
  }

  removeServer(serverId: ServerId): void {
    const server = this.#servers.get(serverId);
    if (server === undefined) return;
    this.#servers.delete(serverId);
    for (const slot of server.slots) {
      for (const id of this.#termIds[slot] ?? []) this.#table.forget(id);
      for (const key of this.#entries[slot]?.nameKeys ?? []) {
        const same = this.#byName.get(key);
        same?.delete(slot);
        if (same?.size === 0) this.#byName.delete(key);
      }
      this.#entries[slot] = undefined;
      this.#termIds[slot] = [];
      this.#removed.push(slot);
    }
    this.#size -= server.slots.length;
    if (this.#removed.length >= Math.max(fewestToSweep, this.#size / 2)) this.#sweep();
  }

  /** Best first; exact-name hits before all others; ties by name. A query without words finds nothing. */
  find(query: string, options: FindOptions = {}): Found {
    const { limit = defaultLimit, offset = 0 } = options;
    const { ranking, exact } = this.#rank(query, options);
    const end = offset + limit;
    const ranked = ranking.first(end + exact.length);
    const scores = new Map(ranked.map(({ slot, score }) => [slot, score]));
    const named = exact.map((slot) => ({ slot, score: scores.get(slot) ?? 0 })).sort((a, b) => b.score - a.score || this.#byNames(a.slot, b.slot));
    const isExact = new Set(exact);
    const hits = [...named, ...ranked.filter(({ slot }) => !isExact.has(slot))].slice(offset, end).flatMap(({ slot, score }): readonly ToolHit[] => {
      const entry = this.#entries[slot];
      return entry ? [{ tool: entry.tool, score, exact: isExact.has(slot) }] : [];
    });
    const found = new Set(ranking.found);
    return { hits, total: found.size + exact.filter((slot) => !found.has(slot)).length };
  }

  /** Why the query finds that tool, the weightiest reason first; they add up to its score. Empty when it is not found by its words. */
  explain(query: string, ref: { readonly serverId: ServerId; readonly tool: string }): readonly HitReason[] {
    const slot = this.#servers.get(ref.serverId)?.slots.find((each) => this.#entries[each]?.tool.ref.tool === ref.tool);
    const entry = slot === undefined ? undefined : this.#entries[slot];
    if (slot === undefined || entry === undefined) return [];
    const { ranking } = this.#rank(query, {});
    const ranked = ranking.first(ranking.found.length).find((each) => each.slot === slot);
    return ranked === undefined ? [] : reasonsOf(entry.tool, ranking.partsOf(slot), ranked.score);
  }

  #rank(query: string, { serverId, typing = false, may }: FindOptions): { readonly ranking: ToolRanking; readonly exact: readonly number[] } {
    const mayFind = this.#filter(serverId, may);
    const searched: Searched = { table: this.#table, size: this.#size, slots: this.#entries.length, at: (slot) => this.#entries[slot], mayFind };
    const exact = query.length > longestName ? [] : [...(this.#byName.get(nameKey(query)) ?? [])].filter(mayFind);
    return { ranking: new ToolRanking(searched, parseQuery(query, typing)), exact };
  }

  #filter(serverId: ServerId | undefined, may: FindOptions['may']): (slot: number) => boolean {
    const server = serverId === undefined ? undefined : this.#servers.get(serverId);
    if (serverId !== undefined && server === undefined) return () => false;
    const answers = new Map<number, boolean>();
    return (slot) => {
      const entry = this.#entries[slot];
      if (entry === undefined || (server !== undefined && entry.server !== server)) return false;
      if (may === undefined) return true;
      const answer = answers.get(slot) ?? may(entry.tool);
      answers.set(slot, answer);
      return answer;
    };
  }

  #byNames(a: number, b: number): number {
    const [first, second] = [this.#entries[a]?.tool.ref.tool ?? '', this.#entries[b]?.tool.ref.tool ?? ''];
    return first < second ? -1 : first > second ? 1 : a - b;
  }

  #sweep(): void {
    this.#table.sweep((slot) => this.#entries[slot] !== undefined);
    this.#free = this.#free.concat(this.#removed);
    this.#removed = [];
  }
}
