import type { FileRunLayers, ReasoningEffort, RunLayer, RunnerTable } from '../../shared/model/run-layer.ts';
import type { ResolvedProfile } from './resolve-profile.ts';

/** Where a run's settings come from, lowest first. */
export interface RunLayers extends FileRunLayers {
  /** The profile that the run names. */
  readonly profile?: Pick<ResolvedProfile, 'merged' | 'personal' | 'ofProject'> | undefined;
  /** `GATEHOUSE_MODEL` and its like. */
  readonly environment?: RunLayer | undefined;
}
/** What one run is set to. An absent field is left to the app's own settings, the lowest layer of all. */
export interface RunSettings {
  readonly model?: string;
  readonly maxSteps?: number;
  readonly maxCostUsd?: number;
  readonly systemPrompt?: string;
  readonly reasoningEffort?: ReasoningEffort;
  /** A tool must be in every one of these lists; with no list all may be used. An empty list allows none. */
  readonly toolsAllow: readonly (readonly string[])[];
  /** False: the run has no MCP tools. */
  readonly mcp: boolean;
}

/**
 * Six layers in order (H-13): the app's settings, the home's TOML, the project's TOML, the profile, the environment; constraints from outside are to come. The nearer to
 * the run a layer is, the later it was chosen: it wins field by field. Two fields restrict, and follow their own rule, since a project's files are written by others:
 * `mcp = false` holds wherever it stands; and of `tools.allow` the profile's list replaces the home's, while a list of the project, or of a profile that is the project's, is one more
 * that a tool must be in: it takes away, and never gives what the person's own lists do not.
 */
export function runSettings({ home, project, profile, environment }: RunLayers): RunSettings {
  const layers = [home, project, profile?.merged, environment].flatMap((layer) => layer ?? []);
  const last = <K extends keyof RunnerTable>(key: K): RunnerTable[K] => layers.map(({ runner }) => runner?.[key]).findLast((value) => value !== undefined);
  const [model, maxSteps, maxCostUsd, systemPrompt, reasoningEffort] = [last('model'), last('max_steps'), last('max_cost_usd'), last('system_prompt'), last('reasoning_effort')];
  const own = profile?.personal.tools?.allow ?? home?.tools?.allow;
  return {
    ...(model === undefined ? {} : { model }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    toolsAllow: [own, project?.tools?.allow, profile?.ofProject.tools?.allow].flatMap((list) => (list ? [list] : [])),
    mcp: layers.every(({ mcp }) => mcp !== false) && profile?.personal.mcp !== false,
  };
}
