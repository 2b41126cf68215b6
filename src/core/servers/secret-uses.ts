import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import type { FoundLiteral } from '../../shared/model/secret-entry.ts';
import type { SourceRef } from '../../shared/model/source.ts';
import type { ServerId } from '../../shared/ids.ts';
import { editSource } from '../formats/edit-source.ts';
import { literalsOf, withReplaced, type Literal } from '../formats/literals.ts';
import { lazyValuesOf, withLazyValues } from '../formats/oauth-values.ts';
import type { RawEntry, RawField, RawFields, RawValue } from '../formats/raw-entry.ts';
import { readSource } from '../formats/read-source.ts';
import type { NamedUse } from '../secrets/secret-book.ts';
import { inputKeyOf } from '../secrets/secret-id.ts';
import { allPieces, parseTemplate } from '../secrets/variables.ts';
import type { ReadSource } from './config-sources.ts';

/** Every place of the sources that count where a secret is named: by a reference, within a text, or as the value of an input. */
export function namedUses(read: readonly ReadSource[], serverId: (name: string) => ServerId | undefined): readonly NamedUse[] {
  return read.flatMap(({ source, status, parsed }) => {
    if (status !== 'read') return [];
    return parsed.entries.flatMap((entry) => {
      const id = serverId(entry.name);
      const common = { server: entry.name, source: source.label, ...(id === undefined ? {} : { serverId: id }) };
      return namedIn(entry.fields, source).map((named): NamedUse => ({ ...common, ...named }));
    });
  });
}

type Named = Pick<NamedUse, 'field' | 'key' | 'scope'>;

function namedIn(fields: RawFields, source: SourceRef): readonly Named[] {
  return valuesIn(fields).flatMap(([field, value]): readonly Named[] => {
    if (typeof value !== 'string') return 'secretRef' in value ? [{ field, key: value.secretRef, scope: value.scope }] : [];
    if (!value.includes('${')) return [];
    return allPieces(parseTemplate(value)).flatMap((piece): readonly Named[] => {
      if (piece.kind === 'secret') return [{ field, key: SecretKey.parse(piece.key), scope: source.scope }];
      return piece.kind === 'input' ? [{ field, key: inputKeyOf(source.id, piece.id), scope: source.scope }] : [];
    });
  });
}

/** Everything that a launch or a sign-in is made of, with its path within the entry. */
function valuesIn(fields: RawFields): readonly (readonly [string, RawValue])[] {
  const oauth = fields.oauth === false ? undefined : fields.oauth;
  const single: readonly (readonly [string, RawValue | undefined])[] = [
    ['command', fields.command], ['cwd', fields.cwd], ['envFile', fields.envFile], ['url', fields.url], ['socket', fields.socket], ['bearerToken', fields.bearerToken],
  ];
  return [
    ...single.flatMap(([field, value]) => (value === undefined ? [] : [[field, value] as const])),
    ...(oauth ? lazyValuesOf(oauth) : []).map(([path, value]) => [`oauth.${path}`, value] as const),
    ...(fields.args ?? []).map((arg, at) => [`args.${at}`, arg] as const),
    ...Object.entries(fields.env ?? {}).map(([key, value]) => [`env.${key}`, value] as const),
    ...Object.entries(fields.headers ?? {}).map(([key, value]) => [`headers.${key}`, value] as const),
  ];
}

/** A literal's path within its entry: `env.API_KEY`, `url.token`, `bearerToken`. */
const pathOf = ({ field, key }: Literal): string => (field.split('.').at(-1) === key ? field : `${field}.${key}`);

/** Texts of the sources that count which look secret. Their values stay here. */
export const foundLiterals = (read: readonly ReadSource[]): readonly FoundLiteral[] =>
  read.flatMap(({ source, status, parsed }) =>
    status === 'read'
      ? parsed.entries.flatMap((entry) => literalsOf(entry.name, entry.fields, source.scope).map((literal) => found(source, entry, literal)))
      : [],
  );

function found(source: SourceRef, entry: RawEntry, literal: Literal): FoundLiteral {
  const line = entry.fieldPlaces?.[literal.field.split('.')[0] as RawField]?.line ?? entry.place?.line; // a literal's field begins with a field's name
  const fixed = isOwned(source) ? (literal.movable ? undefined : ('argument' as const)) : ('foreign-file' as const);
  return {
    source: source.id, file: source.path ?? source.label, server: entry.name, field: pathOf(literal), suggestedKey: literal.suggestedKey, scope: source.scope,
    ...(line === undefined ? {} : { line }), ...(fixed === undefined ? {} : { fixed }),
  };
}

const isOwned = ({ kind }: SourceRef): boolean => kind === 'home' || kind === 'project';

export interface MovableLiteral {
  readonly scope: ConfigScope;
  readonly value: string;
  /** The file's text with a reference in the literal's place. Throws `config/invalid`. */
  readonly replaced: (text: string | undefined, key: SecretKey) => string;
}
/** The literal at a path of an owned file's entry; `undefined` when it is not there or has to be moved by hand. */
export function movableLiteral(read: readonly ReadSource[], at: { readonly source: string; readonly server: string; readonly field: string }): MovableLiteral | undefined {
  const here = read.find(({ source, status }) => source.id === at.source && status === 'read' && isOwned(source));
  const entry = here?.parsed.entries.find(({ name }) => name === at.server);
  const literal = here && entry && literalsOf(entry.name, entry.fields, here.source.scope).find((one) => one.movable && pathOf(one) === at.field);
  if (!here || !entry || !literal) return undefined;
  const { scope, path = '' } = here.source;
  return {
    scope, value: literal.value,
    replaced: (text, key) => editEntries(text, path, (name, fields) => (name === entry.name ? withReplaced(fields, literal, { secretRef: key, scope }) : fields)),
  };
}

/** The text of an owned file with another name for a secret. */
export const withRenamed = (text: string | undefined, file: string, ofFile: ConfigScope, scope: ConfigScope, from: SecretKey, to: SecretKey): string =>
  editEntries(text, file, (_name, fields) => renamed(fields, (value) => {
    if (typeof value !== 'string') return 'secretRef' in value && value.secretRef === from && value.scope === scope ? { ...value, secretRef: to } : value;
    if (ofFile !== scope || !value.includes('${secret:')) return value;
    // Piece by piece: what only looks like it within another form stays.
    return parseTemplate(value).map((piece) => (piece.kind === 'text' ? piece.text : piece.written.replaceAll(`\${secret:${from}}`, () => `\${secret:${to}}`))).join('');
  }));

/** Only fields that differ are touched, key by key. */
function editEntries(text: string | undefined, file: string, edit: (name: string, fields: RawFields) => RawFields): string {
  const { entries } = readSource(text ?? '', { file, shape: 'gatehouse' });
  const edits = entries.flatMap(({ name, fields }) => {
    const next = edit(name, fields);
    const changed = Object.fromEntries(Object.entries(next).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(fields[key as RawField]))); // keys of RawFields
    return Object.keys(changed).length === 0 ? [] : [{ op: 'patch' as const, name, fields: changed }];
  });
  return editSource(text, edits);
}

type Rename = (value: RawValue) => RawValue;
function renamed(fields: RawFields, rename: Rename): RawFields {
  const text = (value: string): string => {
    const next = rename(value);
    return typeof next === 'string' ? next : value;
  };
  const all = (values: RawFields['env']) => (values === undefined ? undefined : Object.fromEntries(Object.entries(values).map(([key, value]) => [key, rename(value)])));
  const [env, headers] = [all(fields.env), all(fields.headers)];
  const { cwd, url, socket, bearerToken, oauth } = fields;
  return {
    ...fields,
    ...(env === undefined ? {} : { env }), ...(headers === undefined ? {} : { headers }),
    ...(cwd === undefined ? {} : { cwd: text(cwd) }), ...(url === undefined ? {} : { url: text(url) }), ...(socket === undefined ? {} : { socket: text(socket) }),
    ...(bearerToken === undefined ? {} : { bearerToken: rename(bearerToken) }),
    ...(oauth === undefined || oauth === false ? {} : { oauth: withLazyValues(oauth, rename) }),
  };
}
