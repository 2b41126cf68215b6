import { describe, expect, it } from 'vitest';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import { choosable, modelOf, standingOf } from './profile-standing.ts';

const report = (name: string, more: Partial<ProfileReport> = {}): ProfileReport => ({ name, scope: 'global', path: `/p/${name}.toml`, extends: [], mcp: true, servers: [], issues: [], shadowed: false, ...more });
const issue = { code: 'unreadable', severity: 'error', path: '', message: 'Not TOML', line: 3, column: 2 } as const;

describe('the profile that a chat has', () => {
  it('is none, not looked at yet, fine, or missing', () => {
    expect(standingOf(undefined, undefined)).toEqual({ kind: 'none' });
    expect(standingOf('work', undefined)).toEqual({ kind: 'unseen' });
    expect(standingOf('work', [report('work')])).toMatchObject({ kind: 'fine', report: { name: 'work' } });
    expect(standingOf('work', [report('other')])).toMatchObject({ kind: 'trouble', word: 'missing', problem: 'There is no profile of this name. Runs go on without it.' });
  });

  it('says its first problem, and what becomes of its runs', () => {
    const broken = report('work', { issues: [{ ...issue, file: '/p/work.toml', server: 'docs', message: 'It has no command.' }, { ...issue, file: '/p/base.toml' }] });
    expect(standingOf('work', [broken])).toEqual({ kind: 'trouble', word: 'cannot be used', problem: 'base.toml, Line 3, column 2: Not TOML. Runs go on without it.' });
    const partly = report('work', { issues: [{ ...issue, severity: 'warning', file: '/p/work.toml' }, { ...issue, file: '/p/work.toml', server: 'docs', message: 'It has no command.' }] });
    expect(standingOf('work', [partly])).toMatchObject({ used: { name: 'work' }, problem: 'Line 3, column 2: It has no command. Runs go on without the server “docs”.' });
    expect(standingOf('work', [report('work', { issues: [{ ...issue, severity: 'warning', file: '/p/work.toml' }] })])).toMatchObject({ kind: 'fine' });
  });

  it('gives its model to runs that it is used in', () => {
    const wrong = { ...issue, file: '/p/work.toml' };
    const given = (issues: ProfileReport['issues']) => modelOf(standingOf('work', [report('work', { model: 'm1', issues })]));
    expect(given([])).toBe('m1');
    expect(given([{ ...wrong, server: 'docs' }])).toBe('m1');
    expect(given([wrong])).toBeUndefined();
    expect(modelOf(standingOf(undefined, []))).toBeUndefined();
  });

  it('is the one that stands in front, and so it is listed', () => {
    const all = [report('work', { shadowed: true, description: 'mine' }), report('work', { scope: 'project', description: 'theirs' }), report('b10'), report('b9'), report('default', { scope: 'built-in' })];
    expect(standingOf('work', all)).toMatchObject({ report: { description: 'theirs' } });
    expect(choosable(all, undefined).map(({ name, scope }) => `${scope} ${name}`)).toEqual(['global b9', 'global b10', 'project work']);
    expect(choosable(all, 'default').map(({ name }) => name)).toContain('default');
  });
});
