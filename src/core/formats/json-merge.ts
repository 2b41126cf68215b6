import { applyEdits, type Node } from 'jsonc-parser';
import type { Known } from './field-names.ts';
import { insertChild, jsonText, memberText, removeChild, styleAt, type Style } from './json-splice.ts';
import { endOf, jsonTree, memberOf, membersOf, objectRoot, type Member } from './json-tree.ts';

/** The text with what stands at `node` changed by `change`, which gets that piece and its style alone. */
export function withPiece(text: string, node: Node, style: Style, change: (piece: string, style: Style) => string): string {
  return text.slice(0, node.offset) + change(text.slice(node.offset, endOf(node)), style) + text.slice(endOf(node));
}

/** An object's text with one member saying `value`; `undefined` takes the member out. What says so already is not touched. */
export function withMember(text: string, key: string, value: unknown, style: Style, known?: Known | true): string {
  if (value === undefined) return withoutMember(text, key, style);
  const root = objectRoot(text);
  const member = memberOf(root, key);
  if (!member) return applyEdits(text, insertChild(text, root, Infinity, (indent) => memberText(key, value, indent, style), style));
  return withPiece(text, member.value, styleAt(text, member.property, style), (piece, inner) => withValue(piece, value, inner, known));
}

export function withoutMember(text: string, key: string, style: Style): string {
  const root = objectRoot(text);
  const index = membersOf(root).findLastIndex((member) => member.key === key);
  return index === -1 ? text : withoutMember(applyEdits(text, removeChild(text, root, index, style)), key, style);
}

/** A value's text changed to say `value`: objects key by key, arrays element by element, so that comments and order stay. */
export function withValue(text: string, value: unknown, style: Style, known?: Known | true): string {
  const tree = jsonTree(text);
  const root = tree.kind === 'tree' ? tree.root : undefined;
  if (root && says(root, value)) return text;
  const commented = /\/[/*]/.test(text);
  if (root?.type === 'object' && isRecord(value) && (commented || membersOf(root).some(({ key }) => Object.hasOwn(value, key)))) {
    return withMembers(text, root, value, style, known === true ? undefined : known);
  }
  if (root?.type === 'array' && Array.isArray(value) && (commented || (root.children ?? []).length > 0)) return withItems(text, root, value, style);
  return jsonText(value, style.lines ? style.base : undefined, style);
}

function withMembers(text: string, root: Node, value: Readonly<Record<string, unknown>>, style: Style, known: Known | undefined): string {
  const goes = ({ key }: Member): boolean => (Object.hasOwn(value, key) ? value[key] === undefined : !known || Object.hasOwn(known, key));
  const kept = membersOf(root).filter(goes).reduce((piece, { key }) => withoutMember(piece, key, style), text);
  const said = Object.entries(value).filter(([, child]) => child !== undefined);
  return said.reduce((piece, [key, child]) => withMember(piece, key, child, style, known && Object.hasOwn(known, key) ? known[key] : undefined), kept);
}

function withItems(text: string, root: Node, value: readonly unknown[], style: Style): string {
  const items = root.children ?? [];
  const most = Math.min(items.length, value.length);
  const same = (at: number, of: number): boolean => {
    const item = items[at];
    return item !== undefined && says(item, value[of]);
  };
  let start = 0;
  while (start < most && same(start, start)) start += 1;
  let end = 0;
  while (end < most - start && same(items.length - 1 - end, value.length - 1 - end)) end += 1;
  let piece = text;
  for (let at = start; at < most - end; at++) piece = withItem(piece, at, value[at], style);
  for (let at = items.length - end; at > most - end; at--) piece = edited(piece, (array) => removeChild(piece, array, at - 1, style));
  for (let at = most - end; at < value.length - end; at++) {
    piece = edited(piece, (array) => insertChild(piece, array, at, (indent) => jsonText(value[at], indent, style), style));
  }
  return piece;
}

function withItem(text: string, at: number, value: unknown, style: Style): string {
  const item = arrayOf(text).children?.[at];
  return item ? withPiece(text, item, styleAt(text, item, style), (piece, inner) => withValue(piece, value, inner)) : text;
}

const edited = (text: string, edit: (array: Node) => Parameters<typeof applyEdits>[1]): string => applyEdits(text, edit(arrayOf(text)));

function arrayOf(text: string): Node {
  const tree = jsonTree(text);
  if (tree.kind === 'broken' || tree.root?.type !== 'array') throw new Error('Not an array');
  return tree.root;
}

/** Whether a value of the file means the same as plain data; members of `undefined` are none. */
export function says(node: Node, value: unknown): boolean {
  if (node.type === 'array') {
    const items = node.children ?? [];
    return Array.isArray(value) && value.length === items.length && items.every((item, at) => says(item, value[at]));
  }
  if (node.type !== 'object') return node.value === value;
  if (!isRecord(value)) return false;
  const keys = new Set(membersOf(node).map(({ key }) => key));
  const said = Object.keys(value).filter((key) => value[key] !== undefined);
  return said.length === keys.size && said.every((key) => {
    const member = memberOf(node, key);
    return member !== undefined && says(member.value, value[key]);
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member, or one within members, along a path; objects on the way are made. */
export function withPath(text: string, path: readonly string[], value: unknown, style: Style): string {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (rest.length === 0) return withMember(text, key, value, style);
  const member = memberOf(objectRoot(text), key);
  if (member?.value.type === 'object') {
    return withPiece(text, member.value, styleAt(text, member.property, style), (piece, inner) => withPath(piece, rest, value, inner));
  }
  if (value === undefined) return text;
  return withMember(text, key, rest.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value), style);
}
