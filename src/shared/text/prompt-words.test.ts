import { describe, expect, it } from 'vitest';
import { argumentAtEnd, promptArguments, promptUsage, promptWords, quoted } from './prompt-words.ts';

const plan = { arguments: [{ name: 'goal', required: true }, { name: 'tone', required: false }] };
const textsOf = (typed: string) => promptWords(typed).words.map(({ text }) => text);

describe('what follows a prompt’s command', () => {
  it('is split at spaces, but for quotes and escapes', () => {
    expect(textsOf(`  one 'two words' "three \\" 'more' words" four\\ words a"b c"d ""`)).toEqual(['one', 'two words', `three " 'more' words`, 'four words', 'ab cd', '']);
    expect(textsOf(`'no \\ escape' \\\\ \\n`)).toEqual(['no \\ escape', '\\', 'n']);
    expect(promptWords('say "so').open).toBe(true);
    expect(promptWords('say so\\').open).toBe(true);
  });

  it('fills arguments in their order and by their names', () => {
    const args = (typed: string) => promptArguments(typed, plan);
    expect(args(' harden')).toEqual({ ok: true, args: { goal: 'harden' } });
    expect(args('"harden retry policy" calm')).toEqual({ ok: true, args: { goal: 'harden retry policy', tone: 'calm' } });
    expect(args('tone=calm harden')).toEqual({ ok: true, args: { goal: 'harden', tone: 'calm' } });
    expect(args(`goal='a = b' tone="x y"`)).toEqual({ ok: true, args: { goal: 'a = b', tone: 'x y' } });
    // Not a name of its own, or not written as one: a word like any other.
    expect(args('colour=red')).toEqual({ ok: true, args: { goal: 'colour=red' } });
    expect(args('"goal=x"')).toEqual({ ok: true, args: { goal: 'goal=x' } });
  });

  it('is refused when something is missing, twice, open or too much', () => {
    expect(promptArguments('tone=calm', plan)).toEqual({ ok: false, missing: ['goal'] });
    expect(promptArguments('""', plan)).toEqual({ ok: false, missing: ['goal'] });
    for (const typed of ['goal=a goal=b', 'a b c', 'say "so']) expect(promptArguments(typed, plan), typed).toMatchObject({ ok: false, problem: expect.any(String) });
    expect(promptArguments('x', { arguments: [] })).toMatchObject({ ok: false, problem: 'It takes no arguments.' });
    expect(promptUsage('/mcp__a__plan', plan)).toBe('/mcp__a__plan <goal> [tone]');
  });

  it('says which argument is being typed, and how a value is typed back', () => {
    expect(argumentAtEnd(' ', plan)).toMatchObject({ name: 'goal', value: '' });
    expect(argumentAtEnd(' har', plan)).toMatchObject({ name: 'goal', value: 'har', from: 1, keyed: false });
    expect(argumentAtEnd(' har ', plan)).toMatchObject({ name: 'tone', value: '' });
    expect(argumentAtEnd(' tone=ca', plan)).toMatchObject({ name: 'tone', value: 'ca', keyed: true });
    expect(argumentAtEnd(' a b c', plan)).toBeUndefined();
    for (const value of ['plain', 'two words', `it's "so" \\`, 'a=b', '']) expect(textsOf(quoted(value))).toEqual([value]);
  });
});
