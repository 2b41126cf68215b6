import type { SchemaVerdict } from '../../core/ports.ts';
import type { Judge } from './judge.ts';

/** Work on one value grows with both sizes: their product in characters. At the bound it takes single milliseconds. */
const mostWork = 400_000;
/** Each looks at a value once, however the schema is written. `pattern` can take for ever, references can turn in circles, `uniqueItems` compares all with all. */
const harmless = new Set([
  '$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'format',
  'type', 'enum', 'const', 'required', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems',
]);
const deepest = 24;
const remembered = 300;

/**
 * Judges in place what surely takes no time: a small value by a plain schema of types, members and bounds, as most tools have. Two switches of threads cost more than
 * that judgement. Whatever else there is goes to a thread of its own, with a deadline.
 */
export class QuickJudge {
  /** `undefined`: not a plain schema. */
  readonly #judges = new Map<string, Judge | undefined>();
  #make: ((text: string) => Judge) | undefined;

  /** `undefined`: this one is for the thread. Both are JSON. */
  async judge(key: string, schema: string, value: string): Promise<SchemaVerdict | undefined> {
    if (schema.length * value.length > mostWork) return undefined;
    this.#make ??= (await import('./judge.ts')).judgeOf;
    return this.#judgeFor(key, schema, this.#make)?.(JSON.parse(value), value.length);
  }

  #judgeFor(key: string, schema: string, make: (text: string) => Judge): Judge | undefined {
    if (this.#judges.has(key)) return this.#judges.get(key);
    if (this.#judges.size >= remembered) this.#judges.clear();
    const judge = isPlain(JSON.parse(schema)) ? make(schema) : undefined;
    this.#judges.set(key, judge);
    return judge;
  }
}

function isPlain(schema: unknown, depth = 0): boolean {
  if (typeof schema === 'boolean') return true;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > deepest) return false;
  return Object.entries(schema).every(([keyword, part]) => {
    switch (keyword) {
      case 'properties': return typeof part === 'object' && part !== null && Object.values(part).every((one) => isPlain(one, depth + 1));
      case 'items': case 'additionalProperties': return isPlain(part, depth + 1);
      default: return harmless.has(keyword);
    }
  });
}
