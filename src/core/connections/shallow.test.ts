import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { stdio, TestPool } from '../../../test/support/test-pool.ts';
import { shallow } from './shallow.ts';

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('what is nested without end', () => {
  it('is left out where it lies too deep, and everything else stays the same object', () => {
    const usual: unknown = JSON.parse(nested(150));
    expect(shallow(usual)).toBe(usual);
    const deep = JSON.stringify(shallow(JSON.parse(nested(100_000))));
    expect(deep).toContain('[nested too deeply]');
    expect(deep.length).toBeLessThan(2000);
  });

  it('never keeps the other tools of a server from being listed, and is said', async () => {
    const file = join(tempFolder(), 'tools.json');
    writeFileSync(file, `[{"name":"good","inputSchema":{"type":"object"}},{"name":"deep","inputSchema":{"type":"object","properties":${nested(5000)}}}]`);
    const test = new TestPool();
    const id = await test.ready(stdio('offers.mjs', file));
    expect(test.tools(id)).toEqual(['good', 'deep']);
    expect(test.listing(id).warnings).toEqual(['1 of the tools are nested too deeply; their deepest parts are left out']);
  });
});
