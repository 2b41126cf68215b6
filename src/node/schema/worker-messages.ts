import type { SchemaVerdict } from '../../core/ports.ts';

/** Asks for a verdict. `schema` comes along only when the worker has not seen `key` yet. Both values are JSON. */
export interface Question {
  readonly job: number;
  readonly key: string;
  readonly schema?: string;
  readonly value: string;
}
export type FromWorker = { readonly kind: 'ready' } | { readonly kind: 'verdict'; readonly job: number; readonly verdict: SchemaVerdict };

/** A worker forgets the schemas that it was sent when it has this many, and so does who sent them. */
export const rememberedSchemas = 300;
