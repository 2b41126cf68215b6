import { describe, expect, it } from 'vitest';
import { GrantId, Revision, ServerId } from '../../../shared/ids.ts';
import type { Grant } from '../../../shared/model/tool-call.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { groupGrants } from './grant-groups.ts';
import { patternProblem, withoutPattern, withPatterns } from './patterns.ts';

const grant = (server: string, revision: string, tool?: string): Grant => ({
  id: GrantId.parse(`${server} ${revision} ${tool}`),
  serverId: ServerId.parse(server),
  serverName: server,
  serverRevision: Revision.parse(revision),
  target: `run ${server} ${revision}`,
  grantedAt: 0,
  ...(tool === undefined ? {} : { tool: { name: tool, revision: Revision.parse('t'), definition: '{}' } }),
});
const row = (server: string, revision: string): ServerRow => ({
  definition: {
    id: ServerId.parse(server),
    name: server,
    owner: 'global',
    enabled: true,
    transport: { type: 'socket', path: '/x' },
    options: {},
    revision: Revision.parse(revision),
  },
  connection: { phase: 'stopped', why: 'asleep' },
  warnings: [],
  provenance: { state: 'effective', source: 'home', chain: [], fields: [] },
});

describe('what was allowed for longer', () => {
  const groups = groupGrants(
    [
      grant('web', '1', 'post'),
      grant('db', '1', 'write'),
      grant('db', '1', 'drop'),
      grant('db', '1'),
      grant('web', '2', 'post'),
      grant('gone', '1'),
    ],
    { [ServerId.parse('db')]: row('db', '1'), [ServerId.parse('web')]: row('web', '2') },
  );

  it('stands by server, what covers everything first', () => {
    expect(groups.map((group) => [group.serverName, group.grants.map((one) => one.tool?.name ?? '*')])).toEqual([
      ['db', ['*', 'drop', 'write']],
      ['gone', ['*']],
      ['web', ['post']],
      ['web', ['post']],
    ]);
  });

  it('says what no longer holds: a server that changed or is gone', () => {
    expect(groups.map((group) => [group.target, group.server])).toEqual([
      ['run db 1', 'same'],
      ['run gone 1', 'removed'],
      ['run web 1', 'changed'],
      ['run web 2', 'same'],
    ]);
  });
});

describe('names that always ask', () => {
  it('are added several at once, each once', () => {
    expect(withPatterns(['a'], ' delete_*, a ,\nwrite_file ')).toEqual(['a', 'delete_*', 'write_file']);
  });

  it('name no tool any more when the last is gone', () => {
    expect(withoutPattern(['a', 'b'], 'a')).toEqual(['b']);
    expect(withoutPattern(['a'], 'a')).toBe(false);
  });

  it('are refused with a reason', () => {
    expect(patternProblem(' , ', [])).toMatch(/Which tool/);
    expect(patternProblem('two words', [])).toMatch(/spaces/);
    expect(patternProblem('a', ['a'])).toMatch(/already/);
    expect(patternProblem('x'.repeat(201), [])).toMatch(/200/);
    expect(
      patternProblem(
        'b',
        Array.from({ length: 200 }, (_, index) => `p${index}`),
      ),
    ).toMatch(/200 patterns/);
    expect(patternProblem('delete_*', ['a'])).toBeUndefined();
  });
});
