import type { JsonObject } from '../../../shared/model/catalog.ts';
import { hashOf } from '../../kernel/hash.ts';
import { isObject } from './json.ts';

const deepest = 64;
/** Names that could be one of ours get one of ours, so that the way back is never in doubt. */
const looksFitted = /_[0-9a-f]{12}$/;

/**
 * Property names that a provider takes, and the way back. A fitted name holds a hash of the original, so that it means the same wherever
 * it stands.
 */
export class PropertyNames {
  readonly #allowed: RegExp;
  readonly #originals = new Map<string, string>();

  constructor(allowed: RegExp) {
    this.#allowed = allowed;
  }

  fitted(original: string): string {
    if (this.#allowed.test(original) && !looksFitted.test(original)) return original;
    const readable = original.slice(0, 40).replace(/[^A-Za-z0-9_]/g, '_');
    const name = `${/^[A-Za-z_]/.test(readable) ? '' : 'p_'}${readable}_${hashOf(original).slice(0, 12)}`;
    this.#originals.set(name, original);
    return name;
  }

  /** A model's arguments under the server's own names. Never changes what it is given. */
  original(args: JsonObject): JsonObject {
    if (this.#originals.size === 0) return args;
    const renamed = (value: unknown, depth: number): unknown => {
      if (depth > deepest) return value;
      if (Array.isArray(value)) return value.map((item) => renamed(item, depth + 1));
      return isObject(value) ? renamedObject(value, depth) : value;
    };
    const renamedObject = (value: JsonObject, depth: number): JsonObject =>
      Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#originals.get(key) ?? key, renamed(item, depth + 1)]));
    return renamedObject(args, 0);
  }
}
