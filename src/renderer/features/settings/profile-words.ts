import type { ProfileReport } from '../../../shared/model/profile.ts';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { isProfileName } from '../../../shared/text/profile-name.ts';
import { countText } from '../../ui/time.ts';

/** What is wrong with a name that was typed; `undefined` when nothing is. */
export function profileNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name.trim() === '') return 'It needs a name.';
  if (!isProfileName(name)) return 'It becomes a file’s name: at most 100 characters, no slash or colon, and no dot or blank first.';
  // Some systems do not tell them apart.
  return taken.some((one) => one.toLowerCase() === name.toLowerCase()) ? 'There is one of this name.' : undefined;
}

export interface ProfileFact {
  readonly name: string;
  readonly text: string;
}
/** What a run of it has other than one without, in full, row by row. */
export function factsOf(report: ProfileReport): readonly ProfileFact[] {
  const { extends: bases, model, reasoningEffort, maxSteps, maxCostUsd, tools, permissions, mcp, servers } = report;
  const limits = [...(maxSteps === undefined ? [] : [countText(maxSteps, 'step')]), ...(maxCostUsd === undefined ? [] : [`$${maxCostUsd.toFixed(2)}`])];
  return [
    ...(bases.length === 0 ? [] : [{ name: 'Builds on', text: bases.join(' → ') }]),
    { name: 'Model', text: `${model ?? 'the chat’s own'}${reasoningEffort === undefined ? '' : `, ${reasoningEffort} effort`}` },
    { name: 'Limits', text: limits.length === 0 ? 'none of its own' : `at most ${limits.join(' and ')}` },
    { name: 'Tools', text: !mcp ? 'none of MCP servers' : tools === undefined ? 'all' : tools.length === 0 ? 'none' : `only ${tools.join(', ')}` },
    ...(permissions === undefined || permissions.length === 0 ? [] : [{ name: 'Rules for', text: permissions.join(', ') }]),
    { name: 'Servers of its own', text: servers.join(', ') || 'none' },
  ];
}

/** Where in the text an issue is: the offset of its line and column, and the end of that line. */
export function rangeOf(text: string, { line = 1, column = 1 }: Pick<ConfigIssue, 'line' | 'column'>): readonly [start: number, end: number] {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const length = lines[line - 1]?.length ?? 0;
  return [Math.min(before + Math.min(column - 1, length), text.length), Math.min(before + length, text.length)];
}

/** What a new profile begins with: everything that it can say, switched off. */
export const startText = `# What a run of this profile has. Take the # away from what you want.

[meta]
description = ""

# [runner]
# model = "name-of-a-model"
# reasoning_effort = "medium"  # low, medium or high
# max_steps = 25
# max_cost_usd = 1.0
# system_prompt = "Be brief."

# [tools]
# allow = ["read_file"]  # the only tools that its runs may use

# [mcp_servers.docs]  # a server that only its runs have
# command = "npx"
# args = ["-y", "name-of-a-package"]
`;
/** Of one that stands in front of the built-in profile, and of any that builds on another. */
export const startOn = (base: string): string => `extends = ${JSON.stringify(base)}\n\n${startText}`;
