/** Under these keywords stand schemas by name, or in a list, or one; none of them is a place of its own in the arguments. */
const elsewhere = [
  'items', 'prefixItems', 'additionalItems', 'contains', 'additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties',
  'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$defs', 'definitions',
] as const;
const named: ReadonlySet<string> = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions']);
/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * What is wrong with the arguments that a schema has sent as headers too (`x-mcp-header`, SEP-2243): the name is no token, stands twice, or is on something that is no string,
 * integer or boolean, or that not every call has at the same place. A client must not offer such a tool.
 */
export function headerProblem(schema: unknown): string | undefined {
  const seen = new Set<string>();
  const visit = (node: unknown, isPlace: boolean): string | undefined => {
    if (!isObject(node)) return undefined;
    if ('x-mcp-header' in node) {
      const wrong = isPlace ? headerOf(node, seen) : 'is on something that not every call has at the same place';
      if (wrong !== undefined) return `Its x-mcp-header ${wrong}`;
    }
    for (const child of childrenOf(node['properties'])) {
      const wrong = visit(child, isPlace);
      if (wrong !== undefined) return wrong;
    }
    for (const keyword of elsewhere) {
      const under = node[keyword];
      for (const child of named.has(keyword) ? childrenOf(under) : [under].flat()) {
        const wrong = visit(child, false);
        if (wrong !== undefined) return wrong;
      }
    }
    return undefined;
  };
  // The arguments as a whole are no place: `isPlace` begins with their properties.
  return isObject(schema) && 'x-mcp-header' in schema ? 'Its x-mcp-header is on all of its arguments' : visit(schema, true);
}

function headerOf({ 'x-mcp-header': name, type }: Readonly<Record<string, unknown>>, seen: Set<string>): string | undefined {
  if (typeof name !== 'string' || !token.test(name)) return 'is no name of a header';
  if (!types.has(type)) return 'is on something that is no string, integer or boolean';
  if (seen.has(name.toLowerCase())) return 'stands twice';
  seen.add(name.toLowerCase());
  return undefined;
}

const childrenOf = (value: unknown): readonly unknown[] => (isObject(value) ? Object.values(value) : []);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
