import { stemOf } from './stem.ts';
import { matterGroups, nounGroups, translationGroups, verbGroups } from './word-groups.ts';

/** How much a word of the same group counts beside the word itself, between 0 and 1. */
const weights = { verb: 0.6, noun: 0.56, translation: 0.64, matter: 0.2 };

const related = new Map<string, Map<string, number>>();
const relate = (groups: readonly string[], weight: number): void => {
  for (const group of groups) {
    const stems = group.split(' ').map(stemOf);
    for (const stem of stems) {
      const others = related.get(stem) ?? new Map<string, number>();
      related.set(stem, others);
      for (const other of stems) if (other !== stem) others.set(other, Math.max(others.get(other) ?? 0, weight));
    }
  }
};
relate(verbGroups, weights.verb);
relate(nounGroups, weights.noun);
relate(translationGroups, weights.translation);
relate(matterGroups, weights.matter);

const none: ReadonlyMap<string, number> = new Map();
const verbs = new Set(verbGroups.flatMap((group) => group.split(' ').map(stemOf)));

/** Stems of words that mean the same as this one or something near it, with how much each counts. */
export const synonymsOf = (stem: string): ReadonlyMap<string, number> => related.get(stem) ?? none;

export const isVerb = (stem: string): boolean => verbs.has(stem);
