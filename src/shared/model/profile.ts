import * as z from 'zod';
import { AllowedTools, RunnerTable, type ReasoningEffort } from './run-layer.ts';
import type { ConfigIssue } from './source.ts';

/** A named TOML preset (H-19), as it stands in one file. Servers are read apart, by the rules of `[mcp_servers]`. */
export const ProfileFile = z.looseObject({
  extends: z.string().min(1).max(200).optional(),
  meta: z.looseObject({ name: z.string().optional(), description: z.string().optional() }).optional(),
  runner: z.looseObject(RunnerTable.shape).optional(),
  tools: z.looseObject({ allow: AllowedTools.optional() }).optional(),
  permissions: z.record(z.string(), z.json()).optional(),
  isolation_mode: z.string().optional(),
  cleanup_policy: z.string().optional(),
  base_ref: z.string().optional(),
  result_mode: z.string().optional(),
  /** `false`: runs of this profile have no MCP tools. */
  mcp: z.boolean().optional(),
});
export type ProfileFile = z.infer<typeof ProfileFile>;
/** What a run of this profile would have: its own fields and those of all that it builds on (H-19), and what is wrong with it. */
export interface ProfileReport {
  readonly name: string;
  /** Whose file it is; `built-in`: it comes with Gatehouse and has none. */
  readonly scope: 'global' | 'project' | 'built-in';
  readonly path?: string;
  readonly description?: string;
  /** What it builds on, nearest first. */
  readonly extends: readonly string[];
  readonly model?: string;
  readonly reasoningEffort?: ReasoningEffort;
  readonly maxSteps?: number;
  readonly maxCostUsd?: number;
  /** The only ones that its runs may use; absent: all. */
  readonly tools?: readonly string[];
  /** What it has rules for; the rules are in its text. */
  readonly permissions?: readonly string[];
  /** False: its runs have no MCP tools. */
  readonly mcp: boolean;
  readonly servers: readonly string[];
  /** Without a `server`, an error means that it is not used at all. */
  readonly issues: readonly ConfigIssue[];
  /** A profile of the same name stands in front of this one. */
  readonly shadowed: boolean;
}
