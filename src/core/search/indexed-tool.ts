import type { CatalogTool } from '../../shared/model/catalog.ts';
import { intentOf } from './intents.ts';
import { stemOf } from './stem.ts';
import { isVerb } from './thesaurus.ts';
import { fieldNames, wordsOfFields, type FieldName } from './tool-fields.ts';
import { isStopWord, nameWeight } from './word-weights.ts';
import { wordsOf } from './words.ts';

/** What the index knows of one term in one tool. */
export interface TermInTool {
  /** The BM25F weight of the term over all fields, saturated: between 0 and 1. */
  strength: number;
  /** Which part of the tool's name the term makes up, between 0 and 1. */
  share: number;
}

/** One tool as it is indexed. Its texts stay in `tool` alone. */
export interface IndexedTool {
  readonly tool: CatalogTool;
  readonly server: IndexedServer;
  readonly hasVerb: boolean;
  readonly intent: number;
  /** Stems of the names of parameters that must be given: what has to come from elsewhere. */
  readonly needs: readonly string[];
  readonly nameKeys: readonly string[];
}
export interface IndexedServer {
  readonly name: string;
}

/** Weight, length normalisation and usual length in words, by field. Usual lengths are fixed, so that one server's tools never change the strength of another's. */
const fieldWeights: Readonly<Record<FieldName, { readonly weight: number; readonly norm: number; readonly usual: number; readonly pair?: number }>> = {
  name: { weight: 5, norm: 0.4, usual: 3, pair: 4 },
  title: { weight: 3, norm: 0.4, usual: 3, pair: 3 },
  server: { weight: 2, norm: 0.3, usual: 3 },
  lead: { weight: 2.2, norm: 0.5, usual: 12, pair: 2 },
  description: { weight: 0.8, norm: 0.7, usual: 40 },
  parameters: { weight: 1, norm: 0.6, usual: 4 },
  schema: { weight: 0.4, norm: 0.7, usual: 40 },
};
const saturation = 1.5;
const mostPairs = 40;

/** Two neighbouring stems as one term. No word holds a space. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`;

/** Longer names are found by their words alone. */
export const longestName = 1024;

/** A name without case and separators: what exact names are compared by. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** The tools of one server with their terms. Words that most tools of a server have in their names tell little about each. */
export function indexedTools(server: IndexedServer, tools: readonly CatalogTool[]): readonly { readonly entry: IndexedTool; readonly terms: ReadonlyMap<string, TermInTool> }[] {
  const all = tools.map((tool) => {
    const words = wordsOfFields(tool);
    return { tool, words, nameStems: [...new Set(words.name.filter((word) => !isStopWord(word)).map(stemOf))] };
  });
  const inNames = new Map<string, number>();
  for (const { nameStems } of all) for (const stem of nameStems) inNames.set(stem, (inNames.get(stem) ?? 0) + 1);
  const telling = (stem: string): number => nameWeight(stem) * (all.length > 3 ? 1.05 - (inNames.get(stem) ?? 0) / all.length : 1);
  return all.map(({ tool, words, nameStems }) => {
    const leadStems = words.lead.slice(0, 2).map(stemOf);
    const nameIntent = nameStems.map(intentOf).find((intent) => intent > 0) ?? 0;
    const entry: IndexedTool = {
      tool, server, hasVerb: nameStems.some(isVerb) || leadStems.some(isVerb), intent: nameIntent | intentOf(leadStems[0] ?? ''), needs: needsOf(tool),
      nameKeys: [...new Set([tool.ref.tool, tool.modelName, tool.title ?? ''].filter((name) => name.length <= longestName).map(nameKey))].filter((key) => key !== ''),
    };
    return { entry, terms: termsOf(words, nameStems, telling) };
  });
}

function termsOf(words: Readonly<Record<FieldName, readonly string[]>>, nameStems: readonly string[], telling: (stem: string) => number): ReadonlyMap<string, TermInTool> {
  const terms = new Map<string, TermInTool>();
  const add = (term: string, weight: number): void => {
    const found = terms.get(term);
    if (found) found.strength += weight;
    else terms.set(term, { strength: weight, share: 0 });
  };
  for (const field of fieldNames) {
    const { weight, norm, usual, pair } = fieldWeights[field];
    const each = weight / (1 - norm + (norm * words[field].length) / usual);
    let before: string | undefined;
    let pairs = 0;
    for (const word of words[field]) {
      const stop = isStopWord(word);
      if (stop && pair === undefined) continue;
      const stem = stemOf(word);
      add(stem, each);
      if (stop) continue;
      if (pair !== undefined && before !== undefined && pairs < mostPairs) {
        pairs += 1;
        add(pairOf(before, stem), pair);
      }
      before = stem;
    }
  }
  const whole = nameStems.reduce((sum, stem) => sum + telling(stem), 0);
  for (const stem of nameStems) {
    const term = terms.get(stem);
    if (term) term.share = telling(stem) / whole;
  }
  for (const term of terms.values()) term.strength /= term.strength + saturation;
  return terms;
}

function needsOf(tool: CatalogTool): readonly string[] {
  const required = tool.inputSchema['required'];
  if (!Array.isArray(required)) return [];
  const names = required.filter((name): name is string => typeof name === 'string').slice(0, 20);
  return [...new Set(names.flatMap((name) => wordsOf(name).filter((word) => !isStopWord(word)).map(stemOf)))];
}
