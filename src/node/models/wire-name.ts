import { hashOf } from '../../core/kernel/hash.ts';

/** What every provider takes as the name or the id of a call in a history. */
export function isWireName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** Ids of one provider, and names that a model made up, are refused by another: those get a stable form that all take. */
export function wireName(name: string): string {
  return isWireName(name) ? name : `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 47)}_${hashOf(name).slice(0, 16)}`;
}
