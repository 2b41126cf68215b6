import { describe, expect, it } from 'vitest';
import { hiddenWords, hidePatch, pinPatch } from './tool-rules.ts';

describe('what a server’s entry says of pins', () => {
  it('gains and loses names, and keeps those of tools that are not there now', () => {
    expect(pinPatch({}, [], ['a', 'b'], true, true)).toEqual({ directTools: ['a', 'b'] });
    expect(pinPatch({ directTools: ['gone', 'a'] }, ['a'], ['b'], true, true)).toEqual({ directTools: ['gone', 'a', 'b'] });
    expect(pinPatch({ directTools: ['gone', 'a'] }, ['a'], ['a'], false, true)).toEqual({ directTools: ['gone'] });
  });
  it('writes the others out when one of all is unpinned, whether the entry or the settings pinned them', () => {
    for (const directTools of [true, undefined]) expect(pinPatch(directTools === undefined ? {} : { directTools }, ['a', 'b', 'c'], ['b'], false, false)).toEqual({ directTools: ['a', 'c'] });
  });
  it('is rid of the last one, or says outright that nothing is pinned where something else might pin', () => {
    expect(pinPatch({ directTools: ['a'] }, ['a'], ['a'], false, true)).toEqual({ directTools: null });
    expect(pinPatch({ directTools: ['a'] }, ['a'], ['a'], false, false)).toEqual({ directTools: false });
  });
});

describe('what a server’s entry says of hidden tools', () => {
  const line = (tool: string, hidden?: 'not-included' | 'excluded' | 'app-only') => ({ tool, ...(hidden === undefined ? {} : { hidden }) });
  it('gains exact names once, and loses them again', () => {
    expect(hidePatch({ excludeTools: ['x_*', 'a-b'] }, [line('a_b'), line('c')], true, true)).toEqual({ excludeTools: ['x_*', 'a_b', 'c'] });
    expect(hidePatch({ excludeTools: ['x_*', 'a-b'] }, [line('a_b', 'excluded')], false, true)).toEqual({ excludeTools: ['x_*'] });
    expect(hidePatch({ excludeTools: ['a'] }, [line('a', 'excluded')], false, true)).toEqual({ excludeTools: null });
    expect(hidePatch({ excludeTools: ['a'] }, [line('a', 'excluded')], false, false)).toEqual({ excludeTools: [] });
  });
  it('includes a tool that was left out', () => {
    expect(hidePatch({ includeTools: ['a'] }, [line('b', 'not-included')], false, true)).toEqual({ includeTools: ['a', 'b'] });
  });
  it('takes nothing back that a pattern or the server hides', () => {
    expect(hiddenWords(line('x_1', 'excluded'), { excludeTools: ['a', 'x_*'] })).toEqual({ why: expect.stringContaining('pattern'), canShow: false, patterns: ['x_*'] });
    expect(hiddenWords(line('a', 'app-only'), {})).toMatchObject({ canShow: false });
    expect(hiddenWords(line('a-b', 'excluded'), { excludeTools: ['a_b'] })).toMatchObject({ canShow: true });
    expect(hiddenWords(line('a'), {})).toBeUndefined();
  });
});
