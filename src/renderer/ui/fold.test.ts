import { describe, expect, it } from 'vitest';
import { foldText } from './fold.ts';

const limits = { lines: 3, characters: 20 };

describe('folding', () => {
  it('leaves a short text whole', () => {
    expect(foldText('one\ntwo', limits)).toEqual({ shown: 'one\ntwo', folded: false, lines: 2, characters: 7 });
  });
  it('shows the first lines and counts all of them', () => {
    expect(foldText('1\n2\n3\n4\n5', limits)).toEqual({ shown: '1\n2\n3', folded: true, lines: 5, characters: 9 });
  });
  it('cuts one long line and counts its characters', () => {
    expect(foldText('x'.repeat(412), limits)).toMatchObject({ shown: 'x'.repeat(20), folded: true, characters: 412 });
  });
  it('never shows half a character', () => {
    expect(foldText(`${'x'.repeat(19)}😀 and more`, limits).shown).toBe('x'.repeat(19));
  });
});
