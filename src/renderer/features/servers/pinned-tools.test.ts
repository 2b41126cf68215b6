import { describe, expect, it } from 'vitest';
import { isPinned, withPin } from './pinned-tools.ts';

const all = ['read_file', 'read_all', 'write_file'];

describe('pinned tools', () => {
  it('are those that the file names, by name or by glob, or all of them', () => {
    expect(all.map((name) => isPinned(['read_*'], name))).toEqual([true, true, false]);
    expect(all.map((name) => isPinned(true, name))).toEqual([true, true, true]);
    expect([undefined, false, []].map((direct) => isPinned(direct, 'read_file'))).toEqual([false, false, false]);
    expect(isPinned(['a.c'], 'abc')).toBe(false);
  });

  it('gain and lose one at a time', () => {
    expect(withPin(undefined, 'read_file', true, all)).toEqual(['read_file']);
    expect(withPin(['read_file'], 'write_file', true, all)).toEqual(['read_file', 'write_file']);
    expect(withPin(['read_file', 'write_file'], 'read_file', false, all)).toEqual(['write_file']);
    expect(withPin(['read_file'], 'read_file', false, all)).toBeNull();
  });

  it('keep the others when one of several that were named at once goes', () => {
    expect(withPin(['read_*', 'write_file'], 'read_all', false, all)).toEqual(['read_file', 'write_file']);
    expect(withPin(true, 'read_all', false, all)).toEqual(['read_file', 'write_file']);
  });
});
