import { describe, expect, it } from 'vitest';
import { checkArguments, isHarmlessPattern } from './check-arguments.ts';

const words = (schema: Record<string, unknown>, args: Record<string, unknown>) => checkArguments(schema, args).map(({ path, words: said }) => [path.join('.'), said]);
const one = (property: unknown) => ({ type: 'object', properties: { a: property } });

describe('what is wrong with arguments, in words', () => {
  it('marks the field that is missing, not the object that lacks it', () => {
    expect(words({ type: 'object', required: ['a', 'where'], properties: { where: { type: 'object', required: ['city'] } } }, { where: {} })).toEqual([['a', 'This is needed.'], ['where.city', 'This is needed.']]);
  });
  it.each([
    [{ type: 'integer' }, 'x', 'This should be a whole number.'],
    [{ type: ['string', 'null'] }, 5, 'This should be a text or nothing.'],
    [{ minLength: 2 }, 'x', 'At least 2 characters.'],
    [{ minLength: 1 }, '', 'This is needed.'],
    [{ maxLength: 2 }, 'xyz', 'At most 2 characters.'],
    [{ minimum: 3 }, 2, 'Not less than 3.'],
    [{ maximum: 3.5 }, 4, 'Not more than 3.5.'],
    [{ exclusiveMinimum: 0 }, 0, 'More than 0.'],
    [{ multipleOf: 5 }, 7, 'A multiple of 5.'],
    [{ enum: ['a', 'b'] }, 'c', 'It has to be one of ["a","b"].'],
    [{ minItems: 1 }, [], 'At least one is needed.'],
    [{ maxItems: 1 }, [1, 2], 'At most 1.'],
    [{ uniqueItems: true }, [1, 1], 'Two of these are the same.'],
    [{ pattern: '^[0-9]{5}$' }, 'abc', 'It does not have the form that the tool wants.'],
    [{ format: 'email' }, 'nobody', 'This should be an e-mail address.'],
    [{ oneOf: [{ type: 'number' }, { type: 'boolean' }] }, 'x', 'It fits none of the choices.'],
  ])('says of %j with %j: %s', (property, value, said) => {
    expect(words(one(property), { a: value })).toEqual([['a', said]]);
  });
  it('finds the item of a list', () => {
    expect(words(one({ type: 'array', items: { type: 'string' } }), { a: ['x', 1] })).toEqual([['a.1', 'This should be a text.']]);
  });
  it('names an argument that the tool does not know', () => {
    expect(JSON.stringify(words({ type: 'object', additionalProperties: false }, { b: 1 }))).toContain('“b”');
  });
  it('finds nothing wrong by a schema that is none, and leaves it to the guard', () => {
    expect(words({ type: 'nonsense', $ref: 'https://example.com/x' }, { a: 1 })).toEqual([]);
  });
  it('reads references within the schema', () => {
    expect(words({ type: 'object', properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } }, { a: 'x' })).toEqual([['a', 'This should be a number.']]);
  });
});

describe('patterns from servers', () => {
  it.each(['^(a+)+$', '(a|a)*$', '(\\w+)\\1', '(?=a)b', 'a*b*c*d*', 'x'.repeat(201)])('does not try %s in the window, where it could hang', (pattern) => {
    expect(isHarmlessPattern(pattern)).toBe(false);
    expect(words(one({ pattern }), { a: '!' })).toEqual([]);
  });
  it('answers at once on a pattern that would take for ever', () => {
    const before = performance.now();
    words(one({ pattern: '^(a+)+$' }), { a: `${'a'.repeat(60)}!` });
    words(one({ pattern: '^a*a*$' }), { a: `${'a'.repeat(100_000)}!` });
    expect(performance.now() - before).toBeLessThan(500);
  });
});
