import { describe, expect, it } from 'vitest';
import { parseProfile } from '../../../core/profiles/parse-profile.ts';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import { factsOf, profileNameProblem, rangeOf, startOn, startText } from './profile-words.ts';

const report: ProfileReport = { name: 'x', scope: 'global', extends: [], mcp: true, servers: [], issues: [], shadowed: false };

describe('a profile in words', () => {
  it('has a name that can be a file’s and is free', () => {
    expect(profileNameProblem('', [])).toBe('It needs a name.');
    expect(profileNameProblem('../x', [])).toContain('file’s name');
    expect(profileNameProblem('Review', ['review'])).toBe('There is one of this name.');
    expect(profileNameProblem('my review', ['review'])).toBeUndefined();
  });

  it('says in full what it restricts', () => {
    const texts = Object.fromEntries(factsOf({ ...report, maxSteps: 3, maxCostUsd: 1.5, tools: [], permissions: ['write'], reasoningEffort: 'low' }).map(({ name, text }) => [name, text]));
    expect(texts).toEqual({ Model: 'the chat’s own, low effort', Limits: 'at most 3 steps and $1.50', Tools: 'none', 'Rules for': 'write', 'Servers of its own': 'none' });
  });
});

it('a place is found in the text, and one outside of it is its end', () => {
  expect(rangeOf('ab\ncde\nf', { line: 2, column: 2 })).toEqual([4, 6]);
  expect(rangeOf('ab\ncde', { line: 2, column: 99 })).toEqual([6, 6]);
  expect(rangeOf('ab', { line: 9 })).toEqual([2, 2]);
});

it('what a new profile begins with is one, and so it is with any of its lines switched on', () => {
  const on = startText.replaceAll(/^# (?=[a-z_]+ = |\[)/gm, '');
  expect(parseProfile(startText, 'x')).toMatchObject({ issues: [], file: { meta: { description: '' } } });
  expect(parseProfile(on, 'x')).toMatchObject({ issues: [], file: { runner: { max_steps: 25, reasoning_effort: 'medium' }, tools: { allow: ['read_file'] } } });
  expect(parseProfile(on, 'x').parsed.entries).toMatchObject([{ name: 'docs' }]);
  expect(parseProfile(startOn('default'), 'x')).toMatchObject({ issues: [], file: { extends: 'default' } });
});
