import type { ExportShape } from '../../shared/model/exchange.ts';
import { literalsOf, withReplaced, type Literal } from './literals.ts';
import type { RawFields, RawValue, RawValues } from './raw-entry.ts';
import { toFileFields } from './file-fields.ts';

export interface ExportedServer {
  readonly name: string;
  readonly enabled: boolean;
  readonly fields: RawFields;
}
export interface Exported {
  readonly text: string;
  readonly fileName: string;
  /** What is not in the text, each in words: a secret that its reader must fill in, an option or a server that the other program does not know. */
  readonly omitted: readonly string[];
}
const fileNames: Readonly<Record<ExportShape, string>> = { gatehouse: 'gatehouse-mcp.json', claude: 'claude-mcp.json', vscode: 'vscode-mcp.json', cursor: 'cursor-mcp.json' };

/** A file for another machine or program. No secret value is in it, whatever the entries hold: a reference of Gatehouse's own stays, other programs get a variable or an input in its place. */
export function writeShape(servers: readonly ExportedServer[], shape: ExportShape): Exported {
  const omitted: string[] = [];
  const writer = shape === 'gatehouse' ? new GatehouseWriter() : shape === 'vscode' ? new CodeWriter() : new ClaudeWriter(shape);
  const written = servers.flatMap((server) => {
    const entry = writer.entry(server, omitted);
    return entry ? [[server.name, entry] as const] : [];
  });
  return { text: `${JSON.stringify(writer.file(Object.fromEntries(written)), null, 2)}\n`, fileName: fileNames[shape], omitted };
}

type Entry = Readonly<Record<string, unknown>>;
interface Writer {
  entry(server: ExportedServer, omitted: string[]): Entry | undefined;
  file(entries: Readonly<Record<string, Entry>>): unknown;
}

/** References stay; what stands in the open is left out as a reference that names where it can be put. */
class GatehouseWriter implements Writer {
  entry({ name, enabled, fields }: ExportedServer, omitted: string[]): Entry {
    const safe = withoutLiterals(name, fields, omitted, (literal) => (literal.movable ? { secretRef: literal.suggestedKey, scope: literal.scope } : undefined));
    return { ...(safe.enabled === undefined && enabled ? {} : { enabled }), ...toFileFields({ ...safe, enabled: undefined }) };
  }
  file(entries: Readonly<Record<string, Entry>>): unknown {
    return { mcpServers: entries };
  }
}

/** Claude and Cursor: variables of the environment, in each one's way of writing them. */
class ClaudeWriter implements Writer {
  readonly #shape: 'claude' | 'cursor';
  constructor(shape: 'claude' | 'cursor') {
    this.#shape = shape;
  }
  entry(server: ExportedServer, omitted: string[]): Entry | undefined {
    const variable = (name: string) => (this.#shape === 'cursor' ? `\${env:${name}}` : `\${${name}}`);
    const translate = (text: string) =>
      this.#shape === 'cursor'
        ? text.replace(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}|\$env:(\w+)|\{env:(\w+)\}/g, (whole, ...names: (string | undefined)[]) => (whole.startsWith('${env:') ? whole : variable(names.slice(0, 3).find((one) => one !== undefined) ?? '')))
        : text.replace(/\$\{env:(\w+)\}|\$env:(\w+)|(?<!\$)\{env:(\w+)\}/g, (_, ...names: (string | undefined)[]) => variable(names.slice(0, 3).find((one) => one !== undefined) ?? ''));
    return foreignEntry(server, omitted, { secret: ({ field, key }) => variable(variableName(server.name, field, key)), text: translate, saysDisabled: this.#shape === 'cursor' });
  }
  file(entries: Readonly<Record<string, Entry>>): unknown {
    return { mcpServers: entries };
  }
}

/** VS Code asks for each secret once, by an input of type `promptString`. */
class CodeWriter implements Writer {
  readonly #inputs: { readonly type: 'promptString'; readonly id: string; readonly description: string; readonly password: true }[] = [];
  entry(server: ExportedServer, omitted: string[]): Entry | undefined {
    const secret = ({ field, key }: { readonly field: string; readonly key: string }) => {
      const base = `${server.name}-${key === '' ? field : key}`.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^-+|-+$/g, '');
      let id = base;
      for (let count = 2; this.#inputs.some((input) => input.id === id); count++) id = `${base}-${String(count)}`;
      this.#inputs.push({ type: 'promptString', id, description: `${server.name}: ${key === '' ? field : key}`, password: true });
      return `\${input:${id}}`;
    };
    const text = (value: string) => value.replace(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}|\$env:(\w+)|(?<!\$)\{env:(\w+)\}/g, (_, ...names: (string | undefined)[]) => `\${env:${names.slice(0, 3).find((one) => one !== undefined) ?? ''}}`);
    return foreignEntry(server, omitted, { secret, text, saysDisabled: false, needsType: true });
  }
  file(entries: Readonly<Record<string, Entry>>): unknown {
    return { ...(this.#inputs.length > 0 ? { inputs: this.#inputs } : {}), servers: entries };
  }
}

interface Dialect {
  /** What stands for a secret of this field. */
  readonly secret: (of: { readonly field: string; readonly key: string }) => string;
  /** Variables as that program writes them. */
  readonly text: (text: string) => string;
  readonly saysDisabled: boolean;
  readonly needsType?: boolean;
}

function foreignEntry({ name, enabled, fields: raw }: ExportedServer, omitted: string[], dialect: Dialect): Entry | undefined {
  if (!enabled && !dialect.saysDisabled) {
    omitted.push(`${name}: it is switched off`);
    return undefined;
  }
  const fields = withoutLiterals(name, raw, omitted, (literal) => (literal.movable ? dialect.secret(literal) : undefined));
  if (fields.socket !== undefined || (fields.command === undefined && fields.url === undefined)) {
    omitted.push(`${name}: ${fields.socket === undefined ? 'it has no command and no url' : 'a socket is unknown there'}`);
    return undefined;
  }
  const values = (map: RawValues | undefined, field: string) =>
    map && Object.keys(map).length > 0 ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, valueText(value, { field, key }, name, omitted, dialect)] as const).filter(([, value]) => value !== undefined)) : undefined;
  const headers = { ...values(fields.headers, 'headers'), ...bearer(fields, name, omitted, dialect) };
  for (const option of Object.keys(fields)) if (!carried.has(option)) omitted.push(`${name}: ${option}`);
  const common = dialect.saysDisabled && !enabled ? { disabled: true } : {};
  if (fields.command !== undefined) {
    return {
      ...(dialect.needsType ? { type: 'stdio' } : {}),
      command: dialect.text(fields.command),
      ...(fields.args && fields.args.length > 0 ? { args: fields.args.map(dialect.text) } : {}),
      ...(fields.cwd === undefined ? {} : { cwd: dialect.text(fields.cwd) }),
      ...(fields.env && Object.keys(fields.env).length > 0 ? { env: values(fields.env, 'env') } : {}),
      ...(fields.envFile === undefined ? {} : { envFile: dialect.text(fields.envFile) }),
      ...common,
    };
  }
  const type = fields.type === 'sse' ? 'sse' : fields.type !== undefined || dialect.needsType ? 'http' : undefined;
  return { ...(type === undefined ? {} : { type }), url: dialect.text(fields.url ?? '').replace(/\$\{secret:([\w.-]+)\}/g, (_, key: string) => dialect.secret({ field: 'url', key })), ...(Object.keys(headers).length > 0 ? { headers } : {}), ...common };
}
const carried = new Set(['command', 'args', 'cwd', 'env', 'envFile', 'url', 'type', 'headers', 'enabled', 'bearerToken', 'bearerTokenEnv', 'auth']);

/** What only Gatehouse runs or reads (`!command`, `${secret:…}`) becomes a variable too. */
function valueText(value: RawValue, of: { readonly field: string; readonly key: string }, name: string, omitted: string[], dialect: Dialect): string | undefined {
  if (typeof value !== 'string') {
    if ('plain' in value) return value.plain;
    omitted.push(`${name}: ${of.field}.${of.key}`);
    return dialect.secret(of);
  }
  if (/\$\{secret:/.test(value) || (value.startsWith('!') && !value.startsWith('!!'))) {
    omitted.push(`${name}: ${of.field}.${of.key}`);
    return dialect.secret(of);
  }
  return dialect.text(value.startsWith('!!') ? value.slice(1) : value);
}

function bearer({ bearerToken, bearerTokenEnv, headers, auth, url }: RawFields, name: string, omitted: string[], dialect: Dialect): Readonly<Record<string, string>> {
  const named = Object.keys(headers ?? {}).some((key) => key.toLowerCase() === 'authorization');
  if (url === undefined || named || auth === false || auth === 'oauth') return {};
  if (bearerToken !== undefined) {
    const token = valueText(bearerToken, { field: 'bearerToken', key: 'bearerToken' }, name, omitted, dialect);
    return token === undefined ? {} : { Authorization: `Bearer ${token}` };
  }
  return bearerTokenEnv === undefined ? {} : { Authorization: `Bearer ${dialect.text(`\${${bearerTokenEnv}}`)}` };
}

/** With something else in the place of everything that looks secret; an argument that cannot be replaced goes as a variable that nobody has set. */
function withoutLiterals(name: string, fields: RawFields, omitted: string[], instead: (literal: Literal) => RawValue | undefined): RawFields {
  return literalsOf(name, fields, 'global').toReversed().reduce<RawFields>((safe, literal) => {
    const { field, key } = literal;
    omitted.push(`${name}: ${field}${key === '' || field.endsWith(key) ? '' : `.${key}`}`);
    return withReplaced(safe, literal, instead(literal) ?? `\${${variableName(name, field, key)}}`);
  }, fields);
}

/** `GITHUB_TOKEN` for what has a name of its own; else made of the server's name. */
function variableName(server: string, field: string, key: string): string {
  const own = field === 'env' || /^[A-Z][A-Z0-9_]{3,}$/.test(key);
  const name = (own ? key : `${server}_${field === key || key === '' ? field : key}`).replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '').toUpperCase();
  return /^[A-Z_]/.test(name) ? name : `MCP_${name}`;
}
