import type { Secret } from '../kernel/secret.ts';
import { formsOf, secretParts, type Form } from './encodings.ts';

const mark = '•••';
/** Shorter values are masked only where they stand alone, and those below `shortest` not at all: every text would be full of marks. */
const longEnough = 6;
const shortest = 3;
/** Texts are looked through by the hash of each four characters. */
const stride = 4;

interface Index {
  /** 1 where some form begins with four characters of that hash. */
  readonly hashes: Uint8Array;
  readonly groups: ReadonlyMap<string, Group>;
  readonly short: RegExp | undefined;
}
/** Forms that begin with the same four characters, in the order of their text. */
interface Group {
  readonly forms: readonly Entry[];
  readonly longest: number;
}
interface Entry extends Form {
  /** The longest other form that this one begins with. */
  readonly within: Entry | undefined;
}

/** Takes known secret values out of text that may be shown or stored, in whatever common encoding they come. Time grows with the text, hardly with the number of values. */
export class Redactor {
  readonly #values = new Map<string, ValueForms>();
  #index: Index | undefined;

  register(secret: Secret): void {
    const value = secret.reveal();
    if (this.#values.has(value)) return;
    this.#values.set(value, formsOfValue(value));
    this.#index = undefined;
  }

  forget(secret: Secret): void {
    if (this.#values.delete(secret.reveal())) this.#index = undefined;
  }

  mask(text: string): string {
    if (this.#values.size === 0) return text;
    const index = (this.#index ??= indexOf([...this.#values.values()]));
    const masked = maskLong(text, index);
    return index.short ? masked.replace(index.short, mark) : masked;
  }
}

interface ValueForms {
  readonly long: readonly Form[];
  readonly short: readonly string[];
}
function formsOfValue(value: string): ValueForms {
  const parts = secretParts(value);
  return {
    long: parts.filter((part) => part.length >= longEnough).flatMap(formsOf),
    short: parts.filter((part) => part.length >= shortest && part.length < longEnough),
  };
}

function indexOf(values: readonly ValueForms[]): Index {
  const long = new Map<string, Form>();
  for (const form of values.flatMap((value) => value.long)) long.set(form.text, long.get(form.text) ?? form);
  const hashes = new Uint8Array(65_536);
  const groups = new Map<string, { forms: Entry[]; longest: number }>();
  for (const form of [...long.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1))) {
    let hash = 0;
    for (let at = 0; at < stride; at++) hash = next(hash, form.text.charCodeAt(at));
    hashes[hash] = 1;
    const start = form.text.slice(0, stride);
    const group = groups.get(start) ?? { forms: [], longest: 0 };
    group.forms.push({ ...form, within: longestStart(form.text, group.forms.at(-1)) });
    group.longest = Math.max(group.longest, form.text.length);
    groups.set(start, group);
  }
  const short = values.flatMap((value) => value.short);
  return { hashes, groups, short: short.length > 0 ? standingAlone(short) : undefined };
}

/** Whatever begins a text stands before it in the order, and begins everything that stands between. */
function longestStart(text: string, entry: Entry | undefined): Entry | undefined {
  let found = entry;
  while (found && !text.startsWith(found.text)) found = found.within;
  return found;
}

/** The longest form that stands at `start`. */
function formAt(text: string, start: number, { forms, longest }: Group): Form | undefined {
  const ahead = text.slice(start, start + longest);
  let low = 0;
  let high = forms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((forms[middle]?.text ?? '') <= ahead) low = middle + 1;
    else high = middle;
  }
  return longestStart(ahead, forms[low - 1]);
}

/** 16 bits, moved by 4 for each character: after four, only those four count. */
const next = (hash: number, code: number): number => ((hash << 4) ^ code ^ (code >> 4)) & 0xffff;

function maskLong(text: string, { hashes, groups }: Index): string {
  let result = '';
  let copied = 0;
  let hash = 0;
  for (let end = 0; end < text.length; end++) {
    hash = next(hash, text.charCodeAt(end));
    const start = end - stride + 1;
    if (start < copied || hashes[hash] === 0) continue;
    const group = groups.get(text.slice(start, end + 1));
    const found = group && formAt(text, start, group);
    if (!found) continue;
    const from = found.base64 ? runStart(text, start, copied) : start;
    const to = found.base64 ? runEnd(text, start + found.text.length) : start + found.text.length;
    result += text.slice(copied, from) + mark;
    copied = to;
    end = to - 1;
    hash = 0;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

const inRun = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9+=_-]/.test(character);
function runStart(text: string, at: number, limit: number): number {
  let start = at;
  while (start > limit && inRun(text[start - 1])) start -= 1;
  return start;
}
function runEnd(text: string, at: number): number {
  let end = at;
  while (inRun(text[end])) end += 1;
  return end;
}

function standingAlone(parts: readonly string[]): RegExp {
  const longestFirst = parts.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${longestFirst.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
}
