/**
 * What a server said of itself, without the secret values that it was started with. Names, addresses and what a call must hold word for word stay: with them things are
 * reached. The same object when there is nothing to hide.
 */
export function withoutSecrets<T extends object>(said: T, mask: (text: string) => string): T {
  const text = JSON.stringify(said);
  return mask(text) === text ? said : (maskedWords(said, mask) as T); // only words within strings are others
}

const reached: ReadonlySet<string> = new Set(['name', 'uri', 'uriTemplate', 'enum', 'const', 'required', 'pattern', 'type', 'format', 'mimeType', 'revision', '$ref', '$id', '$anchor', '$schema']);

function maskedWords(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskedWords(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reached.has(key) && !isSchema(item) ? item : maskedWords(item, mask)]));
}

/** A property of a schema may have any name. */
const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
