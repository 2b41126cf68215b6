import { intentFactor } from './intents.ts';
import { pairOf, type IndexedTool } from './indexed-tool.ts';
import { placeSize, type TermTable } from './term-table.ts';
import { stemOf } from './stem.ts';
import { isVerb, synonymsOf } from './thesaurus.ts';
import type { QueryWord, Wish } from './tool-query.ts';

/** What the index holds, as one search sees it. `mayFind` answers the same for the same slot throughout. */
export interface Searched {
  readonly table: TermTable;
  /** How many tools there are. */
  readonly size: number;
  readonly slots: number;
  readonly at: (slot: number) => IndexedTool | undefined;
  readonly mayFind: (slot: number) => boolean;
}

export type How = 'word' | 'synonym' | 'typo' | 'prefix' | 'bigram';

/** One term that a word of the query is taken for. */
interface Meaning {
  readonly id: number;
  /** 1 for the word itself. */
  readonly weight: number;
  readonly how: How;
}

/** The tools that a wish found: `scores` by slot, 0 for the others. */
export interface Matched {
  readonly slots: readonly number[];
  readonly scores: Float64Array;
  readonly top: number;
}

/** One part of a score: before the factors that hold for the whole of it. */
export interface MatchPart {
  readonly word: string;
  readonly term: string;
  readonly how: How;
  readonly score: number;
}

const typoWeights = [1, 0.7, 0.45];
/** Of a stem, one slip from four letters on, two from eight on; what is no plain word, or too long for one, was meant as it stands. */
const mostSlips = (stem: string): number => (stem.length < 4 || stem.length > 32 || !/^[a-z]+$/.test(stem) ? 0 : stem.length < 8 ? 1 : 2);
const prefixWeights = { typing: 0.8, whole: 0.5 };
const shortestPrefix = { typing: 2, whole: 4 };
const pairWeight = 0.55;
const firstVerb = 1.2;
/** Of its score, the part that a tool keeps that matches only one of many words. */
const uncovered = 0.5;
const nameGain = { precision: 0.6, both: 1 };

const rarity = (size: number, count: number): number => Math.log(1 + (size - count + 0.5) / (count + 0.5));

/** Terms that a word may mean: itself, its synonyms; when nothing holds it, what begins with it or is near it. */
function meaningsOf(word: QueryWord, table: TermTable): readonly Meaning[] {
  const meanings = new Map<number, Meaning>();
  const add = (id: number | undefined, weight: number, how: How): void => {
    if (id !== undefined && (meanings.get(id)?.weight ?? 0) < weight) meanings.set(id, { id, weight, how });
  };
  const itself = table.id(word.stem);
  add(itself, 1, 'word');
  for (const [stem, weight] of synonymsOf(word.stem)) add(table.id(stem), weight, 'synonym');
  const kind = word.unfinished ? 'typing' : 'whole';
  if ((word.unfinished || itself === undefined) && word.word.length >= shortestPrefix[kind]) for (const id of table.beginningWith(word.word)) add(id, prefixWeights[kind], 'prefix');
  if (itself === undefined && !word.isName && mostSlips(word.stem) > 0) {
    for (const { id, slips } of table.near(word.stem, mostSlips(word.stem))) {
      const weight = typoWeights[slips] ?? 0;
      add(id, weight, 'typo');
      for (const [stem, other] of synonymsOf(table.term(id))) add(table.id(stem), weight * other, 'typo');
    }
  }
  return [...meanings.values()];
}

interface WeighedWord {
  readonly word: QueryWord;
  readonly rarity: number;
  readonly isFirstVerb: boolean;
  readonly gains: readonly { readonly meaning: Meaning; readonly plain: number; readonly emphasised: number }[];
}

/** Words that may stand as one in a tool, such as `data base`. */
const joinedWord = (first: QueryWord, second: QueryWord, table: TermTable): QueryWord | undefined => {
  const joined = first.word + second.word;
  const stem = stemOf(joined);
  return table.id(stem) === undefined || /\d/.test(joined) ? undefined : { word: joined, stem, weight: Math.min(first.weight, second.weight), isName: true, unfinished: false };
};

function weigh(words: readonly QueryWord[], table: TermTable, size: number, meaningsFor: (word: QueryWord) => readonly Meaning[]): readonly WeighedWord[] {
  const firstVerbAt = words.findIndex(({ stem }) => isVerb(stem));
  const joined = words.flatMap((word, at) => {
    const next = words[at + 1];
    return (next && joinedWord(word, next, table)) ?? [];
  });
  return [...words, ...joined].flatMap((word, at): readonly WeighedWord[] => {
    const meanings = meaningsFor(word);
    if (meanings.length === 0) return [];
    // A word with common synonyms is as common as they are, by half: otherwise a rare word for a common thing would outweigh all others.
    const own = Math.max(0, ...meanings.filter(({ how }) => how !== 'synonym').map(({ id }) => table.count(id)));
    const wide = meanings.reduce((sum, { id, weight }) => sum + table.count(id) * (weight === 1 ? 1 : weight * 1.25), 0);
    const weighed = { word, rarity: rarity(size, Math.max(own, Math.min(wide, size / 2) / 2)), isFirstVerb: at === firstVerbAt };
    return [{ ...weighed, gains: gainsOf(weighed, meanings, table, size) }];
  });
}

/** What each meaning adds at full strength, `emphasised` where it is the verb of a tool's name. */
function gainsOf(weighed: Omit<WeighedWord, 'gains'>, meanings: readonly Meaning[], table: TermTable, size: number): WeighedWord['gains'] {
  return meanings.map((meaning) => {
    const own = rarity(size, table.count(meaning.id));
    const plain = meaning.weight * (meaning.weight === 1 ? own : Math.min(own, weighed.rarity));
    return { meaning, plain, emphasised: weighed.isFirstVerb ? plain * firstVerb : plain };
  });
}

const pairGain = (first: QueryWord, second: QueryWord, count: number, size: number): number => pairWeight * rarity(size, count) * Math.min(first.weight, second.weight);

/**
 * Scores the tools for one wish: per word of the query the best of its meanings (BM25F over the fields), more for neighbours that stand together, times
 * the share of the wish that was met, the part of the tool's name that was named, and whether it does what was asked.
 */
export class WordMatcher {
  readonly #searched: Searched;
  readonly #best: Float64Array;
  readonly #bestShare: Float64Array;
  readonly #weighed = new Map<Wish, readonly WeighedWord[]>();
  readonly #meanings = new Map<string, readonly Meaning[]>();

  constructor(searched: Searched) {
    this.#searched = searched;
    this.#best = new Float64Array(searched.slots);
    this.#bestShare = new Float64Array(searched.slots);
  }

  match(wish: Wish, pairs = true): Matched {
    const { slots } = this.#searched;
    const scores = new Float64Array(slots);
    const met = new Float64Array(slots);
    const named = new Float64Array(slots);
    const metByName = new Float64Array(slots);
    const found: number[] = [];
    let whole = 0;
    for (const weighed of this.#weigh(wish)) {
      const weight = weighed.word.weight;
      whole += weighed.rarity * weight;
      for (const slot of this.#spread(weighed)) {
        const best = this.#best[slot] ?? 0;
        const share = this.#bestShare[slot] ?? 0;
        this.#best[slot] = 0;
        this.#bestShare[slot] = 0;
        if (scores[slot] === 0) found.push(slot);
        const part = weighed.rarity * weight * Math.min(1, best / (weighed.rarity / 2));
        scores[slot] = (scores[slot] ?? 0) + best * weight;
        met[slot] = (met[slot] ?? 0) + part;
        named[slot] = (named[slot] ?? 0) + share * Math.sqrt(weight);
        if (share > 0) metByName[slot] = (metByName[slot] ?? 0) + part;
      }
    }
    if (pairs) this.#addPairs(wish.words, scores);
    let top = 0;
    for (const slot of found) {
      const precision = Math.min(1, named[slot] ?? 0);
      const coverage = 1 - uncovered + (uncovered * (met[slot] ?? 0)) / whole;
      const byName = 1 + precision * (nameGain.precision + (nameGain.both * (metByName[slot] ?? 0)) / whole);
      const score = (scores[slot] ?? 0) * coverage * byName * intentFactor(wish.intent, this.#searched.at(slot)?.intent ?? 0);
      scores[slot] = score;
      top = Math.max(top, score);
    }
    return { slots: found, scores, top };
  }

  /** The parts that the tools' scores for the wish are made of, before the factors: by slot, of those asked for. */
  parts(wish: Wish, slots: readonly number[], pairs = true): ReadonlyMap<number, readonly MatchPart[]> {
    const { table, size, at } = this.#searched;
    const parts = new Map<number, MatchPart[]>(slots.map((slot) => [slot, []]));
    for (const weighed of this.#weigh(wish)) {
      const best = new Map<number, MatchPart>();
      for (const { meaning, plain, emphasised } of weighed.gains) {
        const places = table.places(meaning.id);
        for (let place = 0; place < places.length; place += placeSize) {
          const slot = places[place] ?? 0;
          if (!parts.has(slot)) continue;
          const isVerbOfName = (places[place + 2] ?? 0) > 0 && at(slot)?.hasVerb === true;
          const score = (places[place + 1] ?? 0) * (isVerbOfName ? emphasised : plain) * weighed.word.weight;
          if (score > (best.get(slot)?.score ?? 0)) best.set(slot, { word: weighed.word.word, term: table.term(meaning.id), how: meaning.how, score });
        }
      }
      for (const [slot, part] of best) parts.get(slot)?.push(part);
    }
    if (!pairs) return parts;
    for (const { first, second, id } of this.#pairsOf(wish.words)) {
      const places = table.places(id);
      const each = pairGain(first, second, table.count(id), size);
      for (let place = 0; place < places.length; place += placeSize) {
        parts.get(places[place] ?? 0)?.push({ word: `${first.word} ${second.word}`, term: table.term(id), how: 'bigram', score: each * (places[place + 1] ?? 0) });
      }
    }
    return parts;
  }

  /** Puts the best gain of a word for each tool into the working arrays, and answers which tools they are. */
  #spread(weighed: WeighedWord): readonly number[] {
    const { table, at, mayFind } = this.#searched;
    const touched: number[] = [];
    for (const { meaning, plain, emphasised } of weighed.gains) {
      const places = table.places(meaning.id);
      for (let place = 0; place < places.length; place += placeSize) {
        const slot = places[place] ?? 0;
        if (!mayFind(slot)) continue;
        const share = places[place + 2] ?? 0;
        const score = (places[place + 1] ?? 0) * (share > 0 && emphasised !== plain && at(slot)?.hasVerb === true ? emphasised : plain);
        const before = this.#best[slot] ?? 0;
        if (before === 0) touched.push(slot);
        if (score > before) this.#best[slot] = score;
        const named = meaning.weight * share;
        if (named > (this.#bestShare[slot] ?? 0)) this.#bestShare[slot] = named;
      }
    }
    return touched;
  }

  #addPairs(words: readonly QueryWord[], scores: Float64Array): void {
    const { table, size } = this.#searched;
    for (const { first, second, id } of this.#pairsOf(words)) {
      const places = table.places(id);
      const each = pairGain(first, second, table.count(id), size);
      for (let place = 0; place < places.length; place += placeSize) {
        const slot = places[place] ?? 0;
        // Tools that may not be found have no score to add to.
        if ((scores[slot] ?? 0) > 0) scores[slot] = (scores[slot] ?? 0) + each * (places[place + 1] ?? 0);
      }
    }
  }

  #pairsOf(words: readonly QueryWord[]): readonly { readonly first: QueryWord; readonly second: QueryWord; readonly id: number }[] {
    return words.flatMap((first, at) => {
      const second = words[at + 1];
      const id = second && this.#searched.table.id(pairOf(first.stem, second.stem));
      return second === undefined || id === undefined ? [] : [{ first, second, id }];
    });
  }

  #weigh(wish: Wish): readonly WeighedWord[] {
    const before = this.#weighed.get(wish);
    if (before) return before;
    const weighed = weigh(wish.words, this.#searched.table, this.#searched.size, (word) => this.#meaningsFor(word));
    this.#weighed.set(wish, weighed);
    return weighed;
  }

  /** Worked out once for each word: when nothing holds it, what it may mean is looked for among all terms. */
  #meaningsFor(word: QueryWord): readonly Meaning[] {
    const key = `${word.word}\n${word.isName}\n${word.unfinished}`;
    const before = this.#meanings.get(key);
    if (before) return before;
    const meanings = meaningsOf(word, this.#searched.table);
    this.#meanings.set(key, meanings);
    return meanings;
  }
}
