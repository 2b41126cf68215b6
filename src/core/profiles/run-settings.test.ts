import { describe, expect, it } from 'vitest';
import type { RunLayer, RunnerTable } from '../../shared/model/run-layer.ts';
import { runSettings, type RunLayers } from './run-settings.ts';

const layer = (n: number): RunLayer => ({ runner: { model: `m${n}`, max_steps: n, max_cost_usd: n, system_prompt: `p${n}`, reasoning_effort: n % 2 === 0 ? 'low' : 'high' } });
const profile = (merged: RunLayer, tier: 'home' | 'project' = 'home', base: RunLayer = {}): NonNullable<RunLayers['profile']> => {
  const file = ({ runner, tools, mcp }: RunLayer) => ({ runner: { ...runner }, ...(tools ? { tools: { allow: tools.allow?.slice() } } : {}), ...(mcp === undefined ? {} : { mcp }) });
  return { merged: file({ ...base, ...merged }), personal: file(tier === 'home' ? merged : base), ofProject: file(tier === 'home' ? {} : merged) };
};

describe('what a run is set to', () => {
  it('is nothing where no layer says anything: the app’s own settings hold', () => {
    expect(runSettings({})).toEqual({ toolsAllow: [], mcp: true });
    expect(runSettings({ home: {}, project: { runner: {} }, profile: profile({}), environment: {} })).toEqual({ toolsAllow: [], mcp: true });
  });

  it('comes from the home’s TOML, over that the project’s, over that the profile, over that the environment, field by field', () => {
    const said = (n: number) => ({ model: `m${n}`, maxSteps: n, maxCostUsd: n, systemPrompt: `p${n}`, reasoningEffort: n % 2 === 0 ? 'low' : 'high' });
    const [home, project, environment] = [layer(1), layer(2), layer(4)];
    expect(runSettings({ home })).toMatchObject(said(1));
    expect(runSettings({ home, project })).toMatchObject(said(2));
    expect(runSettings({ home, project, profile: profile(layer(3)) })).toMatchObject(said(3));
    expect(runSettings({ home, project, profile: profile(layer(3)), environment })).toMatchObject(said(4));
    const one = <K extends keyof RunnerTable>(key: K): RunLayer => ({ runner: { [key]: layer(9).runner?.[key] } });
    expect(runSettings({ home, project: one('model'), profile: profile(one('max_steps')), environment: one('reasoning_effort') })).toEqual({
      model: 'm9', maxSteps: 9, maxCostUsd: 1, systemPrompt: 'p1', reasoningEffort: 'high', toolsAllow: [], mcp: true,
    });
    // Free is a limit, and no words are words.
    expect(runSettings({ home, environment: { runner: { max_cost_usd: 0, system_prompt: '' } } })).toMatchObject({ maxCostUsd: 0, systemPrompt: '' });
  });

  it('allows the tools of the profile in place of the home’s; what a project’s file allows is one more list that a tool must be in', () => {
    const allow = (...names: readonly string[]): RunLayer => ({ tools: { allow: names } });
    const [home, project] = [allow('read_*', 'list_*'), allow('read_*', 'delete_*')];
    expect(runSettings({ home }).toolsAllow).toEqual([['read_*', 'list_*']]);
    expect(runSettings({ home, profile: profile(allow('write')) }).toolsAllow).toEqual([['write']]);
    expect(runSettings({ project }).toolsAllow).toEqual([['read_*', 'delete_*']]);
    expect(runSettings({ home, project, profile: profile(allow('write')) }).toolsAllow).toEqual([['write'], ['read_*', 'delete_*']]);
    // A profile that is the project's own replaces nothing either.
    expect(runSettings({ home, project, profile: profile(allow('write'), 'project') }).toolsAllow).toEqual([['read_*', 'list_*'], ['read_*', 'delete_*'], ['write']]);
    // … nor does one that builds on a profile of the person's.
    expect(runSettings({ home, profile: profile(allow('write'), 'project', allow('read_*')) }).toolsAllow).toEqual([['read_*'], ['write']]);
    expect(runSettings({ home, profile: profile(allow()) }).toolsAllow).toEqual([[]]);
  });

  it('has no MCP tools once any layer says so, whatever the ones above say', () => {
    const [no, yes] = [{ mcp: false }, { mcp: true }];
    expect(runSettings({ home: yes, project: yes, profile: profile(yes) }).mcp).toBe(true);
    expect(runSettings({ home: no, project: yes, profile: profile(yes) }).mcp).toBe(false);
    expect(runSettings({ home: yes, project: no }).mcp).toBe(false);
    expect(runSettings({ home: yes, profile: profile(yes, 'project', no) }).mcp).toBe(false);
    expect(runSettings({ home: yes, profile: profile(no, 'project') }).mcp).toBe(false);
  });
});
