import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import { hashOf } from '../kernel/hash.ts';

export interface ToolToName {
  readonly serverId: ServerId;
  readonly serverName: string;
  /** The server's own name for it. */
  readonly tool: string;
}

export interface ModelNames {
  /** Only for tools that were named together: a name depends on its neighbours. */
  get(serverId: ServerId, tool: string): string;
}

/** Every provider takes `[A-Za-z0-9_-]` up to this length. */
const maxLength = 64;
const leastServerLength = 12;
const suffixLengths = [8, 16, 40] as const;
/** A plain name with this ending gets a suffix of its own, so that nobody can take a suffixed name by spelling it out. */
const looksSuffixed = /_(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{40})$/;

/**
 * The names by which a model calls tools: `mcp_<server>_<tool>`, lower-cased. Independent of order. Every member of a collision gets a
 * suffix made from its own server id and name, so that a server which appears later can make a name longer but never take it over.
 * Outputs: never taken apart.
 */
export function modelNames(tools: readonly ToolToName[]): ModelNames {
  const parts = new Map(
    tools.map((tool) => [keyOf(tool.serverId, tool.tool), { tool, server: part(tool.serverName), name: part(tool.tool) }]),
  );
  const bare = new Map([...parts].map(([key, { server, name }]) => [key, `mcp_${server}_${name}`]));
  const shared = keysThatShare(bare);
  const names = new Map(
    [...bare].filter(([key, name]) => {
      const tool = parts.get(key)?.tool;
      return (
        tool !== undefined &&
        !shared.has(key) &&
        name.length <= maxLength &&
        isAscii(tool.serverName + tool.tool) &&
        !looksSuffixed.test(name)
      );
    }),
  );
  let unnamed = [...parts].filter(([key]) => !names.has(key));
  for (const length of suffixLengths) {
    const made = new Map(unnamed.map(([key, { server, name }]) => [key, suffixed(server, name, hashOf(key).slice(0, length))]));
    // Equal short hashes can be made on purpose; a longer one separates them.
    const equal = length === suffixLengths.at(-1) ? new Set<string>() : keysThatShare(made);
    for (const [key, name] of made) if (!equal.has(key)) names.set(key, name);
    unnamed = unnamed.filter(([key]) => equal.has(key));
  }
  return {
    get(serverId, tool) {
      const name = names.get(keyOf(serverId, tool));
      if (name === undefined) throw new AppError('internal/bug', 'A model name was asked for a tool that was not named');
      return name;
    },
  };
}

function keyOf(serverId: ServerId, tool: string): string {
  return JSON.stringify([serverId, tool]);
}

function part(name: string): string {
  return (
    name
      .trim()
      .toLowerCase()
      .slice(0, 200)
      .replace(/[^a-z0-9_]/g, '_') || 'x'
  );
}

/** Where room is short the tool's own name keeps most of it. */
function suffixed(server: string, name: string, suffix: string): string {
  const room = maxLength - `mcp___${suffix}`.length;
  const serverPart = server.slice(0, Math.max(leastServerLength, room - name.length));
  return `mcp_${serverPart}_${name.slice(0, room - Math.min(serverPart.length, room - 1))}_${suffix}`;
}

function isAscii(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

function keysThatShare(names: ReadonlyMap<string, string>): Set<string> {
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set([...names].flatMap(([key, name]) => ((counts.get(name) ?? 0) > 1 ? [key] : [])));
}
