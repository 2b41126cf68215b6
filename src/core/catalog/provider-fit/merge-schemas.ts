import type { JsonObject } from '../../../shared/model/catalog.ts';
import { canonicalJson } from '../../kernel/hash.ts';
import { isObject } from './json.ts';

const mostAlternatives = 10;
const mostValues = 100;

/** A schema for what fits both. Where two rules cannot be joined the later one stays: the server's own schema has the last word anyway. */
export function both(a: JsonObject, b: JsonObject): JsonObject {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const merged: Record<string, unknown> = { ...a, ...b };
  const keep = (key: string, join: (left: unknown, right: unknown) => unknown) => {
    if (!(key in a) || !(key in b)) return;
    const value = join(a[key], b[key]);
    if (value === undefined) delete merged[key];
    else merged[key] = value;
  };
  keep('properties', (left, right) => eachProperty(propertiesOf(left), propertiesOf(right), both));
  keep('required', (left, right) => [...new Set([...stringsOf(left), ...stringsOf(right)])]);
  keep('type', (left, right) => {
    const shared = typesOf(left).filter(
      (type) => typesOf(right).includes(type) || (type === 'integer' && typesOf(right).includes('number')),
    );
    return shared.length === 0 ? right : shared.length === 1 ? shared[0] : shared;
  });
  keep('enum', (left, right) => {
    const allowed = new Set(listOf(right).map(canonicalJson));
    const shared = listOf(left).filter((value) => allowed.has(canonicalJson(value)));
    return shared.length === 0 ? right : shared;
  });
  for (const key of ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
    keep(key, (left, right) => Math.max(Number(left), Number(right)));
  for (const key of ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
    keep(key, (left, right) => Math.min(Number(left), Number(right)));
  keep('allOf', (left, right) => [...listOf(left), ...listOf(right)]);
  // Closed parts of an `allOf` close each other's properties out, which nobody means.
  if ((a['additionalProperties'] === false) !== (b['additionalProperties'] === false) || a['additionalProperties'] === false) {
    if ('properties' in a && 'properties' in b) delete merged['additionalProperties'];
  }
  return merged;
}

/** A schema for what fits one of the two. */
export function either(a: JsonObject, b: JsonObject): JsonObject {
  if (canonicalJson(a) === canonicalJson(b)) return a;
  if (isEmpty(a) || isEmpty(b)) return {};
  if (Array.isArray(a['enum']) && Array.isArray(b['enum']) && canonicalJson(a['type'] ?? null) === canonicalJson(b['type'] ?? null)) {
    const values = new Map([...listOf(a['enum']), ...listOf(b['enum'])].map((value) => [canonicalJson(value), value]));
    if (values.size <= mostValues) return { ...a, enum: [...values.values()] };
    const { enum: _values, ...open } = a;
    return open;
  }
  const alternatives = [...alternativesOf(a), ...alternativesOf(b)];
  const distinct = [...new Map(alternatives.map((schema) => [canonicalJson(schema), schema])).values()];
  return distinct.length > mostAlternatives ? {} : { anyOf: distinct };
}

export function eachProperty(
  a: Readonly<Record<string, JsonObject>>,
  b: Readonly<Record<string, JsonObject>>,
  join: (left: JsonObject, right: JsonObject) => JsonObject,
): Record<string, JsonObject> {
  const joined = new Map(Object.entries(a));
  for (const [key, schema] of Object.entries(b)) {
    const other = joined.get(key);
    joined.set(key, other === undefined ? schema : join(other, schema));
  }
  return Object.fromEntries(joined);
}

export function propertiesOf(value: unknown): Record<string, JsonObject> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([key, schema]) => (isObject(schema) ? [[key, schema]] : [])));
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

export function typesOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : stringsOf(value);
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function alternativesOf(schema: JsonObject): JsonObject[] {
  const keys = Object.keys(schema);
  return keys.length === 1 && keys[0] === 'anyOf' ? listOf(schema['anyOf']).filter(isObject) : [schema];
}

function isEmpty(schema: JsonObject): boolean {
  return Object.keys(schema).length === 0;
}
