type Json = unknown;
type Node = Readonly<Record<string, unknown>>;

const deepest = 6;

/**
 * Values that a schema describes, for the keywords that most schemas are made of. Not every one fits: who uses them asks a validator
 * first. The same `seed` gives the same value.
 */
export function sampleOf(root: unknown, seed: number): Json {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

  const sample = (schema: unknown, depth: number): Json => {
    if (!isNode(schema)) return pick(['x', 7, true]);
    if (depth > deepest) return {};
    const { $ref: reference, enum: values, anyOf, oneOf, allOf } = schema;
    if (typeof reference === 'string') return sample(pointed(root, reference), depth + 1);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(values)) return pick(values);
    const own = typed(schema, depth);
    const branches = [anyOf, oneOf].filter(Array.isArray).map((list) => sample(pick(list), depth + 1));
    const parts = Array.isArray(allOf) ? allOf.map((one: unknown) => sample(one, depth + 1)) : [];
    const rest = [...branches, ...parts];
    if (rest.length === 0) return own;
    return isNode(own) && rest.every(isNode) ? Object.assign({}, own, ...rest) : rest[0];
  };

  const typed = (schema: Node, depth: number): Json => {
    const types = [schema['type']].flat().filter((type) => typeof type === 'string');
    switch (pick(types) ?? (isNode(schema['properties']) ? 'object' : 'string')) {
      case 'object': return objectOf(schema, depth);
      case 'array': return listOf(schema, depth);
      case 'integer': return Math.round(numberOf(schema));
      case 'number': return numberOf(schema);
      case 'boolean': return random() < 0.5;
      case 'null': return null;
      default: return 'text'.repeat(Math.ceil(Math.min(Number(schema['minLength'] ?? 1), 1000) / 4)).slice(0, Number(schema['maxLength'] ?? 1000));
    }
  };

  const objectOf = (schema: Node, depth: number): Json => {
    const { properties, required, additionalProperties } = schema;
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const described = isNode(properties) ? properties : {};
    const names = [...new Set([...needed.filter((name) => typeof name === 'string'), ...Object.keys(described).filter(() => random() < 0.6)])];
    const entries = names.map((name): [string, Json] => [name, sample(Object.hasOwn(described, name) ? described[name] : {}, depth + 1)]);
    if (isNode(additionalProperties)) entries.push(['extra', sample(additionalProperties, depth + 1)]);
    return Object.fromEntries(entries);
  };

  const listOf = (schema: Node, depth: number): Json => {
    const { items, prefixItems } = schema;
    const positions: readonly unknown[] = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
    const least = Number(schema['minItems'] ?? 0);
    const more = Array.isArray(items) || items === false ? 0 : Math.max(least, Math.floor(random() * 3));
    return [...positions.map((one) => sample(one, depth + 1)), ...Array.from({ length: more }, () => sample(items ?? {}, depth + 1))];
  };

  const numberOf = (schema: Node): number => {
    const bound = (...keys: readonly string[]) => keys.map((key) => schema[key]).find((value) => typeof value === 'number');
    const low = bound('minimum', 'exclusiveMinimum');
    const high = bound('maximum', 'exclusiveMaximum');
    if (low !== undefined && high !== undefined) return (Number(low) + Number(high)) / 2;
    return low !== undefined ? Number(low) + 1 : high !== undefined ? Number(high) - 1 : 3;
  };

  return sample(root, 0);
}

/** A small generator of numbers from 0 up to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pointed(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#') || /%(?![0-7][0-9a-f])/i.test(reference)) return {};
  let node = root;
  for (const step of reference.slice(2).split('/').filter((one) => one !== '')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isNode(node) && Object.hasOwn(node, key) ? node[key] : Array.isArray(node) ? node[Number(key)] : undefined;
  }
  return node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
