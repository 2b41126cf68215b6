import type { Schema, SchemaDraft } from '@cfworker/json-schema';

export type Prepared = { readonly kind: 'schema'; readonly schema: Schema | boolean; readonly draft: SchemaDraft } | { readonly kind: 'no-schema'; readonly message: string };

type Node = Record<string, unknown>;
const types = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
/** Deeper parts are not enforced; a schema that calls itself goes as deep as the value. */
const deepest = 400;

/**
 * Changes a freshly parsed schema into what is enforced. Many servers send schemas that are not quite right; refusing every call would help
 * nobody, and the server itself remains the judge. So a keyword whose value makes no sense says nothing, and two never say anything: `format`,
 * which is a note since 2019-09, and a `pattern` of another dialect (Python's `(?P<…>)`).
 */
export function prepareSchema(schema: unknown): Prepared {
  if (typeof schema !== 'boolean' && !isNode(schema)) return { kind: 'no-schema', message: 'It is no JSON Schema: neither an object nor true or false' };
  clean(schema, 0);
  return { kind: 'schema', schema, draft: draftOf(typeof schema === 'boolean' ? undefined : schema.$schema) };
}

function draftOf(uri: unknown): SchemaDraft {
  const [, name] = typeof uri === 'string' ? (/\/(?:draft-)?(0[3-7]|2019-09|2020-12)\//.exec(uri) ?? []) : [];
  switch (name) {
    case '03': case '04': return '4';
    case '05': case '06': case '07': return '7';
    case '2019-09': return '2019-09';
    default: return '2020-12';
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isListOf = (value: unknown, right: (one: unknown) => boolean): boolean => Array.isArray(value) && value.length > 0 && value.every(right);

/** Cleans a schema in place; `false` when it is none, and what holds it should let go of it. */
function clean(value: unknown, depth: number): boolean {
  if (typeof value === 'boolean') return true;
  if (!isNode(value) || depth > deepest) return false;
  for (const [keyword, part] of Object.entries(value)) {
    if (rules.get(keyword)?.(part, depth + 1) === false) delete value[keyword];
  }
  return true;
}

/** Each cleans what a keyword holds and says whether the keyword can stay. */
type Rule = (part: unknown, depth: number) => boolean;

const cleanList: Rule = (part, depth) => Array.isArray(part) && part.length > 0 && part.every((one) => clean(one, depth));

const cleanNamed: Rule = (part, depth) => {
  if (!isNode(part)) return false;
  for (const [name, one] of Object.entries(part)) if (!clean(one, depth)) delete part[name];
  return true;
};

const cleanPatterns: Rule = (part, depth) => {
  if (!isNode(part)) return false;
  for (const name of Object.keys(part)) if (!isPattern(name)) delete part[name];
  return cleanNamed(part, depth);
};

const cleanDependencies: Rule = (part, depth) => {
  if (!isNode(part)) return false;
  for (const [name, one] of Object.entries(part)) if (!isNames(one) && !clean(one, depth)) delete part[name];
  return true;
};

const isNames = (part: unknown): boolean => Array.isArray(part) && part.every(isText);
const isPattern = (part: unknown): boolean => {
  try {
    return isText(part) && new RegExp(part, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};
const isBound = (part: unknown): boolean => isNumber(part) || typeof part === 'boolean';

const everyKeyword = (rule: Rule, ...keywords: readonly string[]): (readonly [string, Rule])[] => keywords.map((keyword) => [keyword, rule] as const);

const rules: ReadonlyMap<string, Rule> = new Map([
  ...everyKeyword((part) => types.has(part) || isListOf(part, (one) => types.has(one)), 'type'),
  ...everyKeyword((part) => isListOf(part, () => true), 'enum'),
  ...everyKeyword(isNames, 'required'),
  ...everyKeyword(cleanNamed, 'properties', '$defs', 'definitions', 'dependentSchemas'),
  ...everyKeyword(cleanPatterns, 'patternProperties'),
  ...everyKeyword(cleanDependencies, 'dependencies'),
  ...everyKeyword((part) => isNode(part) && Object.values(part).every(isNames), 'dependentRequired'),
  ...everyKeyword((part, depth) => (Array.isArray(part) ? cleanList(part, depth) : clean(part, depth)), 'items'),
  ...everyKeyword(cleanList, 'prefixItems', 'allOf', 'anyOf', 'oneOf'),
  ...everyKeyword(clean, 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'),
  ...everyKeyword(isNumber, 'minimum', 'maximum'),
  ...everyKeyword(isBound, 'exclusiveMinimum', 'exclusiveMaximum'),
  ...everyKeyword((part) => typeof part === 'number' && part > 0, 'multipleOf'),
  ...everyKeyword(isCount, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'),
  ...everyKeyword(isPattern, 'pattern'),
  ...everyKeyword(() => false, 'format'),
  ...everyKeyword(isText, '$ref', '$id', 'id', '$anchor'),
]);
