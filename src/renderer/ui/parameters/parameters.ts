type Schema = Readonly<Record<string, unknown>>;

/** One thing that a schema asks for, in words. */
export interface Parameter {
  readonly name: string;
  /** `text`, `whole number`, `list of text`, `one of 3`… */
  readonly type: string;
  readonly required: boolean;
  readonly title?: string;
  readonly description?: string;
  /** `at least 1`, `default "en"`, `matches ^a`… */
  readonly limits: readonly string[];
  /** The values that it can have, when they are counted. */
  readonly choices: readonly string[];
  /** The fields of an object, or of a list's objects. */
  readonly parts: readonly Parameter[];
}

const deepest = 5;
const most = 300;
const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

interface Walk {
  readonly root: Schema;
  left: number;
}

/**
 * What a schema asks for, readable; `undefined` when it says nothing that a list could show. A server wrote the schema: it may be
 * nonsense, or go round in circles.
 */
export function parametersOf(schema: Schema): readonly Parameter[] | undefined {
  const walk: Walk = { root: schema, left: most };
  const { node } = open(schema, walk, []);
  if (!isObject(node['properties']))
    return Object.keys(node).some((word) => ['oneOf', 'anyOf', 'allOf', 'patternProperties', '$ref'].includes(word)) ? undefined : [];
  return fieldsOf(node, walk, 0, []);
}

function fieldsOf(node: Schema, walk: Walk, depth: number, refs: readonly string[]): readonly Parameter[] {
  const properties = isObject(node['properties']) ? Object.entries(node['properties']) : [];
  const required = Array.isArray(node['required']) ? new Set<unknown>(node['required']) : new Set();
  const fields: Parameter[] = [];
  for (const [name, child] of properties) {
    if (walk.left <= 0) break;
    walk.left -= 1;
    fields.push(parameter(name, child, required.has(name), walk, depth, refs));
  }
  return fields;
}

function parameter(name: string, value: unknown, required: boolean, walk: Walk, depth: number, refs: readonly string[]): Parameter {
  const opened = open(isObject(value) ? value : {}, walk, refs);
  const { node } = opened;
  const list = isObject(node['items']) ? open(node['items'], walk, opened.refs) : undefined;
  const inner = list?.node ?? node;
  const title = textOf(node['title']);
  const description = textOf(node['description']);
  return {
    name,
    required,
    type: typeWords(node, list?.node),
    limits: limitsOf(node),
    choices: choicesOf(inner),
    ...(title === undefined || title.toLowerCase() === name.toLowerCase() ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    parts: depth >= deepest ? [] : fieldsOf(inner, walk, depth + 1, list?.refs ?? opened.refs),
  };
}

/** Follows references into the same document; one that leads back to itself is left as it is. */
function open(schema: Schema, walk: Walk, refs: readonly string[]): { readonly node: Schema; readonly refs: readonly string[] } {
  const ref = schema['$ref'];
  if (typeof ref !== 'string' || refs.includes(ref)) return { node: schema, refs };
  const target = resolve(walk.root, ref);
  if (!isObject(target)) return { node: schema, refs };
  const { $ref: _ref, ...own } = schema;
  return open({ ...target, ...own }, walk, [...refs, ref]);
}

function resolve(root: Schema, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  object: 'object',
  array: 'list',
  null: 'nothing',
};
const typeName = (type: unknown): string | undefined => (typeof type === 'string' && Object.hasOwn(names, type) ? names[type] : undefined);

function typeWords(node: Schema, item: Schema | undefined): string {
  const { type } = node;
  if (item) return `list of ${plural(typeWords(item, undefined))}`;
  if ('const' in node) return 'one value';
  if (Array.isArray(node['enum'])) return `one of ${node['enum'].length}`;
  if (Array.isArray(type)) return joinOr(type.map((one: unknown) => typeName(one) ?? 'anything'));
  for (const word of ['oneOf', 'anyOf'] as const) {
    const options = node[word];
    if (!Array.isArray(options)) continue;
    if (options.every((option) => isObject(option) && 'const' in option)) return `one of ${options.length}`;
    const words = [
      ...new Set(
        options.map((option) =>
          isObject(option) ? typeWords(option, isObject(option['items']) ? option['items'] : undefined) : 'anything',
        ),
      ),
    ];
    return words.length <= 3 ? joinOr(words) : `one of ${options.length} forms`;
  }
  const format = textOf(node['format']);
  const name = typeName(type);
  if (name === 'text' && format !== undefined) return `text (${format})`;
  return name ?? (isObject(node['properties']) ? 'object' : 'anything');
}
const plural = (word: string): string =>
  ({ object: 'objects', number: 'numbers', 'whole number': 'whole numbers', list: 'lists' })[word] ?? word;
const joinOr = (words: readonly string[]): string =>
  words.length <= 1 ? (words[0] ?? 'anything') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

function choicesOf(node: Schema): readonly string[] {
  const values: readonly unknown[] =
    'const' in node
      ? [node['const']]
      : Array.isArray(node['enum'])
        ? node['enum']
        : ['oneOf', 'anyOf'].flatMap((word) =>
            Array.isArray(node[word])
              ? node[word].flatMap((option: unknown) => (isObject(option) && 'const' in option ? [option['const']] : []))
              : [],
          );
  return values.slice(0, 100).map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
}

const bounds: readonly (readonly [string, (value: string) => string])[] = [
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `${value} characters or more`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `${value} items or more`],
  ['maxItems', (value) => `at most ${value} items`],
];
function limitsOf(node: Schema): readonly string[] {
  const limits = bounds.flatMap(([word, say]) => (typeof node[word] === 'number' ? [say(node[word].toLocaleString('en-US'))] : []));
  const pattern = textOf(node['pattern']);
  return [
    ...limits.map((limit) => (limit === '1 characters or more' ? 'not empty' : limit === '1 items or more' ? 'at least one' : limit)),
    ...(node['uniqueItems'] === true ? ['all different'] : []),
    ...(pattern === undefined ? [] : [`matches ${pattern.slice(0, 120)}`]),
    ...('default' in node ? [`default ${JSON.stringify(node['default'])?.slice(0, 120) ?? ''}`] : []),
  ];
}
