/** Nothing that a person or a model could use is nested deeper, and what walks the value must end. */
const deepest = 400;

/** A parsed JSON value with known secrets taken out: each string, number and key on its own, so that what is left is JSON still. */
export function masked(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') {
    const text = String(value);
    const safe = mask(text);
    return safe === text ? value : safe;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => masked(item, mask, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), masked(item, mask, depth + 1)]));
}
