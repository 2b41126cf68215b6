import { slipsBetween } from './near-names.ts';

/** Numbers that stand together in a list of places: slot, strength, share of the name. */
export const placeSize = 3;
const none: readonly number[] = [];
const mostBeginnings = 64;
/** Nearly every shorter word is near some other. */
const shortestMeant = 4;

/** Every term with the tools that hold it. What is removed stays in the lists, uncounted, until `sweep`. */
export class TermTable {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #places: number[][] = [];
  readonly #counts: number[] = [];
  readonly #free: number[] = [];
  /** Ids of single words by their first character. */
  readonly #byFirst = new Map<string, Set<number>>();

  id(term: string): number | undefined {
    const id = this.#ids.get(term);
    return id === undefined || this.#counts[id] === 0 ? undefined : id;
  }

  term(id: number): string {
    return this.#terms[id] ?? '';
  }

  /** How many tools hold the term. */
  count(id: number): number {
    return this.#counts[id] ?? 0;
  }

  /** Runs of `placeSize` numbers; slots of removed tools may be among them. */
  places(id: number): readonly number[] {
    return this.#places[id] ?? none;
  }

  add(term: string, slot: number, strength: number, share: number): number {
    const id = this.#ids.get(term) ?? this.#create(term);
    this.#places[id]?.push(slot, strength, share);
    this.#counts[id] = this.count(id) + 1;
    return id;
  }

  forget(id: number): void {
    this.#counts[id] = this.count(id) - 1;
  }

  /** Drops the places of slots that are no more, and terms that nothing holds. */
  sweep(isLive: (slot: number) => boolean): void {
    for (const [term, id] of this.#ids) {
      const before = this.#places[id] ?? [];
      if (this.#counts[id] === 0) {
        this.#ids.delete(term);
        this.#byFirst.get(term.charAt(0))?.delete(id);
        this.#places[id] = [];
        this.#free.push(id);
      } else if (before.length > this.count(id) * placeSize) {
        const after: number[] = [];
        for (let at = 0; at < before.length; at += placeSize) {
          const slot = before[at] ?? 0;
          if (isLive(slot)) after.push(slot, before[at + 1] ?? 0, before[at + 2] ?? 0);
        }
        this.#places[id] = after;
      }
    }
  }

  /** Terms that begin with what was typed so far, or of which it is an unfinished form; the shortest first. */
  beginningWith(start: string): readonly number[] {
    const found: number[] = [];
    for (const id of this.#byFirst.get(start.charAt(0)) ?? []) {
      const term = this.term(id);
      const begins = term.startsWith(start) || (term.length >= 4 && start.length - term.length <= 4 && start.startsWith(term));
      if (begins && this.count(id) > 0) found.push(id);
    }
    return found.sort((a, b) => this.term(a).length - this.term(b).length || a - b).slice(0, mostBeginnings);
  }

  /** Terms that are at most so many slips away, the first letter right. */
  near(stem: string, most: number): readonly { readonly id: number; readonly slips: number }[] {
    const found: { readonly id: number; readonly slips: number }[] = [];
    for (const id of this.#byFirst.get(stem.charAt(0)) ?? []) {
      const term = this.term(id);
      if (term.length < shortestMeant || Math.abs(term.length - stem.length) > most || this.count(id) === 0) continue;
      const slips = slipsBetween(stem, term, most);
      if (slips <= most) found.push({ id, slips });
    }
    return found;
  }

  #create(term: string): number {
    const id = this.#free.pop() ?? this.#terms.length;
    this.#ids.set(term, id);
    this.#terms[id] = term;
    this.#places[id] = [];
    this.#counts[id] = 0;
    if (!term.includes(' ')) {
      const first = term.charAt(0);
      const same = this.#byFirst.get(first);
      if (same) same.add(id);
      else this.#byFirst.set(first, new Set([id]));
    }
    return id;
  }
}
