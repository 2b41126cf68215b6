type Schema = Readonly<Record<string, unknown>>;

/** How a schema is shown: as a form of its own form-friendly copy, or as JSON where a form would hide something. */
export type Display =
  | { readonly kind: 'form'; readonly schema: Schema; readonly uiSchema: Schema }
  | { readonly kind: 'json'; readonly why: string };

const maxDepth = 6;
const maxFields = 150;
const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const jsonField = { 'ui:field': 'JsonField' };

interface Shown {
  readonly schema: unknown;
  readonly ui: Schema;
}
interface Walk {
  readonly root: Schema;
  fields: number;
}

/** Decides once per schema. The copy is for showing only: arguments are judged by the server's own schema. */
export function displayOf(schema: Schema): Display {
  const walk: Walk = { root: schema, fields: 0 };
  const shown = show(schema, walk, 0, []);
  if (walk.fields > maxFields) return { kind: 'json', why: 'It has too many fields for a form.' };
  if (shown.ui === jsonField || !isObject(shown.schema)) return { kind: 'json', why: 'Its schema cannot be shown as a form.' };
  if (shown.schema['type'] !== 'object' && !('oneOf' in shown.schema) && !('anyOf' in shown.schema)) return { kind: 'json', why: 'Its schema is not one of an object.' };
  const { $schema: _schema, $id: _id, ...rest } = shown.schema;
  return { kind: 'form', schema: { ...rest, type: 'object' }, uiSchema: shown.ui };
}

function show(value: unknown, walk: Walk, depth: number, refs: readonly string[]): Shown {
  const raw = { schema: {}, ui: jsonField };
  if (!isObject(value) || depth > maxDepth) return { ...raw, schema: titleOnly(value) };
  walk.fields += 1;
  if (walk.fields > maxFields) return raw;
  if (typeof value['$ref'] === 'string') {
    const target = resolve(walk.root, value['$ref']);
    if (target === undefined || refs.includes(value['$ref'])) return { ...raw, schema: titleOnly(value) };
    const { $ref: _ref, ...own } = value;
    return show({ ...(isObject(target) ? target : {}), ...own }, walk, depth, [...refs, value['$ref']]);
  }
  const plain = withoutNull(value);
  const { $defs: _defs, definitions: _definitions, ...node } = plain;
  for (const word of ['oneOf', 'anyOf'] as const) {
    const options = node[word];
    if (Array.isArray(options) && !options.every(isConstant)) return showChoice(node, word, options, walk, depth, refs);
  }
  if (node['type'] === 'object' || isObject(node['properties'])) return showObject(node, walk, depth, refs);
  if (node['type'] === 'array') return showArray(node, walk, depth, refs);
  const known = typeof node['type'] === 'string' || Array.isArray(node['enum']) || 'const' in node || Array.isArray(node['oneOf']) || Array.isArray(node['anyOf']);
  return known ? { schema: withType(node), ui: {} } : { schema: titleOnly(node), ui: jsonField };
}

function showObject(node: Schema, walk: Walk, depth: number, refs: readonly string[]): Shown {
  const properties = isObject(node['properties']) ? Object.entries(node['properties']) : [];
  const open = isObject(node['additionalProperties']) || node['additionalProperties'] === true || node['patternProperties'] !== undefined || Array.isArray(node['allOf']);
  // Free-form keys are written as JSON: a form would hide which keys there are.
  if (depth > 0 && (properties.length === 0 || open)) return { schema: titleOnly(node), ui: jsonField };
  if (Array.isArray(node['allOf']) || node['if'] !== undefined || isObject(node['dependentSchemas'])) return { schema: titleOnly(node), ui: jsonField };
  const shown = properties.map(([name, child]) => [name, show(child, walk, depth + 1, refs)] as const);
  const { additionalProperties: _additional, patternProperties: _patterns, ...rest } = node;
  return {
    schema: { ...rest, type: 'object', properties: Object.fromEntries(shown.map(([name, one]) => [name, one.schema])) },
    ui: Object.fromEntries(shown.filter(([, one]) => Object.keys(one.ui).length > 0).map(([name, one]) => [name, one.ui])),
  };
}

function showArray(node: Schema, walk: Walk, depth: number, refs: readonly string[]): Shown {
  if (!isObject(node['items']) || node['prefixItems'] !== undefined) return { schema: titleOnly(node), ui: jsonField };
  const item = show(node['items'], walk, depth + 1, refs);
  if (item.ui === jsonField) return { schema: titleOnly(node), ui: jsonField };
  return { schema: { ...node, items: item.schema }, ui: Object.keys(item.ui).length > 0 ? { items: item.ui } : {} };
}

function showChoice(node: Schema, word: 'oneOf' | 'anyOf', options: readonly unknown[], walk: Walk, depth: number, refs: readonly string[]): Shown {
  const shown = options.map((option) => show(option, walk, depth + 1, refs));
  if (shown.some((one) => one.ui === jsonField)) return { schema: titleOnly(node), ui: jsonField };
  const titled = shown.map((one, index) => ({ title: choiceTitle(one.schema, index), ...(isObject(one.schema) ? one.schema : {}) }));
  const own = isObject(node['properties']) ? showObject({ ...node, [word]: undefined }, walk, depth, refs) : { schema: node, ui: {} };
  return { schema: { ...(isObject(own.schema) ? own.schema : {}), [word]: titled }, ui: { ...own.ui, [word]: shown.map((one) => one.ui) } };
}

const kindNames: Readonly<Record<string, string>> = { string: 'Text', number: 'Number', integer: 'Whole number', boolean: 'Yes or no', array: 'List', object: 'Fields' };
const choiceTitle = (schema: unknown, index: number): string => {
  const type = isObject(schema) && typeof schema['type'] === 'string' ? schema['type'] : '';
  const fields = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']).slice(0, 3).join(', ') : '';
  return fields || (kindNames[type] ?? `Choice ${index + 1}`);
};

/** `string or null` is shown as an optional text: leaving it out says the same. */
function withoutNull(node: Schema): Schema {
  const { type } = node;
  if (Array.isArray(type)) {
    const types: readonly unknown[] = type.filter((one) => one !== 'null');
    return types.length === 1 ? { ...node, type: types[0] } : Object.fromEntries(Object.entries(node).filter(([word]) => word !== 'type'));
  }
  for (const word of ['anyOf', 'oneOf'] as const) {
    const options = node[word];
    if (!Array.isArray(options)) continue;
    const rest: readonly unknown[] = options.filter((option) => !(isObject(option) && option['type'] === 'null'));
    if (rest.length === options.length) continue;
    const { [word]: _options, ...own } = node;
    const [only] = rest;
    return rest.length === 1 && isObject(only) ? { ...only, ...own } : { ...own, [word]: rest };
  }
  return node;
}

const isConstant = (option: unknown): boolean => isObject(option) && ('const' in option || (Array.isArray(option['enum']) && option['enum'].length === 1));

/** An enumeration without a type gets that of its values. */
function withType(node: Schema): Schema {
  if (typeof node['type'] === 'string' || !Array.isArray(node['enum'])) return node;
  const kinds = new Set(node['enum'].map((value) => typeof value));
  const [kind] = kinds;
  return kinds.size === 1 && (kind === 'string' || kind === 'number' || kind === 'boolean') ? { ...node, type: kind } : node;
}

const titleOnly = (value: unknown): Schema => (isObject(value) ? Object.fromEntries(['title', 'description', 'default'].filter((word) => word in value).map((word) => [word, value[word]])) : {});

function resolve(root: Schema, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}
