import { describe, expect, it } from 'vitest';
import { formSchema, UnusableForm } from './form-schema.ts';

const of = (properties: object, required?: readonly string[]) => ({ type: 'object', properties, ...(required ? { required } : {}) });
const field = (one: object) => (formSchema(of({ a: one }))['properties'] as Record<string, unknown>)['a']; // what the form holds

describe('a form of a server', () => {
  it('is made anew of the words that count, and takes nothing else', () => {
    expect(formSchema({ ...of({ a: { type: 'string', title: 'A', pattern: '(a+)+$', $ref: '#/x', 'x-run': 1 } }, ['a', 'a']), $schema: 'x', allOf: [], additionalProperties: true })).toEqual({
      type: 'object', properties: { a: { type: 'string', title: 'A' } }, required: ['a'], additionalProperties: false,
    });
  });

  it('has its choices in one form, whatever form they came in', () => {
    const one = [{ const: 'r', title: 'Red' }, { const: 'g', title: 'Green' }];
    expect(field({ type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] })).toEqual({ type: 'string', oneOf: one });
    expect(field({ type: 'string', enum: ['r', 'g'], enumNames: ['Red'] })).toEqual({ type: 'string', oneOf: [{ const: 'r', title: 'r' }, { const: 'g', title: 'g' }] });
    expect(field({ type: 'string', oneOf: one, default: 'g' })).toEqual({ type: 'string', oneOf: one, default: 'g' });
    const many = { type: 'array', items: { type: 'string', oneOf: one }, uniqueItems: true };
    expect(field({ type: 'array', items: { anyOf: one } })).toEqual(many);
    expect(field({ type: 'array', items: { oneOf: one }, maxItems: 2, default: ['r'] })).toEqual({ ...many, maxItems: 2, default: ['r'] });
    expect(field({ type: 'array', items: { type: 'string', enum: ['r'] } })).toEqual({ ...many, items: { type: 'string', oneOf: [{ const: 'r', title: 'r' }] } });
  });

  it('names a choice that cannot be seen by its marks, and sends it as it is', () => {
    expect(field({ type: 'string', enum: ['a\u202Eb'] })).toEqual({ type: 'string', oneOf: [{ const: 'a\u202Eb', title: 'a⟨U+202E⟩b' }] });
  });

  it.each([
    ['a required field that is none', of({}, ['toString'])], ['an empty name', of({ '': { type: 'string' } })], ['no choice at all', of({ a: { type: 'string', enum: [] } })],
    ['two choices of one name', of({ a: { type: 'string', oneOf: [{ const: 'x', title: 'Yes' }, { const: 'y', title: 'Yes' }] } })], ['a number out of order', of({ a: { type: 'number', minimum: 2, maximum: 1 } })],
    ['a proposal that is too short', of({ a: { type: 'string', minLength: 3, default: 'ab' } })], ['a proposal in no format', of({ a: { type: 'string', format: 'date', default: 'soon' } })], ['a proposal twice', of({ a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, default: ['x', 'x'] } })],
    ['a broken whole number', of({ a: { type: 'integer', default: 1.5 } })], ['a list of types', of({ a: { type: ['string', 'null'] } })], ['more choices than can be read', of({ a: { type: 'string', enum: Array.from({ length: 201 }, (_, at) => `${at}`) } })],
  ])('is refused for %s', (_what, schema) => {
    expect(() => formSchema(schema)).toThrow(UnusableForm);
  });
});
