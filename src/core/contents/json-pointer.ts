/** Why a pointer leads nowhere, in words. */
export class NoSuchPlace extends Error {
  override readonly name = 'NoSuchPlace';
}

/** The value that a JSON Pointer (RFC 6901) names: `~0` and `~1` unescaped, own keys only, array items by plain decimal index. Throws NoSuchPlace. */
export function valueAt(root: unknown, pointer: string): unknown {
  if (pointer === '') return root;
  if (!pointer.startsWith('/')) throw new NoSuchPlace('A path begins with “/”, or is empty for the whole');
  let value = root;
  for (const token of pointer.slice(1).split('/')) value = step(value, unescaped(token));
  return value;
}

function unescaped(token: string): string {
  if (/~(?![01])/.test(token)) throw new NoSuchPlace('In a path “~” is written “~0” and “/” within a name “~1”');
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    if (!/^(0|[1-9]\d{0,15})$/.test(key)) throw new NoSuchPlace(`“${shown(key)}” is no index of a list`);
    if (Number(key) >= value.length) throw new NoSuchPlace(`The list has ${value.length} items; there is no ${key}`);
    const item: unknown = value[Number(key)];
    return item;
  }
  if (isObject(value) && Object.hasOwn(value, key)) return value[key];
  throw new NoSuchPlace(isObject(value) ? `There is no field “${shown(key)}”` : `“${shown(key)}” is asked of something that has no fields`);
}

/** Only these fields, of an object or of every object in a list. Throws NoSuchPlace for anything else. */
export function withFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => {
      if (!isObject(item)) throw new NoSuchPlace('Fields can be chosen of an object, or of a list of objects');
      return picked(item, fields);
    });
  }
  if (isObject(value)) return picked(value, fields);
  throw new NoSuchPlace('Fields can be chosen of an object, or of a list of objects');
}

const picked = (value: Readonly<Record<string, unknown>>, fields: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fields.filter((field) => Object.hasOwn(value, field)).map((field) => [field, value[field]]));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (key: string): string => key.slice(0, 100);
