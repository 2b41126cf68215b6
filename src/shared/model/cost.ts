import * as z from 'zod';
import type { ServerId } from '../ids.ts';

const Tokens = z.number().int().nonnegative();
/** Estimated tokens (o200k) of one request's tool definitions. */
export const DefinitionCost = z.strictObject({
  /** Sent with this request. */
  sent: Tokens,
  /** What a host that sends every tool of every server would have sent. */
  plainHost: Tokens,
});
export type DefinitionCost = z.infer<typeof DefinitionCost>;

/** Of the definitions of one server's usable tools, in estimated tokens. */
export interface ServerCost {
  readonly serverId: ServerId;
  readonly tools: number;
  readonly tokens: number;
}

/** Over a chat or a run: sums of what its requests cost, and of results that were kept by reference instead of being sent. Estimates. */
export interface CostSum {
  readonly requests: number;
  readonly sent: number;
  readonly plainHost: number;
  /** Of results that stayed out of the model's context: cut and kept by reference, or read by a script alone. */
  readonly keptOut: number;
}
