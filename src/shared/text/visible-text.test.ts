import { describe, expect, it } from 'vitest';
import { hasInvisible, visiblePieces, visibleText } from './visible-text.ts';

describe('visible text', () => {
  it('leaves what a person can see as it is', () => {
    const text = 'Größe: 12 €\n\tحساب 日本語 👨‍👩‍👧 ❤️ 👍🏽';
    expect(visibleText(text)).toBe(text);
    expect(hasInvisible(text)).toBe(false);
  });

  it.each([
    ['a right-to-left override', 'pay \u202Ecod.exe', 'pay ⟨U+202E⟩cod.exe'],
    ['an isolate', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['a zero-width space', 'ro\u200Bot', 'ro⟨U+200B⟩ot'],
    ['a joiner outside of an emoji', 'a\u200Db', 'a⟨U+200D⟩b'],
    ['a tag character', `hi${String.fromCodePoint(0xe0041)}`, 'hi⟨U+E0041⟩'],
    ['a smuggling variation selector', `hi${String.fromCodePoint(0xe0101)}`, 'hi⟨U+E0101⟩'],
    ['a soft hyphen', 'a\u00ADb', 'a⟨U+00AD⟩b'],
    ['a byte order mark', '\uFEFFa', '⟨U+FEFF⟩a'],
    ['a control', 'a\u0000b\u009Fc\u007F', 'a⟨U+0000⟩b⟨U+009F⟩c⟨U+007F⟩'],
    ['a backspace', 'rm\b\bls', 'rm⟨U+0008⟩⟨U+0008⟩ls'],
    ['a lone surrogate', 'a\uD800b', 'a⟨U+D800⟩b'],
    ['an unseen letter', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['a terminal colour', '\u001B[31mred\u001B[0m', '⟨ESC[31m⟩red⟨ESC[0m⟩'],
    ['a terminal title', '\u001B]0;title\u0007x', '⟨ESC]0;titleU+0007⟩x'],
    ['a lone escape', 'a\u001Bb', 'a⟨U+001B⟩b'],
    ['a carriage return that overwrites', 'safe\revil', 'safe⟨U+000D⟩evil'],
  ])('makes %s visible', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(hasInvisible(text)).toBe(true);
  });

  it('takes a Windows line end for a newline', () => {
    expect(visibleText('a\r\nb')).toBe('a\nb');
    expect(hasInvisible('a\r\nb')).toBe(false);
  });

  it('tells marks from text that only looks like one', () => {
    expect(visiblePieces('⟨U+202E⟩\u202E')).toEqual([{ text: '⟨U+202E⟩', mark: false }, { text: '⟨U+202E⟩', mark: true }]);
  });

  it('reads a large text quickly', () => {
    const before = performance.now();
    visiblePieces(`${'a\u001B]'.repeat(100_000)}`);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
