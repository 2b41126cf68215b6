import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ownToolNames } from '../../shared/model/own-tools.ts';
import { folded, formsOf } from '../policy/tool-forms.ts';

/** What a name of a tool stands for. Only `found` may be called; with `ambiguous` nothing is (F-65). */
export type ResolvedTool =
  | { readonly kind: 'found'; readonly tool: CatalogTool }
  | { readonly kind: 'ambiguous'; readonly tools: readonly CatalogTool[] }
  /** `elsewhere`: the server that was named has no such tool, and this one has (F-74). */
  | { readonly kind: 'unknown'; readonly elsewhere?: CatalogTool }
  | { readonly kind: 'unknown-server' }
  /** One of Gatehouse's own: called by itself, and not through the gateway (F-75). */
  | { readonly kind: 'native' };

export interface ResolveOptions {
  /** By name or id. */
  readonly server?: string;
  /** Leaves tools out. */
  readonly may?: (tool: CatalogTool) => boolean;
}

/** What a name stands for among tools, or on one server of them. */
export function resolveAmong(name: string, all: readonly CatalogTool[], serverNamed: (name: string) => ServerId | undefined, { server, may = () => true }: ResolveOptions): ResolvedTool {
  const tools = all.filter(may);
  if (server === undefined) return resolveTool(name, tools);
  const serverId = serverNamed(server);
  if (serverId === undefined) return { kind: 'unknown-server' };
  const here = resolveOnServer(name, tools.filter((tool) => tool.ref.serverId === serverId));
  if (here.kind !== 'unknown') return here;
  const there = resolveTool(name, tools);
  return there.kind === 'found' ? { kind: 'unknown', elsewhere: there.tool } : here;
}

/** No tool is called so, and nothing longer is compared. Characters. */
const longestName = 1_200;
const own: ReadonlySet<string> = new Set(ownToolNames);

/**
 * The tool that a name stands for among `tools`: as it is written, and only then with `-` and `_` alike (F-73). Every form of a name counts: the server's own, the
 * model's, and the forms of every `toolPrefix`, with and without a suffix.
 */
export function resolveTool(name: string, tools: readonly CatalogTool[]): ResolvedTool {
  if (own.has(name)) return { kind: 'native' };
  return lookUp(name, tools, [(tool) => [tool.modelName, ...formsOf(namesOf(tool))]]);
}

/** The same on one server: its own name for the tool comes before all other forms. */
export function resolveOnServer(name: string, tools: readonly CatalogTool[]): ResolvedTool {
  return lookUp(name, tools, [(tool) => [tool.ref.tool], (tool) => [tool.modelName, ...formsOf(namesOf(tool))]]);
}

function lookUp(name: string, tools: readonly CatalogTool[], tiers: readonly ((tool: CatalogTool) => readonly string[])[]): ResolvedTool {
  if (name.length > longestName) return { kind: 'unknown' };
  const end = skeleton(name);
  const near = tools.filter((tool) => end.endsWith(skeleton(tool.ref.tool)) || end === skeleton(tool.modelName));
  const written = [(text: string) => text, folded];
  for (const as of written) {
    const wanted = as(name);
    for (const forms of tiers) {
      const [first, ...others] = near.filter((tool) => forms(tool).some((form) => as(form) === wanted));
      if (first) return others.length === 0 ? { kind: 'found', tool: first } : { kind: 'ambiguous', tools: [first, ...others] };
    }
  }
  return { kind: 'unknown' };
}

const namesOf = ({ serverName, ref }: CatalogTool) => ({ serverName, tool: ref.tool });
/** What every form of a name has in common with the tool's own, at its end. */
const skeleton = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
