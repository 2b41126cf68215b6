import type { ModelTool } from '../../src/core/ports.ts';
import type { ProviderKind } from '../../src/shared/model/settings.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Why a provider would refuse a tool, by the rules that are known of it; written apart from the code that fits tools. Empty: it would take
 * it.
 */
export function refusals(kind: ProviderKind, tool: ModelTool): string[] {
  const found: string[] = [];
  if (!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(tool.name)) found.push(`name ${tool.name}`);
  if (tool.description.length === 0 || tool.description.length > 4096) found.push(`description of ${tool.description.length} characters`);
  if (/\p{Surrogate}/u.test(JSON.stringify(tool).replaceAll(/\\u(d[89ab][0-9a-f]{2})/g, '\ud800'))) found.push('half a surrogate pair');
  if (Buffer.byteLength(JSON.stringify(tool.inputSchema)) > 65_536) found.push('more than 64 KiB');
  const root = tool.inputSchema;
  if (root['type'] !== 'object') found.push(`root type ${JSON.stringify(root['type'])}`);
  if (!isSchema(root['properties'])) found.push('root without properties');
  for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref']) if (key in root) found.push(`root ${key}`);
  judge(kind, root, '#', found, 0);
  return found;
}

const supported: Readonly<Partial<Record<ProviderKind, RegExp>>> = {
  google: /^(type|title|description|enum|minimum|maximum|format|items|minItems|maxItems|properties|required|additionalProperties|anyOf)$/,
};
const neverSent = /^(\$schema|\$id|\$ref|\$defs|definitions|\$anchor|\$dynamicRef|\$recursiveRef|const|nullable|id)$/;
const propertyName: Readonly<Record<ProviderKind, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_.-]{1,64}$/,
  google: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  openai: /^[^\p{C}]{1,64}$/u,
  'openai-compatible': /^[^\p{C}]{1,64}$/u,
};
const typeName = /^(string|number|integer|boolean|object|array|null)$/;

function judge(kind: ProviderKind, schema: unknown, at: string, found: string[], depth: number): void {
  if (!isSchema(schema)) {
    found.push(`${at} is no schema`);
    return;
  }
  if (depth > 100) found.push(`${at} is too deep`);
  const say = (key: string) => found.push(`${at}/${key}: ${JSON.stringify(schema[key])?.slice(0, 80)}`);
  for (const key of Object.keys(schema)) {
    if (neverSent.test(key) || supported[kind]?.test(key) === false || !valid(key, schema[key])) say(key);
    if (kind !== 'anthropic' && key === 'prefixItems') say(key);
    if (kind === 'openai-compatible' && (key === 'pattern' || key === 'not')) say(key);
  }
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  if (types.includes('array') && !isSchema(schema['items'])) found.push(`${at}: array without items`);
  if (kind === 'google' && Array.isArray(schema['enum'])) {
    const uniform = ['string', 'number'].some((type) =>
      (schema['enum'] as unknown[]).every((value) => typeof value === type && value !== ''),
    ); // checked one line up
    if (!uniform) say('enum');
  }
  for (const [name, property] of Object.entries(isSchema(schema['properties']) ? schema['properties'] : {})) {
    if (!propertyName[kind].test(name) || name === '__proto__') found.push(`${at}/properties: name ${JSON.stringify(name)}`);
    judge(kind, property, `${at}/properties/${name}`, found, depth + 1);
  }
  for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (!isSchema(schema['properties']) || !Object.hasOwn(schema['properties'], String(name)))
      found.push(`${at}/required: ${String(name)}`);
  }
  for (const key of ['items', 'not', 'propertyNames']) if (key in schema) judge(kind, schema[key], `${at}/${key}`, found, depth + 1);
  if (isSchema(schema['additionalProperties'])) judge(kind, schema['additionalProperties'], `${at}/additionalProperties`, found, depth + 1);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [index, branch] of list.entries()) judge(kind, branch, `${at}/${key}/${index}`, found, depth + 1);
  }
}

function valid(key: string, value: unknown): boolean {
  switch (key) {
    case 'type':
      return Array.isArray(value)
        ? value.length > 0 && new Set(value).size === value.length && value.every((name) => typeName.test(String(name)))
        : typeName.test(String(value));
    case 'title':
    case 'description':
    case 'format':
      return typeof value === 'string';
    case 'pattern':
      return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return typeof value === 'number' && Number.isFinite(value);
    case 'multipleOf':
      return typeof value === 'number' && value > 0;
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return Number.isInteger(value) && Number(value) >= 0;
    case 'enum':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value) && value.length > 0;
    case 'required':
      return Array.isArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length;
    case 'properties':
    case 'patternProperties':
    case 'dependentRequired':
    case 'items':
    case 'not':
    case 'propertyNames':
      return isSchema(value);
    case 'additionalProperties':
      return typeof value === 'boolean' || isSchema(value);
    case 'uniqueItems':
      return typeof value === 'boolean';
    case 'default':
    case 'examples':
      return true;
    default:
      return false;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
