import { createContext } from 'react';
import type { Problem } from './check-arguments.ts';

/** What the fields of one form share beside their values. */
export interface FormShared {
  readonly idPrefix: string;
  readonly problems: readonly Problem[];
  /** A field whose JSON cannot be read says so here, and takes it back with `undefined`. */
  readonly report: (field: string, words: string | undefined) => void;
}
export const FormSharedContext = createContext<FormShared>({ idPrefix: '', problems: [], report: () => undefined });

/** The id that the form gives the control of a path. */
export const fieldId = (idPrefix: string, path: readonly string[]): string => [idPrefix, ...path].join('_');
export const samePath = (one: readonly (string | number)[], other: readonly string[]): boolean => one.length === other.length && one.every((part, index) => String(part) === other[index]);
