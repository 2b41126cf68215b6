import type { ToolPrefix } from '../../shared/model/server-options.ts';

/** A tool as its server and its configuration name it. */
export interface PlainTool {
  readonly serverName: string;
  /** The server's own name for it. */
  readonly tool: string;
}

/** The parts of a name that is made for models; only `server` and `name` may be shortened. */
export interface NameParts {
  readonly head: string;
  readonly server: string;
  readonly joint: string;
  readonly name: string;
}

/** Longer names are cut before anything is worked out from them. Characters. */
const longest = 200;

/**
 * The parts of a tool's name under each form of `toolPrefix`: `gatehouse` (H-42), `fusion` (U-65), and `server`, `short`, `none` and `mcp` (F-63, F-64: in the tool's part
 * only dots become underscores). Lower-cased, of `[a-z0-9_-]`.
 */
export function nameParts(prefix: ToolPrefix, plain: PlainTool): NameParts {
  const raw = rawParts(prefix, { serverName: plain.serverName.slice(0, longest), tool: plain.tool.slice(0, longest) });
  if (prefix === 'fusion') return { ...raw, server: fusionPart(raw.server), name: fusionPart(raw.name) };
  return { ...raw, server: legal(raw.server), name: legal(raw.name) };
}

export const joined = ({ head, server, joint, name }: NameParts): string => `${head}${server}${joint}${name}`;

/**
 * Every name under which a person, a model or a file may speak of the tool: its own, the forms of every prefix with the case of its names, and those that are lower-cased by
 * definition. A model's name with a suffix is known to the catalog alone.
 */
export function formsOf(plain: PlainTool): readonly string[] {
  const written = prefixes.map((prefix) => joined(rawParts(prefix, plain)));
  const lowered = (['gatehouse', 'fusion'] as const).map((prefix) => joined(nameParts(prefix, plain)));
  return [...new Set([plain.tool, ...written, ...lowered])];
}

/** `-` and `_` are the same in what people write. */
export const folded = (name: string): string => name.replaceAll('-', '_');

const prefixes: readonly ToolPrefix[] = ['gatehouse', 'fusion', 'server', 'short', 'none', 'mcp'];

/** As the forms are written in files: the case of names is kept. */
function rawParts(prefix: ToolPrefix, { serverName, tool }: PlainTool): NameParts {
  const server = folded(serverName);
  const name = tool.replaceAll('.', '_');
  switch (prefix) {
    case 'gatehouse':
      return { head: 'mcp_', server: separated(serverName), joint: '_', name: separated(tool) };
    case 'fusion':
      return { head: 'mcp__', server: serverName, joint: '__', name: tool };
    case 'server':
      return { head: '', server, joint: '_', name };
    case 'short':
      return { head: '', server: folded(serverName.replace(/-?mcp$/i, '')) || 'mcp', joint: '_', name };
    case 'none':
      return { head: '', server: '', joint: '', name };
    case 'mcp':
      return { head: 'mcp__', server, joint: '_', name };
  }
}

const separated = (part: string): string => part.trim().replace(/[- /.]/g, '_') || 'x';
const legal = (part: string): string => part.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
/** Runs are put together, and underscores at the ends taken off. Linear. */
const fusionPart = (part: string): string =>
  part
    .toLowerCase()
    .split(/[^a-z0-9-]/)
    .filter((word) => word !== '')
    .join('_') || 'unnamed';
