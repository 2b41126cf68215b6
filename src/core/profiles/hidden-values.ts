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
const markOf = (number: number): string => `${hiddenMark}${number}${hiddenMark}`;
const marks = new RegExp(`${hiddenMark}(\\d{1,6})${hiddenMark}`, 'g');

/** A profile’s text for people: a numbered mark in place of everything that looks secret, in a text that does not parse too. The lines stay the same. */
export function hideValues(text: string): string {
  const hidden = hiddenIn(text);
  return pattern(hidden)?.[Symbol.replace](text, (raw: string) => markOf(hidden.indexOf(raw) + 1)) ?? text;
}

/**
 * What is to be written for an edited text: marks become what they stood for in the file. Throws `config/invalid` with the `line` of one that stands at another place
 * than in the file, under another name or in another table: a value goes to nobody else than whoever had it.
 */
export function showValues(text: string, current: string | undefined): string {
  const before = current ?? '';
  const hidden = hiddenIn(before);
  const known = new Set(placedMarks(hideValues(before)).map(({ place }) => place));
  return placedMarks(text).reduceRight((written, { mark, number, offset, place }) => {
    const raw = hidden[number - 1];
    if (raw !== undefined && known.has(place)) return written.slice(0, offset) + raw + written.slice(offset + mark.length);
    throw new AppError('config/invalid', `${mark} stands for no value at this place: type it, or name a secret`, { data: { line: text.slice(0, offset).split('\n').length } });
  }, text);
}

interface PlacedMark {
  readonly mark: string;
  readonly number: number;
  readonly offset: number;
  /** The mark with the table that it stands in and what stands before it of the same member. */
  readonly place: string;
}
function placedMarks(text: string): readonly PlacedMark[] {
  return [...text.matchAll(marks)].map((found) => {
    const above = text.slice(0, found.index);
    const table = [...above.matchAll(/^[ \t]*\[.*$/gm)].at(-1)?.[0].trim() ?? '';
    return { mark: found[0], number: Number(found[1]), offset: found.index, place: `${table}\n${/[^\n,{]*$/.exec(above)?.[0].trim() ?? ''}${found[0]}` };
  });
}

/** As they stand in the text, the same for the same text. */
function hiddenIn(text: string): readonly string[] {
  const values = [...literalsIn(text), ...leavesIn(text), ...secretSpans(text).map(({ start, end }) => text.slice(start, end))].flatMap(secretParts);
  const raw = [...values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]), ...pairsIn(text)];
  return [...new Set(raw)].filter((one) => one.trim() !== '' && text.includes(one)).toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

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
  if (typeof value === 'string') return isSecret(key, value) ? [value] : secretSpans(value).map(({ start, end }) => value.slice(start, end));
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, name === 'plain' ? key : name));
}

/** `name = value` wherever it stands, in comments, inline tables and texts that do not parse. */
function pairsIn(text: string): readonly string[] {
  const pair = /([\w-]+|"[^"\n]*"|'[^'\n]*')\s*=\s*("(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s"'{[,\]}][^,\]}\n]*)/g;
  return [...text.matchAll(pair)].flatMap(([, name = '', written = '']) => {
    const value = written.replace(/^["']/, '').replace(/["']$/, '').trimEnd();
    return isSecret(name.replaceAll(/["']/g, ''), value) ? [value] : [];
  });
}

const isSecret = (key: string, value: string): boolean => looksSecret(key) && !openKeys.has(key) && !holdsVariable(value) && !/^!(?!!)/.test(value);
