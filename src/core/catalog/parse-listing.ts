import * as z from 'zod';
import type { CatalogPrompt, CatalogResource, CatalogResourceTemplate, JsonObject, ToolAnnotations } from '../../shared/model/catalog.ts';
import type { Revision } from '../../shared/ids.ts';
import { headerProblem } from './header-parameters.ts';
import { toolRevision } from './revision.ts';

/** A tool as its server described it, before it has a model name. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: ToolAnnotations;
  readonly revision: Revision;
  readonly problem?: string;
  /** Whom the server means it for, where it does not mean everybody (`_meta.ui.visibility`). */
  readonly meantFor?: 'apps' | 'models';
}

const loose = z.looseObject({});
const text = z.string().optional().catch(undefined);
const Annotations = z.object({
  title: text,
  readOnlyHint: z.boolean().optional().catch(undefined),
  destructiveHint: z.boolean().optional().catch(undefined),
  idempotentHint: z.boolean().optional().catch(undefined),
  openWorldHint: z.boolean().optional().catch(undefined),
});
/** Longer descriptions are cut in the catalog: what a server may make us hold. Characters. */
const descriptionLimit = 20_000;
/** A larger schema makes the tool unusable. Characters of JSON. */
const schemaLimit = 1_000_000;

/**
 * Each item on its own: one that cannot be read never hides its neighbours. Unnamed tools are counted in a warning (F-67). `revisions`, by name: of what the server really
 * said, where the items have had secrets taken out.
 */
export function parseTools(items: readonly unknown[], revisions?: ReadonlyMap<string, Revision>): { readonly tools: readonly ListedTool[]; readonly warnings: readonly string[] } {
  const tools: ListedTool[] = [];
  const seen = new Set<string>();
  let unnamed = 0;
  let repeated = 0;
  for (const item of items) {
    const raw = loose.safeParse(item);
    const name = raw.success && typeof raw.data['name'] === 'string' ? raw.data['name'] : '';
    if (!raw.success || name.trim() === '') unnamed += 1;
    else if (seen.has(name)) repeated += 1;
    else {
      seen.add(name);
      tools.push(parseTool(name, raw.data, revisions?.get(name)));
    }
  }
  const warnings = [
    ...(unnamed > 0 ? [`${unnamed} ${unnamed === 1 ? 'tool has' : 'tools have'} no name and cannot be used`] : []),
    ...(repeated > 0 ? [`${repeated} ${repeated === 1 ? 'tool repeats' : 'tools repeat'} an earlier name; the first counts`] : []),
  ];
  return { tools, warnings };
}

function parseTool(name: string, raw: Record<string, unknown>, revision?: Revision): ListedTool {
  const input = loose.safeParse(raw['inputSchema']);
  const output = loose.safeParse(raw['outputSchema']);
  const annotations = Annotations.safeParse(raw['annotations']);
  const meta = loose.safeParse(raw['_meta']);
  const full = typeof raw['description'] === 'string' ? raw['description'] : '';
  const hints = annotations.success ? compact(annotations.data) : {};
  const title = typeof raw['title'] === 'string' ? raw['title'] : hints.title;
  const ui = meta.success ? meta.data['ui'] : undefined;
  const meantFor = audienceOf(ui);
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description: full.length > descriptionLimit ? `${full.slice(0, descriptionLimit)}…` : full,
    inputSchema: input.success && !refusesObjects(input.data, 0) ? input.data : openObject,
    ...(output.success ? { outputSchema: output.data } : {}),
    annotations: hints,
    revision: revision ?? toolRevision({
      name, title: raw['title'], description: full, inputSchema: raw['inputSchema'], outputSchema: raw['outputSchema'],
      annotations: raw['annotations'], ui,
    }),
    ...(meantFor === undefined ? {} : { meantFor }),
    ...problemOf(name, raw['inputSchema'], input.success),
  };
}

const Visibility = z.object({ visibility: z.array(z.unknown()) });
/** F-70. A list that names neither is no list. */
function audienceOf(ui: unknown): ListedTool['meantFor'] {
  const parsed = Visibility.safeParse(ui);
  if (!parsed.success) return undefined;
  const [model, app] = [parsed.data.visibility.includes('model'), parsed.data.visibility.includes('app')];
  return model === app ? undefined : app ? 'apps' : 'models';
}

/** What stands for a schema that says nothing of arguments. */
const openObject: JsonObject = { type: 'object', properties: {} };
/** Deeper branches are not looked into. */
const branchDepth = 8;

/** Arguments are always an object. A schema that no object fits says nothing of them, and the tool takes any (F-106, U-71). */
function refusesObjects(schema: unknown, depth: number): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > branchDepth) return schema === false;
  const { type, anyOf, oneOf } = schema as { readonly type?: unknown; readonly anyOf?: unknown; readonly oneOf?: unknown }; // an object, as the line above shows
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.every((one) => typeof one === 'string' && otherTypes.has(one))) return true;
  return [anyOf, oneOf].some((branches) => Array.isArray(branches) && branches.length > 0 && branches.every((branch) => refusesObjects(branch, depth + 1)));
}
const otherTypes: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'null']);

function problemOf(name: string, schema: unknown, isObject: boolean): { readonly problem?: string } {
  if (name.length > 1000) return { problem: 'Its name is too long' };
  if (!isObject) return { problem: schema === undefined ? 'It has no input schema' : 'Its input schema is not a JSON Schema object' };
  if (JSON.stringify(schema).length > schemaLimit) return { problem: 'Its input schema is larger than 1 MB' };
  const problem = headerProblem(schema);
  return problem === undefined ? {} : { problem };
}

const Resource = z.object({ uri: z.string().min(1).max(8192), name: z.string(), title: text, description: text, mimeType: text, size: z.number().optional().catch(undefined) });
const Template = z.object({ uriTemplate: z.string().min(1).max(8192), name: z.string(), title: text, description: text, mimeType: text });
const Prompt = z.object({
  name: z.string().min(1), title: text, description: text,
  arguments: z.array(z.object({ name: z.string(), description: text, required: z.boolean().default(false) }).transform(compact)).catch([]).default([]),
});

export const parseResources = (items: readonly unknown[]) => parseAll<CatalogResource>(items, Resource.transform(compact), 'resources');
export const parseTemplates = (items: readonly unknown[]) => parseAll<CatalogResourceTemplate>(items, Template.transform(compact), 'resource templates');
export const parsePrompts = (items: readonly unknown[]) => parseAll<CatalogPrompt>(items, Prompt.transform(compact), 'prompts');

function parseAll<T>(items: readonly unknown[], schema: z.ZodType<T>, what: string): { readonly items: readonly T[]; readonly warnings: readonly string[] } {
  const good = items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
  const bad = items.length - good.length;
  return { items: good, warnings: bad > 0 ? [`${bad} of ${items.length} ${what} could not be understood and are left out`] : [] };
}

type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
/** Without the fields that are undefined. */
function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Compact<T>; // only undefined fields were dropped
}
