import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ToolPrefix } from '../../shared/model/server-options.ts';
import { hashOf } from '../kernel/hash.ts';
import { joined, nameParts, type NameParts, type PlainTool } from '../policy/tool-forms.ts';

export interface ToolToName extends PlainTool {
  readonly serverId: ServerId;
  readonly prefix: ToolPrefix;
}
/** What a tool would be called if there were no other, with all that is needed to name it among others. */
export interface NamedAlone {
  readonly key: string;
  readonly parts: NameParts;
  /** Without a suffix; legal, and perhaps too long. */
  readonly bare: string;
  /** It needs a suffix whatever its neighbours are called. */
  readonly suffixed: boolean;
}
export interface ModelNames {
  /** Only for tools that were named together: a name depends on its neighbours. */
  get(alone: NamedAlone): string;
}

/** Every provider takes `[A-Za-z0-9_-]` up to this length. */
const maxLength = 64;
const leastServerLength = 12;
const suffixLengths = [8, 16, 40] as const;
/** A plain name with this ending gets a suffix of its own, so that nobody can take a suffixed name by spelling it out. */
const looksSuffixed = /_(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{40})$/;
/** What tools of hosts and of Gatehouse itself are called (F-66): no server's tool is offered under such a name. */
const reserved: ReadonlySet<string> = new Set([
  'read', 'bash', 'powershell', 'edit', 'write', 'grep', 'find', 'ls', 'mcp', 'mcp_search', 'mcp_script', 'find_tool', 'connect_mcp', 'list_mcp_resources', 'read_mcp_resource',
]);

/** What can be said of a tool's name without its neighbours. */
export function nameAlone(tool: ToolToName): NamedAlone {
  const parts = nameParts(tool.prefix, tool);
  const plain = joined(parts);
  const bare = /^[a-z_]/.test(plain) ? plain : `_${plain}`;
  const said = tool.prefix === 'none' ? tool.tool : tool.serverName + tool.tool;
  return {
    key: JSON.stringify([tool.serverId, tool.tool]), parts, bare,
    suffixed: bare.length > maxLength || /[^\x20-\x7e]/.test(said) || looksSuffixed.test(bare) || reserved.has(bare),
  };
}

/**
 * The names by which a model calls tools. Independent of order. Every member of a collision gets a suffix made from its own server id and name, so that a server which
 * appears later can make a name longer but never take it over. A name that is `taken` already stays whose it is. Outputs: never taken apart.
 */
export function modelNames(tools: readonly NamedAlone[], taken: ReadonlySet<string> = new Set()): ModelNames {
  const shared = keysThatShare(tools.map(({ key, bare }) => [key, bare]));
  const names = new Map<string, string>();
  let unnamed: NamedAlone[] = [];
  for (const tool of tools) {
    if (tool.suffixed || shared.has(tool.key) || taken.has(tool.bare)) unnamed.push(tool);
    else names.set(tool.key, tool.bare);
  }
  for (const length of suffixLengths) {
    const made = unnamed.map((tool) => [tool.key, withSuffix(tool, length)] as const);
    // Equal short hashes can be made on purpose; a longer one separates them.
    const equal = length === suffixLengths.at(-1) ? new Set<string>() : keysThatShare(made);
    for (const [key, name] of made) if (!equal.has(key)) names.set(key, name);
    unnamed = unnamed.filter(({ key }) => equal.has(key));
  }
  return {
    get({ key }) {
      const name = names.get(key);
      if (name === undefined) throw new AppError('internal/bug', 'A model name was asked for a tool that was not named');
      return name;
    },
  };
}

/** Where room is short the tool's own name keeps most of it. */
export function withSuffix({ key, parts }: NamedAlone, length: (typeof suffixLengths)[number] = suffixLengths[0]): string {
  const suffix = `_${hashOf(key).slice(0, length)}`;
  const lead = /^[a-z_]/.test(joined(parts)) ? parts.head : `_${parts.head}`;
  const room = maxLength - lead.length - parts.joint.length - suffix.length;
  const server = parts.server.slice(0, Math.max(leastServerLength, room - parts.name.length));
  return `${lead}${server}${parts.joint}${parts.name.slice(0, room - Math.min(server.length, room - 1))}${suffix}`;
}

function keysThatShare(names: readonly (readonly [key: string, name: string])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const [, name] of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set(names.flatMap(([key, name]) => ((counts.get(name) ?? 0) > 1 ? [key] : [])));
}
