import type { ExportShape } from '../../shared/model/exchange.ts';
import { toFileFields } from './file-fields.ts';
import { fieldPath, literalsOf, withReplaced, type Literal } from './literals.ts';
import type { RawFields, RawValue, RawValues } from './raw-entry.ts';

export interface ExportedServer {
  readonly name: string;
  readonly enabled: boolean;
  readonly fields: RawFields;
}
export interface Exported {
  readonly text: string;
  readonly fileName: string;
  /** What is not in the text: a value that its reader must fill in, an option or a server that the other program does not know. Holds no value. */
  readonly omitted: readonly string[];
}
type Entry = Readonly<Record<string, unknown>>;

/**
 * A file for another machine or program. No secret value is in it, whatever the entries hold: Gatehouse's own references stay, other programs get a
 * variable or an input in their place.
 */
export function writeShape(servers: readonly ExportedServer[], shape: ExportShape): Exported {
  const omitted: string[] = [];
  const dialect = shape === 'gatehouse' ? undefined : dialectOf(shape);
  const entries = servers.flatMap((server): readonly (readonly [string, Entry])[] => {
    const entry = dialect ? foreignEntry(server, dialect, omitted) : ownEntry(server, omitted);
    return entry ? [[server.name, entry]] : [];
  });
  const map = Object.fromEntries(entries);
  const inputs = dialect?.inputs ?? [];
  const file = shape === 'vscode' ? { ...(inputs.length > 0 ? { inputs } : {}), servers: map } : { mcpServers: map };
  return { text: `${JSON.stringify(file, null, 2)}\n`, fileName: `${shape}-mcp.json`, omitted };
}

/** References stay; what stands in the open becomes one, under the name that it would have in the vault. */
function ownEntry({ name, enabled, fields }: ExportedServer, omitted: string[]): Entry {
  const safe = withoutLiterals(name, fields, omitted);
  return toFileFields({ ...safe, enabled: enabled && safe.enabled === undefined ? undefined : enabled });
}

interface SecretSpot {
  readonly server: string;
  readonly field: string;
  readonly key: string;
}
interface ForeignDialect {
  /** Fields that the program documents. */
  readonly knows: ReadonlySet<keyof RawFields>;
  /** What stands for a secret. */
  readonly secret: (spot: SecretSpot) => string;
  readonly variable: (name: string) => string;
  readonly keepsDefaults: boolean;
  /** Whether an entry must say its transport. */
  readonly says: 'url' | 'both' | 'neither';
  readonly inputs: readonly CodeInput[];
}
interface CodeInput {
  readonly type: 'promptString';
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

function dialectOf(shape: Exclude<ExportShape, 'gatehouse'>): ForeignDialect {
  const fromEnvironment = (variable: (name: string) => string) => ({ variable, secret: (spot: SecretSpot) => variable(variableName(spot)), inputs: [] });
  const common = ['command', 'args', 'env', 'url', 'headers'] as const;
  switch (shape) {
    case 'claude':
      return { ...fromEnvironment((name) => `\${${name}}`), knows: new Set(common), keepsDefaults: true, says: 'url' };
    case 'cursor':
      return { ...fromEnvironment((name) => `\${env:${name}}`), knows: new Set([...common, 'envFile']), keepsDefaults: false, says: 'neither' };
    case 'vscode': {
      const inputs: CodeInput[] = [];
      return {
        inputs, secret: (spot) => `\${input:${inputFor(spot, inputs)}}`, variable: (name) => `\${env:${name}}`,
        knows: new Set([...common, 'cwd', 'envFile']), keepsDefaults: false, says: 'both',
      };
    }
  }
}

/** VS Code asks for each once and keeps it. */
function inputFor({ server, field, key }: SecretSpot, inputs: CodeInput[]): string {
  const description = `${server}: ${field === key ? field : `${field} ${key}`}`;
  const known = inputs.find((input) => input.description === description);
  if (known) return known.id;
  const base = `${server}-${key}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '').toLowerCase() || 'secret';
  let id = base;
  for (let count = 2; inputs.some((input) => input.id === id); count++) id = `${base}-${String(count)}`;
  inputs.push({ type: 'promptString', id, description, password: true });
  return id;
}

function foreignEntry({ name: server, enabled, fields: raw }: ExportedServer, dialect: ForeignDialect, omitted: string[]): Entry | undefined {
  const leaveOut = (what: string): undefined => {
    if (!omitted.includes(`${server}: ${what}`)) omitted.push(`${server}: ${what}`);
  };
  // None of these programs documents a way to say so: the server would start.
  if (!enabled) return leaveOut('it is switched off');
  if (raw.socket !== undefined) return leaveOut('sockets are unknown there');
  if (raw.command === undefined && raw.url === undefined) return leaveOut('it has no command and no address');
  const fields = withoutLiterals(server, raw, omitted);
  const text = (field: string, value: string): string => foreignText(value, { server, field, key: field }, dialect, leaveOut);
  const values = (field: 'env' | 'headers', map: RawValues | undefined) =>
    Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key, foreignValue(value, { server, field, key }, dialect, leaveOut)]));
  for (const field of Object.keys(toFileFields(fields))) if (!silent.has(field) && ![...dialect.knows].some((known) => known === field)) leaveOut(field);
  const env = values('env', fields.env);
  if (fields.command !== undefined) {
    return {
      ...(dialect.says === 'both' ? { type: 'stdio' } : {}),
      command: text('command', fields.command),
      ...(fields.args && fields.args.length > 0 ? { args: fields.args.map((arg) => text('args', arg)) } : {}),
      ...(fields.cwd !== undefined && dialect.knows.has('cwd') ? { cwd: text('cwd', fields.cwd) } : {}),
      ...(Object.keys(env).length > 0 ? { env } : {}),
      ...(fields.envFile !== undefined && dialect.knows.has('envFile') ? { envFile: text('envFile', fields.envFile) } : {}),
    };
  }
  const headers = { ...bearerOf(fields, server, dialect, leaveOut), ...values('headers', fields.headers) };
  const type = fields.type === 'sse' ? 'sse' : dialect.says === 'neither' ? undefined : 'http';
  return { ...(type === undefined ? {} : { type }), url: text('url', fields.url ?? ''), ...(Object.keys(headers).length > 0 ? { headers } : {}) };
}
/** Carried in another form, or without meaning where the entry is used. */
const silent: ReadonlySet<string> = new Set(['enabled', 'type', 'bearerToken', 'bearerTokenEnv', 'auth']);

type LeaveOut = (what: string) => void;
function foreignValue(value: RawValue, spot: SecretSpot, dialect: ForeignDialect, leaveOut: LeaveOut): string {
  if (typeof value !== 'string' && 'plain' in value) return value.plain;
  if (typeof value === 'string' && (!value.startsWith('!') || value.startsWith('!!'))) return foreignText(value.replace(/^!!/, '!'), spot, dialect, leaveOut);
  // A reference, or a command that only Gatehouse runs.
  leaveOut(fieldPath(spot.field, spot.key));
  return dialect.secret(spot);
}

/** Variables as that program writes them; what only Gatehouse can fill in is a secret there. */
function foreignText(text: string, spot: SecretSpot, dialect: ForeignDialect, leaveOut: LeaveOut): string {
  return text
    .replace(/\$\{(?:secret|input):([^{}]+)\}/g, (_, name: string) => {
      const made = `mcp.${spot.server}.${spot.field}.`.replace(/[^A-Za-z0-9._-]/g, '_');
      const key = name.startsWith(made) ? name.slice(made.length) : name;
      leaveOut(`${spot.field}.${key}`);
      return `\0${dialect.secret({ ...spot, key })}\0`;
    })
    .split('\0')
    .map((part, index) => (index % 2 === 1 ? part : withVariables(part, dialect, leaveOut)))
    .join('');
}
const withVariables = (text: string, dialect: ForeignDialect, leaveOut: LeaveOut): string =>
  text.replace(/\$\{(?:env:)?([A-Za-z_]\w*)(:-[^{}]*)?\}|\$env:(\w+)|(?<!\$)\{env:(\w+)\}/g, (whole, ...groups: readonly unknown[]) => {
    const [braced, fallback, powershell, opencode] = groups.slice(0, 4).map((group) => (typeof group === 'string' ? group : undefined));
    const name = braced ?? powershell ?? opencode;
    // Places, not variables of the environment.
    if (name === undefined || /^(?:workspaceFolder|userHome|pathSeparator|workspaceFolderBasename)$/.test(name)) return whole;
    if (fallback === undefined) return dialect.variable(name);
    if (dialect.keepsDefaults) return `\${${name}${fallback}}`;
    leaveOut(`the default of ${name}`);
    return dialect.variable(name);
  });

function bearerOf(fields: RawFields, server: string, dialect: ForeignDialect, leaveOut: LeaveOut): Readonly<Record<string, string>> {
  const { bearerToken, bearerTokenEnv, headers, auth } = fields;
  const has = Object.keys(headers ?? {}).some((key) => key.toLowerCase() === 'authorization');
  if (has || auth === false || auth === 'oauth' || (bearerToken === undefined && bearerTokenEnv === undefined)) return {};
  const spot: SecretSpot = { server, field: 'bearerToken', key: 'bearerToken' };
  const token = bearerToken === undefined ? dialect.variable(bearerTokenEnv ?? '') : foreignValue(bearerToken, spot, dialect, leaveOut);
  return { Authorization: `Bearer ${token}` };
}

/**
 * With references in the place of everything that looks secret, under the names that it would have in the vault; where none can stand, a variable that
 * the reader must set.
 */
function withoutLiterals(server: string, fields: RawFields, omitted: string[]): RawFields {
  const literals = literalsOf(server, fields, 'global');
  for (const { field, key } of literals) omitted.push(`${server}: ${fieldPath(field, key)}`);
  const instead = ({ field, key, movable, suggestedKey, scope }: Literal): RawValue =>
    movable ? { secretRef: suggestedKey, scope } : `\${${variableName({ server, field, key })}}`;
  // The last first: places in an address count from its start.
  return literals.toReversed().reduce<RawFields>((safe, literal) => withReplaced(safe, literal, instead(literal)), fields);
}

/** A variable keeps its name; everything else gets one from the server's and its own. */
function variableName({ server, field, key }: SecretSpot): string {
  const own = field === 'env' || /^[A-Z][A-Z0-9_]{3,}$/.test(key);
  const wanted = own ? key : `${server}_${field === 'args' ? `ARG_${key}` : key}`;
  const name = wanted.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '').toUpperCase();
  return /^[A-Z_]/.test(name) ? name : `MCP_${name}`;
}
