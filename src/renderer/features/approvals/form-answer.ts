import type { JsonObject } from '../../../shared/model/catalog.ts';
import { withDefaults } from '../../../shared/model/elicitation-content.ts';
import type { ElicitationContent } from '../../../shared/model/elicitation.ts';

/** The fields of a form by name, each as it is called on screen. Names stand where two titles are the same. */
export function fieldTitles(schema: JsonObject): Readonly<Record<string, string>> {
  const { properties } = schema;
  const fields = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  const titles = fields.map(([name, field]: readonly [string, unknown]) => [name, typeof field === 'object' && field !== null && 'title' in field && typeof field.title === 'string' && field.title.trim() !== '' ? field.title : name] as const);
  const unique = new Set(titles.map(([, title]) => title)).size === titles.length;
  return Object.fromEntries(titles.map(([name, title]) => [name, unique ? title : name]));
}

/** What is sent of what a form holds, with what the server proposed for fields that were left empty. A form of the allowed kinds holds nothing else. */
export function sentContent(schema: JsonObject, values: Readonly<Record<string, unknown>>): ElicitationContent {
  const entries = Object.entries(withDefaults(schema, values)).flatMap(([name, value]): readonly (readonly [string, ElicitationContent[string]])[] => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
    return Array.isArray(value) ? [[name, value.filter((one) => typeof one === 'string')]] : [];
  });
  return Object.fromEntries(entries);
}
