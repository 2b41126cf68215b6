import type { CatalogTool } from '../../shared/model/catalog.ts';

interface Fields {
  readonly tool: CatalogTool;
  readonly name: ReadonlySet<string>;
  readonly text: ReadonlyMap<string, number>;
  readonly length: number;
}

/** An index over tools: name and title words count most, then the server's name, parameters and description. Scores are BM25 over the text plus a bonus for names. */
export class ToolSearch {
  readonly #docs: readonly Fields[];
  readonly #documentFrequency = new Map<string, number>();
  readonly #averageLength: number;

  constructor(tools: readonly CatalogTool[]) {
    this.#docs = tools.filter((tool) => tool.problem === undefined).map(fieldsOf);
    for (const doc of this.#docs) for (const word of new Set([...doc.text.keys(), ...doc.name])) this.#documentFrequency.set(word, (this.#documentFrequency.get(word) ?? 0) + 1);
    this.#averageLength = this.#docs.reduce((sum, doc) => sum + doc.length, 0) / Math.max(1, this.#docs.length);
  }

  /** Best first; tools that share no word with the query are left out. The last word also matches as a beginning, since a person may still be typing it. */
  find(query: string, limit: number): readonly CatalogTool[] {
    const terms = [...new Set(words(query))];
    const last = terms.at(-1);
    return this.#docs
      .map((doc) => ({ doc, score: terms.reduce((sum, term) => sum + this.#score(doc, term, term === last), 0) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.doc.tool.modelName.localeCompare(b.doc.tool.modelName))
      .slice(0, limit)
      .map(({ doc }) => doc.tool);
  }

  #score(doc: Fields, term: string, mayBeUnfinished: boolean): number {
    const rarity = (word: string) => Math.log(1 + (this.#docs.length + 0.5) / ((this.#documentFrequency.get(word) ?? 0) + 0.5));
    if (doc.name.has(term)) return 4 * rarity(term);
    const count = doc.text.get(term);
    if (count !== undefined) return (rarity(term) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * doc.length) / Math.max(1, this.#averageLength)));
    if (mayBeUnfinished && term.length >= 2) {
      const begun = [...doc.name].find((word) => word.startsWith(term));
      if (begun !== undefined) return 2 * rarity(begun);
    }
    return 0;
  }
}

function fieldsOf(tool: CatalogTool): Fields {
  const parameters = Object.entries((tool.inputSchema['properties'] as Record<string, { description?: unknown }> | undefined) ?? {}); // read only as text below
  const body = [tool.serverName, tool.description, ...parameters.flatMap(([key, value]) => [key, typeof value?.description === 'string' ? value.description : ''])];
  const text = new Map<string, number>();
  let length = 0;
  for (const word of body.flatMap(words)) {
    text.set(word, (text.get(word) ?? 0) + 1);
    length += 1;
  }
  return { tool, name: new Set([...words(tool.ref.tool), ...words(tool.title ?? '')]), text, length };
}

/** Lower-case words; identifiers split at case changes and separators; a plural's `s` dropped; scripts without spaces in pairs of characters. */
function words(text: string): readonly string[] {
  const spaced = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(word) && word.length > 2) {
      const letters = Array.from(word);
      return letters.slice(0, -1).map((letter, index) => letter + (letters[index + 1] ?? ''));
    }
    return [word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word];
  });
}
