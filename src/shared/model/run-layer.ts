import * as z from 'zod';

/** How hard a model is asked to think before it answers. */
export const ReasoningEffort = z.enum(['low', 'medium', 'high']);
export type ReasoningEffort = z.infer<typeof ReasoningEffort>;

/** `[runner]` of a TOML file: what a run is set to (H-13, H-19). Steps and US dollars are those of one run. */
export const RunnerTable = z.object({
  model: z.string().min(1).optional(),
  max_steps: z.number().int().positive().max(10_000).optional(),
  max_cost_usd: z.number().nonnegative().optional(),
  system_prompt: z.string().max(100_000).optional(),
  reasoning_effort: ReasoningEffort.optional(),
});
export type RunnerTable = z.infer<typeof RunnerTable>;

export const AllowedTools = z.array(z.string().min(1).max(300)).max(1000);

/** What one place says of runs, by the names of TOML files. What is absent is left to the places below. */
export interface RunLayer {
  readonly runner?: Readonly<RunnerTable> | undefined;
  readonly tools?: { readonly allow?: readonly string[] | undefined } | undefined;
  /** `false`: runs have no MCP tools. */
  readonly mcp?: boolean | undefined;
}
/** What files say of every run. */
export interface FileRunLayers {
  /** `config.toml` of the home. */
  readonly home?: RunLayer | undefined;
  /** `.gatehouse/config.toml` of the open project, once the person trusts the project at that content. */
  readonly project?: RunLayer | undefined;
}
