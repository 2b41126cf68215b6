import { stemOf } from './stem.ts';

/** What an action does to the world, as bits of a mask: a verb may stand for several. */
const families: readonly (readonly [number, string])[] = [
  [
    1,
    'get fetch retrieve obtain grab pull acquire read view show display see print inspect list enumerate browse search find query lookup discover locate seek explore load check look describe summarize compare diff analyze ' +
      'examine count calculate compute estimate validate verify monitor watch track',
  ],
  [2, 'create make generate build produce compose construct new add insert append write draw plot schedule book arrange plan open file start register upload store save record draft fork clone copy duplicate put post publish initialize'],
  [4, 'update edit modify change alter revise set adjust patch amend rename move mark write replace overwrite append add fill assign resolve scale switch select enable disable format'],
  [8, 'delete remove erase drop clear destroy discard purge trash cancel stop end close kill terminate revoke unsubscribe'],
  [16, 'send post submit deliver publish share message notify reply respond answer mail email tell forward write invite'],
];
const reading = 1;
const byStem = new Map<string, number>();
for (const [bit, verbs] of families) for (const verb of verbs.split(' ')) byStem.set(stemOf(verb), (byStem.get(stemOf(verb)) ?? 0) | bit);

const questions = new Set('what which how why who whose where when is are am was were does do did has have can'.split(' '));

/** The families of one stem; 0 when it is no verb that tells. */
export const intentOf = (stem: string): number => byStem.get(stem) ?? 0;

/** What a wish asks to do: its first word decides; a question or a thing alone asks to read; 0 when a verb further on leaves it open. */
export function intentOfWish(stems: readonly string[], firstWord: string | undefined): number {
  const first = intentOf(stems[0] ?? '');
  if (first > 0) return first;
  if (firstWord !== undefined && questions.has(firstWord)) return reading;
  return stems.some((stem) => intentOf(stem) > 0) ? 0 : reading;
}

/** A tool that does something else than what was asked falls back. */
export const intentFactor = (asked: number, done: number): number => (asked === 0 || done === 0 || (asked & done) > 0 ? 1 : 0.8);
