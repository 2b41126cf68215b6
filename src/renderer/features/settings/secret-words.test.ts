import { describe, expect, it } from 'vitest';
import type { FoundLiteral, SecretEntry } from '../../../shared/model/secret-entry.ts';
import { fixedWords, historyText, keyProblem, movable, secretsSummary, usedByText } from './secret-words.ts';

const use = (server: string) => ({ server, source: 'mcp.json', field: 'env.KEY' });
const entry = (part: Partial<SecretEntry>): SecretEntry =>
  ({ key: 'k', scope: 'global', updatedAt: 1, usedBy: [], missing: false, ...part }) as SecretEntry; // a branded key
const literal = (fixed?: FoundLiteral['fixed']): FoundLiteral =>
  ({
    source: 's',
    file: 'f',
    server: 'a',
    field: 'env.KEY',
    suggestedKey: 'mcp.a.env.KEY',
    scope: 'global',
    ...(fixed ? { fixed } : {}),
  }) as FoundLiteral; // a branded key

describe('a secret’s row', () => {
  it('says who uses it', () => {
    expect(usedByText([])).toBe('Used by no server');
    expect(usedByText([use('A'), use('A')])).toBe('Used by A');
    expect(usedByText([use('A'), use('B')])).toBe('Used by A and B');
    expect(usedByText([use('A'), use('B'), use('C')])).toBe('Used by A and 2 more');
  });
  it('says when it was changed and read', () => {
    const now = 10_000_000;
    expect(historyText(entry({ updatedAt: now - 5 * 60_000 }), now)).toBe('changed 5 min ago, never read');
    expect(historyText(entry({ updatedAt: now, lastReadAt: now, lastReadBy: 'GitHub' }), now)).toBe(
      'changed just now, last read by GitHub just now',
    );
    expect(historyText(entry({ missing: true, updatedAt: 0 }), now)).toBe('named by a file, never entered');
    expect(historyText(entry({ missing: true, updatedAt: 5 }), now)).toBe('its value was lost');
  });
  it('counts those without a value', () => {
    expect(secretsSummary([entry({}), entry({ missing: true })])).toBe('2 secrets, 1 without a value');
  });
});

describe('a name that is typed', () => {
  it.each([
    ['', 'It needs a name.'],
    ['a b', 'Letters, digits, dots, dashes and underscores, at most 200.'],
    ['model.x.key', 'Names that begin with “model.” belong to the keys of models.'],
    ['project.0123456789ab.x', 'This form of name is kept for secrets of projects.'],
    ['taken', 'There is one of this name. Give that one a new value instead.'],
  ])('%s is refused', (text, problem) => {
    expect(keyProblem(text, ['taken'])).toBe(problem);
  });
  it('is taken without the space around it', () => {
    expect(keyProblem(' github.token ', ['taken'])).toBeUndefined();
  });
});

describe('a text in the open', () => {
  it('is movable, or says why not and what to do', () => {
    expect(movable([literal(), literal('argument')])).toHaveLength(1);
    expect(fixedWords(literal())).toBeUndefined();
    expect(fixedWords(literal('foreign-file'))).toContain('{"secretRef": "mcp.a.env.KEY", "scope": "global"}');
    expect(fixedWords(literal('argument'))).toContain('every program');
  });
});
