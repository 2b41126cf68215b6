import type * as z from 'zod';
import type { ErrorData } from '../errors.ts';
import type { Caller } from '../model/tool-call.ts';

export interface RequestDef<I extends z.ZodType = z.ZodType, O = unknown> {
  readonly input: I;
  /** Typed, not parsed: replies are built by our own core. Never read at run time. */
  readonly output?: O;
}
/** One route: what it takes, parsed on arrival, and what it gives. `request<Output>()(inputSchema)`. */
export const request =
  <O>() =>
  <I extends z.ZodType>(input: I): RequestDef<I, O> => ({ input });
export type Requests = Readonly<Record<string, RequestDef>>;
export type InputOf<D> = D extends RequestDef<infer I> ? z.infer<I> : never;
export type OutputOf<D> = D extends RequestDef<z.ZodType, infer O> ? O : never;

/** Who asks comes from the door, never from the message. */
export type DoorCaller = { readonly door: 'window'; readonly windowId: number } | Extract<Caller, { kind: 'cli' | 'http-api' }>;
export interface RequestContext {
  readonly caller: DoorCaller;
  /** Aborts when the asker cancels or goes away. */
  readonly signal: AbortSignal;
}
export type Handlers<R extends Requests> = {
  readonly [K in keyof R]: (input: InputOf<R[K]>, context: RequestContext) => Promise<OutputOf<R[K]>>;
};
export type Reply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorData };

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Area<K> = K extends `${infer A}.${string}` ? A : never;
type Verb<K, A extends string> = K extends `${A}.${infer V}` ? V : never;
type Call<D extends RequestDef> = z.input<D['input']> extends undefined | void
  ? () => Promise<OutputOf<D>>
  : (input: z.input<D['input']>, signal?: AbortSignal) => Promise<OutputOf<D>>;
/** `'tool-calls.cancel'` becomes `api.toolCalls.cancel(input)`. */
export type Api<R extends Requests> = {
  readonly [A in Area<keyof R> as Camel<A>]: {
    readonly [V in Verb<keyof R, A> as Camel<V>]: `${A}.${V}` extends keyof R ? Call<R[`${A}.${V}`]> : never;
  };
};
