import { describe, expect, it } from 'vitest';
import type { TrustFact, TrustQuestion, TrustServer } from '../../../shared/model/project-trust.ts';
import { factRows, inOrder, summaryOf } from './trust-words.ts';

const command = (text: string): TrustFact => ({ kind: 'command', text });
const sets = (text: string): TrustFact => ({ kind: 'environment', text });
const server = (change: TrustServer['change'], facts: readonly TrustFact[], before?: readonly TrustFact[]): TrustServer => ({
  name: change,
  file: '.mcp.json',
  change,
  facts,
  ...(before ? { before } : {}),
});
const question = (again: boolean, ...servers: readonly TrustServer[]): TrustQuestion => ({
  project: '/p',
  digest: 'd',
  again,
  files: [],
  servers,
  runs: [],
});

describe('what a project’s files would do', () => {
  it('says what runs before anything else, in the order of what it can do', () => {
    const rows = factRows(
      server('new', [sets('A'), { kind: 'secret-command', text: 'env.A: pass show a' }, command('npx a'), sets('B')]),
    );
    expect(rows.map(({ name, texts }) => [name, texts.map(({ text }) => text)])).toEqual([
      ['Runs', ['npx a']],
      ['Asks to run', ['env.A: pass show a']],
      ['Sets', ['A', 'B']],
    ]);
    expect(rows.flatMap(({ texts }) => texts).every(({ state }) => state === 'same')).toBe(true);
  });

  it('shows what was trusted before beside what took its place', () => {
    const rows = factRows(server('changed', [command('npx b'), sets('A'), sets('B')], [command('npx a'), sets('A')]));
    expect(rows).toEqual([
      {
        kind: 'command',
        name: 'Runs',
        texts: [
          { text: 'npx a', state: 'gone' },
          { text: 'npx b', state: 'added' },
        ],
      },
      {
        kind: 'environment',
        name: 'Sets',
        texts: [
          { text: 'A', state: 'same' },
          { text: 'B', state: 'added' },
        ],
      },
    ]);
  });

  it('strikes all of a server that is gone', () => {
    expect(factRows(server('removed', [], [command('npx a')]))).toEqual([
      { kind: 'command', name: 'Runs', texts: [{ text: 'npx a', state: 'gone' }] },
    ]);
  });

  it('puts what is not known yet first, and counts it', () => {
    const all = [server('same', []), server('removed', [], []), server('new', []), server('changed', [], [])];
    expect(inOrder(all).map(({ change }) => change)).toEqual(['changed', 'new', 'removed', 'same']);
    expect(summaryOf(question(true, ...all))).toBe('3 servers, 1 changed, 1 new, 1 removed');
    expect(summaryOf(question(true, server('same', [])))).toBe('1 server, none of them changed');
    expect(summaryOf(question(false, server('new', [])))).toBe('1 server');
    const runs = { file: '.gatehouse/config.toml', change: 'new', facts: [{ kind: 'run', text: 'model: m2' }] } as const;
    expect(summaryOf({ ...question(false), runs: [runs] })).toBe('0 servers, and what runs are set to');
    expect(factRows(runs)).toEqual([{ kind: 'run', name: 'Sets runs to', texts: [{ text: 'model: m2', state: 'same' }] }]);
  });
});
