import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import { hiddenMark } from '../../shared/text/hidden-mark.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import { argumentSpans } from './argument-secrets.ts';
import { credentialsOf, withLazyValues } from './oauth-values.ts';
import type { RawFields, RawOAuth, RawValue } from './raw-entry.ts';
import { defaultsIn, defaultSpans, secretSpans, withoutVariables, type SecretSpan } from './secret-text.ts';

/** Text of an entry that looks secret and stands there in the open. It holds the value: never show, log or send it. */
export interface Literal {
  /** `env`, `headers`, `url`, `args`, `command`, `bearerToken`, `oauth.clientSecret`, `oauth.privateKeyJwt.privateKey`, … */
  readonly field: string;
  /** The variable's, header's or parameter's name, or the argument's index; for a field that is one value, its own name. Unique within the field. */
  readonly key: string;
  /** What would be kept in the vault. */
  readonly value: string;
  readonly suggestedKey: SecretKey;
  readonly scope: ConfigScope;
  /** A reference can stand in its place. Not so for what every program can see: arguments and the command. */
  readonly movable: boolean;
}

/** `env.API_KEY`, `bearerToken`: a field that is one value has its own name for a key. */
export const fieldPath = (field: string, key: string): string => (field.split('.').at(-1) === key ? field : `${field}.${key}`);
/** What stands for a secret in a view. */
export const mask = hiddenMark;

/** In the order of the entry's fields. Templates, `!command` values and references are none; a secret-looking default of `${VAR:-default}` is one. */
export function literalsOf(name: string, fields: RawFields, scope: ConfigScope): readonly Literal[] {
  const literals: Literal[] = [];
  const taken = new Set<string>();
  const add = (field: string, key: string, value: string, movable: boolean) =>
    void literals.push({ field, key, value, scope, movable, suggestedKey: freeKey(`mcp.${name}.${fieldPath(field, key)}`, taken) });
  for (const span of fields.command === undefined ? [] : spansOfText(fields.command)) add('command', span.key, slice(fields.command, span), false);
  for (const [index, span] of argumentSpans(fields.args ?? [])) add('args', String(index), slice(fields.args?.[index], span), false);
  for (const [key, value] of Object.entries(fields.env ?? {})) addValue('env', key, value, looksSecret(key));
  for (const span of urlParts(fields.url)) add('url', span.key, slice(fields.url, span), true);
  for (const [key, value] of Object.entries(fields.headers ?? {})) addValue('headers', key, value, looksSecret(key));
  if (fields.bearerToken !== undefined) addValue('bearerToken', 'bearerToken', fields.bearerToken, true);
  if (fields.oauth) {
    for (const [path, value] of credentialsOf(fields.oauth)) addValue(`oauth.${path}`, path.split('.').at(-1) ?? path, value, true);
    for (const [key, value] of Object.entries(fields.oauth.authorizationParams ?? {})) {
      if (secretIn(value, looksSecret(key)) !== undefined) add('oauth.authorizationParams', key, value, false);
    }
  }
  return literals;

  function addValue(field: string, key: string, value: RawValue, named: boolean): void {
    // What a person marked as no secret is believed, unless its name says otherwise (decisions.md, section 7).
    const text = typeof value === 'string' ? value : 'plain' in value && named ? value.plain : undefined;
    const secret = text === undefined ? undefined : typeof value === 'string' ? secretIn(text, named) : text === '' ? undefined : text;
    if (secret !== undefined) add(field, key, secret, true);
  }
}

/** The secret that a value holds: the whole, or the default of a variable. */
function secretIn(text: string, named: boolean): string | undefined {
  if (text.trim() === '' || (text.startsWith('!') && !text.startsWith('!!'))) return undefined;
  const plain = text.startsWith('!!') ? text.slice(1) : text;
  const [fallback] = defaultSpans(plain, named);
  if (fallback) return plain.slice(fallback.start, fallback.end);
  const rest = withoutVariables(plain);
  if (rest === plain) return named || secretSpans(plain).length > 0 ? plain : undefined;
  return secretSpans(rest).length > 0 ? plain : undefined;
}

const spansOfText = (text: string): readonly SecretSpan[] =>
  [...secretSpans(withoutVariables(text)), ...defaultSpans(text, false)].toSorted((a, b) => a.start - b.start);
const slice = (text: string | undefined, { start, end }: SecretSpan): string => text?.slice(start, end) ?? '';

/** Secret parts of an address, each under a name of its own. */
function urlParts(url: string | undefined): readonly SecretSpan[] {
  if (url === undefined) return [];
  const seen = new Map<string, number>();
  return spansOfText(url).map((span) => {
    const count = (seen.get(span.key) ?? 0) + 1;
    seen.set(span.key, count);
    return count === 1 ? span : { ...span, key: `${span.key}_${String(count)}` };
  });
}

/** U-20: `mcp.<server>.<field>.<key>` with `_` for what a key cannot hold. */
function freeKey(wanted: string, taken: Set<string>): SecretKey {
  const base = wanted.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 190);
  let key = base;
  for (let count = 2; taken.has(key); count++) key = `${base}_${String(count)}`;
  taken.add(key);
  return SecretKey.parse(key);
}

/**
 * The same fields with something else in the literal's place. A reference within a text (an address) becomes `${secret:KEY}`; one in `args` or the command
 * is a mistake.
 */
export function withReplaced(fields: RawFields, literal: Literal, replacement: RawValue): RawFields {
  const { field, key } = literal;
  const text = typeof replacement === 'string' ? replacement : 'plain' in replacement ? replacement.plain : `\${secret:${replacement.secretRef}}`;
  switch (field) {
    case 'env':
      return { ...fields, env: with1(fields.env, key, replacement) };
    case 'headers':
      return { ...fields, headers: with1(fields.headers, key, replacement) };
    case 'bearerToken':
      return { ...fields, bearerToken: replacement };
    case 'url': {
      const span = urlParts(fields.url).find((one) => one.key === key);
      return span && fields.url !== undefined ? { ...fields, url: replaceSpan(fields.url, span, text) } : fields;
    }
    case 'command': {
      const span = spansOfText(fields.command ?? '').find((one) => one.key === key);
      return span && fields.command !== undefined ? { ...fields, command: replaceSpan(fields.command, span, text) } : fields;
    }
    case 'args': {
      const [, span] = argumentSpans(fields.args ?? []).find(([index]) => String(index) === key) ?? [];
      const args = fields.args ?? [];
      return span ? { ...fields, args: args.map((arg, index) => (String(index) === key ? replaceSpan(arg, span, text) : arg)) } : fields;
    }
    default:
      if (!fields.oauth || !field.startsWith('oauth.')) return fields;
      return { ...fields, oauth: withCredential(fields.oauth, field.slice('oauth.'.length), key, replacement, text) };
  }
}

function withCredential(oauth: RawOAuth, path: string, key: string, replacement: RawValue, text: string): RawOAuth {
  if (path === 'authorizationParams') return { ...oauth, authorizationParams: with1(oauth.authorizationParams, key, text) };
  return withLazyValues(oauth, (value, at) => (at === path ? replacement : value));
}

const with1 = <V>(map: Readonly<Record<string, V>> | undefined, key: string, value: V): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(map ?? {}).map(([name, old]) => [name, name === key ? value : old]));

/** A variable with a secret default goes whole: nothing can stand inside of it. */
function replaceSpan(text: string, { start, end }: SecretSpan, replacement: string): string {
  const around = replacement === mask ? undefined : defaultsIn(text).find((one) => one.start < start && one.end > end - 1 && one.end > start);
  return around ? text.slice(0, around.start) + replacement + text.slice(around.end) : text.slice(0, start) + replacement + text.slice(end);
}

/** For views: every secret part is `•••`, whatever the field. */
export function maskFields(fields: RawFields): RawFields {
  // From the last to the first: what is replaced never moves what is still to come, and an address names its parts by their order.
  return literalsOf('', fields, 'global').toReversed().reduce<RawFields>((masked, literal) => withReplaced(masked, literal, mask), fields);
}
