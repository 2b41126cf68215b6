import { AppError } from '../../shared/errors.ts';
import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import type { SourceRef } from '../../shared/model/source.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import type { RawField, RawInput, RawValue } from '../formats/raw-entry.ts';
import type { SecretWant } from '../secrets/secret-desk.ts';
import { inputKeyOf } from '../secrets/secret-id.ts';
import { allPieces, parseTemplate, type Piece, type PieceOf } from '../secrets/variables.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';

/** How one text of a launch comes about. */
export type PlannedValue =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'reference'; readonly want: SecretWant }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'template'; readonly pieces: readonly Piece[] };
export interface PlannedText {
  /** As a path within the entry: `env.API_KEY`, `args.3`, `url`. */
  readonly path: string;
  readonly value: PlannedValue;
  /** Without a variable's value there is no launch (F-24, O24); elsewhere it is empty, and said (F-23). */
  readonly needed: boolean;
  /** Signs in: never sent empty or as a scheme alone. */
  readonly credential: boolean;
  /** Its name or its text says that it must not be shown. */
  readonly secret: boolean;
  /** Of the file that holds it. */
  readonly scope: ConfigScope;
  readonly inputs: Inputs;
}
/** The inputs that a text may name: their keys in the vault, and what their file says of them. */
interface Inputs {
  readonly sourceId: string;
  readonly declared: readonly RawInput[];
}
type Named<T> = Readonly<Record<string, T>>;
export type LaunchPlan =
  | { readonly type: 'stdio'; readonly command: PlannedText; readonly args: readonly PlannedText[]; readonly env: Named<PlannedText>; readonly cwd?: PlannedText; readonly envFile?: PlannedText }
  | { readonly type: 'streamable-http' | 'sse'; readonly url: PlannedText; readonly headers: Named<PlannedText>; readonly bearer?: PlannedText }
  | { readonly type: 'socket'; readonly path: PlannedText };

export interface Planning {
  readonly material: LaunchMaterial;
  readonly server: string;
  /** Paths of texts that look secret. */
  readonly literals: ReadonlySet<string>;
}

/**
 * What a launch needs, from what files say. Pure: nothing is read and nothing is run. Throws `secret/command-failed` (`not-allowed`) for a `!command` of a project's
 * file, and `config/invalid` for a secret in the command line, where every program could read it.
 */
export function planLaunch(server: string, material: LaunchMaterial, literals: ReadonlySet<string>): LaunchPlan {
  const planning: Planning = { material, server, literals };
  const { fields } = material;
  const values = (field: 'env' | 'headers') =>
    Object.fromEntries(Object.entries(fields[field] ?? {}).map(([key, value]) => {
      const credential = field === 'headers' && looksSecret(key);
      return [key, planValue(planning, field, `${field}.${key}`, value, { credential, secret: looksSecret(key) })];
    }));
  if (fields.command !== undefined) {
    return {
      type: 'stdio',
      command: planArgument(planning, 'command', 'command', fields.command),
      args: (fields.args ?? []).map((arg, at) => planArgument(planning, 'args', `args.${at}`, arg)),
      env: values('env'),
      ...(fields.cwd === undefined ? {} : { cwd: planText(planning, 'cwd', 'cwd', fields.cwd, false) }),
      ...(fields.envFile === undefined ? {} : { envFile: planText(planning, 'envFile', 'envFile', fields.envFile, true) }),
    };
  }
  if (fields.url !== undefined) {
    const bearer = planBearer(planning);
    return {
      type: fields.type === 'sse' ? 'sse' : 'streamable-http',
      url: planText(planning, 'url', 'url', fields.url, true),
      headers: values('headers'),
      ...(bearer === undefined ? {} : { bearer }),
    };
  }
  if (fields.socket !== undefined) return { type: 'socket', path: planText(planning, 'socket', 'socket', fields.socket, false) };
  throw new AppError('config/invalid', `“${server}” says no command, url or socket`);
}

export const textsOf = (plan: LaunchPlan): readonly PlannedText[] => {
  switch (plan.type) {
    case 'stdio':
      return [plan.command, ...plan.args, ...optional(plan.cwd), ...optional(plan.envFile), ...Object.values(plan.env)];
    case 'streamable-http':
    case 'sse':
      return [plan.url, ...Object.values(plan.headers), ...optional(plan.bearer)];
    case 'socket':
      return [plan.path];
  }
};
const optional = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

/** Everything of the vault that the texts name. */
export const wantsOf = (texts: readonly PlannedText[]): readonly SecretWant[] =>
  texts.flatMap((text): readonly SecretWant[] => {
    if (text.value.kind === 'reference') return [text.value.want];
    if (text.value.kind !== 'template') return [];
    return allPieces(text.value.pieces).flatMap((piece) => {
      if (piece.kind === 'secret') return [secretWant(text, piece)];
      return piece.kind === 'input' ? [inputWant(text, piece.id)] : [];
    });
  });

export const secretWant = ({ path, scope }: PlannedText, { key }: PieceOf<'secret'>): SecretWant => ({ key: SecretKey.parse(key), scope, field: path, namedBy: scope });
export function inputWant({ path, scope, inputs }: PlannedText, input: string): SecretWant {
  const declared = inputs.declared.find(({ id }) => id === input);
  const optionalWant = declared?.default === undefined ? {} : { optional: true as const };
  return { key: inputKeyOf(inputs.sourceId, input), scope, field: path, namedBy: scope, input, ...optionalWant };
}

export const namesVariable = ({ value }: PlannedText): boolean =>
  value.kind === 'template' && allPieces(value.pieces).some(({ kind }) => kind === 'variable');

interface Marks {
  readonly credential: boolean;
  readonly secret: boolean;
  /** Absent: no. */
  readonly needed?: boolean;
}

/** A value of the environment, a header or a credential: every form is known there. */
export function planValue(planning: Planning, field: RawField, path: string, value: RawValue, marks: Marks): PlannedText {
  const text = (form: PlannedValue) => planned(planning, field, path, form, { needed: false, ...marks });
  if (typeof value !== 'string') {
    if ('plain' in value) return text({ kind: 'plain', text: value.plain });
    return text({ kind: 'reference', want: { key: value.secretRef, scope: value.scope, field: path, namedBy: scopeOf(planning.material, field) } });
  }
  const origin = originOf(planning.material, field)?.kind;
  // Other programs' files have no commands: what begins with `!` there is a value.
  if (!value.startsWith('!') || origin === 'host' || origin === 'import') return text({ kind: 'template', pieces: parseTemplate(value) });
  if (value.startsWith('!!')) return text({ kind: 'template', pieces: parseTemplate(value.slice(1)) });
  if (scopeOf(planning.material, field) === 'project') {
    throw new AppError('secret/command-failed', `${path} of “${planning.server}”: a project’s file may not run commands for secrets`, {
      data: { why: 'not-allowed', server: planning.server, field: path },
    });
  }
  return text({ kind: 'command', command: value.slice(1).trim() });
}

export function planText(planning: Planning, field: RawField, path: string, text: string, needed: boolean): PlannedText {
  return planned(planning, field, path, { kind: 'template', pieces: parseTemplate(text) }, { needed, credential: false, secret: false });
}

/** What stands in process arguments is read by every program: nothing of the vault goes there. */
const planArgument = (planning: Planning, field: 'command' | 'args', path: string, text: string): PlannedText =>
  planOpen(planning, field, path, text, 'a secret cannot stand in the command line, where every program can read it; use env');

/** A text that others get to see: nothing of the vault goes there, and nothing of it may be missing. Throws `config/invalid` with `why`. */
export function planOpen(planning: Planning, field: RawField, path: string, text: string, why: string): PlannedText {
  const whole = planText(planning, field, path, text, true);
  const pieces = whole.value.kind === 'template' ? allPieces(whole.value.pieces) : [];
  const secret = pieces.find((piece) => piece.kind === 'secret' || (piece.kind === 'input' && !isOpen(whole.inputs, piece.id)));
  if (!secret || secret.kind === 'text') return whole;
  throw new AppError('config/invalid', `${path} of “${planning.server}” names ${secret.written}: ${why}`, { data: { server: planning.server, field: path, ref: secret.written } });
}

/** An input that its file asks for in the open. */
export const isOpen = ({ declared }: Inputs, input: string): boolean => declared.some(({ id, password }) => id === input && !password);

/** F-30: the token itself beats the variable's name; neither is sent where the headers say who asks, or where the person signs in. */
function planBearer(planning: Planning): PlannedText | undefined {
  const { auth, bearerToken, bearerTokenEnv, headers } = planning.material.fields;
  if (auth === false || auth === 'oauth') return undefined;
  if (Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization')) return undefined;
  const marks = { credential: true, secret: true };
  if (bearerToken !== undefined) return planValue(planning, 'bearerToken', 'bearerToken', bearerToken, marks);
  if (bearerTokenEnv === undefined) return undefined;
  const variable: Piece = { kind: 'variable', written: bearerTokenEnv, name: bearerTokenEnv };
  return planned(planning, 'bearerTokenEnv', 'bearerTokenEnv', { kind: 'template', pieces: [variable] }, { needed: true, ...marks });
}

function planned(planning: Planning, field: RawField, path: string, value: PlannedValue, marks: Marks & { readonly needed: boolean }): PlannedText {
  const { material, literals } = planning;
  const sourceId = originOf(material, field)?.id ?? material.owner;
  return { path, value, ...marks, secret: marks.secret || literals.has(path), scope: scopeOf(material, field), inputs: { sourceId, declared: material.inputs?.[sourceId] ?? [] } };
}

const originOf = ({ origins }: LaunchMaterial, field: RawField): SourceRef | undefined => origins[field];
/** A field of unknown origin is taken for the stricter. */
const scopeOf = (material: LaunchMaterial, field: RawField): ConfigScope => originOf(material, field)?.scope ?? (material.owner === 'project' ? 'project' : 'global');

/** F-24: looked at before anything is contacted. The address itself may hold a secret and is not said. */
export function refuseOtherUrl(url: string, server: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return;
  throw new AppError('config/invalid', `The url of “${server}” is no http or https address`, { data: { server, field: 'url' } });
}
