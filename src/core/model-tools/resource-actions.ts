import * as z from 'zod';
import type { CatalogResource, CatalogTool } from '../../shared/model/catalog.ts';
import { resourceAlias } from '../catalog/resource-alias.ts';
import { keeperOf } from '../contents/keeper.ts';
import { readBack, type ReadBackDeps } from '../contents/read-back.ts';
import type { Skills } from '../skills/skills.ts';
import { refusalOf, refused } from './action-answer.ts';
import { actionParams, parsedParams } from './action-params.ts';
import { innerCall, made, type CallActionDeps } from './call-action.ts';
import type { ActionAnswer, OwnToolContext } from './own-tool.ts';
import { ownResourceList, ownServerName, readOwnResource, type OwnResource } from './own-resources.ts';
import { moreLine, pageOf, preview } from './pages.ts';
import { cachedMark, listedServer } from './server-lookup.ts';

export interface ResourceActionsDeps extends CallActionDeps {
  /** A resource as policy, approvals and records see it: under the alias by which rules name it. */
  readonly resourceTool: (serverId: CatalogTool['ref']['serverId'], uri: string, caller: OwnToolContext['caller']) => CatalogTool | undefined;
  readonly skills: Pick<Skills, 'look' | 'known' | 'prepare'>;
  readonly readable: ReadBackDeps['contents'];
  readonly ownResources: () => readonly OwnResource[];
}

/** What a server offers to read, a page at a time (F-143): its skills first, each as its SKILL.md, which names the rest. */
export async function resources(deps: ResourceActionsDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.resources, params);
  if (!parsed.ok) return parsed;
  const { server: serverName, limit, offset } = parsed.value;
  if (isOwn(deps, serverName, context)) return ownResourceList(deps.ownResources(), limit, offset);
  const found = await listedServer(deps, serverName, context, signal);
  if (!found.ok) return found;
  const { server } = found;
  const catalog = deps.view(context.caller).catalog.server(server.id);
  const skills = catalog?.skills ? await skillsOf(deps, server.id, offset, context, signal) : { items: [] };
  const readable = (catalog?.resources ?? []).filter(({ uri }) => mayRead(deps, server.id, uri, context) && !skills.items.some((skill) => skill.uri === uri));
  const all = [...skills.items, ...readable.map((resource) => ({ ...resource })), ...(catalog?.resourceTemplates ?? []).filter(({ name }) => context.mayUse({ serverId: server.id, tool: resourceAlias(name) })).map((template) => ({ ...template }))];
  const paged = pageOf(all.slice(offset, offset + limit), all.length, offset);
  if (!paged.ok) return paged;
  const { page } = paged;
  const mark = cachedMark(deps, server.id);
  const text = [
    `${server.name}${mark === undefined ? '' : ` (${mark})`}: ${page.total} ${page.total === 1 ? 'resource' : 'resources'}`,
    ...page.items.map((item) => `- ${'uri' in item ? item.uri : item.uriTemplate}${wordsOf(item)}`),
    ...moreLine(page),
    ...(skills.missing === undefined ? [] : [`Its skills could not be listed: ${skills.missing}`]),
  ].join('\n');
  return { ok: true, text, data: { mode: 'resources', server: server.name, ...page } };
}

/** Asked for once as the list begins. Without them the rest is still there. */
async function skillsOf(deps: ResourceActionsDeps, serverId: CatalogTool['ref']['serverId'], offset: number, context: OwnToolContext, signal: AbortSignal): Promise<{ readonly items: readonly ListedSkill[]; readonly missing?: string }> {
  const missing = offset > 0 ? undefined : await deps.skills.look(serverId, signal).then(() => undefined, (error: unknown) => refusalOf(error, 'connect_failed', signal).error.message);
  const items = deps.skills.known(serverId).filter(({ uri }) => mayRead(deps, serverId, uri, context)).map(({ uri, name, description }) => ({ kind: 'skill' as const, uri, name, description }));
  return { items, ...(missing === undefined ? {} : { missing }) };
}
type ListedSkill = Pick<CatalogResource, 'uri' | 'name'> & { readonly kind: 'skill'; readonly description: string };

/** A server that a person named so comes first. */
const isOwn = (deps: ResourceActionsDeps, name: string, context: OwnToolContext): boolean => name.trim().toLowerCase() === ownServerName && deps.view(context.caller).catalog.serverNamed(name) === undefined;

const mayRead = (deps: ResourceActionsDeps, serverId: CatalogTool['ref']['serverId'], uri: string, context: OwnToolContext): boolean => {
  const alias = deps.resourceTool(serverId, uri, context.caller);
  return alias !== undefined && alias.hidden === undefined && context.mayUse({ serverId, tool: alias.ref.tool });
};

const wordsOf = ({ name, title, description, mimeType, kind }: Pick<CatalogResource, 'name' | 'title' | 'description' | 'mimeType'> & Partial<Pick<ListedSkill, 'kind'>>): string =>
  ` — ${title ?? name}${kind ? ` (${kind})` : mimeType === undefined ? '' : ` (${mimeType})`}${description === undefined ? '' : `: ${preview(description, 160)}`}`;

/** One resource by its exact URI, through the same gate as a tool. */
export async function readResource(deps: ResourceActionsDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.readResource, params);
  if (!parsed.ok) return parsed;
  const { server: serverName, uri } = parsed.value;
  if (isOwn(deps, serverName, context)) return readOwnResource(deps.ownResources(), uri);
  const found = await listedServer(deps, serverName, context, signal);
  if (!found.ok) return found;
  const { server } = found;
  await deps.skills.prepare(server.id, uri, signal);
  const alias = deps.resourceTool(server.id, uri, context.caller);
  if (!alias || alias.hidden !== undefined || !context.mayUse({ serverId: server.id, tool: alias.ref.tool })) {
    return refused('not_found', `“${server.name}” offers no resource ${uri.slice(0, 500)}.`);
  }
  const answer = await made(deps, { ...innerCall(deps, alias, {}, context), resource: uri }, context, signal);
  return answer.ok ? { ...answer, data: asContents(answer.data) } : answer;
}

/** As the server answered: within the guard, contents stand as the parts of a tool's result. */
function asContents(data: unknown): unknown {
  const parts = z.object({ content: z.array(z.object({ resource: z.unknown() })) }).safeParse(data);
  return parts.success ? { contents: parts.data.content.map(({ resource }) => resource) } : data;
}

/** A page of a result that was too long to be sent whole; no server is asked (F-124). */
export async function readResult(deps: ResourceActionsDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.readResult, params);
  if (!parsed.ok) return parsed;
  const { ref, path, fields, offset, limit } = parsed.value;
  const request = {
    ref, ...(path === undefined ? {} : { path }), ...(fields === undefined ? {} : { fields }), ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }),
  };
  try {
    const page = await readBack(request, { contents: deps.readable, keeper: keeperOf(context.caller) }, signal);
    const more = page.nextOffset === undefined ? '' : `\n[More: offset ${page.nextOffset} of ${page.length}]`;
    return { ok: true, text: `${page.text}${more}`, data: { content: page.text, details: { nextOffset: page.nextOffset ?? null, length: page.length } } };
  } catch (error) {
    return refusalOf(error, 'result_read_failed', signal);
  }
}
