import type { JsonObject } from '../../../shared/model/catalog.ts';
import { isPattern } from './copy-keywords.ts';
import type { Place, SchemaCopier } from './copy-schema.ts';
import { isObject, own } from './json.ts';

type Put = (key: string, value: unknown) => void;

/** What a schema says of objects, with property names that the provider takes. */
export function copyObject(schema: JsonObject, copier: SchemaCopier, place: Place, put: Put): void {
  const properties = copyProperties(schema, copier, place);
  const required = requiredNames(schema, copier);
  if (properties !== undefined || required.length > 0) {
    const all = new Map(properties);
    // A required property that is described nowhere: Gemini refuses the name, and a model would not know it.
    for (const name of required) if (!all.has(name)) all.set(name, {});
    put('properties', Object.fromEntries(all));
    if (own(schema, 'type') === undefined) put('type', 'object');
  }
  if (required.length > 0) put('required', required);
  const additional = own(schema, 'additionalProperties');
  if (typeof additional === 'boolean') put('additionalProperties', additional);
  else if (isObject(additional)) put('additionalProperties', copier.below(additional, place));
  const { keywords } = copier.rules;
  if (keywords.has('patternProperties')) put('patternProperties', copyPatterns(schema, copier, place));
  if (keywords.has('propertyNames') && isObject(own(schema, 'propertyNames')))
    put('propertyNames', copier.below(own(schema, 'propertyNames'), place));
  if (keywords.has('dependentRequired')) put('dependentRequired', dependentNames(schema, copier));
}

function copyProperties(schema: JsonObject, copier: SchemaCopier, place: Place): Map<string, JsonObject> | undefined {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return undefined;
  const copied = new Map<string, JsonObject>();
  for (const key of Object.keys(properties)) {
    if (copier.stopped !== undefined) break;
    const property = copier.below(properties[key], place);
    if (property === undefined) continue;
    const name = copier.names.fitted(key);
    copied.set(name, name === key ? property : named(property, key));
  }
  return copied;
}

/** A renamed property tells its own name, which may say more than the fitted one. */
function named(property: JsonObject, original: string): JsonObject {
  if (/[\p{C}]/u.test(original) || original.length > 100) return property;
  const { description } = property;
  return { ...property, description: typeof description === 'string' ? `${original}: ${description}` : original };
}

function requiredNames(schema: JsonObject, copier: SchemaCopier): string[] {
  const required = own(schema, 'required');
  if (!Array.isArray(required) || !copier.spend(required.length)) return [];
  const properties = own(schema, 'properties');
  const possible = (name: string) => !isObject(properties) || own(properties, name) !== false;
  return [
    ...new Set(required.filter((name) => typeof name === 'string' && possible(name)).map((name: string) => copier.names.fitted(name))),
  ];
}

function copyPatterns(schema: JsonObject, copier: SchemaCopier, place: Place): JsonObject | undefined {
  const patterns = own(schema, 'patternProperties');
  if (!isObject(patterns)) return undefined;
  const copied = new Map<string, JsonObject>();
  for (const pattern of Object.keys(patterns)) {
    if (copier.stopped !== undefined) break;
    const property = isPattern(pattern) && pattern !== '__proto__' ? copier.below(patterns[pattern], place) : undefined;
    if (property !== undefined) copied.set(pattern, property);
  }
  return copied.size === 0 ? undefined : Object.fromEntries(copied);
}

function dependentNames(schema: JsonObject, copier: SchemaCopier): JsonObject | undefined {
  const dependent = own(schema, 'dependentRequired');
  if (!isObject(dependent)) return undefined;
  const copied = Object.keys(dependent).flatMap((key): [string, string[]][] => {
    const names = dependent[key];
    if (!Array.isArray(names) || !copier.spend(names.length + 1)) return [];
    return [
      [
        copier.names.fitted(key),
        [...new Set(names.filter((name) => typeof name === 'string').map((name: string) => copier.names.fitted(name)))],
      ],
    ];
  });
  return copied.length === 0 ? undefined : Object.fromEntries(copied);
}
