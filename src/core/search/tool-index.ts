import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { wordsOf } from './words.ts';

export interface ToolHit {
  readonly tool: CatalogTool;
  /** Comparable within one answer only. */
  readonly score: number;
  /** The query is the tool's name, title or model name; case and separators do not count. Such hits come first. */
  readonly exact: boolean;
}

/** One reason of a hit: which word of the query met which word of the tool, where, and what it added to the score. */
export interface HitReason {
  readonly field: string;
  readonly term: string;
  readonly matched: string;
  readonly how: 'word' | 'stem' | 'synonym' | 'typo' | 'prefix' | 'bigram';
  readonly score: number;
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
  readonly total: number;
}

/** Finds tools by words (F-89): offline, without a model. Tools with a problem are not found. */
export class ToolIndex {
  readonly #servers = new Map<ServerId, readonly { readonly tool: CatalogTool; readonly words: ReadonlyMap<string, string> }[]>();

  /** Replaces what the index knows of one server; only that server is indexed anew. An empty list removes it. */
  setServer(serverId: ServerId, tools: readonly CatalogTool[]): void {
    this.#servers.delete(serverId);
    if (tools.length > 0) this.#servers.set(serverId, tools.filter((tool) => tool.problem === undefined).map((tool) => ({ tool, words: fieldsOf(tool) })));
  }

  removeServer(serverId: ServerId): void {
    this.#servers.delete(serverId);
  }

  /** Best first; exact-name hits before all others; ties by name. A query without words finds nothing. */
  find(query: string, { serverId, limit = 10, offset = 0, typing = false, may }: FindOptions = {}): Found {
    const terms = [...new Set(wordsOf(query))];
    const last = typing ? terms.at(-1) : undefined;
    const whole = wordsOf(query).join(' ');
    const hits = [...this.#servers.values()]
      .flat()
      .filter(({ tool }) => (serverId === undefined || tool.ref.serverId === serverId) && (may === undefined || may(tool)))
      .map(({ tool, words }) => ({ tool, exact: whole !== '' && wordsOf(tool.ref.tool).join(' ') === whole, score: terms.reduce((sum, term) => sum + scoreOf(words, term, term === last), 0) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score || (a.tool.ref.tool < b.tool.ref.tool ? -1 : 1));
    return { hits: hits.slice(offset, offset + limit), total: hits.length };
  }

  /** Why the query finds that tool; empty when it does not. */
  explain(query: string, ref: { readonly serverId: ServerId; readonly tool: string }): readonly HitReason[] {
    const doc = this.#servers.get(ref.serverId)?.find(({ tool }) => tool.ref.tool === ref.tool);
    return [...new Set(wordsOf(query))].flatMap((term): readonly HitReason[] => {
      const field = doc?.words.get(term);
      return field === undefined ? [] : [{ field, term, matched: term, how: 'word', score: fieldWeight(field) }];
    });
  }
}

const fieldWeight = (field: string): number => (field === 'name' ? 4 : 1);

function scoreOf(words: ReadonlyMap<string, string>, term: string, unfinished: boolean): number {
  const field = words.get(term);
  if (field !== undefined) return fieldWeight(field);
  return unfinished && term.length >= 2 && [...words.keys()].some((word) => word.startsWith(term)) ? 0.5 : 0;
}

function fieldsOf(tool: CatalogTool): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const add = (field: string, text: string) => {
    for (const word of wordsOf(text)) if (!words.has(word)) words.set(word, field);
  };
  add('name', tool.ref.tool);
  add('title', tool.title ?? '');
  add('server', tool.serverName);
  add('description', tool.description);
  const properties = tool.inputSchema['properties'];
  if (typeof properties === 'object' && properties !== null) for (const name of Object.keys(properties)) add('parameters', name);
  return words;
}
