import type { Schema, SchemaDraft } from '@cfworker/json-schema';

export type Prepared = { readonly kind: 'schema'; readonly schema: Schema; readonly draft: SchemaDraft } | { readonly kind: 'no-schema'; readonly message: string };

type Node = Record<string, unknown>;
const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const single = new Set(['additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else']);
const listed = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf']);
const named = new Set(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']);
const numbers = new Set(['maximum', 'minimum', 'multipleOf', 'maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'minContains', 'maxContains']);
const deepest = 400;

class NoSchema extends Error {}

/**
 * Looks through a freshly parsed schema, and changes it into what is enforced. Two keywords are not: `format`, which is a note since 2019-09,
 * and a `pattern` of another dialect (Python's `(?P<…>)`), which says nothing here; the server itself remains the judge of both.
 */
export function prepareSchema(schema: unknown): Prepared {
  try {
    visit(schema, '', 0);
    if (!isNode(schema)) throw new NoSchema('It is not an object');
    return { kind: 'schema', schema, draft: draftOf(schema.$schema) };
  } catch (error) {
    if (error instanceof NoSchema) return { kind: 'no-schema', message: error.message };
    throw error;
  }
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

function visit(value: unknown, at: string, depth: number): void {
  if (typeof value === 'boolean') return;
  if (!isNode(value)) throw new NoSchema(`${at || 'The whole'} is neither an object nor true or false`);
  if (depth > deepest) throw new NoSchema('It is nested too deeply');
  delete value.format;
  if (typeof value.pattern === 'string' && !isPattern(value.pattern)) delete value.pattern;
  // Version 3 said so of a single property.
  if (typeof value.required === 'boolean') delete value.required;
  for (const [keyword, part] of Object.entries(value)) visitKeyword(value, keyword, part, `${at}/${keyword}`, depth);
}

function visitKeyword(node: Node, keyword: string, part: unknown, at: string, depth: number): void {
  if (single.has(keyword)) visit(part, at, depth + 1);
  else if (keyword === 'items') visitItems(part, at, depth);
  else if (listed.has(keyword)) visitList(part, at, depth);
  else if (named.has(keyword)) visitNamed(keyword, part, at, depth);
  else if (keyword === 'dependencies') visitDependencies(part, at, depth);
  else if (keyword === 'type') demand(isType(part), at, 'names no type of JSON');
  else if (keyword === 'required') demand(isTexts(part), at, 'is no list of names');
  else if (keyword === 'enum') demand(Array.isArray(part), at, 'is no list');
  else if (keyword === 'pattern' || keyword === '$ref' || keyword === '$id') demand(typeof part === 'string', at, 'is no text');
  else if (numbers.has(keyword)) demand(typeof part === 'number', at, 'is no number');
  else if (keyword === 'id' && typeof part !== 'string') delete node.id;
}

function demand(right: boolean, at: string, fault: string): void {
  if (!right) throw new NoSchema(`${at} ${fault}`);
}
const isTexts = (part: unknown): boolean => Array.isArray(part) && part.every((one) => typeof one === 'string');
const isType = (part: unknown): boolean => (typeof part === 'string' ? types.has(part) : Array.isArray(part) && part.length > 0 && part.every((one) => types.has(one)));

function visitItems(part: unknown, at: string, depth: number): void {
  if (Array.isArray(part)) visitList(part, at, depth);
  else visit(part, at, depth + 1);
}

function visitList(part: unknown, at: string, depth: number): void {
  if (!Array.isArray(part)) throw new NoSchema(`${at} is no list`);
  part.forEach((one, index) => visit(one, `${at}/${index}`, depth + 1));
}

function visitNamed(keyword: string, part: unknown, at: string, depth: number): void {
  if (!isNode(part)) throw new NoSchema(`${at} is no object`);
  for (const [name, one] of Object.entries(part)) {
    if (keyword === 'patternProperties' && !isPattern(name)) delete part[name];
    else visit(one, `${at}/${name}`, depth + 1);
  }
}

function visitDependencies(part: unknown, at: string, depth: number): void {
  if (!isNode(part)) throw new NoSchema(`${at} is no object`);
  for (const [name, one] of Object.entries(part)) if (!isTexts(one)) visit(one, `${at}/${name}`, depth + 1);
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
