import type { JsonObject } from '../../shared/model/catalog.ts';

export type ToolArguments = { readonly args: JsonObject } | { readonly args: undefined; readonly invalid: string };

/**
 * A call's input as the SDK hands it on: parsed JSON, or the text that it could not parse. Models leave it out, or wrap the object in a
 * string.
 */
export function toolArguments(input: unknown): ToolArguments {
  if (input === undefined || input === null) return { args: {} };
  if (isJsonObject(input)) return { args: input };
  if (typeof input !== 'string') return { args: undefined, invalid: JSON.stringify(input) };
  if (input.trim() === '') return { args: {} };
  const parsed = parseOnce(input);
  return isJsonObject(parsed) ? { args: parsed } : { args: undefined, invalid: input };
}

/** `undefined` for what is no JSON, and for a `__proto__` key: it would turn into another object's prototype when copied carelessly. */
function parseOnce(text: string): unknown {
  let poisoned = false;
  try {
    const value: unknown = JSON.parse(text, (key, item: unknown) => {
      if (key === '__proto__') poisoned = true;
      return item;
    });
    return poisoned ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
