import type { JsonObject } from '../../shared/model/catalog.ts';
import { asAppError } from './failure.ts';
import type { Link, ListKind } from './link.ts';
import type { ServerListing } from './session.ts';
import { shallow } from './shallow.ts';
import { hasSkills } from './skills-extension.ts';

/** A server that pages for ever is cut off here. */
const pageLimit = 256;
const itemLimit = 20_000;

type Part = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
const lists: Readonly<Record<Part, { readonly kind: ListKind; readonly method: string; readonly called: string }>> = {
  tools: { kind: 'tools', method: 'tools/list', called: 'tools' },
  resources: { kind: 'resources', method: 'resources/list', called: 'resources' },
  resourceTemplates: { kind: 'resources', method: 'resources/templates/list', called: 'resource templates' },
  prompts: { kind: 'prompts', method: 'prompts/list', called: 'prompts' },
};

interface Read {
  readonly items: readonly unknown[];
  readonly warning?: string;
}
/** What was read of each list the last time. */
export type Lists = Readonly<Record<Part, Read>>;
export const noLists: Lists = { tools: { items: [] }, resources: { items: [] }, resourceTemplates: { items: [] }, prompts: { items: [] } };

/**
 * Reads the lists of these kinds to their last page, and keeps `before` for the others. A page that does not come leaves what came before
 * it and a warning; a list that does not come at all stays as it was. Throws only when the connection is gone.
 */
export async function readLists(
  link: Link,
  kinds: ReadonlySet<ListKind>,
  before: Lists,
  pageMs: number,
  signal: AbortSignal,
): Promise<Lists> {
  const read = async (part: Part): Promise<Read> => {
    const { kind, method, called } = lists[part];
    if (!kinds.has(kind)) return before[part];
    if (link.capabilities[kind] === undefined) return { items: [] };
    return withinDepth(await readList(link, method, part, called, before[part].items, pageMs, signal), called);
  };
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read('tools'),
    read('resources'),
    read('resourceTemplates'),
    read('prompts'),
  ]);
  return { tools, resources, resourceTemplates, prompts };
}

async function readList(
  link: Link,
  method: string,
  part: Part,
  called: string,
  before: readonly unknown[],
  pageMs: number,
  signal: AbortSignal,
): Promise<Read> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let params: JsonObject = {};
  for (let page = 1; ; page += 1) {
    let result: JsonObject;
    try {
      result = await link.request(method, params, pageMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (link.isSessionLoss(error) || link.isGone) throw error;
      return whenRefused(error, page, part, called, items, before);
    }
    const found = result[part];
    if (!Array.isArray(found)) return { items, warning: `Page ${page} of the ${called} is not a list` };
    for (const item of found) items.push(item);
    const cursor = result['nextCursor'];
    if (typeof cursor !== 'string') return { items };
    if (cursors.has(cursor)) return { items, warning: `The server repeats a page of its ${called}; the rest is left out` };
    if (page >= pageLimit || items.length >= itemLimit)
      return { items, warning: `The server lists more than ${items.length} ${called}; the rest is left out` };
    cursors.add(cursor);
    params = { cursor };
  }
}

/** One item that nobody could read must not keep its neighbours from being seen. */
function withinDepth({ items, warning }: Read, called: string): Read {
  const kept = items.map(shallow);
  const cut = kept.filter((item, index) => item !== items[index]).length;
  const words = cut > 0 ? `${cut} of the ${called} are nested too deeply; their deepest parts are left out` : undefined;
  const said = [warning, words].filter((text) => text !== undefined).join('; ');
  return { items: kept, ...(said === '' ? {} : { warning: said }) };
}

function whenRefused(
  error: unknown,
  page: number,
  part: Part,
  called: string,
  items: readonly unknown[],
  before: readonly unknown[],
): Read {
  const { message, data } = asAppError(error);
  const unknown = typeof data === 'object' && data !== null && 'rpcCode' in data && data.rpcCode === -32601;
  // Servers announce resources and know no templates.
  if (part === 'resourceTemplates' && unknown) return { items };
  return { items: page === 1 ? before : items, warning: `Page ${page} of the ${called} did not arrive: ${message}` };
}

export function asListing(link: Link, read: Lists, mask: (text: string) => string): ServerListing {
  const { identity, instructions } = link;
  return {
    server: identity,
    ...(instructions === undefined ? {} : { instructions }),
    tools: read.tools.items,
    resources: read.resources.items,
    resourceTemplates: read.resourceTemplates.items,
    prompts: read.prompts.items,
    ...(hasSkills(link.capabilities) ? { skills: true } : {}),
    warnings: Object.values(read).flatMap(({ warning }) => (warning === undefined ? [] : [mask(warning)])),
  };
}
