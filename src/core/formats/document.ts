import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import type { Place } from '../../shared/model/source.ts';
import { tomlOffsets } from './toml-offsets.ts';

/** One tree for JSON, TOML and YAML, with places. Unlike plain objects it keeps members of the same name, and `__proto__` is a name like any other. */
export type DocNode = DocObject | DocArray | DocScalar;
export interface DocObject {
  readonly kind: 'object';
  readonly offset: number;
  readonly members: readonly DocMember[];
}
export interface DocArray {
  readonly kind: 'array';
  readonly offset: number;
  readonly items: readonly DocNode[];
}
export interface DocScalar {
  readonly kind: 'scalar';
  readonly offset: number;
  readonly value: string | number | boolean | null;
}
export interface DocMember {
  readonly key: string;
  /** Of the key. */
  readonly offset: number;
  readonly value: DocNode;
}
/** `root` is absent for a file that holds nothing but blanks and comments. */
export type DocResult =
  | { readonly ok: true; readonly root?: DocNode; readonly place: (offset: number) => Place }
  | { readonly ok: false; readonly message: string; readonly place?: Place };

/** What reads YAML: a library that few ever need, and that is loaded for those. */
export type YamlReader = (body: string, place: (offset: number) => Place) => DocResult;
/** YAML is named by what reads it. */
export type Syntax = 'json' | 'toml' | YamlReader;

export async function loadYaml(): Promise<YamlReader> {
  return (await import('./yaml-document.ts')).readYaml;
}

const maxNodes = 500_000;
export const maxDepth = 200;

/** Never throws. The byte-order mark is not part of the document. */
export function parseText(text: string, syntax: Syntax): DocResult {
  const body = text.replace(/^\uFEFF/, '');
  const place = placesOf(body);
  if (body.trim() === '') return { ok: true, place };
  try {
    switch (syntax) {
      case 'json':
        return json(body, place);
      case 'toml':
        return toml(body, place);
      default:
        return syntax(body, place);
    }
  } catch (error) {
    // Only what is nested too deeply, or too large when its aliases are followed, gets here: the readers report the rest as values.
    return { ok: false, message: error instanceof TooMuch ? error.message : 'It is nested too deeply' };
  }
}

function json(body: string, place: (offset: number) => Place): DocResult {
  const errors: ParseError[] = [];
  const tree = parseTree(body, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  const first = errors[0];
  if (first) return { ok: false, message: `It is not valid JSON: ${printParseErrorCode(first.error)}`, place: place(first.offset) };
  return tree ? { ok: true, root: fromJson(tree, new Budget()), place } : { ok: true, place };
}

function fromJson(node: Node, budget: Budget): DocNode {
  return budget.within(() => {
    if (node.type === 'array') return { kind: 'array', offset: node.offset, items: (node.children ?? []).map((child) => fromJson(child, budget)) };
    if (node.type !== 'object') return { kind: 'scalar', offset: node.offset, value: scalar(getNodeValue(node)) };
    const members = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key && value ? [{ key: String(key.value), offset: key.offset, value: fromJson(value, budget) }] : [],
    );
    return { kind: 'object', offset: node.offset, members: lastFirst(members) };
  });
}

/** Of a key that stands there twice, programs that read JSON take the last: here it comes first, where the first stood, and the others right behind it. */
function lastFirst(members: readonly DocMember[]): readonly DocMember[] {
  if (new Set(members.map(({ key }) => key)).size === members.length) return members;
  const byKey = new Map<string, DocMember[]>();
  for (const member of members) {
    const same = byKey.get(member.key);
    if (same) same.push(member);
    else byKey.set(member.key, [member]);
  }
  return [...byKey.values()].flatMap((same) => same.toReversed());
}

function toml(body: string, place: (offset: number) => Place): DocResult {
  let table: unknown;
  try {
    table = parseToml(body, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    return { ok: false, message: `It is not valid TOML: ${what}`, place: { line: error.line, column: error.column } };
  }
  return { ok: true, root: fromPlain(table, [], tomlOffsets(body), 0, new Budget()), place };
}

function fromPlain(value: unknown, path: readonly string[], offsets: ReadonlyMap<string, number>, above: number, budget: Budget): DocNode {
  const offset = offsets.get(path.join('\0')) ?? above;
  return budget.within(() => {
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return { kind: 'array', offset, items: items.map((item) => fromPlain(item, [...path, '[]'], offsets, offset, budget)) };
    }
    if (typeof value !== 'object' || value === null || value instanceof Date) return { kind: 'scalar', offset, value: scalar(value) };
    const members = Object.entries(value).map(([key, child]: [string, unknown]) => {
      const node = fromPlain(child, [...path, key], offsets, offset, budget);
      return { key, offset: node.offset, value: node };
    });
    return { kind: 'object', offset, members };
  });
}

class TooMuch extends Error {}
/** Aliases of YAML can unfold a small file into billions of nodes. */
export class Budget {
  #nodes = 0;
  #depth = 0;
  readonly #most: number;
  constructor(most = maxNodes) {
    this.#most = most;
  }
  within(make: () => DocNode): DocNode {
    if (++this.#nodes > this.#most) throw new TooMuch('It is too large');
    if (++this.#depth > maxDepth) throw new TooMuch('It is nested too deeply');
    const node = make();
    this.#depth--;
    return node;
  }
}

export function scalar(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Date ? value.toISOString() : null;
}

/** Line and column of a place, from 1. */
export function placesOf(text: string): (offset: number) => Place {
  let starts: number[] | undefined;
  return (offset) => {
    if (!starts) {
      starts = [0];
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

export const memberOf = (node: DocNode | undefined, key: string): DocMember | undefined =>
  node?.kind === 'object' ? node.members.find((member) => member.key === key) : undefined;
export const childOf = (node: DocNode | undefined, key: string): DocNode | undefined => memberOf(node, key)?.value;
export const textOf = (node: DocNode | undefined): string | undefined => (node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined);

/** As plain data; of members with the same name the first counts. */
export function plainOf(node: DocNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(plainOf);
  // fromEntries defines each name, so that `__proto__` stays a plain key.
  const seen = new Set<string>();
  return Object.fromEntries(node.members.filter(({ key }) => !seen.has(key) && seen.add(key)).map(({ key, value }) => [key, plainOf(value)]));
}
