import { describe, expect, it } from 'vitest';
import { ServerId } from '../../../shared/ids.ts';
import type { RunServer } from '../../../shared/model/run-setup.ts';
import { problemsInSight, setupFacts, setupTitle } from './run-setup-words.ts';

const server = (name: string, more: Partial<RunServer> = {}): RunServer => ({ serverId: ServerId.parse(name), name, target: 'node it.mjs', ...more });
const there = (name: string, tools: number) => server(name, { tools });
const gone = (name: string) => server(name, { problem: 'It ended' });

describe('what a run brought along', () => {
  it('is counted in one line, with what is not connected', () => {
    expect(setupFacts([])).toBe('');
    expect(setupFacts([there('a', 1)])).toBe('1 server, 1 tool');
    expect(setupFacts([there('a', 2), there('b', 12)])).toBe('2 servers, 14 tools');
    expect(setupFacts([there('a', 0), gone('b')])).toBe('2 servers, 0 tools · 1 is not connected');
    expect(setupFacts([there('a', 3), gone('b'), gone('c')])).toBe('3 servers, 3 tools · 2 are not connected');
    expect(setupFacts([gone('a')])).toBe('1 server, not connected');
    expect(setupFacts([gone('a'), gone('b')])).toBe('2 servers, none of them connected');
  });

  it('says who brought it', () => {
    expect(setupTitle({ profile: 'research', servers: [], notes: [] })).toBe('Profile research');
    expect(setupTitle({ servers: [there('a', 1)], notes: [] })).toBe('For this run');
    expect(setupTitle({ servers: [], notes: ['A limit is not watched.'] })).toBe('About this run');
  });

  it('shows a few problems at once, whether or not the server connected', () => {
    expect(problemsInSight([there('a', 1), gone('b'), server('c', { tools: 1, problem: 'One tool is not usable' })])).toMatchObject({ shown: [{ name: 'b' }, { name: 'c' }], more: 0 });
    expect(problemsInSight(['a', 'b', 'c', 'd', 'e'].map(gone))).toMatchObject({ shown: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], more: 2 });
  });
});
