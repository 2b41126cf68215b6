import type { CatalogTool, JsonObject } from '../../shared/model/catalog.ts';
import type { FindOptions, Found } from '../search/tool-index.ts';
import { refused, type Refusal } from './action-answer.ts';
import { actionParams, parsedParams } from './action-params.ts';
import type { ActionAnswer, OwnToolContext } from './own-tool.ts';
import { moreLine, pageOf, preview, type Page } from './pages.ts';
import { cachedMark, isOff, listedServer, type ServerLookupDeps } from './server-lookup.ts';
import { allowedBy, findTool, usableTools } from './tool-lookup.ts';

export interface DiscoveryDeps extends ServerLookupDeps {
  readonly find: (query: string, options: FindOptions) => Found;
  /** Whether a person would be asked before this tool is called here. */
  readonly asksFirst: (tool: CatalogTool, context: OwnToolContext) => boolean;
}
/** Which servers' tools are known (F-87). Switched-off ones do not count. */
export interface Coverage {
  readonly complete: boolean;
  readonly knownServers: readonly string[];
  readonly unknownServers: readonly string[];
}

const schemaBudget = 32_768;
const instructionsPreview = 300;

export function coverage(deps: DiscoveryDeps, context: OwnToolContext): Coverage {
  const on = deps.view(context.caller).servers().filter((server) => server.enabled && !isOff(server, context));
  const knownServers = on.filter(({ id }) => deps.view(context.caller).catalog.knows(id)).map(({ name }) => name);
  const unknownServers = on.filter(({ id }) => !deps.view(context.caller).catalog.knows(id)).map(({ name }) => name);
  return { complete: unknownServers.length === 0, knownServers, unknownServers };
}
export const coverageNote = ({ complete, unknownServers }: Coverage): readonly string[] =>
  complete ? [] : [`Not searched, because never connected: ${unknownServers.slice(0, 20).join(', ')}${unknownServers.length > 20 ? ` and ${unknownServers.length - 20} more` : ''}. Name one as server to look there.`];

export interface FoundPage {
  readonly ok: true;
  readonly page: Page<CatalogTool>;
  /** How well each fits the query; comparable within one answer only. Empty where nothing was searched for. */
  readonly scores: ReadonlyMap<CatalogTool, number>;
}

/** Hits of a query, or without one all tools of a server by name; at one place in the list. */
export async function pageOfTools(
  deps: DiscoveryDeps,
  { query, server: serverName, limit, offset }: { readonly query: string; readonly server?: string | undefined; readonly limit: number; readonly offset: number },
  context: OwnToolContext,
  signal: AbortSignal,
): Promise<FoundPage | Refusal> {
  const browse = query.trim() === '';
  if (browse && serverName === undefined) return refused('empty_query', 'Say what you look for in query, or name a server to browse its tools.');
  const server = serverName === undefined ? undefined : await listedServer(deps, serverName, context, signal);
  if (server && !server.ok) return server;
  const serverId = server?.server.id;
  if (browse) {
    const tools = byName(usableTools(deps, context, serverId));
    return withScores(pageOf(tools.slice(offset, offset + limit), tools.length, offset));
  }
  const tagged = taggedWith(query, () => usableTools(deps, context, serverId));
  if (tagged.length > 0) {
    const shown = tagged.slice(offset, offset + limit);
    return withScores(pageOf(shown.map(({ tool }) => tool), tagged.length, offset), new Map(shown.map(({ tool, score }) => [tool, score])));
  }
  const { hits, total } = deps.find(query, { limit, offset, may: allowedBy(deps, context), ...(serverId === undefined ? {} : { serverId }) });
  return withScores(pageOf(hits.map(({ tool }) => tool), total, offset), new Map(hits.map(({ tool, score }) => [tool, score])));
}

export const withScores = (paged: ReturnType<typeof pageOf<CatalogTool>>, scores: FoundPage['scores'] = new Map()): FoundPage | Refusal => (paged.ok ? { ...paged, scores } : paged);

export async function search(deps: DiscoveryDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.search, params);
  if (!parsed.ok) return parsed;
  const { includeSchemas, ...wanted } = parsed.value;
  const found = await pageOfTools(deps, wanted, context, signal);
  if (!found.ok) return found;
  const { page } = found;
  const covered = coverage(deps, context);
  const items = withSchemas(deps, page.items, includeSchemas, context);
  const text = [
    page.total === 0 ? 'No tool fits. Try other words.' : `${page.total} ${page.total === 1 ? 'tool' : 'tools'}:`,
    ...items.map(({ tool, marks, schema }) => [`- ${headOf(tool, marks)}`, `  ${preview(tool.description, 400)}`, ...(schema ? [`  ${schema}`] : [])].join('\n')),
    ...moreLine(page),
    ...coverageNote(covered),
  ].join('\n');
  return { ok: true, text, data: { ...page, items: items.map(({ tool, asks }) => itemOf(deps, tool, asks, includeSchemas)), coverage: covered } };
}

/** The tools of one server by name, and how it describes its use. */
export async function list(deps: DiscoveryDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.list, params);
  if (!parsed.ok) return parsed;
  const { server: serverName, limit, offset } = parsed.value;
  const found = await listedServer(deps, serverName, context, signal);
  if (!found.ok) return found;
  return listOf(deps, found.server.id, found.server.name, { limit, offset }, context);
}

export function listOf(deps: DiscoveryDeps, serverId: CatalogTool['ref']['serverId'], serverName: string, { limit, offset }: { readonly limit: number; readonly offset: number }, context: OwnToolContext): ActionAnswer {
  const tools = byName(usableTools(deps, context, serverId));
  const found = pageOf(tools.slice(offset, offset + limit), tools.length, offset);
  if (!found.ok) return found;
  const { page } = found;
  const instructions = deps.view(context.caller).catalog.server(serverId)?.instructions;
  const mark = cachedMark(deps, serverId);
  const text = [
    `${serverName}${mark === undefined ? '' : ` (${mark})`}: ${page.total} ${page.total === 1 ? 'tool' : 'tools'}`,
    ...(instructions === undefined ? [] : [`It says of itself: ${preview(instructions, instructionsPreview)}`]),
    ...page.items.map((tool) => `- ${tool.modelName}${asksMark(deps.asksFirst(tool, context))}: ${preview(tool.description, 160)}`),
    ...moreLine(page),
  ].join('\n');
  return { ok: true, text, data: { ...page, server: serverName, items: page.items.map((tool) => itemOf(deps, tool, deps.asksFirst(tool, context), false)), ...(instructions === undefined ? {} : { instructions: preview(instructions, instructionsPreview) }) } };
}

export async function describe(deps: DiscoveryDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.describe, params);
  if (!parsed.ok) return parsed;
  const found = await findTool(deps, parsed.value.tool, parsed.value.server, context, signal);
  if (!found.ok) return found;
  const { tool } = found;
  const mark = cachedMark(deps, tool.ref.serverId);
  const data: JsonObject = {
    description: tool.description, inputSchema: tool.inputSchema, ...deps.view(context.caller).catalog.descriptor(tool.ref),
    path: tool.modelName, server: tool.serverName, name: tool.ref.tool, ...tagsOf(tool), approvalRequired: deps.asksFirst(tool, context), ...(mark === undefined ? {} : { cached: true }),
  };
  return { ok: true, data, text: `${mark === undefined ? '' : `(${mark})\n`}${JSON.stringify(data, null, 1)}` };
}

/** A query that is a tag means every tool that has it (H-49): first those that are called so, or have it in their name, as H-46 weighs them. */
function taggedWith(query: string, tools: () => readonly CatalogTool[]): readonly { readonly tool: CatalogTool; readonly score: number }[] {
  const wanted = query.trim().toLowerCase();
  if (/\s/.test(wanted)) return [];
  const scoreOf = ({ ref, modelName }: CatalogTool): number => (ref.tool.toLowerCase() === wanted || modelName === wanted ? 3 : ref.tool.toLowerCase().includes(wanted) ? 2 : 1);
  const found = tools().filter(({ tags = [] }) => tags.some((tag) => tag.toLowerCase() === wanted));
  return byName(found).map((tool) => ({ tool, score: scoreOf(tool) })).toSorted((a, b) => b.score - a.score);
}
export const tagsOf = ({ tags }: CatalogTool): { readonly tags?: readonly string[] } => (tags === undefined ? {} : { tags });

const byName = (tools: readonly CatalogTool[]): readonly CatalogTool[] => tools.toSorted((a, b) => (a.ref.tool < b.ref.tool ? -1 : a.ref.tool > b.ref.tool ? 1 : 0));
const asksMark = (asks: boolean): string => (asks ? ' [asks the person first]' : '');
export const headOf = (tool: CatalogTool, marks: string): string => `${tool.modelName} (${tool.ref.tool} on ${tool.serverName})${marks}`;

/** Schemas of the first tools until the answer is long enough; the rest is for `describe`. */
function withSchemas(deps: DiscoveryDeps, tools: readonly CatalogTool[], wanted: boolean, context: OwnToolContext) {
  let room = wanted ? schemaBudget : 0;
  return tools.map((tool) => {
    const asks = deps.asksFirst(tool, context);
    const mark = cachedMark(deps, tool.ref.serverId);
    const json = wanted ? JSON.stringify(tool.inputSchema) : '';
    const fits = json.length <= room;
    if (fits) room -= json.length;
    const schema = !wanted ? undefined : fits ? json : '(schema left out for its length: use action describe)';
    return { tool, asks, marks: `${asksMark(asks)}${mark === undefined ? '' : ` [${mark}]`}`, schema };
  });
}

const itemOf = (deps: DiscoveryDeps, tool: CatalogTool, asks: boolean, withSchema: boolean): JsonObject => ({
  path: tool.modelName, name: tool.ref.tool, server: tool.serverName, description: tool.description, ...tagsOf(tool), approvalRequired: asks,
  ...(cachedMark(deps, tool.ref.serverId) === undefined ? {} : { cached: true }), ...(withSchema ? { inputSchema: tool.inputSchema } : {}),
});
