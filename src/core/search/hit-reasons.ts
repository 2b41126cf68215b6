import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { MatchPart } from './match-words.ts';
import { stemOf } from './stem.ts';
import { fieldNames, wordsOfFields, type FieldName } from './tool-fields.ts';

/**
 * One reason of a hit: which word of the query met which word of the tool, where, and what it added to the score. The reasons of a hit add up to its
 * score. `server` stands for the other tools of its server, `need` for what other found tools must be given, `repeat` for what it lost because tools before it do the same.
 */
export interface HitReason {
  readonly field: FieldName;
  readonly term: string;
  readonly matched: string;
  readonly how: 'word' | 'stem' | 'synonym' | 'typo' | 'prefix' | 'bigram' | 'server' | 'need' | 'repeat';
  readonly score: number;
}

/** Weightiest first. */
export function reasonsOf(tool: CatalogTool, parts: { readonly words: readonly MatchPart[]; readonly need: number; readonly server: number }, score: number): readonly HitReason[] {
  const words = wordsOfFields(tool);
  const reasons = new Map<string, HitReason>();
  for (const part of parts.words) {
    const { field, matched } = placeOf(words, part.term, part.word);
    const how = part.how === 'word' && matched !== part.word ? 'stem' : part.how;
    const key = `${part.word}\n${matched}\n${how}`;
    reasons.set(key, { field, term: part.word, matched, how, score: part.score + (reasons.get(key)?.score ?? 0) });
  }
  const sum = parts.words.reduce((total, part) => total + part.score, 0) + parts.need + parts.server;
  const others: readonly HitReason[] = [
    { field: 'server', term: '', matched: tool.serverName, how: 'server', score: parts.server },
    { field: 'parameters', term: '', matched: '', how: 'need', score: parts.need },
    { field: 'name', term: '', matched: tool.ref.tool, how: 'repeat', score: score - sum },
  ];
  return [...reasons.values(), ...others.filter((reason) => Math.abs(reason.score) > 1e-9)].sort((a, b) => b.score - a.score);
}

/** The weightiest field that holds the term, and the word as it stands there; the word itself where both are there. */
function placeOf(words: Readonly<Record<FieldName, readonly string[]>>, term: string, word: string): { readonly field: FieldName; readonly matched: string } {
  const [first = term, second] = term.split(' ');
  for (const field of fieldNames) {
    const found = words[field].filter((each) => stemOf(each) === first);
    if (found.length === 0) continue;
    if (second === undefined) return { field, matched: found.includes(word) ? word : (found[0] ?? first) };
    const other = words[field].find((each) => stemOf(each) === second);
    if (other !== undefined) return { field, matched: `${found[0]} ${other}` };
  }
  return { field: 'description', matched: term };
}
