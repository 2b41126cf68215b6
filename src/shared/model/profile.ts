import * as z from 'zod';
import type { ConfigIssue } from './source.ts';

const Names = z.array(z.string().min(1).max(300)).max(1000);
/** A named TOML preset (H-19), as it stands in one file. Servers are read apart, by the rules of `[mcp_servers]`. */
export const ProfileFile = z.looseObject({
  extends: z.string().min(1).max(200).optional(),
  meta: z.looseObject({ name: z.string().optional(), description: z.string().optional() }).optional(),
  runner: z
    .looseObject({
      model: z.string().min(1).optional(),
      max_steps: z.number().int().positive().max(10_000).optional(),
      max_cost_usd: z.number().nonnegative().optional(),
      system_prompt: z.string().optional(),
      reasoning_effort: z.enum(['low', 'medium', 'high']).optional(),
    })
    .optional(),
  tools: z.looseObject({ allow: Names.optional() }).optional(),
  permissions: z.record(z.string(), z.json()).optional(),
  isolation_mode: z.string().optional(),
  cleanup_policy: z.string().optional(),
  base_ref: z.string().optional(),
  result_mode: z.string().optional(),
  /** `false`: runs of this profile have no MCP tools. */
  mcp: z.boolean().optional(),
});
export type ProfileFile = z.infer<typeof ProfileFile>;
export interface ProfileReport {
  readonly name: string;
  readonly scope: 'global' | 'project';
  readonly path: string;
  readonly description?: string;
  /** What it builds on, nearest first. */
  readonly extends: readonly string[];
  readonly model?: string;
  readonly servers: readonly string[];
  readonly issues: readonly ConfigIssue[];
  /** A project's profile of the same name stands in front of this one. */
  readonly shadowed: boolean;
}
