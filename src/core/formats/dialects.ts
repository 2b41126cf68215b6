import { childOf, textOf, type DocNode, type DocObject, type DocScalar } from './document.ts';
import type { FoundEntry } from './containers.ts';
import type { RawFields } from './raw-entry.ts';
import type { SourceShape } from './shapes.ts';

/** One field of an entry by Gatehouse's name, and where it stands by the file's own. */
export interface Cell {
  readonly node: DocNode;
  readonly at: readonly (string | number)[];
  readonly offset: number;
  /** Which item of the file's list the first of `node` is. */
  readonly first?: number;
}
export interface Translated {
  readonly cells: ReadonlyMap<string, Cell>;
  /** What follows from fields that Gatehouse has under no name of its own. The entry's own fields win. */
  readonly implied: RawFields;
  /** Why only the other program can start it. */
  readonly foreign?: string;
  /** What that program would do with a value, and Gatehouse does not. */
  readonly notes?: readonly { readonly at: readonly (string | number)[]; readonly message: string; readonly offset: number }[];
}

/**
 * Names of one thing in all files that are read; of several in one entry the first of this list counts. What lets tools run unasked (`trust`,
 * `autoApprove`, `alwaysAllow`) is left behind: approval is a person's here.
 */
const names: Readonly<Record<string, string>> = {
  type: 'type', transport: 'type', transportType: 'type',
  command: 'command', args: 'args', cwd: 'cwd', env: 'env', environment: 'env', envFile: 'envFile',
  url: 'url', serverUrl: 'url', httpUrl: 'url', headers: 'headers', socket: 'socket',
  enabled: 'enabled', disabled: 'disabled',
  auth: 'auth', bearerToken: 'bearerToken', bearerTokenEnv: 'bearerTokenEnv', oauth: 'oauth', autoAuth: 'autoAuth',
  protocolVersion: 'protocolVersion', limits: 'limits', requestTimeoutMs: 'requestTimeoutMs', lifecycle: 'lifecycle', idleTimeout: 'idleTimeout',
  required: 'required',
  approveTools: 'approveTools', exposeResources: 'exposeResources', directTools: 'directTools', toolPrefix: 'toolPrefix',
  includeTools: 'includeTools', excludeTools: 'excludeTools', disabledTools: 'excludeTools',
  retryOnTransportFailure: 'retryOnTransportFailure', debug: 'debug', trace: 'trace',
  // Codex
  bearer_token: 'bearerToken', bearer_token_env_var: 'bearerTokenEnv', http_headers: 'headers',
  enabled_tools: 'includeTools', disabled_tools: 'excludeTools',
};
/** Names that mean this only in goose's files. */
const gooseNames: Readonly<Record<string, string>> = { cmd: 'command', uri: 'url', envs: 'env', available_tools: 'includeTools' };
type Dialect = 'common' | 'goose' | 'opencode' | 'zed' | 'codex';
const namesOf: Readonly<Record<Dialect, readonly (readonly [key: string, name: string])[]>> = {
  common: Object.entries(names),
  opencode: Object.entries(names),
  zed: Object.entries(names),
  codex: Object.entries(names),
  goose: Object.entries({ ...gooseNames, ...names }),
};

function dialectOf({ container }: FoundEntry, shape: SourceShape): Dialect {
  if (container === 'mcp') return 'opencode';
  if (container === 'context_servers') return 'zed';
  if (container === 'extensions') return 'goose';
  return shape === 'codex' || container === 'mcp_servers' ? 'codex' : 'common';
}

export function translate(found: FoundEntry, entry: DocObject, shape: SourceShape): Translated {
  const dialect = dialectOf(found, shape);
  // Older goose files keep what is to be run in `config`.
  const inner = dialect === 'goose' ? childOf(entry, 'config') : undefined;
  const cells = new Map<string, Cell>();
  if (inner?.kind === 'object') collect(inner, dialect, ['config'], cells);
  collect(entry, dialect, [], cells);
  switch (dialect) {
    case 'opencode':
      return fromOpencode(entry, cells);
    case 'zed':
      return fromZed(entry, cells);
    case 'goose':
      return fromGoose(inner?.kind === 'object' ? inner : entry, cells);
    case 'codex':
      return fromCodex(entry, cells);
    case 'common':
      return fromCommon(entry, cells, shape);
  }
}

function collect(entry: DocObject, dialect: Dialect, at: readonly string[], cells: Map<string, Cell>): void {
  for (const [key, name] of namesOf[dialect]) {
    const member = cells.has(name) ? undefined : entry.members.find((one) => one.key === key);
    if (member) cells.set(name, { node: member.value, at: [...at, key], offset: member.offset });
  }
}

/** `"command": ["npx", "-y", "x"]` */
function splitCommand(cells: Map<string, Cell>): void {
  const cell = cells.get('command');
  if (cell?.node.kind !== 'array') return;
  const [program, ...rest] = cell.node.items;
  if (!program) return;
  cells.set('command', { ...cell, node: program, at: [...cell.at, 0] });
  const own = cells.get('args')?.node;
  cells.set('args', { ...cell, first: 1, node: { kind: 'array', offset: cell.offset, items: [...rest, ...(own?.kind === 'array' ? own.items : [])] } });
}

/** V1: `local` with an array for its command, or `remote` with a url. */
function fromOpencode(entry: DocObject, cells: Map<string, Cell>): Translated {
  splitCommand(cells);
  const type = textOf(cells.get('type')?.node);
  if (type === 'local') replace(cells, 'type', 'stdio');
  // `remote` tries Streamable HTTP and then SSE, as a url without a type does.
  if (type === 'remote' && cells.has('url')) cells.delete('type');
  else if (type === 'remote') replace(cells, 'type', 'http');
  const timeout = positive(childOf(entry, 'timeout'));
  const notes = ['env', 'headers'].flatMap((name) => {
    const cell = cells.get(name);
    const members = cell?.node.kind === 'object' ? cell.node.members : [];
    const files = members.filter(({ value }) => /\{file:[^}]*\}/.test(textOf(value) ?? ''));
    return files.map(({ key, offset }) => ({ at: [...(cell?.at ?? []), key], message: '{file:…} is not read and stays as text', offset }));
  });
  return { cells, notes, implied: timeout === undefined ? {} : { limits: { handshakeMs: atMost(timeout, 600_000) } } };
}

/** Both of its forms: `command: { path, args, env }`, and the fields beside it. */
function fromZed(entry: DocObject, cells: Map<string, Cell>): Translated {
  const command = cells.get('command');
  if (command?.node.kind === 'object') {
    cells.delete('command');
    for (const [key, name] of [['path', 'command'], ['args', 'args'], ['env', 'env']] as const) {
      const node = childOf(command.node, key);
      if (node && !isNull(node)) cells.set(name, { node, at: ['command', key], offset: node.offset });
    }
  }
  dropNull(cells, 'env');
  const own = command !== undefined || cells.has('url');
  if (command && !cells.has('command')) cells.set('command', command);
  return { cells, implied: {}, ...(own ? {} : { foreign: 'an extension of Zed starts it' }) };
}

function fromGoose(entry: DocObject, cells: Map<string, Cell>): Translated {
  const type = textOf(cells.get('type')?.node);
  const own = type !== undefined && ['builtin', 'platform', 'frontend', 'inline_python'].includes(type);
  const values: Record<string, string> = {};
  const keys = childOf(entry, 'env_keys');
  // goose looks these up in its keyring or its environment; the person's environment is what Gatehouse can reach.
  if (keys?.kind === 'array') for (const item of keys.items) if (isVariable(textOf(item))) values[textOf(item) ?? ''] = `\${${textOf(item) ?? ''}}`;
  const env = cells.get('env');
  if (env?.node.kind === 'object' && Object.keys(values).length > 0) {
    const given = new Set(env.node.members.map(({ key }) => key));
    const added = Object.entries(values).filter(([key]) => !given.has(key));
    const members = added.map(([key, value]) => ({ key, offset: env.offset, value: made(value, env.offset) }));
    cells.set('env', { ...env, node: { ...env.node, members: [...env.node.members, ...members] } });
  }
  const timeout = positive(childOf(entry, 'timeout'));
  return {
    cells,
    implied: { ...(Object.keys(values).length > 0 ? { env: values } : {}), ...seconds(timeout) },
    ...(own ? { foreign: 'it is a part of goose' } : {}),
  };
}

function fromCodex(entry: DocObject, cells: Map<string, Cell>): Translated {
  const startMs = positive(childOf(entry, 'startup_timeout_ms')) ?? times1000(positive(childOf(entry, 'startup_timeout_sec')));
  const fromEnvironment = childOf(entry, 'env_http_headers');
  const headers: Record<string, string> = {};
  if (fromEnvironment?.kind === 'object') {
    for (const { key, value } of fromEnvironment.members) if (isVariable(textOf(value))) define(headers, key, `\${${textOf(value) ?? ''}}`);
  }
  const own = cells.get('headers');
  if (own?.node.kind === 'object' && Object.keys(headers).length > 0) {
    const members = Object.entries(headers).map(([key, value]) => ({ key, offset: own.offset, value: made(value, own.offset) }));
    cells.set('headers', { ...own, node: { ...own.node, members: [...own.node.members.filter(({ key }) => !Object.hasOwn(headers, key)), ...members] } });
  }
  const scopes = childOf(entry, 'scopes');
  const scope = scopes?.kind === 'array' ? scopes.items.flatMap((item) => textOf(item) ?? []).join(' ') : '';
  return {
    cells,
    implied: {
      ...(startMs === undefined ? {} : { limits: { handshakeMs: atMost(startMs, 600_000) } }),
      ...seconds(positive(childOf(entry, 'tool_timeout_sec'))),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(scope === '' ? {} : { oauth: { scope } }),
    },
  };
}

function fromCommon(entry: DocObject, cells: Map<string, Cell>, shape: SourceShape): Translated {
  const http = entry.members.find(({ key }) => key === 'httpUrl');
  if (http && (shape === 'gemini-cli' || cells.get('url')?.node === http.value)) {
    const cell = { node: http.value, at: ['httpUrl'], offset: http.offset };
    cells.set('url', cell);
    if (!cells.has('type')) cells.set('type', { ...cell, node: made('streamable-http', http.offset) });
  }
  const timeout = positive(childOf(entry, 'timeout'));
  switch (shape) {
    case 'gemini-cli': {
      const url = cells.get('url');
      if (url && !cells.has('type') && !cells.has('command')) cells.set('type', { ...url, node: made('sse', url.offset) });
      return { cells, implied: milliseconds(timeout) };
    }
    case 'cline':
      return { cells, implied: seconds(timeout) };
    case 'claude-code':
      return { cells, implied: milliseconds(timeout) };
    default:
      return { cells, implied: {} };
  }
}

const made = (value: string, offset: number): DocScalar => ({ kind: 'scalar', value, offset });
const isNull = (node: DocNode): boolean => node.kind === 'scalar' && node.value === null;
const isVariable = (name: string | undefined): name is string => name !== undefined && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
const positive = (node: DocNode | undefined): number | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'number' && node.value > 0 ? node.value : undefined;
const times1000 = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);
const atMost = (value: number, most: number): number => Math.max(1, Math.min(Math.round(value), most));
const milliseconds = (value: number | undefined): RawFields => (value === undefined ? {} : { requestTimeoutMs: atMost(value, 3_600_000) });
const seconds = (value: number | undefined): RawFields => milliseconds(times1000(value));
/** `__proto__` too is a plain key. */
const define = (map: Record<string, string>, key: string, value: string): void =>
  void Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });

function replace(cells: Map<string, Cell>, name: string, value: string): void {
  const cell = cells.get(name);
  if (cell) cells.set(name, { ...cell, node: made(value, cell.offset) });
}
function dropNull(cells: Map<string, Cell>, name: string): void {
  const cell = cells.get(name);
  if (cell && isNull(cell.node)) cells.delete(name);
}
