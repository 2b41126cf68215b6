import { createScanner, type Edit, type Node } from 'jsonc-parser';
import { endOf } from './json-tree.ts';

/** How a text is written, or a piece of one that begins on a line indented by `base`. */
export interface Style {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  readonly base: string;
  /** Whether what is new may take lines of its own; otherwise it stays on one. */
  readonly lines: boolean;
  /** Nothing between the tokens. */
  readonly compact: boolean;
}
/** Text of a value or member whose line is indented by `indent`; on one line without. */
export type Render = (indent: string | undefined) => string;

const widest = 100;

/** The style that a file has, from its line ends, its first indented line and its first member. */
export function styleOf(text: string): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0];
  return {
    eol: eol ?? '\n',
    unit: /^\s*\{[^"]*?[\r\n]([ \t]+)"/.exec(text)?.[1] ?? /[\r\n]([ \t]+)[^\s*]/.exec(text)?.[1] ?? '  ',
    base: '',
    lines: eol !== undefined || !text.includes(':'),
    compact: eol === undefined && text.includes(':') && !/[,:][ \t]/.test(text),
  };
}

/** Of a value that begins at `offset`: its line's indentation, and whether it may take lines of its own. */
export function styleAt(text: string, property: Node, style: Style): Style {
  return { ...style, base: indentAt(text, property.offset, style), lines: style.lines && startsLine(text, property.offset) };
}

export function jsonText(value: unknown, indent: string | undefined, style: Style): string {
  if (typeof value !== 'object' || value === null || style.compact) return JSON.stringify(value ?? null);
  const inner = indent === undefined ? undefined : indent + style.unit;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value) ? [] : Object.entries(value);
  const said = entries.filter(([, child]) => child !== undefined);
  const parts = [...items.map((item) => jsonText(item, inner, style)), ...said.map(([key, child]) => memberText(key, child, inner, style))];
  if (parts.length === 0) return open + close;
  const flat = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  const leaf = [...items, ...said.map(([, child]) => child)].every((child) => typeof child !== 'object' || child === null);
  const short = leaf && flat.length <= widest && (Array.isArray(value) || 'secretRef' in value || 'plain' in value);
  if (inner === undefined || short) return flat;
  return `${open}${style.eol}${inner}${parts.join(`,${style.eol}${inner}`)}${style.eol}${indent ?? ''}${close}`;
}

export const memberText = (key: string, value: unknown, indent: string | undefined, style: Style): string =>
  `${JSON.stringify(key)}:${style.compact ? '' : ' '}${jsonText(value, indent, style)}`;

/** Adds a child before the one at `index`, or at the end. Nothing is added but a comma and the child's own text or line; comments stay with what they follow. */
export function insertChild(text: string, parent: Node, index: number, render: Render, style: Style): Edit[] {
  const children = parent.children ?? [];
  const next = children[index];
  const last = children.at(-1);
  if (!last) return insertFirst(text, parent, render, style);
  if (!next) return append(text, parent, last, render, style);
  if (!startsLine(text, next.offset)) return [{ offset: next.offset, length: 0, content: `${render(undefined)},${style.compact ? '' : ' '}` }];
  const indent = indentAt(text, next.offset, style);
  return [{ offset: next.offset, length: 0, content: `${render(indent)},${style.eol}${indent}` }];
}

function insertFirst(text: string, parent: Node, render: Render, style: Style): Edit[] {
  const open = parent.offset + 1;
  const close = endOf(parent) - 1;
  const comments = [...tokensFrom(text, open, close)].filter(({ kind }) => kind === 'comment');
  const base = indentAt(text, parent.offset, style);
  const indent = base + style.unit;
  const last = comments.at(-1);
  if (!last) {
    const content = style.lines ? `${style.eol}${indent}${render(indent)}${style.eol}${base}` : style.compact ? render(undefined) : ` ${render(undefined)} `;
    return [{ offset: open, length: close - open, content }];
  }
  const ownLine = [...tokensFrom(text, last.end, close)].some(({ kind }) => kind === 'break');
  const like = comments.find(({ start }) => startsLine(text, start));
  const lined = like ? indentAt(text, like.start, style) : indent;
  return [{ offset: last.end, length: 0, content: ownLine ? `${style.eol}${lined}${render(lined)}` : ` ${render(undefined)}` }];
}

function append(text: string, parent: Node, last: Node, render: Render, style: Style): Edit[] {
  const close = endOf(parent) - 1;
  const comma = commaFrom(text, endOf(last), close);
  const trailing = comma ? ',' : '';
  const end = comma?.end ?? endOf(last);
  let at = end;
  let line = false;
  for (const { kind, start, end: next } of tokensFrom(text, end, close)) {
    if (kind === 'comment') at = next;
    if (kind !== 'break') continue;
    at = start;
    line = true;
    break;
  }
  const like = parent.children?.findLast((child) => startsLine(text, child.offset));
  const indent = like ? indentAt(text, like.offset, style) : indentAt(text, parent.offset, style) + style.unit;
  const content = line ? `${style.eol}${indent}${render(indent)}${trailing}` : `${spaceAfterComma(text, parent, style)}${render(undefined)}${trailing}`;
  if (comma) return [{ offset: at, length: 0, content }];
  return at === end ? [{ offset: end, length: 0, content: `,${content}` }] : [{ offset: end, length: 0, content: ',' }, { offset: at, length: 0, content }];
}

function spaceAfterComma(text: string, parent: Node, style: Style): string {
  const [first, second] = parent.children ?? [];
  const comma = first && second && commaFrom(text, endOf(first), second.offset);
  if (comma) return /\s/.test(text.charAt(comma.end)) ? ' ' : '';
  return style.compact ? '' : ' ';
}

/** Takes out a child with one comma, and its line when nothing else stands there. Comments stay. */
export function removeChild(text: string, parent: Node, index: number, style: Style): Edit[] {
  const children = parent.children ?? [];
  const child = children[index];
  if (!child) return [];
  const previous = children[index - 1];
  const before = previous && commaFrom(text, endOf(previous), child.offset);
  const after = commaFrom(text, endOf(child), children[index + 1]?.offset ?? endOf(parent) - 1);
  // A comma that begins the child's own line belongs to it.
  const leading = before !== undefined && startsLine(text, before.start) && isBlank(text.slice(before.end, child.offset));
  const comma = leading ? before : (after ?? before);
  let from = child.offset;
  let to = endOf(child);
  const rest: Edit[] = [];
  if (comma && comma === before && isBlank(text.slice(comma.end, from))) from = comma.start;
  else if (comma && comma === after && isBlank(text.slice(to, comma.start))) to = comma.end;
  else if (comma) rest.push({ offset: comma.start, length: 1, content: '' });
  return [...rest, { ...tidied(text, from, to, comma === after && after !== undefined, style), content: '' }].toSorted((a, b) => a.offset - b.offset);
}

/** What goes with it: the whole line when it is otherwise blank, else the blanks on one side. */
function tidied(text: string, from: number, to: number, sideAfter: boolean, style: Style): { readonly offset: number; readonly length: number } {
  const blanksAfter = /^[ \t]*/.exec(text.slice(to, to + 1000))?.[0].length ?? 0;
  const lineEnd = /^(?:\r\n|\n|\r)/.exec(text.slice(to + blanksAfter, to + blanksAfter + 2))?.[0].length ?? 0;
  const ownLine = startsLine(text, from);
  if (ownLine && lineEnd > 0) {
    const start = lineStart(text, from);
    return { offset: start, length: to + blanksAfter + lineEnd - start };
  }
  if (ownLine || (sideAfter && lineEnd === 0)) return { offset: from, length: to + blanksAfter - from };
  let start = from;
  if (!style.compact) while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return { offset: start, length: to - start };
}

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at -= 1;
  return at;
}

/** Nothing but blanks stands before it on its line. What begins the text itself does not count. */
export function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && isBlank(text.slice(start, offset));
}

export function indentAt(text: string, offset: number, style: Style): string {
  const start = lineStart(text, offset);
  return start === 0 ? style.base : (/^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '');
}

interface Token {
  readonly kind: 'blank' | 'break' | 'comment' | 'comma' | 'other';
  readonly start: number;
  readonly end: number;
}
function* tokensFrom(text: string, from: number, to: number): Generator<Token> {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  while (scanner.getPosition() < to) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    const end = scanner.getPosition();
    if (end <= start) return;
    yield { kind: kindOf(text.charAt(start)), start, end };
  }
}

function kindOf(first: string): Token['kind'] {
  switch (first) {
    case ' ':
    case '\t': return 'blank';
    case '\n':
    case '\r': return 'break';
    case '/': return 'comment';
    case ',': return 'comma';
    default: return 'other';
  }
}

function commaFrom(text: string, from: number, to: number): Token | undefined {
  for (const token of tokensFrom(text, from, to)) if (token.kind === 'comma') return token;
  return undefined;
}
