import type { CatalogTool, JsonObject } from '../../shared/model/catalog.ts';
import { wordsOf } from './words.ts';

/** Where a word of a tool stands. `lead` is the first sentence of its description, `schema` what its parameters say of themselves. */
export const fieldNames = ['name', 'title', 'server', 'lead', 'description', 'parameters', 'schema'] as const;
export type FieldName = (typeof fieldNames)[number];

/** How much of a tool's text is read, in characters: no description of use is longer. */
const mostName = 1024;
const mostDescription = 6000;
const mostSchema = 6000;
const mostLead = 240;
const deepest = 5;

/** The words of each field (F-89: name, title, description, and the schema's property names, descriptions, enums and consts). */
export function wordsOfFields(tool: CatalogTool): Readonly<Record<FieldName, readonly string[]>> {
  const description = tool.description.slice(0, mostDescription).trim();
  const end = /[.!?](?=\s)|[。！？]|\n/.exec(description)?.index ?? description.length;
  const lead = Math.min(end, mostLead);
  const parameters: string[] = [];
  const schema: string[] = [];
  readSchema(tool.inputSchema, parameters, schema, 0);
  return {
    name: wordsOf(tool.ref.tool.slice(0, mostName)), title: wordsOf((tool.title ?? tool.annotations.title ?? '').slice(0, mostName)), server: wordsOf(tool.serverName.slice(0, mostName)),
    lead: wordsOf(description.slice(0, lead)), description: wordsOf(description.slice(lead)),
    parameters: wordsOf(parameters.join(' ').slice(0, mostSchema)),
    // Tags weigh as little as a schema's words: most tools share them (H-49).
    schema: wordsOf([...schema, ...(tool.tags ?? [])].join(' ').slice(0, mostSchema)),
  };
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function readSchema(schema: unknown, parameters: string[], texts: string[], depth: number): void {
  if (!isObject(schema) || depth > deepest) return;
  if (isObject(schema['properties'])) {
    for (const [name, property] of Object.entries(schema['properties'])) {
      parameters.push(name);
      readSchema(property, parameters, texts, depth + 1);
    }
  }
  if (depth > 0 && typeof schema['description'] === 'string') texts.push(schema['description']);
  for (const value of [schema['const'], ...(Array.isArray(schema['enum']) ? schema['enum'].slice(0, 100) : [])]) if (typeof value === 'string') texts.push(value);
  readSchema(schema['items'], parameters, texts, depth + 1);
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const choices = schema[key];
    if (Array.isArray(choices)) for (const choice of choices.slice(0, 20)) readSchema(choice, parameters, texts, depth + 1);
  }
}
