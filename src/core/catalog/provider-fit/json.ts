import type { JsonObject } from '../../../shared/model/catalog.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own keys only: a schema may well have a property named `constructor`. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Fit to be copied as it is: at most 4 levels, 200 values, 2,000 characters in all, and no half of a character. */
export function isSmall(value: unknown): boolean {
  let values = 0;
  let characters = 0;
  const small = (item: unknown, depth: number): boolean => {
    values += 1;
    if (values > 200 || depth > 4) return false;
    if (typeof item === 'string') characters += item.length;
    if (characters > 2000 || (typeof item === 'string' && halfCharacter.test(item))) return false;
    if (typeof item === 'number') return Number.isFinite(item);
    if (Array.isArray(item)) return item.every((one) => small(one, depth + 1));
    if (isObject(item)) {
      return Object.keys(item).every((key) => {
        characters += key.length;
        return small(item[key], depth + 1);
      });
    }
    return item === null || typeof item === 'string' || typeof item === 'boolean';
  };
  return small(value, 0);
}

/** At most `limit` characters, marked where it was cut, never through the middle of a character. */
export function shortened(text: string, limit: number): string {
  const whole = text.length <= limit ? text : `${text.slice(0, limit - cutMark.length)}${cutMark}`;
  return whole.replaceAll(halfCharacters, '\ufffd');
}
const cutMark = ' … [cut]';
const halfCharacter = /\p{Surrogate}/u;
const halfCharacters = /\p{Surrogate}/gu;
