import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { AppError } from '../../shared/errors.ts';
import type { Place } from '../../shared/model/source.ts';

export interface Member {
  readonly key: string;
  /** Key and value together. */
  readonly property: Node;
  readonly value: Node;
}
export type JsonTree =
  /** `root` is absent when the text holds nothing but blanks and comments. */
  | { readonly kind: 'tree'; readonly root: Node | undefined }
  | { readonly kind: 'broken'; readonly message: string; readonly place: Place };

/** JSON with comments and trailing commas, without a byte-order mark. Never throws, whatever the text. */
export function jsonTree(text: string): JsonTree {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  } catch {
    // The parser goes down one call a level.
    return { kind: 'broken', message: 'It is nested too deeply', place: { line: 1, column: 1 } };
  }
  const first = errors[0];
  return first
    ? { kind: 'broken', message: `It is not valid JSON: ${printParseErrorCode(first.error)}`, place: placeOf(text, first.offset) }
    : { kind: 'tree', root };
}

/** For writers: throws `config/invalid`, with `line` and `column`, for what does not parse or is no object. */
export function objectRoot(text: string): Node {
  const tree = jsonTree(text);
  if (tree.kind === 'broken') throw new AppError('config/invalid', tree.message, { data: tree.place });
  if (tree.root?.type !== 'object') throw notAn('object', text, tree.root);
  return tree.root;
}

export function notAn(what: 'object' | 'object or array', text: string, node: Node | undefined): AppError {
  return new AppError('config/invalid', `There must be an ${what} here`, { data: placeOf(text, node?.offset ?? 0) });
}

/** In the order of the text, duplicates included; empty for anything but an object. */
export function membersOf(node: Node | undefined): readonly Member[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [{ key: String(key.value), property, value }] : [];
  });
}

/** Of several members with this key the last counts, as for every JSON parser. */
export const memberOf = (node: Node | undefined, key: string): Member | undefined => membersOf(node).findLast((member) => member.key === key);

/** As plain data. `__proto__` is a key like any other. */
export function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'array': return (node.children ?? []).map(valueOf);
    case 'object': return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, valueOf(value)]));
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'property': {
      const value: unknown = node.value;
      return value;
    }
  }
}

export const endOf = (node: Node): number => node.offset + node.length;

/** Both count from 1. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
