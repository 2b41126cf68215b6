import type { ProfileReport } from '../../shared/model/profile.ts';
import { resolveProfile, type FindProfile, type PlacedProfile } from './resolve-profile.ts';

const scopeOf = { project: 'project', home: 'global', 'built-in': 'built-in' } as const;

/** What a run of this profile would have, and what is wrong with it; `shadowed` is said by whoever knows the others. */
export async function reportOf(placed: PlacedProfile, find: FindProfile): Promise<Omit<ProfileReport, 'shadowed'>> {
  const { bases, merged: { meta, runner, tools, permissions, mcp }, servers, issues } = await resolveProfile(placed, find);
  return {
    name: placed.name, scope: scopeOf[placed.tier],
    ...(placed.path === undefined ? {} : { path: placed.path }),
    ...(meta?.description === undefined ? {} : { description: meta.description }),
    extends: bases,
    ...(runner?.model === undefined ? {} : { model: runner.model }),
    ...(runner?.reasoning_effort === undefined ? {} : { reasoningEffort: runner.reasoning_effort }),
    ...(runner?.max_steps === undefined ? {} : { maxSteps: runner.max_steps }),
    ...(runner?.max_cost_usd === undefined ? {} : { maxCostUsd: runner.max_cost_usd }),
    ...(tools?.allow === undefined ? {} : { tools: tools.allow }),
    ...(permissions === undefined ? {} : { permissions: Object.keys(permissions) }),
    mcp: mcp !== false,
    servers: servers.map(({ entry }) => entry.name),
    issues,
  };
}
