import type { JsonObject } from '../../shared/model/catalog.ts';

const mostParameters = 30;
const mostCharacters = 2_000;

/** What a tool takes, in a few lines for a model that got it wrong (F-128); `undefined` for a tool that takes nothing. */
export function expectedParameters(inputSchema: JsonObject): string | undefined {
  const { properties, required } = inputSchema;
  if (!isObject(properties)) return undefined;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties);
  if (names.length === 0) return undefined;
  const lines = names.slice(0, mostParameters).map((name) => `- ${name} (${[typeWords(properties[name]), ...(needed.has(name) ? ['required'] : [])].join(', ')})${descriptionOf(properties[name])}`);
  const text = ['Expected parameters:', ...lines, ...(names.length > mostParameters ? [`- and ${names.length - mostParameters} more`] : [])].join('\n');
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}

function typeWords(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const { type, enum: values, const: only } = schema;
  if (Array.isArray(values)) return values.slice(0, 12).map((value) => JSON.stringify(value)).join(' | ') + (values.length > 12 ? ' | …' : '');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string').join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function descriptionOf(schema: unknown): string {
  const text = isObject(schema) && typeof schema['description'] === 'string' ? schema['description'].trim().split('\n')[0] ?? '' : '';
  return text === '' ? '' : `: ${text.slice(0, 200)}`;
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
