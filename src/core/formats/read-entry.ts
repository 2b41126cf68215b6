import { UrlText, ServerName } from '../../shared/model/server-definition.ts';
import { ServerOptions } from '../../shared/model/server-options.ts';
import type { FoundEntry } from './containers.ts';
import { translate, type Cell } from './dialects.ts';
import { childOf, plainOf, textOf, type DocNode } from './document.ts';
import { joinPath, type Finding } from './issues.ts';
import type { RawEntry, RawField, RawFields } from './raw-entry.ts';
import { describe, nodeAt, readOAuth } from './read-oauth.ts';
import { ownVariables, RawValueShape, readValues, type ReadContext } from './read-values.ts';
import { allowsParts, isStrict, type SourceShape } from './shapes.ts';

type Writable = { -readonly [F in keyof RawFields]: RawFields[F] };
export interface ReadEntry {
  readonly entry?: Omit<RawEntry, 'place' | 'fieldPlaces'>;
  readonly findings: readonly Finding[];
  readonly fieldOffsets: Readonly<Partial<Record<RawField, number>>>;
}

const options = [
  'protocolVersion', 'limits', 'requestTimeoutMs', 'lifecycle', 'idleTimeout', 'required', 'approveTools', 'exposeResources', 'directTools', 'toolPrefix',
  'includeTools', 'excludeTools', 'retryOnTransportFailure', 'debug', 'trace', 'autoAuth',
] as const satisfies readonly (keyof typeof ServerOptions.shape & RawField)[];

/** The name that an entry has, usable or not. */
export const nameOf = ({ key, node }: FoundEntry): unknown => {
  if (key !== undefined && key.trim() !== '') return key;
  const inner = childOf(node, 'name');
  return inner ? plainOf(inner) : key;
};

/** One entry, alone. Anything wrong with it keeps it out and is said, with the place; what a warning names is left out or read as said. */
export function readEntry(found: FoundEntry, shape: SourceShape, windows = false): ReadEntry {
  const { node, path } = found;
  const findings: Finding[] = [];
  const given = nameOf(found);
  const name = ServerName.safeParse(given);
  const server = typeof given === 'string' ? given.trim().slice(0, 200) : undefined;
  const say = (finding: Finding) => void findings.push({ offset: found.offset, ...(server === undefined || server === '' ? {} : { server }), ...finding });
  const failed: ReadEntry = { findings, fieldOffsets: {} };
  if (node.kind !== 'object') {
    say({ code: 'invalid-shape', path, message: 'An entry must be an object' });
    return failed;
  }
  if (!name.success) {
    const problem = given === undefined || given === '' ? 'It has no name' : 'A name has 1 to 100 characters and no slash, backslash or control character';
    say({ code: 'invalid-name', path: found.key === undefined ? joinPath(path, 'name') : path, message: problem });
  }
  const { cells, implied, foreign, notes = [] } = translate(found, node, shape);
  for (const { at, message, offset } of notes) say({ code: 'invalid-option', severity: 'warning', path: joinPath(path, ...at), message, offset });
  if (foreign !== undefined) {
    say({ code: 'invalid-transport', severity: 'warning', path, message: `It cannot be used here: ${foreign}` });
    return failed;
  }
  const fields: Writable = {};
  const context: ReadContext = { say, lenient: !isStrict(shape), dollar: shape === 'gemini-cli', windows };
  readSwitches(cells, path, fields, context);
  readLaunch(cells, path, fields, context);
  readOptions(cells, path, fields, context);
  readAuth(cells, path, fields, context);
  if (found.off) fields.enabled = false;
  const whole: Writable = { ...implied, ...fields, ...mergedOAuth(implied, fields) };
  checkTransport(cells, whole, path, shape, context);
  if (!name.success || findings.some(({ severity }) => severity !== 'warning')) return failed;
  const offsetOf = (field: string) => (cells.get(field) ?? cells.get(elsewhere[field] ?? ''))?.offset ?? found.offset;
  return {
    entry: { name: name.data, fields: whole, ...(found.project === undefined ? {} : { project: found.project }) },
    findings,
    fieldOffsets: Object.fromEntries(Object.keys(whole).map((field) => [field, offsetOf(field)])),
  };
}

/** Fields that also stand under another name. */
const elsewhere: Readonly<Partial<Record<string, string>>> = { enabled: 'disabled', oauth: 'auth' };

const mergedOAuth = (implied: RawFields, fields: RawFields): Pick<RawFields, 'oauth'> =>
  implied.oauth && fields.oauth ? { oauth: { ...implied.oauth, ...fields.oauth } } : {};

/** F-17: only a literal `true` disables. */
function readSwitches(cells: ReadonlyMap<string, Cell>, path: string, fields: Writable, { say }: ReadContext): void {
  for (const [name, on] of [['enabled', true], ['disabled', false]] as const) {
    const cell = cells.get(name);
    if (!cell) continue;
    const value = cell.node.kind === 'scalar' ? cell.node.value : undefined;
    if (typeof value === 'boolean') fields.enabled = fields.enabled === false ? false : value === on;
    else {
      const message = `${name} must be true or false; it switches nothing`;
      say({ code: 'invalid-option', severity: 'warning', path: joinPath(path, ...cell.at), message, offset: cell.offset });
    }
  }
}

function readLaunch(cells: ReadonlyMap<string, Cell>, path: string, fields: Writable, context: ReadContext): void {
  const own = (value: string) => (context.dollar ? ownVariables(value) : value);
  const text = (field: 'command' | 'cwd' | 'envFile' | 'socket', code: Finding['code']) => {
    const cell = cells.get(field);
    if (!cell) return;
    const value = textOf(cell.node);
    if (value !== undefined && value.trim() !== '' && !value.includes('\0')) fields[field] = own(field === 'command' ? value.trim() : value);
    else context.say({ code, path: joinPath(path, ...cell.at), message: `${field} must be text`, offset: cell.offset });
  };
  text('command', 'missing-command');
  text('cwd', 'invalid-option');
  text('envFile', 'invalid-option');
  text('socket', 'invalid-transport');
  const url = cells.get('url');
  if (url) {
    const value = own(textOf(url.node)?.trim() ?? '');
    if (value === '') context.say({ code: 'missing-url', path: joinPath(path, ...url.at), message: 'url must be an address', offset: url.offset });
    else if (UrlText.safeParse(value).success) fields.url = value;
    else context.say({ code: 'invalid-url', path: joinPath(path, ...url.at), message: 'url must be an http or https address', offset: url.offset });
  }
  readArgs(cells.get('args'), path, fields, context);
  for (const kind of ['env', 'headers'] as const) {
    const cell = cells.get(kind);
    const values = cell ? readValues(cell.node, joinPath(path, ...cell.at), kind, context) : undefined;
    if (values) fields[kind] = values;
  }
}

function readArgs(cell: Cell | undefined, path: string, fields: Writable, { say, lenient, dollar }: ReadContext): void {
  if (!cell) return;
  const at = joinPath(path, ...cell.at);
  if (cell.node.kind !== 'array') {
    say({ code: 'invalid-args', path: at, message: 'args must be a list of texts', offset: cell.offset });
    return;
  }
  const { first = 0 } = cell;
  const read = cell.node.items.map((item: DocNode, index): string | undefined => {
    const value = item.kind === 'scalar' ? item.value : undefined;
    const where = { code: 'invalid-args', path: joinPath(at, index + first), offset: item.offset } as const;
    if (typeof value === 'string' && value !== '' && !value.includes('\0')) return dollar ? ownVariables(value) : value;
    if (lenient && (typeof value === 'number' || typeof value === 'boolean')) {
      say({ ...where, severity: 'warning', message: `A ${typeof value} is read as text` });
      return String(value);
    }
    say({ ...where, message: value === '' ? 'An argument cannot be empty' : 'An argument must be text' });
    return undefined;
  });
  fields.args = read.filter((arg) => arg !== undefined);
}

function readOptions(cells: ReadonlyMap<string, Cell>, path: string, fields: Writable, { say, lenient }: ReadContext): void {
  for (const option of options) {
    const cell = cells.get(option);
    if (!cell) continue;
    const parsed = ServerOptions.shape[option].safeParse(plainOf(cell.node));
    if (parsed.success) Object.assign(fields, { [option]: parsed.data });
    else {
      const [issue] = parsed.error.issues;
      const below = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
      const message = `${joinPath(option, ...below)} ${issue ? describe(issue) : 'has a form that it may not have'}`;
      const offset = below.length > 0 ? nodeAt(cell.node, below).offset : cell.offset;
      say({ code: 'invalid-option', severity: lenient ? 'warning' : 'error', path: joinPath(path, ...cell.at, ...below), message, offset });
    }
  }
}

function readAuth(cells: ReadonlyMap<string, Cell>, path: string, fields: Writable, context: ReadContext): void {
  const severity = context.lenient ? 'warning' : 'error';
  const refuse = (cell: Cell, message: string) =>
    context.say({ code: 'invalid-option', severity, path: joinPath(path, ...cell.at), message, offset: cell.offset });
  const auth = cells.get('auth');
  // Cursor keeps its OAuth client here.
  const oauth = cells.get('oauth') ?? (auth?.node.kind === 'object' ? auth : undefined);
  if (auth && auth !== oauth) {
    const value = plainOf(auth.node);
    if (value === 'bearer' || value === 'oauth' || value === false) fields.auth = value;
    else refuse(auth, 'auth must be "bearer", "oauth" or false');
  }
  if (oauth) {
    const read = readOAuth(oauth.node, joinPath(path, ...oauth.at), context);
    if (read !== undefined) fields.oauth = read;
  }
  const token = cells.get('bearerToken');
  if (token) {
    const parsed = RawValueShape.safeParse(plainOf(token.node));
    if (parsed.success && parsed.data !== '') fields.bearerToken = parsed.data;
    else refuse(token, 'bearerToken must be text or { secretRef, scope }');
  }
  const variable = cells.get('bearerTokenEnv');
  if (variable) {
    const value = textOf(variable.node)?.trim() ?? '';
    if (value !== '') fields.bearerTokenEnv = value;
    else refuse(variable, 'bearerTokenEnv must be the name of a variable');
  }
}

const transports: Readonly<Record<string, 'stdio' | 'sse' | 'streamable-http' | 'socket'>> = {
  stdio: 'stdio', sse: 'sse', http: 'streamable-http', streamablehttp: 'streamable-http', socket: 'socket',
};

/** Exactly one of command, url and socket, and the transport that fits it. A url alone keeps its type open: Streamable HTTP with SSE fallback. */
function checkTransport(cells: ReadonlyMap<string, Cell>, fields: Writable, path: string, shape: SourceShape, { say }: ReadContext): void {
  const cell = cells.get('type');
  const at = cell ? joinPath(path, ...cell.at) : path;
  const offset = cell ? { offset: cell.offset } : {};
  const wrong = (code: Finding['code'], message: string) => say({ code, path: at, message, ...offset });
  const given = cell ? (textOf(cell.node) ?? '') : undefined;
  const key = given?.trim().toLowerCase().replaceAll(/[-_ ]/g, '');
  const type = key !== undefined && Object.hasOwn(transports, key) ? transports[key] : undefined;
  if (given !== undefined && type === undefined) return wrong('invalid-transport', 'The transport must be stdio, sse, http or streamable-http');
  const ways = (['command', 'url', 'socket'] as const).filter((way) => cells.has(way));
  if (ways.length > 1) return wrong('invalid-transport', `It has ${ways.join(' and ')}; only one of command, url and socket may stand there`);
  if (ways.length === 0) {
    if (type === 'stdio') return wrong('missing-command', 'stdio needs a command');
    if (type === 'socket') return wrong('invalid-transport', 'A socket needs its path');
    if (type !== undefined) return wrong('missing-url', 'The transport needs a url');
    const said = Object.keys(fields).length > 0 || cells.size > 0;
    const onlySwitch = cells.size > 0 && [...cells.keys()].every((name) => name === 'enabled' || name === 'disabled');
    if ((said && allowsParts(shape)) || (onlySwitch && shape === 'gatehouse-toml')) return;
    // Without a transport and a url, TOML means stdio.
    if (shape === 'gatehouse-toml' || shape === 'harnessd') return wrong('missing-command', 'stdio needs a command');
    return wrong('invalid-transport', 'It has neither command, url nor socket');
  }
  const [way] = ways;
  if (type === 'stdio' && way !== 'command') return wrong('missing-command', `stdio needs a command, and it has a ${way ?? ''}`);
  if ((type === 'sse' || type === 'streamable-http') && way !== 'url') return wrong('missing-url', `${type} needs a url, and it has a ${way ?? ''}`);
  if (type === 'socket' && way !== 'socket') return wrong('invalid-transport', 'A socket needs its path');
  if (type !== undefined && type !== 'socket') fields.type = type;
}
