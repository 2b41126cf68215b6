import type { ModelTool } from '../../src/core/ports.ts';
import type { ProviderKind } from '../../src/shared/model/settings.ts';

type Schema = Readonly<Record<string, unknown>>;
interface ToolRule {
  readonly kinds: readonly ProviderKind[];
  /** What is wrong; empty when the rule holds. */
  readonly find: (tool: ModelTool) => readonly string[];
}
interface SchemaRule {
  readonly kinds: readonly ProviderKind[];
  readonly find: (schema: Schema) => readonly string[];
}

const all: readonly ProviderKind[] = ['anthropic', 'openai', 'openai-compatible', 'google'];
const when = (wrong: boolean, what: string): readonly string[] => (wrong ? [what] : []);

/**
 * Why a provider would refuse a tool, by what its documents and its own error messages say; written apart from the code that fits tools.
 * Empty: it would take it.
 */
export function refusals(kind: ProviderKind, tool: ModelTool): string[] {
  const found = toolRules.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ find }) => find(tool));
  const rules = schemaRules.filter(({ kinds }) => kinds.includes(kind));
  for (const [at, schema] of schemasIn(tool.inputSchema, '#')) {
    if (isSchema(schema)) found.push(...rules.flatMap(({ find }) => find(schema)).map((what) => `${at}: ${what}`));
    else found.push(`${at}: ${JSON.stringify(schema)?.slice(0, 40)} is no schema`);
  }
  return found;
}

/** Why a provider would refuse these tools together. */
export function requestRefusals(kind: ProviderKind, tools: readonly ModelTool[]): string[] {
  // OpenAI: "Invalid 'tools': array too long. Expected an array with maximum length 128". Gemini: at most 128 function declarations.
  const most = kind === 'anthropic' ? Number.POSITIVE_INFINITY : 128;
  const names = tools.map(({ name }) => name);
  // Anthropic: "tools: Tool names must be unique"; Gemini: "Duplicate function declaration found".
  return [...when(tools.length > most, `array too long: ${tools.length} tools`), ...when(new Set(names).size !== names.length, 'names must be unique')];
}

const toolRules: readonly ToolRule[] = [
  // Anthropic and OpenAI: ^[a-zA-Z0-9_-]{1,64}$. Gemini: "Must start with a letter or an underscore", at most 64.
  { kinds: all, find: ({ name }) => when(!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name), `name ${name}`) },
  // Chat Completions: "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024".
  { kinds: ['openai-compatible'], find: ({ description }) => when(description.length > 1024, `description of ${description.length} characters`) },
  // Gemini: a declaration's description is required. Ours: no tool takes more than 4,096 characters of a context.
  { kinds: all, find: ({ description }) => when(description.trim() === '' || description.length > 4096, `description of ${description.length} characters`) },
  // All: half of a surrogate pair is no JSON text; Anthropic: "The request body is not valid JSON: no low surrogate in string".
  { kinds: all, find: (tool) => when(/\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(tool)), 'half a surrogate pair') },
  // Anthropic: "input_schema.type: Input should be 'object'". OpenAI: "schema must be a JSON Schema of 'type: \"object\"'". Gemini: "must describe an object".
  { kinds: all, find: ({ inputSchema }) => when(inputSchema['type'] !== 'object', `root type ${JSON.stringify(inputSchema['type'])}`) },
  // OpenAI: "object schema missing properties". Gemini: "properties: should be non-empty for OBJECT type", for a root without any.
  { kinds: all, find: ({ inputSchema }) => when(!isSchema(inputSchema['properties']), 'root without properties') },
  // Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level". OpenAI: the same, and 'enum' and 'not'.
  { kinds: all, find: ({ inputSchema }) => ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', '$ref'].filter((key) => key in inputSchema).map((key) => `root ${key}`) },
  // Ours (F-106): that arguments are closed is not told to a model.
  { kinds: all, find: ({ inputSchema }) => when('additionalProperties' in inputSchema, 'root additionalProperties') },
  // Protobuf's JSON reader stops at 100 levels, and the schema stands some levels within the request.
  { kinds: all, find: ({ inputSchema }) => when(levelsOf(inputSchema) > 94, `${levelsOf(inputSchema)} levels`) },
  // Ours: one tool takes at most 64 KiB of a request.
  { kinds: all, find: ({ inputSchema }) => when(Buffer.byteLength(JSON.stringify(inputSchema)) > 65_536, 'more than 64 KiB') },
];

const typeName = /^(string|number|integer|boolean|object|array|null)$/;
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isAny = (): boolean => true;
const isListOfSchemas = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** The meta-schema of draft 2020-12, which Anthropic holds every schema against ("JSON schema is invalid. It must match JSON Schema draft 2020-12"). */
const draft2020: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => (Array.isArray(value) ? value.length > 0 && isNames(value) && value.every((one) => typeName.test(String(one))) : isText(value) && typeName.test(String(value))),
  title: isText,
  description: isText,
  default: isAny,
  examples: (value) => Array.isArray(value),
  enum: (value) => Array.isArray(value) && value.length > 0,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  // ECMA-262 with Unicode, as the draft recommends.
  pattern: (value) => isText(value) && new RegExp(String(value), 'u') instanceof RegExp,
  format: isText,
  uniqueItems: (value) => typeof value === 'boolean',
  items: isSchema,
  prefixItems: isListOfSchemas,
  properties: isSchema,
  required: isNames,
  additionalProperties: (value) => typeof value === 'boolean' || isSchema(value),
  patternProperties: (value) => isSchema(value) && Object.keys(value).every((pattern) => new RegExp(pattern, 'u') instanceof RegExp),
  propertyNames: isSchema,
  dependentRequired: (value) => isSchema(value) && Object.values(value).every(isNames),
  anyOf: isListOfSchemas,
  oneOf: isListOfSchemas,
  allOf: isListOfSchemas,
  not: isSchema,
};
/** Gemini: what `parametersJsonSchema` supports of JSON Schema; references are left out, as they are nobody's need here. */
const geminiKeywords: ReadonlySet<string> = new Set(
  'type title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required format'.split(' '),
);
const propertyNames = (schema: Schema): readonly string[] => (isSchema(schema['properties']) ? Object.keys(schema['properties']) : []);
const namesThat = (allowed: RegExp) => (schema: Schema) => propertyNames(schema).filter((name) => !allowed.test(name)).map((name) => `property ${JSON.stringify(name)}`);
const without = (...keywords: readonly string[]) => (schema: Schema) => keywords.filter((key) => key in schema);

const schemaRules: readonly SchemaRule[] = [
  // A keyword outside of the table is one that nobody needs to see: `$schema`, `$defs`, `const`, `nullable`, `x-…`.
  { kinds: all, find: (schema) => Object.entries(schema).flatMap(([key, value]) => when(draft2020[key]?.(value) !== true, `${key} ${JSON.stringify(value)?.slice(0, 60)}`)) },
  { kinds: ['google'], find: (schema) => Object.keys(schema).filter((key) => !geminiKeywords.has(key)) },
  // Anthropic: "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
  { kinds: ['anthropic'], find: namesThat(/^[a-zA-Z0-9_.-]{1,64}$/) },
  // Gemini: a parameter's name starts with a letter or an underscore and has at most 64 characters.
  { kinds: ['google'], find: namesThat(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/) },
  // OpenAI: property names of at most 64 characters; control characters and halves of characters are refused with the text.
  { kinds: ['openai', 'openai-compatible'], find: namesThat(/^[^\p{C}]{1,64}$/u) },
  // Whoever copies the arguments without care would lose this one.
  { kinds: all, find: (schema) => propertyNames(schema).filter((name) => name === '__proto__') },
  // OpenAI: "In context=('properties', 'a'), array schema missing items".
  { kinds: all, find: (schema) => when([schema['type']].flat().includes('array') && !('items' in schema), 'array schema missing items') },
  // OpenAI's list for functions has no positional items.
  { kinds: ['openai', 'openai-compatible', 'google'], find: without('prefixItems') },
  // llama.cpp and others make a grammar of it and fail: "Pattern must start with '^' and end with '$'", "Unrecognized schema: not".
  { kinds: ['openai-compatible'], find: without('pattern', 'patternProperties', 'not') },
  // Gemini: "parameters.required[0]: property is not defined".
  { kinds: all, find: (schema) => (Array.isArray(schema['required']) ? schema['required'] : []).filter((name) => !propertyNames(schema).includes(String(name))).map((name) => `required ${String(name)}`) },
  // Gemini: "enum[0]: cannot be empty", and an enum holds texts or numbers.
  { kinds: ['google'], find: ({ enum: values }) => when(Array.isArray(values) && !['string', 'number'].some((type) => values.every((value) => typeof value === type && value !== '')), 'mixed enum') },
  // Gemini: of formats for texts, "date-time", "date" and "time".
  { kinds: ['google'], find: ({ format }) => when(format !== undefined && !(typeof format === 'string' && ['date-time', 'date', 'time'].includes(format)), `format ${JSON.stringify(format)}`) },
];

/** Every schema within a schema, with its place; what is not one is there too. */
function* schemasIn(schema: unknown, at: string): Generator<readonly [string, unknown]> {
  yield [at, schema];
  if (!isSchema(schema)) return;
  for (const key of ['items', 'not', 'propertyNames', 'additionalProperties']) {
    if (key in schema && typeof schema[key] !== 'boolean') yield* schemasIn(schema[key], `${at}/${key}`);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [index, one] of list.entries()) yield* schemasIn(one, `${at}/${key}/${index}`);
  }
  for (const key of ['properties', 'patternProperties']) {
    const named = schema[key];
    if (isSchema(named)) for (const [name, one] of Object.entries(named)) yield* schemasIn(one, `${at}/${key}/${name}`);
  }
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
