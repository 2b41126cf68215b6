import type { Secret } from '../kernel/secret.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';

/** What a folder, the machine or the person's account stands for, by the names that editors use. */
export const factNames = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator'] as const;
export type FactName = (typeof factNames)[number];

/** A text of a configuration file, taken apart. `written` is how the piece stands there. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly written: string; readonly name: string; readonly otherwise?: readonly Piece[] }
  | { readonly kind: 'fact'; readonly written: string; readonly name: FactName }
  | { readonly kind: 'input'; readonly written: string; readonly id: string }
  | { readonly kind: 'secret'; readonly written: string; readonly key: string };
export type PieceOf<K extends Piece['kind']> = Extract<Piece, { readonly kind: K }>;

/**
 * Finds `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `$env:VAR`, `{env:VAR}`, `${input:id}`, `${secret:KEY}` and the facts. Everything else is text: a
 * lone `$`, and forms in braces that Gatehouse does not know. A default may hold variables of its own.
 */
export const parseTemplate = (text: string): readonly Piece[] => parsed(text, 0);

/** So deep may defaults stand within defaults; deeper ones are text. */
const deepest = 20;

function parsed(text: string, depth: number): readonly Piece[] {
  if (depth > deepest) return [{ kind: 'text', text }];
  const closed = closings(text);
  const pieces: Piece[] = [];
  let plain = 0;
  let at = 0;
  while (at < text.length) {
    const found = text[at] === '$' || text[at] === '{' ? pieceAt(text, at, closed.get(at), depth) : undefined;
    if (!found) {
      at += 1;
      continue;
    }
    if (plain < at) pieces.push({ kind: 'text', text: text.slice(plain, at) });
    pieces.push(found);
    at += found.written.length;
    plain = at;
  }
  if (plain < text.length) pieces.push({ kind: 'text', text: text.slice(plain) });
  return pieces;
}

/** Pieces with those of defaults among them. */
export const allPieces = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.flatMap((piece) => (piece.kind === 'variable' && piece.otherwise ? [piece, ...allPieces(piece.otherwise)] : [piece]));

type Found = Exclude<Piece, PieceOf<'text'>>;
const bare = /(?:\$env:|\{env:)([A-Za-z_]\w*)/y;

function pieceAt(text: string, at: number, end: number | undefined, depth: number): Found | undefined {
  if (text.startsWith('${', at)) return end === undefined ? undefined : braced(text.slice(at, end + 1), depth);
  bare.lastIndex = at;
  const [start, name] = bare.exec(text) ?? [];
  if (start === undefined || name === undefined) return undefined;
  if (text[at] === '$') return { kind: 'variable', written: start, name };
  return text[at + start.length] === '}' ? { kind: 'variable', written: `${start}}`, name } : undefined;
}

const variableForm = /^\$\{(?:env:([^\s{}$:]+)|([A-Za-z_]\w*))(:-|\}$)/;
const otherForm = /^\$\{(?:(\/)|input:([^{}$]+)|secret:([A-Za-z0-9._-]{1,200}))\}$/;

/** `written` is from `${` to its `}`. */
function braced(written: string, depth: number): Found | undefined {
  const [start, ofEnvironment, plain, split] = variableForm.exec(written) ?? [];
  const name = ofEnvironment ?? plain;
  if (start !== undefined && name !== undefined) {
    if (split === ':-') return { kind: 'variable', written, name, otherwise: parsed(written.slice(start.length, -1), depth + 1) };
    const fact = factNames.find((known) => known === plain);
    return fact ? { kind: 'fact', written, name: fact } : { kind: 'variable', written, name };
  }
  const [, separator, input, key] = otherForm.exec(written) ?? [];
  if (separator !== undefined) return { kind: 'fact', written, name: 'pathSeparator' };
  if (input !== undefined) return { kind: 'input', written, id: input };
  return key === undefined ? undefined : { kind: 'secret', written, key };
}

/** For each `${` the brace that closes it, past those of others within. In one pass: a hostile text of many openings must not take for ever. */
function closings(text: string): ReadonlyMap<number, number> {
  const closed = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith('${', at)) open.push(at);
    const opened = text[at] === '}' ? open.pop() : undefined;
    if (opened !== undefined) closed.set(opened, at);
  }
  return closed;
}

export interface Lookups {
  readonly variable: (name: string) => string | undefined;
  readonly fact: (name: FactName) => string | undefined;
  readonly input: (id: string) => string | Secret | undefined;
  readonly secret: (key: string) => Secret | undefined;
}
export interface FilledText {
  readonly text: string;
  /** What had no value and is empty in the text: each once, as `VAR`, `workspaceFolder`, `input:id`, `secret:KEY`. */
  readonly missing: readonly string[];
  /** Parts that must not be shown: from the vault, and from variables whose names look secret. */
  readonly secret: readonly string[];
}

/**
 * Puts values in, once: a value that itself holds `${X}` stays as it is. A default is used for a variable that is unset or empty; without one an
 * unset variable is missing and an empty one is empty.
 */
export function fillText(pieces: readonly Piece[], lookups: Lookups): FilledText {
  const missing = new Set<string>();
  const secret = new Set<string>();
  const text = fill(pieces, lookups, missing, secret);
  return { text, missing: [...missing], secret: [...secret].filter((value) => value !== '') };
}

function fill(pieces: readonly Piece[], lookups: Lookups, missing: Set<string>, secret: Set<string>): string {
  let text = '';
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'text':
        text += piece.text;
        break;
      case 'variable': {
        const value = lookups.variable(piece.name);
        if (value !== undefined && value !== '' && looksSecret(piece.name)) secret.add(value);
        if (piece.otherwise && (value === undefined || value === '')) text += fill(piece.otherwise, lookups, missing, secret);
        else if (value === undefined) missing.add(piece.name);
        else text += value;
        break;
      }
      case 'fact': {
        const value = lookups.fact(piece.name);
        if (value === undefined) missing.add(piece.name);
        text += value ?? '';
        break;
      }
      case 'input': {
        const value = lookups.input(piece.id);
        if (value === undefined) missing.add(`input:${piece.id}`);
        else text += typeof value === 'string' ? value : revealed(value, secret);
        break;
      }
      case 'secret': {
        const value = lookups.secret(piece.key);
        if (value === undefined) missing.add(`secret:${piece.key}`);
        else text += revealed(value, secret);
        break;
      }
    }
  }
  return text;
}

/** On its way into a text that is a secret itself from now on. */
function revealed(value: Secret, secret: Set<string>): string {
  const text = value.reveal();
  secret.add(text);
  return text;
}
