import type { IndexedServer, IndexedTool } from './indexed-tool.ts';
import { WordMatcher, type Matched, type MatchPart, type Searched } from './match-words.ts';
import type { ToolQuery, Wish } from './tool-query.ts';

/** How much of a task's score comes from the step that a tool serves best, rather than from all words. */
const stepShare = 0.45;
/** A step that found less than the best step counts less, by the root of the ratio. */
const stepTrust = 0.5;
/** What a tool gains from its server, in parts of its own score, when that server has the best tools for the query. */
const serverGain = { task: 1, wish: 0.15 };
const serverBest = 3;
/** What a tool of the same server gains that deals in what the first tools must be given. */
const needGain = 0.3;
const needyTools = 5;
/** How many of a task's tools are put in order against each other, and what is left to one that repeats what is there. */
const mostSpread = 120;
const repeated = { word: 0.85, server: 0.97, name: 0.2 };

export interface RankedSlot {
  readonly slot: number;
  readonly score: number;
}

/** One query over the index: which tools, in which order, and why. */
export class ToolRanking {
  readonly #searched: Searched;
  readonly #matcher: WordMatcher;
  readonly #query: ToolQuery;
  readonly #whole: Matched;
  readonly #steps: readonly { readonly wish: Wish; readonly matched: Matched; readonly trust: number }[];
  readonly #found: readonly number[];
  /** By words alone, by what others need, and by the server: their sum is the score before repetitions count. */
  readonly #byWords: Float64Array;
  readonly #byNeed: Float64Array;
  readonly #byServer: Float64Array;
  readonly #byStep: Float64Array;
  readonly #bestStep: Int32Array;

  constructor(searched: Searched, query: ToolQuery) {
    this.#searched = searched;
    this.#query = query;
    this.#matcher = new WordMatcher(searched);
    this.#whole = this.#matcher.match(query.whole);
    const steps = query.steps.map((wish) => ({ wish, matched: this.#matcher.match(wish) }));
    const top = Math.max(0, ...steps.map(({ matched }) => matched.top));
    this.#steps = steps.filter(({ matched }) => matched.top > 0).map((step) => ({ ...step, trust: (step.matched.top / top) ** stepTrust }));
    this.#byWords = new Float64Array(searched.slots);
    this.#byNeed = new Float64Array(searched.slots);
    this.#byServer = new Float64Array(searched.slots);
    this.#byStep = new Float64Array(searched.slots);
    this.#bestStep = new Int32Array(searched.slots);
    this.#found = this.#addWords();
    if (this.#isTask) this.#addNeeds();
    this.#addServers();
  }

  get found(): readonly number[] {
    return this.#found;
  }

  /** Best first, ties by name; of a task only the first `mostSpread` are weighed against each other. */
  first(count: number): readonly RankedSlot[] {
    const best = this.#best(this.#isTask ? Math.max(count, mostSpread) : count);
    return this.#isTask ? [...this.#spread(best.slice(0, mostSpread), count), ...best.slice(mostSpread)].slice(0, count) : best;
  }

  /** What one tool's score is made of, before it lost anything for repeating tools before it. */
  partsOf(slot: number): { readonly words: readonly MatchPart[]; readonly need: number; readonly server: number } {
    const whole = scaled(this.#matcher.parts(this.#query.whole, [slot]).get(slot) ?? [], this.#wholePart(slot));
    const part = this.#byStep[slot] ?? 0;
    const wish = part > 0 ? this.#steps[this.#bestStep[slot] ?? 0]?.wish : undefined;
    const step = wish === undefined ? [] : scaled(this.#matcher.parts(wish, [slot]).get(slot) ?? [], part);
    return { words: [...whole, ...step], need: this.#byNeed[slot] ?? 0, server: this.#byServer[slot] ?? 0 };
  }

  get #isTask(): boolean {
    return this.#query.steps.length > 0;
  }

  #scoreOf(slot: number): number {
    return (this.#byWords[slot] ?? 0) + (this.#byNeed[slot] ?? 0) + (this.#byServer[slot] ?? 0);
  }

  #wholePart(slot: number): number {
    return this.#whole.top === 0 ? 0 : ((this.#isTask ? 1 - stepShare : 1) * (this.#whole.scores[slot] ?? 0)) / this.#whole.top;
  }

  /** The step that each tool serves best, and what it earns by it. */
  #addWords(): readonly number[] {
    const found = new Set(this.#whole.slots);
    this.#steps.forEach(({ matched, trust }, step) => {
      for (const slot of matched.slots) {
        found.add(slot);
        const part = (stepShare * trust * (matched.scores[slot] ?? 0)) / matched.top;
        if (part > (this.#byStep[slot] ?? 0)) {
          this.#byStep[slot] = part;
          this.#bestStep[slot] = step;
        }
      }
    });
    for (const slot of found) this.#byWords[slot] = this.#wholePart(slot) + (this.#byStep[slot] ?? 0);
    return [...found];
  }

  /** What the first tools must be given has to come from somewhere: most often from their own server. */
  #addNeeds(): void {
    const first = this.#best(needyTools).flatMap(({ slot, score }) => {
      const entry = this.#searched.at(slot);
      return entry ? [{ entry, score }] : [];
    });
    const top = first[0]?.score ?? 0;
    const wanted = new Map<string, number>();
    for (const { entry, score } of first) for (const stem of entry.needs) wanted.set(stem, wanted.has(stem) ? (wanted.get(stem) ?? 0) + score / top / 2 : score / top);
    const wish = { words: [...wanted].map(([stem, weight]) => ({ word: stem, stem, weight, isName: true, unfinished: false })), intent: 0 };
    const matched = this.#matcher.match(wish, false);
    const servers = new Set(first.map(({ entry }) => entry.server));
    for (const slot of this.#found) {
      const server = this.#searched.at(slot)?.server;
      if (server && servers.has(server) && matched.top > 0) this.#byNeed[slot] = (needGain * (matched.scores[slot] ?? 0)) / matched.top;
    }
  }

  #addServers(): void {
    const bestOf = new Map<IndexedServer, number[]>();
    for (const slot of this.#found) {
      const server = this.#searched.at(slot)?.server;
      if (server === undefined) continue;
      const best = bestOf.get(server) ?? [];
      bestOf.set(server, best);
      const score = this.#scoreOf(slot);
      const place = best.findIndex((other) => other < score);
      if (place >= 0) best.splice(place, 0, score);
      else if (best.length < serverBest) best.push(score);
      if (best.length > serverBest) best.pop();
    }
    const sums = new Map([...bestOf].map(([server, best]) => [server, best.reduce((sum, score) => sum + score, 0)]));
    let top = 0;
    for (const sum of sums.values()) top = Math.max(top, sum);
    const gain = this.#isTask ? serverGain.task : serverGain.wish;
    for (const slot of this.#found) {
      const server = this.#searched.at(slot)?.server;
      if (server && top > 0) this.#byServer[slot] = (gain * this.#scoreOf(slot) * (sums.get(server) ?? 0)) / top;
    }
  }

  #best(count: number): readonly RankedSlot[] {
    const nameOf = (slot: number): string => this.#searched.at(slot)?.tool.ref.tool ?? '';
    const before = (a: RankedSlot, b: RankedSlot): number => b.score - a.score || (nameOf(a.slot) < nameOf(b.slot) ? -1 : nameOf(a.slot) > nameOf(b.slot) ? 1 : a.slot - b.slot);
    const all = this.#found.map((slot) => ({ slot, score: this.#scoreOf(slot) }));
    return firstOf(all, count, before);
  }

  /** Greedy: the next tool is the one that adds most to those already chosen, by the words of the query that they met, their server and their name. */
  #spread(candidates: readonly RankedSlot[], count: number): readonly RankedSlot[] {
    const parts = this.#matcher.parts(this.#query.whole, candidates.map(({ slot }) => slot), false);
    const wordAt = new Map<string, number>();
    const left = candidates.map(({ slot, score }) => {
      const met = (parts.get(slot) ?? []).map((part) => ({ at: placeIn(wordAt, part.word), score: part.score }));
      return { slot, score, worth: score, entry: this.#searched.at(slot), met, sum: met.reduce((total, part) => total + part.score, 0) };
    });
    const tops = new Float64Array(wordAt.size);
    for (const { met } of left) for (const part of met) tops[part.at] = Math.max(tops[part.at] ?? 0, part.score);
    const fresh = new Float64Array(wordAt.size).fill(1);
    const servers = new Map<IndexedServer | undefined, number>();
    const names = new Map<string, number>();
    const worthOf = ({ entry, met, sum, score }: (typeof left)[number]): number => {
      let rest = 0;
      for (const part of met) rest += part.score * (fresh[part.at] ?? 1);
      return score * (sum === 0 ? 1 : rest / sum) * repeated.server ** (servers.get(entry?.server) ?? 0) * repeated.name ** (names.get(nameOf(entry)) ?? 0);
    };
    const chosen: RankedSlot[] = [];
    while (left.length > 0 && chosen.length < count) {
      const best = left.reduce((first, candidate) => (candidate.worth > first.worth ? candidate : first));
      // A worth only ever falls: the best by what was last worked out is the best of all when it has not fallen since.
      const worth = worthOf(best);
      if (worth < best.worth) {
        best.worth = worth;
        continue;
      }
      left.splice(left.indexOf(best), 1);
      chosen.push({ slot: best.slot, score: worth });
      for (const { at, score } of best.met) fresh[at] = (fresh[at] ?? 1) * repeated.word ** (score / (tops[at] ?? 1));
      servers.set(best.entry?.server, (servers.get(best.entry?.server) ?? 0) + 1);
      names.set(nameOf(best.entry), (names.get(nameOf(best.entry)) ?? 0) + 1);
    }
    return chosen;
  }
}

/** The number of a word, a new one when it is not known. */
function placeIn(numbers: Map<string, number>, word: string): number {
  const number = numbers.get(word) ?? numbers.size;
  numbers.set(word, number);
  return number;
}

const nameOf = (entry: IndexedTool | undefined): string => entry?.tool.ref.tool ?? '';

/** The parts in the same proportions, with a sum of `whole`. */
function scaled(parts: readonly MatchPart[], whole: number): readonly MatchPart[] {
  const sum = parts.reduce((total, { score }) => total + score, 0);
  return sum === 0 || whole === 0 ? [] : parts.map((part) => ({ ...part, score: (part.score * whole) / sum }));
}

/** The first `count` in order, without putting all the others in order too. */
function firstOf<T>(items: readonly T[], count: number, before: (a: T, b: T) => number): readonly T[] {
  if (items.length <= count * 4) return [...items].sort(before).slice(0, count);
  const first: T[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length >= count && last !== undefined && before(item, last) >= 0) continue;
    let low = 0;
    let high = first.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = first[middle];
      if (other !== undefined && before(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
