import { expect, it } from 'vitest';
import { previewOf } from './preview.ts';

it('shows arguments as JSON', () => {
  expect(previewOf({ path: 'a b', n: [1, null] })).toBe('{"path":"a b","n":[1,null]}');
  expect(previewOf(undefined)).toBe('');
});

it('is cut at 500 characters, or as many as there is room for, and says so', () => {
  expect(previewOf({ text: 'x'.repeat(10_000) }).length).toBe(500);
  expect(previewOf('abcdefgh', 5)).toBe('"abc…');
  expect(previewOf('abc😀def', 6)).toBe('"abc…');
});

it('control sequences never reach the screen as such', () => {
  const shown = previewOf({ a: '\u001B[2Jrm \u202E\u200B\u0007', '\u009B31m': 1 });
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(shown).toContain('⟨U+202E⟩');
});
