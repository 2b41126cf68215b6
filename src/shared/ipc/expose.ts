import type { Requests } from './define.ts';

/** The part of a contract that one door offers, by name. Own names only: `constructor` is none. */
export function expose<R extends Requests>(_contract: R, names: readonly (keyof R & string)[]): ReadonlySet<string> {
  return new Set(names);
}
