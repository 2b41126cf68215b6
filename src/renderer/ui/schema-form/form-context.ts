import { createContext } from 'react';
import type { Problem } from './check-arguments.ts';

/** What the fields of one form share beside their values. */
export interface FormShared {
  readonly problems: readonly Problem[];
  /** A field whose JSON cannot be read says so here, and takes it back with `undefined`. */
  readonly report: (field: string, words: string | undefined) => void;
}
export const FormSharedContext = createContext<FormShared>({ problems: [], report: () => undefined });

export const samePath = (one: readonly (string | number)[], other: readonly string[]): boolean => one.length === other.length && one.every((part, index) => String(part) === other[index]);
