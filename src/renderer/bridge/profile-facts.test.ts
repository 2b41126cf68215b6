import { expect, it } from 'vitest';
import type { ProfileReport } from '../../shared/model/profile.ts';
import { factsText, placeWords } from './profile-facts.ts';

const report: ProfileReport = { name: 'x', scope: 'global', extends: [], mcp: true, servers: [], issues: [], shadowed: false };

it('a profile says in a line what a run of it has other than one without', () => {
  expect(factsText(report)).toBe('');
  expect(factsText({ ...report, extends: ['b', 'a'], model: 'm', tools: ['t'], servers: ['s'] })).toBe('Builds on b → a · m · 1 tool allowed · server s');
  expect(factsText({ ...report, mcp: false, tools: ['t'], servers: ['a', 'b', 'c', 'd'] })).toBe('no MCP tools · 4 servers');
});

it('a place in a profile is said by line and column', () => {
  expect(placeWords({ line: 2, column: 2 })).toBe('Line 2, column 2');
  expect(placeWords({})).toBe('Line 1');
});
