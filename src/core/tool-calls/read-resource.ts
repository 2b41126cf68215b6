import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool, ServerCatalog } from '../../shared/model/catalog.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import { matchesTemplate } from '../../shared/text/uri-template.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { resourceAlias } from '../catalog/resource-alias.ts';
import { toolRevision } from '../catalog/revision.ts';
import type { SkillSubject } from '../skills/skills.ts';
import type { InvokeToolDeps } from './invoke-tool.ts';
import { receiveResult } from './receive-result.ts';

/** A link to a resource in what its server returned (O23). */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}
interface Readable extends ResourceLink {
  /** What a lasting permission is bound to: the address, or the template that it fits. */
  readonly grantedFor: string;
}

/** What may be read although no list of resources has it. */
interface BesideListed {
  /** The skill of which it is a file. */
  readonly skill?: SkillSubject | undefined;
  readonly linked?: () => ResourceLink | undefined;
}

/**
 * A resource as policy, approvals and records see it: reading it is a tool of this alias (F-143). A file of a skill, what a server lists, what fits one of its templates, and what it
 * linked to in the chat; `undefined` for everything else and for what the server's rules keep away.
 */
export function resourceTool(catalog: Pick<Catalog, 'server' | 'exposes'>, serverId: ServerId, uri: string, { skill, linked }: BesideListed = {}): CatalogTool | undefined {
  const server = catalog.server(serverId);
  const readable = server && (ofSkill(uri, skill) ?? listed(server, uri) ?? fromLink(catalog, serverId, linked?.()));
  if (!server || !readable) return undefined;
  const name = resourceAlias(readable.name);
  const description = `Reads ${uri}${readable.description === undefined ? '' : `: ${readable.description}`}`;
  const inputSchema = { type: 'object', properties: {} };
  return {
    ref: { serverId, tool: name, revision: toolRevision({ name, description: readable.grantedFor, inputSchema }) }, serverName: server.serverName, title: readable.title ?? readable.name, description,
    inputSchema, annotations: { readOnlyHint: true }, modelName: name,
  };
}

const ofSkill = (uri: string, skill: SkillSubject | undefined): Readable | undefined =>
  skill && { uri, name: skill.skill, title: `Skill ${skill.skill}`, description: skill.description, grantedFor: skill.grantedFor };

function listed({ resources, resourceTemplates }: ServerCatalog, uri: string): Readable | undefined {
  const resource = resources.find((one) => one.uri === uri);
  if (resource) return { ...resource, grantedFor: uri };
  const template = resourceTemplates.find((one) => matchesTemplate(one.uriTemplate, uri));
  return template && { ...template, uri, grantedFor: template.uriTemplate };
}

const fromLink = (catalog: Pick<Catalog, 'exposes'>, serverId: ServerId, link: ResourceLink | undefined): Readable | undefined =>
  link && catalog.exposes(serverId, link.name) ? { ...link, grantedFor: link.uri } : undefined;

/** Where a reading leaves for its server, whoever reads. A file of a skill is what was listed, or nothing comes back; contents come back as the parts of a result, through the same guard. Throws AppError. */
export async function readResource(call: ToolCall & { readonly resource: string }, tool: CatalogTool, deps: InvokeToolDeps, signal: AbortSignal) {
  const raw = await deps.pool.use(call.ref.serverId, (session, using) => session.readResource(call.resource, using), signal);
  const contents = Array.isArray(raw['contents']) ? raw['contents'] : [];
  await deps.skills.verify(call.ref.serverId, call.resource, contents);
  const content = contents.map((resource: unknown) => ({ type: 'resource', resource }));
  return receiveResult({ content, isError: false, raw: { content } }, call, tool, deps, signal);
}
