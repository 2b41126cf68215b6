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
  /** By their first four characters, longest first. */
  readonly forms: ReadonlyMap<string, readonly Form[]>;
  readonly short: RegExp | undefined;
}

/** Takes known secret values out of text that may be shown or stored, in whatever common encoding they come. Time grows with the text, not with the number of values. */
export class Redactor {
  readonly #values = new Set<string>();
  #index: Index | undefined;

  register(secret: Secret): void {
    this.#values.add(secret.reveal());
    this.#index = undefined;
  }

  forget(secret: Secret): void {
    this.#values.delete(secret.reveal());
    this.#index = undefined;
  }

  mask(text: string): string {
    if (this.#values.size === 0) return text;
    const index = (this.#index ??= indexOf(this.#values));
    const masked = maskLong(text, index);
    return index.short ? masked.replace(index.short, mark) : masked;
  }
}

function indexOf(values: ReadonlySet<string>): Index {
  const parts = [...new Set([...values].flatMap(secretParts))];
  const long = new Map<string, Form>();
  for (const part of parts) if (part.length >= longEnough) for (const form of formsOf(part)) long.set(form.text, long.get(form.text) ?? form);
  const hashes = new Uint8Array(65_536);
  const forms = new Map<string, Form[]>();
  for (const form of [...long.values()].toSorted((a, b) => b.text.length - a.text.length)) {
    let hash = 0;
    for (let at = 0; at < stride; at++) hash = next(hash, form.text.charCodeAt(at));
    hashes[hash] = 1;
    const start = form.text.slice(0, stride);
    const same = forms.get(start);
    if (same) same.push(form);
    else forms.set(start, [form]);
  }
  const short = parts.filter((part) => part.length >= shortest && part.length < longEnough);
  return { hashes, forms, short: short.length > 0 ? standingAlone(short) : undefined };
}

/** 16 bits, moved by 4 for each character: after four, only those four count. */
const next = (hash: number, code: number): number => ((hash << 4) ^ code ^ (code >> 4)) & 0xffff;

function maskLong(text: string, { hashes, forms }: Index): string {
  let result = '';
  let copied = 0;
  let hash = 0;
  for (let end = 0; end < text.length; end++) {
    hash = next(hash, text.charCodeAt(end));
    const start = end - stride + 1;
    if (start < copied || hashes[hash] === 0) continue;
    const found = forms.get(text.slice(start, end + 1))?.find((form) => text.startsWith(form.text, start));
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
