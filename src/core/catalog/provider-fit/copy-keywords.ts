import type { JsonObject } from '../../../shared/model/catalog.ts';
import type { Place, SchemaCopier } from './copy-schema.ts';
import { copyArray } from './copy-array.ts';
import { copyObject } from './copy-object.ts';
import { isObject, isSmall, own, shortened } from './json.ts';
import { both } from './merge-schemas.ts';

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
  null: 'null',
  // What people write instead.
  str: 'string',
  text: 'string',
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  dict: 'object',
  list: 'array',
};
const descriptionLimit = 1024;
const patternLimit = 500;
const mostValues = 500;

/**
 * The keywords of one schema, those that the provider knows and whose values are what they must be; one wrong value makes a provider
 * refuse the request.
 */
export function copyKeywords(schema: JsonObject, copier: SchemaCopier, place: Place): JsonObject {
  const { keywords } = copier.rules;
  const values = new Map<string, unknown>();
  const put = (key: string, value: unknown) => {
    if (value !== undefined && keywords.has(key)) values.set(key, value);
  };
  const untold: string[] = [];
  // A rule that the provider does not know is told in words where that is short.
  const putOrTell = (key: string, value: string | number | undefined) => {
    if (value !== undefined && !keywords.has(key)) untold.push(`${key}: ${String(value)}`);
    else put(key, value);
  };
  const number = (key: string) => {
    const value = own(schema, key);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  const count = (key: string) => {
    const value = number(key);
    return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };

  put('type', typeOf(schema));
  const title = own(schema, 'title');
  if (typeof title === 'string') put('title', shortened(title, 200));
  putValues(schema, copier, put, untold);
  for (const key of ['default', 'examples']) {
    const value = own(schema, key);
    if (isSmall(value) && (key === 'default' || Array.isArray(value))) put(key, value);
  }
  for (const [inclusive, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    // Draft 4 says `exclusiveMinimum: true` beside the number.
    const isFlag = own(schema, exclusive) === true;
    putOrTell(inclusive, isFlag ? undefined : number(inclusive));
    putOrTell(exclusive, isFlag ? number(inclusive) : number(exclusive));
  }
  const multiple = number('multipleOf');
  if (multiple !== undefined && multiple > 0) putOrTell('multipleOf', multiple);
  for (const key of ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']) putOrTell(key, count(key));
  putOrTell('pattern', patternOf(schema));
  const format = own(schema, 'format');
  if (typeof format === 'string' && /^[A-Za-z0-9-]{1,40}$/.test(format)) {
    if (copier.rules.formats === undefined || copier.rules.formats.has(format)) put('format', format);
    else untold.push(`format: ${format}`);
  }
  const description = own(schema, 'description');
  const words = [
    typeof description === 'string' ? shortened(description, descriptionLimit) : '',
    untold.length === 0 ? '' : `(${shortened(untold.join('; '), 300)})`,
  ];
  put('description', words.filter((text) => text !== '').join(' ') || undefined);

  copyObject(schema, copier, place, put);
  copyArray(schema, copier, place, put, values.get('type'));
  return combined(Object.fromEntries(values), schema, copier, place);
}

function typeOf(schema: JsonObject): string | string[] | undefined {
  const type = own(schema, 'type');
  const given: readonly unknown[] = Array.isArray(type) ? type.slice(0, 20) : [type];
  const known = new Set(
    given.flatMap((name) => (typeof name === 'string' && Object.hasOwn(typeNames, name) ? [typeNames[name] ?? name] : [])),
  );
  if (known.size === 0) {
    if (isObject(own(schema, 'properties'))) return 'object';
    return own(schema, 'items') !== undefined || own(schema, 'prefixItems') !== undefined ? 'array' : undefined;
  }
  if (own(schema, 'nullable') === true) known.add('null');
  const names = [...known];
  return names.length === 1 ? names[0] : names;
}

function putValues(schema: JsonObject, copier: SchemaCopier, put: (key: string, value: unknown) => void, untold: string[]): void {
  const listed = own(schema, 'enum');
  const values: readonly unknown[] | undefined = Object.hasOwn(schema, 'const')
    ? [schema['const']]
    : Array.isArray(listed)
      ? listed
      : undefined;
  if (values === undefined || values.length === 0) return;
  if (!copier.spend(values.length) || values.length > mostValues || !values.every(isSmall)) return;
  const distinct = [...new Set(values)];
  const uniform =
    distinct.every((value) => typeof value === 'string' && value !== '') || distinct.every((value) => typeof value === 'number');
  if (copier.rules.mixedEnums || uniform) put('enum', distinct);
  else untold.push(`one of ${JSON.stringify(distinct)}`);
}

function patternOf(schema: JsonObject): string | undefined {
  const pattern = own(schema, 'pattern');
  return typeof pattern === 'string' && isPattern(pattern) ? pattern : undefined;
}

export function isPattern(pattern: string): boolean {
  if (pattern.length > patternLimit || /\p{Surrogate}/u.test(pattern)) return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** `anyOf` and its kin, in the forms that the provider has. */
function combined(base: JsonObject, schema: JsonObject, copier: SchemaCopier, place: Place): JsonObject {
  const { keywords, mergeAllOf } = copier.rules;
  const branches = (key: string): JsonObject[] => {
    const list = own(schema, key);
    if (!Array.isArray(list)) return [];
    const copied: JsonObject[] = [];
    for (const branch of list) {
      if (copier.stopped !== undefined) break;
      const one = copier.beside(branch, place);
      if (one !== undefined) copied.push(one);
    }
    return copied;
  };
  const anyOf = branches('anyOf');
  const oneOf = branches('oneOf');
  const allOf = branches('allOf');
  const not = keywords.has('not') && isObject(own(schema, 'not')) ? copier.beside(own(schema, 'not'), place) : undefined;
  let result: JsonObject = mergeAllOf ? allOf.reduce(both, base) : base;
  const merged = result;
  const add = (key: string, value: unknown) => {
    result = { ...result, [key]: value };
  };
  if (allOf.length > 0 && !mergeAllOf) add('allOf', allOf);
  if (anyOf.length > 0 && !('anyOf' in merged)) add('anyOf', anyOf);
  if (oneOf.length > 0) {
    if (keywords.has('oneOf')) add('oneOf', oneOf);
    else if (!('anyOf' in result)) add('anyOf', oneOf);
  }
  if (not !== undefined && Object.keys(not).length > 0) add('not', not);
  return result;
}
