import { looksSecret } from '../../shared/text/looks-secret.ts';

/** A part of a text that looks secret. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** What to call it: a parameter's name, `password`, `path`, `token`. */
  readonly key: string;
}

/** Forms that issuers give their keys, so that they can be found. */
const issuers = [
  'sk-[A-Za-z0-9_-]{8,}', '[sr]k_(?:live|test)_[A-Za-z0-9]{8,}', 'pk_live_[A-Za-z0-9]{8,}', 'gh[pousr]_[A-Za-z0-9]{8,}', 'github_pat_[A-Za-z0-9_]{8,}',
  'glpat-[A-Za-z0-9_-]{8,}', 'xox[abeoprs]-[A-Za-z0-9-]{8,}', 'xapp-[A-Za-z0-9-]{8,}', 'A(?:KIA|SIA)[A-Z0-9]{12,}', 'AIza[A-Za-z0-9_-]{16,}',
  'ya29\\.[A-Za-z0-9_-]{8,}', 'hf_[A-Za-z0-9]{8,}', 'npg_[A-Za-z0-9]{8,}', 'npm_[A-Za-z0-9]{16,}', 'pypi-[A-Za-z0-9_-]{16,}', 'dop_v1_[a-f0-9]{16,}',
  'lin_api_[A-Za-z0-9]{8,}', 'ntn_[A-Za-z0-9]{16,}', 'secret_[A-Za-z0-9]{16,}', 'tvly-[A-Za-z0-9_-]{8,}', 'fc-[a-f0-9]{24,}', 'ctx7sk-[A-Za-z0-9-]{8,}',
  'SG\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}', 'eyJ[A-Za-z0-9_-]{4,}\\.eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*',
];
const issued = new RegExp(`(?<![A-Za-z0-9])(?:${issuers.join('|')})`, 'g');
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const scheme = /^(?:Bearer|Basic|Token|ApiKey)\s+(\S.*)$/i;

/** The secret parts of a text by its form alone, in order and apart from each other. Variables and their defaults are not looked into. */
export function secretSpans(text: string): readonly SecretSpan[] {
  if (text.length > 100_000) return [];
  const spans: SecretSpan[] = [];
  const add = (start: number, end: number, key: string) => {
    if (end > start && !spans.some((span) => start < span.end && end > span.start)) spans.push({ start, end, key });
  };
  for (const match of text.matchAll(pem)) add(match.index, match.index + match[0].length, 'privateKey');
  for (const span of urlSpans(text)) add(span.start, span.end, span.key);
  const given = scheme.exec(text)?.[1];
  if (given !== undefined && !isVariable(given)) add(text.length - given.length, text.length, 'token');
  for (const match of text.matchAll(issued)) add(match.index, match.index + match[0].length, 'token');
  if (isRandom(text)) add(0, text.length, 'token');
  return spans.toSorted((a, b) => a.start - b.start);
}

/** User names with passwords, parameters whose names or values say that they are secret, and random parts of the path. */
function urlSpans(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const url of text.matchAll(/[a-z][a-z0-9+.-]{1,20}:\/\/([^\s"'<>]*)/gi)) {
    const rest = url[1] ?? '';
    const from = url.index + url[0].length - rest.length;
    const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
    const at = authority.lastIndexOf('@');
    if (at > 0) {
      const user = authority.slice(0, at);
      const colon = user.indexOf(':');
      const password = colon === -1 ? '' : user.slice(colon + 1);
      if (password !== '' && !isVariable(password)) spans.push({ start: from + colon + 1, end: from + at, key: 'password' });
      else if (colon === -1 && looksIssued(user)) spans.push({ start: from, end: from + at, key: 'user' });
    }
    let start = from + authority.length;
    for (const part of rest.slice(authority.length).split(/([/?&#;])/)) {
      const end = start + part.length;
      const equals = part.indexOf('=');
      const value = part.slice(equals + 1);
      if (equals === -1 ? looksIssued(part) : value !== '' && !isVariable(value) && (looksSecret(part.slice(0, equals)) || looksIssued(value))) {
        spans.push({ start: start + equals + 1, end, key: equals === -1 ? 'path' : part.slice(0, equals) });
      }
      start = end;
    }
  }
  return spans;
}

/** Stands for each character of a variable: no letter, no blank, and in no text of a person. */
const filler = '\uE000';
const variable = /\$\{[^{}]*\}|\$env:\w+|\{env:\w+\}/g;
/** Of the same length, so that places stay right: what is filled in at launch is no secret of the file. */
export const withoutVariables = (text: string): string => text.replace(variable, (whole) => filler.repeat(whole.length));
export interface Default {
  readonly variable: string;
  readonly value: string;
  /** Of the whole `${VAR:-default}`. */
  readonly start: number;
  readonly end: number;
}
export const defaultsIn = (text: string): readonly Default[] =>
  [...text.matchAll(/\$\{(?:env:)?([A-Za-z_][\w.-]*):-([^{}]*)\}/g)].map(({ 0: whole, 1: name = '', 2: value = '', index }) => ({
    variable: name, value, start: index, end: index + whole.length,
  }));
/** Defaults that look secret: by their form, by the name of their variable, or by what stands before them (`named` for the whole text). */
export const defaultSpans = (text: string, named: boolean): readonly SecretSpan[] =>
  defaultsIn(text).flatMap(({ variable: key, value, start, end }) => {
    const before = /([A-Za-z][\w.-]{0,100})[=:]\s*(?:Bearer\s+)?$/i.exec(text.slice(Math.max(0, start - 120), start))?.[1] ?? '';
    const secret = value !== '' && (named || looksSecret(key) || looksSecret(before) || secretSpans(value).length > 0);
    return secret ? [{ key, start: end - 1 - value.length, end: end - 1 }] : [];
  });
/** Nothing but variables. */
export const isVariable = (text: string): boolean => text !== '' && withoutVariables(text).replaceAll(filler, '') === '';
const looksIssued = (text: string): boolean => text.match(issued)?.[0] === text || isRandom(text);

/** Long text that nobody thought of: hex, or letters of both cases with digits and no words between dashes. */
function isRandom(text: string): boolean {
  if (text.length < 24 || text.length > 4096 || !/^[A-Za-z0-9+/_=~.-]+$/.test(text)) return false;
  if (/^[a-f0-9]{32,}$/i.test(text)) return /\d/.test(text) && /[a-f]/i.test(text);
  if (/[/.]/.test(text.replace(/=+$/, '')) && /[/.][A-Za-z]{2,}(?:[/.]|$)/.test(text)) return false;
  const longest = Math.max(...text.split(/[-_./]/).map((part) => part.length));
  return longest >= 18 && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d.*\d/.test(text) && entropy(text) >= 3.5;
}

/** Bits for each character, by how often each occurs. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}
