import { parse } from 'smol-toml';
import { AppError } from '../../shared/errors.ts';
import { holdsVariable } from '../../shared/model/server-definition.ts';
import { hiddenMark } from '../../shared/text/hidden-mark.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import { literalsOf } from '../formats/literals.ts';
import { openKeys } from '../formats/mask-text.ts';
import { readSource } from '../formats/read-source.ts';
import { secretSpans } from '../formats/secret-text.ts';
import { secretParts } from '../secrets/encodings.ts';

/** Shorter ones are hidden only where they are a whole value: every text would be full of marks. */
const longEnough = 6;
/** Characters, and values, beyond which looking through a text takes too long. */
const longestText = 1_048_576;
const mostValues = 2_000;
const slice = 50_000;
/** Of a line before a mark: what says whose value it is. */
const longestMember = 2_000;
const markOf = (number: number): string => `${hiddenMark}${number}${hiddenMark}`;
const marks = new RegExp(`${hiddenMark}(\\d{1,6})${hiddenMark}`, 'g');

/** A profile’s text for people: a numbered mark in place of everything that looks secret, in a text that does not parse too. Throws `config/invalid` for more than 1 MiB, or 2,000 values. */
export const hideValues = (text: string): string => withMarks(text, hiddenIn(text));
function withMarks(text: string, hidden: readonly string[]): string {
  return pattern(hidden)?.[Symbol.replace](text, (raw: string) => markOf(hidden.indexOf(raw) + 1)) ?? text;
}

/**
 * What is to be written for an edited text: marks become what they stood for in the file. Throws `config/invalid` with the `line` of one that stands at another place
 * than in the file, under another name or in another table: a value goes to nobody else than whoever had it.
 */
export function showValues(text: string, current: string | undefined): string {
  if (!text.includes(hiddenMark)) return text;
  const before = current ?? '';
  const hidden = hiddenIn(before);
  const known = new Set(placedMarks(withMarks(before, hidden)).map(({ place }) => place));
  const pieces: string[] = [];
  let from = 0;
  for (const { mark, number, offset, line, place } of placedMarks(text)) {
    const raw = hidden[number - 1];
    if (raw === undefined || !known.has(place)) throw new AppError('config/invalid', `${mark} stands for no value at this place: type it, or name a secret`, { data: { line } });
    pieces.push(text.slice(from, offset), raw);
    from = offset + mark.length;
  }
  return pieces.join('') + text.slice(from);
}

interface PlacedMark {
  readonly mark: string;
  readonly number: number;
  readonly offset: number;
  readonly line: number;
  /** The mark with the table that it stands in and what stands before it of the same member. */
  readonly place: string;
}
function placedMarks(text: string): readonly PlacedMark[] {
  const placed: PlacedMark[] = [];
  let table = '';
  let offset = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*\[/.test(line)) table = line.trim();
    for (const found of line.matchAll(marks)) {
      const member = /[^,{]*$/.exec(line.slice(Math.max(0, found.index - longestMember), found.index))?.[0].trim() ?? '';
      if (placed.length === mostValues) throw new AppError('config/invalid', 'It holds too many marks', { data: { line: index + 1 } });
      placed.push({ mark: found[0], number: Number(found[1]), offset: offset + found.index, line: index + 1, place: `${table}\n${member}${found[0]}` });
    }
    offset += line.length + 1;
  }
  return placed;
}

/** As they stand in the text, the same for the same text. */
function hiddenIn(text: string): readonly string[] {
  if (text.length > longestText) throw new AppError('config/invalid', 'It is too large to be shown here');
  const values = [...literalsIn(text), ...leavesIn(text), ...slicesOf(text).flatMap(formedIn)].flatMap(secretParts);
  const raw = new Set([...values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]), ...pairsIn(text)]);
  if (raw.size > mostValues) throw new AppError('config/invalid', 'It holds too many values that look secret to be shown here');
  return [...raw].filter((one) => one.trim() !== '' && text.includes(one)).toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
}
/** Long texts are looked through in parts that overlap by more than a key is long. */
const slicesOf = (text: string): readonly string[] => Array.from({ length: Math.ceil(text.length / slice) }, (_none, at) => text.slice(at * slice, (at + 1) * slice + 2_000));
const formedIn = (text: string): readonly string[] => secretSpans(text).map(({ start, end }) => text.slice(start, end));

function pattern(hidden: readonly string[]): RegExp | undefined {
  if (hidden.length === 0) return undefined;
  const escaped = (raw: string): string => raw.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(hidden.map((raw) => (raw.length >= longEnough ? escaped(raw) : `(?<=["'])${escaped(raw)}(?=["'])`)).join('|'), 'g');
}

const literalsIn = (text: string): readonly string[] =>
  readSource(text, { file: '', shape: 'gatehouse-toml' }).entries.flatMap(({ name, fields }) => literalsOf(name, fields, 'global').map(({ value }) => value));

/** Values whose name or form says that they are secret, wherever they stand: an entry that cannot be used is not among the entries. */
function leavesIn(text: string): readonly string[] {
  try {
    return leavesOf(parse(text, { integersAsBigInt: 'asNeeded' }), '');
  } catch {
    return []; // It does not parse: what stands line by line is all that can be known.
  }
}
function leavesOf(value: unknown, key: string): readonly string[] {
  if (typeof value === 'string') return isSecret(key, value) ? [value] : formedIn(value);
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, name === 'plain' ? key : name));
}

/** `name = value` wherever it stands, in comments, inline tables and texts that do not parse. */
function pairsIn(text: string): readonly string[] {
  const pair = /((?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s"'{[,\]}][^,\]}\n]*)/g;
  return [...text.matchAll(pair)].flatMap(([, name = '', written = '']) => {
    const value = written.replace(/^["']/, '').replace(/["']$/, '').trimEnd();
    return isSecret(name.replaceAll(/["']/g, ''), value) ? [value] : [];
  });
}

const isSecret = (key: string, value: string): boolean => looksSecret(key) && !openKeys.has(key) && !holdsVariable(value) && !/^!(?!!)/.test(value);
