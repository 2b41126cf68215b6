import * as z from 'zod';
import { ServerId } from '../ids.ts';

/** A server that exists in one run only. */
export const RunServer = z.strictObject({
  serverId: ServerId,
  /** What its sign-in is kept under, for all runs that have it. Absent in older records. */
  loginId: ServerId.optional(),
  name: z.string(),
  /** Command or address, secrets masked. */
  target: z.string(),
  /** How many of its tools the run may use; absent when it did not connect. */
  tools: z.number().int().nonnegative().optional(),
  /** Why it is not there. The run went on without it (H-15, H-17). */
  problem: z.string().optional(),
  /** A server of the person's that this one stands in front of, for this run (H-18). */
  shadows: ServerId.optional(),
});
export type RunServer = z.infer<typeof RunServer>;
/** What a run had beside what every run has. */
export const RunSetup = z.strictObject({
  profile: z.string().optional(),
  servers: z.array(RunServer).readonly(),
  /** What the person should know of it: a profile that is missing or cannot be used, a model that is not known. Sentences. */
  notes: z.array(z.string()).readonly(),
});
export type RunSetup = z.infer<typeof RunSetup>;
