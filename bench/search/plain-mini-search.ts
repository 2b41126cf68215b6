import MiniSearch from 'minisearch';
import type { CatalogTool } from '../../src/shared/model/catalog.ts';
import type { ToolServer } from '../../test/support/tool-retrieval.ts';

interface Document {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly schema: string;
}

/** MiniSearch as F-89 sets it up: name twice as heavy as title with description, and as the schema's text; beginnings count, one word is enough; identifiers are split. */
export class PlainMiniSearch {
  readonly #index = new MiniSearch<Document>({
    fields: ['name', 'text', 'schema'],
    tokenize: (text) => text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== ''),
    searchOptions: { boost: { name: 2 }, prefix: true, combineWith: 'OR' },
  });
  readonly #ids = new Map<string, readonly string[]>();
  readonly #names = new Map<string, string>();
  #last = 0;

  setServer({ serverId, tools }: ToolServer): void {
    const before = this.#ids.get(serverId) ?? [];
    this.#index.discardAll(before);
    for (const id of before) this.#names.delete(id);
    const documents = tools.map((tool) => {
      this.#last += 1;
      return documentOf(String(this.#last), tool);
    });
    this.#index.addAll(documents);
    for (const { id, name } of documents) this.#names.set(id, name);
    this.#ids.set(serverId, documents.map(({ id }) => id));
  }

  find(query: string): readonly string[] {
    return this.#index.search(query).slice(0, 20).map(({ id }) => this.#names.get(String(id)) ?? '');
  }
}

function documentOf(id: string, { ref, title, description, inputSchema }: CatalogTool): Document {
  const texts: string[] = [];
  collectTexts(inputSchema, texts);
  return { id, name: ref.tool, text: `${title ?? ''} ${description}`, schema: texts.join(' ') };
}

function collectTexts(schema: unknown, texts: string[]): void {
  if (Array.isArray(schema)) return schema.forEach((each) => collectTexts(each, texts));
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) texts.push(...Object.keys(value));
    if ((key === 'description' || key === 'const') && typeof value === 'string') texts.push(value);
    else if (key === 'enum' && Array.isArray(value)) texts.push(...value.filter((each) => typeof each === 'string'));
    else collectTexts(value, texts);
  }
}
