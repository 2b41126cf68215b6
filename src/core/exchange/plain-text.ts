import type { ConfigScope, SecretKey, SecretReference } from '../../shared/model/config-value.ts';
import type { SecretDescriptor } from '../../shared/model/exchange.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import { literalsOf, withReplaced, type Literal } from '../formats/literals.ts';
import type { RawFields, RawInput, RawValue, RawValues } from '../formats/raw-entry.ts';
import { isTemplate } from '../servers/definition-of.ts';
import { suggestedKey } from '../servers/draft-fields.ts';

/** Something of an entry that goes to the vault when the entry is taken over. It may hold the value: never show, log or send it. */
export type PlainText =
  | { readonly kind: 'text'; readonly literal: Literal; /** By its name or its form: a person cannot say that it is none. */ readonly looksSecret: boolean }
  /** What the other program asks its person for (VS Code's password inputs): there is no value yet. */
  | { readonly kind: 'input'; readonly id: string; readonly suggestedKey: SecretKey };

export interface PlainTextContext {
  readonly scope: ConfigScope;
  readonly inputs: readonly RawInput[];
  /** The file's own rules know `!command`; in other files such a text is a value like any other. */
  readonly commands: boolean;
}

/**
 * U-62: every text of `env` and `headers` that is not worked out at launch, everything else that looks secret, and password inputs. What the person of a
 * Gatehouse file marked as `{plain}` stays so, unless its name says otherwise.
 */
export function plainTextsOf(name: string, fields: RawFields, { scope, inputs, commands }: PlainTextContext): readonly PlainText[] {
  const looking = literalsOf(name, fields, scope);
  const known = new Set(looking.map(({ field, key }) => pathOf(field, key)));
  const others = (['env', 'headers'] as const).flatMap((field) =>
    Object.entries(fields[field] ?? {}).flatMap(([key, value]): readonly Literal[] => {
      if (typeof value !== 'string' || value.trim() === '' || known.has(pathOf(field, key))) return [];
      const text = textOf(value, commands);
      return text === undefined ? [] : [{ field, key, value: text, scope, movable: true, suggestedKey: suggestedKey(name, field, key) }];
    }),
  );
  const asked = inputs.filter(({ id, password }) => password && JSON.stringify(fields).includes(JSON.stringify(inputText(id)).slice(1, -1)));
  return [
    ...looking.map((literal) => ({ kind: 'text', literal, looksSecret: true }) as const),
    ...others.map((literal) => ({ kind: 'text', literal, looksSecret: looksSecret(literal.key) }) as const),
    ...asked.map(({ id }) => ({ kind: 'input', id, suggestedKey: suggestedKey(name, 'input', id) }) as const),
  ];
}

/** `undefined` for what is worked out at launch. */
function textOf(value: string, commands: boolean): string | undefined {
  if (!value.startsWith('!')) return isTemplate(value) ? undefined : value;
  if (!commands) return value;
  return value.startsWith('!!') ? value.slice(1) : undefined;
}

const inputText = (id: string): string => `\${input:${id}}`;
const pathOf = (field: string, key: string): string => (field.split('.').at(-1) === key ? field : `${field}.${key}`);

/** How a person's choice names it: `env.API_KEY`, `bearerToken.bearerToken`, `input.token`; a field that is one value also by itself. */
export const namesOf = (plain: PlainText): readonly string[] => {
  const { field, key } = placeOf(plain);
  return [`${field}.${key}`, pathOf(field, key)];
};
const placeOf = (plain: PlainText): { readonly field: string; readonly key: string } =>
  plain.kind === 'input' ? { field: 'input', key: plain.id } : { field: plain.literal.field, key: plain.literal.key };

export const keyOf = (plain: PlainText): SecretKey => (plain.kind === 'input' ? plain.suggestedKey : plain.literal.suggestedKey);
export const descriptorOf = (plain: PlainText, scope: ConfigScope): SecretDescriptor => ({ ...placeOf(plain), suggestedKey: keyOf(plain), scope });

/**
 * The entry with references in their place. In an address, an argument or the middle of a text it is `${secret:KEY}`; in an argument that is refused at launch,
 * with words: every program can read a command line, so the text itself is not written there either.
 */
export function withReferences(fields: RawFields, plains: readonly PlainText[], reference: (plain: PlainText) => SecretReference | 'plain'): RawFields {
  // From the last to the first: parts of one address are named by their order.
  return plains.toReversed().reduce<RawFields>((current, plain) => {
    const by = reference(plain);
    if (by === 'plain') return plain.kind === 'text' ? withReplaced(current, plain.literal, { plain: plain.literal.value }) : current;
    if (plain.kind === 'input') return withInput(current, plain.id, by);
    const { field } = plain.literal;
    return withReplaced(current, plain.literal, field === 'args' || field === 'command' ? secretText(by) : by);
  }, fields);
}

const secretText = ({ secretRef }: SecretReference): string => `\${secret:${secretRef}}`;

function withInput(fields: RawFields, id: string, by: SecretReference): RawFields {
  const inText = (text: string): string => text.replaceAll(inputText(id), secretText(by));
  const inValue = (value: RawValue): RawValue => (typeof value !== 'string' ? value : value.trim() === inputText(id) ? by : inText(value));
  const inValues = (values: RawValues): RawValues => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, inValue(value)]));
  const { command, args, cwd, env, headers, url, socket, envFile, bearerToken } = fields;
  return {
    ...fields,
    ...(command === undefined ? {} : { command: inText(command) }),
    ...(args === undefined ? {} : { args: args.map(inText) }),
    ...(cwd === undefined ? {} : { cwd: inText(cwd) }),
    ...(env === undefined ? {} : { env: inValues(env) }),
    ...(headers === undefined ? {} : { headers: inValues(headers) }),
    ...(url === undefined ? {} : { url: inText(url) }),
    ...(socket === undefined ? {} : { socket: inText(socket) }),
    ...(envFile === undefined ? {} : { envFile: inText(envFile) }),
    ...(bearerToken === undefined ? {} : { bearerToken: inValue(bearerToken) }),
  };
}

/** Where only text can stand, a reference says no scope: it is the file's own. */
export function needsOwnScope(plain: PlainText, fields: RawFields): boolean {
  if (plain.kind === 'text') return plain.literal.field === 'url' || plain.literal.field === 'args' || plain.literal.field === 'command';
  const replaced = withInput(fields, plain.id, { secretRef: plain.suggestedKey, scope: 'global' });
  return JSON.stringify(replaced).includes(`\${secret:${plain.suggestedKey}}`);
}
