import { namesAny, type NamedTool } from './name-match.ts';
import { folded } from './tool-forms.ts';

/** A list of tools that a run may use, read once. */
export interface AllowList {
  readonly allows: (tool: NamedTool) => boolean;
  /** The list asks for it by `mcp:<server>` or `mcp:<server>/<tool>`: it is at hand without a search (F-207). */
  readonly asksFor: (tool: Pick<NamedTool, 'serverName' | 'tool'>) => boolean;
  /** It asks for tools of a server of this name. */
  readonly asksForServer: (name: string) => boolean;
}

const direct = /^mcp:([^/]+)(?:\/(.+))?$/s;

/** Names and globs as in other rules (F-68), and `mcp:<server>`, `mcp:<server>/<tool>`: `-` and `_` are alike, nothing is a glob in them, and a tool is meant by its server's own name for it. */
export function allowList(entries: readonly string[]): AllowList {
  const asked = entries.flatMap((entry) => {
    const [, server, tool] = direct.exec(entry) ?? [];
    return server === undefined ? [] : [{ server: folded(server.trim()), tool: tool === undefined ? undefined : folded(tool.trim()) }];
  });
  const named = namesAny(entries.filter((entry) => !direct.test(entry)));
  const asksFor: AllowList['asksFor'] = ({ serverName, tool }) => asked.some((one) => one.server === folded(serverName) && (one.tool === undefined || one.tool === folded(tool)));
  return { asksFor, allows: (tool) => named(tool) || asksFor(tool), asksForServer: (name) => asked.some(({ server }) => server === folded(name)) };
}
