import * as z from 'zod';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { refused, type Refusal } from './action-answer.ts';
import { pageLimits, parsedParams } from './action-params.ts';
import { coverage, coverageNote, headOf, pageOfTools, tagsOf, withScores, type DiscoveryDeps, type FoundPage } from './discovery.ts';
import { outcomeOf } from './own-result.ts';
import type { ActionAnswer, OwnTool, OwnToolContext } from './own-tool.ts';
import { moreLine, pageOf, preview, type Page } from './pages.ts';
import { findTool, usableTools } from './tool-lookup.ts';

/** `select:NAME` loads exactly that one (H-45); names may be several, with commas between. */
const selecting = /^\s*select:(.*)$/s;
const mostSelected = 100;

const paramsWith = (usual: number) =>
  z.strictObject({
    query: z.string().max(2000).default(''), server: z.string().trim().min(1).max(1000).optional(),
    limit: z.number().int().min(1).transform((limit) => Math.min(limit, pageLimits.most)).default(usual), offset: z.number().int().min(0).default(0),
  });
type Wanted = z.infer<ReturnType<typeof paramsWith>>;

export interface SearchToolDeps {
  readonly discovery: DiscoveryDeps;
  /** Gatehouse's own tools that are not offered at the start, as they are found and loaded. */
  readonly deferred: () => readonly CatalogTool[];
}

/** `mcp_search` (F-97…F-101): finds tools and loads those of the page for the next model answer. It runs none of them. */
export function searchTool(deps: SearchToolDeps): OwnTool {
  return {
    name: 'mcp_search',
    description:
      'Find tools on all MCP servers and load them: in your next message you can call them by name, with their full schemas. Start here when no tool at hand fits. ' +
      'query: what the tool should do, or select:NAME for one that you know; with server alone all its tools. Nothing is run. More: offset.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, server: { type: 'string' }, limit: { type: 'integer', description: 'default 5' }, offset: { type: 'integer' } },
    },
    run: async (args, context, signal) => {
      const parsed = parsedParams(paramsWith(5), args);
      return outcomeOf(parsed.ok ? await searchAndLoad(deps, parsed.value, context, signal) : parsed);
    },
  };
}

/** `find_tool` (H-45, H-46): the other face of the same index. Ten a page, and without a query all tools by name, page by page. */
export function findToolTool(deps: SearchToolDeps): OwnTool {
  return {
    name: 'find_tool',
    description: 'Find tools of MCP servers by keywords and activate them, or exactly one with select:NAME. Without a query all tools, page by page.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, server: { type: 'string' }, limit: { type: 'integer', description: 'default 10' }, offset: { type: 'integer' } },
    },
    run: async (args, context, signal) => {
      const parsed = parsedParams(paramsWith(10), args);
      return outcomeOf(parsed.ok ? await searchAndLoad(deps, parsed.value, context, signal, { isFindTool: true }) : parsed);
    },
  };
}

async function searchAndLoad(deps: SearchToolDeps, wanted: Wanted, context: OwnToolContext, signal: AbortSignal, options: { readonly isFindTool?: true } = {}): Promise<ActionAnswer> {
  const names = selecting.exec(wanted.query)?.[1];
  const found = names === undefined ? await pageOfHits(deps, wanted, context, signal, options) : await selected(deps, names, wanted.server, context, signal);
  if (!found.ok) return found;
  const { page, scores } = found;
  const covered = coverage(deps.discovery, context);
  if (page.total === 0) {
    return { ok: true, text: ['No tool matches. Try other words.', ...coverageNote(covered)].join('\n'), data: { loaded: [], ...page, coverage: covered } };
  }
  const left = await context.load(page.items.map(({ ref }) => ({ serverId: ref.serverId, tool: ref.tool })));
  const whyNot = new Map(left.map(({ tool, why }) => [`${tool.serverId}\n${tool.tool}`, why]));
  const shown = page.items.map((tool): Shown => ({ tool, why: whyNot.get(`${tool.ref.serverId}\n${tool.ref.tool}`), score: scores.get(tool) }));
  return { ok: true, text: textOf(shown, page, coverageNote(covered), options.isFindTool === true), data: { ...page, items: shown.map(itemOf), coverage: covered } };
}

type Shown = { readonly tool: CatalogTool; readonly why: string | undefined; readonly score: number | undefined };
function textOf(shown: readonly Shown[], page: Page<unknown>, notes: readonly string[], withScore: boolean): string {
  const marks = ({ why, score }: Shown): string => `${withScore && score !== undefined ? ` [score ${score.toFixed(1)}]` : ''}${why === undefined ? '' : ` [${why}]`}`;
  const lines = (some: readonly Shown[]) => some.map((one) => `- ${headOf(one.tool, marks(one))}: ${preview(one.tool.description, 200)}`);
  const loaded = shown.filter(({ why }) => why === undefined);
  const left = shown.filter(({ why }) => why !== undefined);
  return [
    ...(loaded.length > 0 ? [`Loaded; call them by name in your next message:`, ...lines(loaded)] : []),
    ...(left.length > 0 ? ['Not loaded; use mcp with action describe, then call:', ...lines(left)] : []),
    ...moreLine(page),
    ...notes,
  ].join('\n');
}

const itemOf = ({ tool, why, score }: Shown) => ({
  path: tool.modelName, name: tool.ref.tool, server: tool.serverName, description: preview(tool.description, 200), ...tagsOf(tool), loaded: why === undefined,
  ...(score === undefined ? {} : { score: Math.round(score * 100) / 100 }), ...(why === undefined ? {} : { why }),
});

/** A page of hits; Gatehouse's own deferred tools stand after those of servers, an exact name before all. */
async function pageOfHits(deps: SearchToolDeps, wanted: Wanted, context: OwnToolContext, signal: AbortSignal, { isFindTool }: { readonly isFindTool?: true }): Promise<FoundPage | Refusal> {
  if (wanted.query.trim() === '' && wanted.server === undefined && isFindTool) {
    const tools = usableTools(deps.discovery, context).toSorted((a, b) => (a.modelName < b.modelName ? -1 : 1));
    return withScores(pageOf(tools.slice(wanted.offset, wanted.offset + wanted.limit), tools.length, wanted.offset));
  }
  const own = wanted.server === undefined ? deps.deferred().filter(({ modelName }) => modelName === wanted.query.trim().toLowerCase()) : [];
  if (own.length > 0) return withScores(pageOf(own, own.length, 0));
  return pageOfTools(deps.discovery, wanted, context, signal);
}

async function selected(deps: SearchToolDeps, names: string, server: string | undefined, context: OwnToolContext, signal: AbortSignal): Promise<FoundPage | Refusal> {
  const wanted = names.split(',').map((name) => name.trim()).filter((name) => name !== '').slice(0, mostSelected);
  if (wanted.length === 0) return refused('invalid_arguments', 'Say which tool after select: — for example select:NAME. Search with words to find its name.');
  const tools: CatalogTool[] = [];
  for (const name of wanted) {
    const own = deps.deferred().find(({ modelName }) => modelName === name);
    const found = own ? { ok: true as const, tool: own } : await findTool(deps.discovery, name, server, context, signal);
    if (!found.ok) return found;
    tools.push(found.tool);
  }
  return withScores(pageOf(tools, tools.length, 0));
}
