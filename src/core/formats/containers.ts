import { importKinds } from '../../shared/model/exchange.ts';
import { childOf, memberOf, plainOf, textOf, type DocMember, type DocNode, type DocObject } from './document.ts';
import { joinPath, type Say } from './issues.ts';
import type { RawInput } from './raw-entry.ts';
import { containersOf, type Container, type SourceShape } from './shapes.ts';

/** An entry before it is read. */
export interface FoundEntry {
  /** Its key in a map; absent in a list. */
  readonly key?: string;
  /** Its place in a list, from 0. */
  readonly index?: number;
  readonly node: DocNode;
  readonly offset: number;
  readonly path: string;
  readonly container: Container | 'list';
  /** Its file switches it off elsewhere than in the entry. */
  readonly off?: true;
  readonly project?: string;
}
export interface Contents {
  readonly found: readonly FoundEntry[];
  /** Servers should stand here and something else does. */
  readonly misshapen: boolean;
  readonly enabled?: boolean;
  readonly imports: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly inputs: readonly RawInput[];
}

const nothing = { found: [], imports: [], settings: {}, inputs: [] };

export function contentsOf(root: DocNode, shape: SourceShape, file: string, say: Say): Contents {
  if (root.kind === 'array' && (shape === 'environment' || shape === 'any')) return { ...nothing, found: fromList(root.items, ''), misshapen: false };
  if (root.kind !== 'object' || shape === 'environment') {
    const wanted = shape === 'environment' ? 'a JSON array of servers' : 'an object';
    say({ code: 'invalid-shape', path: '', message: `${file} must hold ${wanted}`, offset: root.offset });
    return { ...nothing, misshapen: true };
  }
  const found: FoundEntry[] = [];
  let enabled: boolean | undefined;
  let misshapen = false;
  let keyed = false;
  for (const container of containersOf[shape]) {
    // Only what has none of the other keys is taken for these.
    if ((container === 'bare' || (container === 'extensions' && shape === 'any')) && keyed) continue;
    const part = read(container, root, shape, file, say);
    keyed ||= part.keyed !== false;
    found.push(...part.found);
    enabled ??= part.enabled;
    misshapen ||= part.misshapen === true;
  }
  if (shape === 'gatehouse' || shape === 'gatehouse-toml') enabled ??= booleanOf(childOf(root, mapSwitch)) ?? switchOf(childOf(root, 'mcp'));
  return {
    found,
    misshapen,
    ...(enabled === undefined ? {} : { enabled }),
    imports: importsOf(memberOf(root, 'imports'), say),
    settings: settingsOf(childOf(root, 'settings')),
    inputs: inputsOf(childOf(root, 'inputs') ?? childOf(childOf(root, 'mcp'), 'inputs')),
  };
}

interface Part {
  readonly found: readonly FoundEntry[];
  readonly enabled?: boolean | undefined;
  readonly misshapen?: true;
  /** There is no such key. */
  readonly keyed?: false;
}
/** The scope's switch of a file whose servers are a map: a key of the file itself. */
const mapSwitch = 'mcpEnabled';

function read(container: Container, root: DocObject, shape: SourceShape, file: string, say: Say): Part {
  if (container === 'bare') return { found: bareEntries(root, shape), keyed: false };
  const member = memberOf(root, container);
  // A bare map may hold a server called `servers` or `mcp`.
  if (!member || looksLikeEntry(member.value)) return { found: [], keyed: false };
  if (root.members.filter(({ key }) => key === container).length > 1) {
    say({ code: 'invalid-shape', severity: 'warning', path: container, message: `${container} stands there twice; the last counts`, offset: member.offset });
  }
  switch (container) {
    case 'mcpServers':
    case 'mcp-servers':
      return servers(member, container, root, shape, file, say);
    case 'servers':
      return member.value.kind === 'array'
        ? { found: fromList(member.value.items, 'servers'), enabled: switchOf(root) }
        : servers(member, container, root, shape, file, say);
    case 'mcp': {
      const inner = memberOf(member.value, 'servers');
      if (inner?.value.kind === 'object') return { found: fromMap(inner.value, 'mcp.servers', 'mcp.servers') };
      return opencode(member, shape, file, say);
    }
    case 'projects':
      return { found: projects(member.value) };
    case 'mcp_servers':
    case 'extensions':
      if (member.value.kind === 'array') return { found: fromList(member.value.items, container, container) };
      return member.value.kind === 'object' ? { found: fromMap(member.value, container, container) } : mustBe(member, container, file, say);
    case 'mcp.servers':
    case 'context_servers':
      return member.value.kind === 'object' ? { found: fromMap(member.value, container, container) } : mustBe(member, container, file, say);
  }
}

/** A map of entries, or Fusion's `{ enabled, servers: [] }`. Gemini CLI's `mcp` beside it may leave some of them out. */
function servers(member: DocMember, container: Container, root: DocObject, shape: SourceShape, file: string, say: Say): Part {
  if (member.value.kind !== 'object') return mustBe(member, container, file, say);
  const enabled = switchOf(member.value);
  const list = childOf(member.value, 'servers');
  if (list?.kind === 'array') return { enabled, found: fromList(list.items, `${container}.servers`) };
  const entries = enabled === undefined ? member.value : { ...member.value, members: member.value.members.filter(({ key }) => key !== 'enabled') };
  const found = fromMap(entries, container, container);
  if (shape !== 'gemini-cli') return { enabled, found };
  const names = (key: string) => {
    const node = childOf(childOf(root, 'mcp'), key);
    return node?.kind === 'array' ? node.items.flatMap((item) => textOf(item) ?? []) : undefined;
  };
  const allowed = names('allowed');
  const excluded = names('excluded') ?? [];
  const off = ({ key = '' }: FoundEntry) => excluded.includes(key) || (allowed !== undefined && !allowed.includes(key));
  return { enabled, found: found.map((entry) => (off(entry) ? { ...entry, off: true } : entry)) };
}

function opencode(member: DocMember, shape: SourceShape, file: string, say: Say): Part {
  if (member.value.kind !== 'object') return shape === 'opencode' ? mustBe(member, 'mcp', file, say) : { found: [], keyed: false };
  // Elsewhere `mcp` also holds what are no servers: Gemini CLI's lists, Gatehouse's own switch.
  if (shape === 'opencode') return { found: fromMap(member.value, 'mcp', 'mcp') };
  const members = member.value.members.filter(({ value }) => value.kind === 'object');
  return { found: fromMap({ ...member.value, members }, 'mcp', 'mcp'), ...(members.length > 0 ? {} : { keyed: false }) };
}

function mustBe(member: DocMember, container: string, file: string, say: Say): Part {
  say({ code: 'invalid-shape', path: container, message: `${container} of ${file} must be an object`, offset: member.offset });
  return { found: [], misshapen: true };
}

function projects(node: DocNode): readonly FoundEntry[] {
  if (node.kind !== 'object') return [];
  return node.members.flatMap(({ key, value }) => {
    const map = childOf(value, 'mcpServers');
    return map?.kind === 'object' ? fromMap(map, joinPath('projects', key, 'mcpServers'), 'mcpServers').map((entry) => ({ ...entry, project: key })) : [];
  });
}

const ways = new Set(['command', 'url', 'httpUrl', 'serverUrl', 'socket']);
const marks = new Set([...ways, 'args', 'env', 'headers', 'type', 'transport', 'enabled', 'disabled']);
const neverServers = new Set([mapSwitch, 'enabled', 'imports', 'settings', 'inputs', '$schema']);
const holds = (node: DocNode, keys: ReadonlySet<string>): boolean => node.kind === 'object' && node.members.some(({ key }) => keys.has(key));
/** Whether an object is an entry itself, without a name around it. */
export const looksLikeEntry = (node: DocNode): boolean =>
  node.kind === 'object' && node.members.some(({ key, value }) => ways.has(key) && (value.kind === 'array' || textOf(value) !== undefined));

/** The root itself is the map. Other keys of such a file are no servers. */
function bareEntries(root: DocObject, shape: SourceShape): readonly FoundEntry[] {
  const members = root.members.filter(({ key }) => !neverServers.has(key));
  if (looksLikeEntry(root) || !members.some(({ value }) => holds(value, ways))) return [];
  const entries = members.filter(({ value }) => holds(value, marks));
  // Of a text that nobody called a file of servers, most must be servers: a package.json has objects with a url too.
  if (shape === 'any' && entries.length * 2 <= members.length) return [];
  return fromMap({ ...root, members: entries }, '', 'bare');
}

const fromMap = (map: DocObject, path: string, container: Container): readonly FoundEntry[] =>
  map.members.map(({ key, offset, value }) => ({ key, node: value, offset, path: joinPath(path, key), container }));
const fromList = (items: readonly DocNode[], path: string, container: Container | 'list' = 'list'): readonly FoundEntry[] =>
  items.map((node, index) => ({ index, node, offset: node.offset, path: joinPath(path, index), container }));

const booleanOf = (node: DocNode | undefined): boolean | undefined => (node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined);
const switchOf = (node: DocNode | undefined): boolean | undefined => booleanOf(childOf(node, 'enabled'));

function importsOf(member: DocMember | undefined, say: Say): readonly string[] {
  if (!member) return [];
  if (member.value.kind !== 'array') {
    say({ code: 'invalid-shape', severity: 'warning', path: 'imports', message: 'imports must be a list of programs', offset: member.offset });
    return [];
  }
  const known: string[] = [];
  for (const [index, item] of member.value.items.entries()) {
    const kind = importKinds.find((one) => one === textOf(item));
    if (!kind) {
      const message = `Gatehouse imports from ${importKinds.join(', ')}`;
      say({ code: 'unknown-import', severity: 'warning', path: joinPath('imports', index), message, offset: item.offset });
    } else if (!known.includes(kind)) known.push(kind);
  }
  return known;
}

const settingsOf = (node: DocNode | undefined): Readonly<Record<string, unknown>> =>
  node?.kind === 'object' ? Object.fromEntries(node.members.map(({ key, value }) => [key, plainOf(value)])) : {};

function inputsOf(node: DocNode | undefined): readonly RawInput[] {
  if (node?.kind !== 'array') return [];
  return node.items.flatMap((item) => {
    const id = textOf(childOf(item, 'id'));
    if (id === undefined || id === '') return [];
    const password = childOf(item, 'password');
    const description = textOf(childOf(item, 'description'));
    const preset = textOf(childOf(item, 'default'));
    return [{
      id,
      password: password?.kind === 'scalar' && password.value === true,
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
    }];
  });
}
