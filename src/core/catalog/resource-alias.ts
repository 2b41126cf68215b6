/**
 * The name by which rules speak of reading a resource: `read_` and the resource's own name, lower-cased, with everything but letters and digits of ASCII as single
 * underscores and none at the ends; a name that is empty then, or begins with a digit, gets `resource` before it (F-143, F-144).
 */
export function resourceAlias(name: string): string {
  const plain = name
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join('_');
  return `read_${plain === '' ? 'resource' : /^\d/.test(plain) ? `resource_${plain}` : plain}`;
}
