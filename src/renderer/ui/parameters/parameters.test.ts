import { describe, expect, it } from 'vitest';
import { parametersOf } from './parameters.ts';

const one = (schema: Record<string, unknown>) => parametersOf({ type: 'object', properties: { it: schema } })?.[0];

describe('what a schema asks for, in words', () => {
  it('names each field, its kind and whether it must be there', () => {
    const found = parametersOf({
      type: 'object',
      properties: { title: { type: 'string', description: 'One line' }, count: { type: 'integer' } },
      required: ['title'],
    });
    expect(found?.map(({ name, type, required, description }) => [name, type, required, description])).toEqual([
      ['title', 'text', true, 'One line'],
      ['count', 'whole number', false, undefined],
    ]);
  });

  it('says kinds as people do', () => {
    expect(
      [
        { type: 'array', items: { type: 'string' } },
        { type: ['string', 'null'] },
        { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'object' } }] },
        { enum: ['a', 'b'] },
        { type: 'string', format: 'date' },
        { properties: {} },
        {},
      ].map((schema) => one(schema)?.type),
    ).toEqual(['list of text', 'text or nothing', 'number or list of objects', 'one of 2', 'text (date)', 'object', 'anything']);
  });

  it('says what limits a value and what it is when left out', () => {
    expect(one({ type: 'number', minimum: 1, maximum: 1000, default: 3 })?.limits).toEqual(['at least 1', 'at most 1,000', 'default 3']);
    expect(one({ type: 'string', minLength: 1, pattern: '^a' })?.limits).toEqual(['not empty', 'matches ^a']);
    expect(one({ type: 'array', items: { enum: ['x', 2] } })?.choices).toEqual(['x', '2']);
  });

  it('opens objects, lists of objects and references', () => {
    const found = parametersOf({
      type: 'object',
      properties: { notes: { type: 'array', items: { $ref: '#/$defs/note' } } },
      $defs: { note: { type: 'object', properties: { id: { type: 'string' } } } },
    });
    expect(found?.[0]).toMatchObject({ type: 'list of objects', parts: [{ name: 'id' }] });
  });

  it('ends where a schema goes round in circles or into the deep', () => {
    const round = { type: 'object', properties: { child: { $ref: '#' }, same: { $ref: '#/properties/same' } } };
    expect(parametersOf(round)?.[0]?.name).toBe('child');
    let deep: Record<string, unknown> = { type: 'string' };
    for (let level = 0; level < 200; level += 1) deep = { type: 'object', properties: { down: deep } };
    expect(JSON.stringify(parametersOf(deep)).match(/"down"/g)?.length).toBeLessThan(10);
  });

  it('takes nonsense from a server without breaking', () => {
    expect(parametersOf({})).toEqual([]);
    expect(parametersOf({ type: 'object', properties: 'none' })).toEqual([]);
    expect(
      parametersOf({
        type: 'object',
        properties: { a: null, b: 'text', c: { type: 'nonsense', enum: 7, items: 3, required: 'x' } },
        required: 'a',
      })?.map(({ type }) => type),
    ).toEqual(['anything', 'anything', 'anything']);
    expect(parametersOf({ type: 'object', properties: { x: { $ref: '#/no/where' } } })?.[0]?.type).toBe('anything');
    expect(
      parametersOf({ type: 'object', properties: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, {}])) })
        ?.length,
    ).toBe(300);
  });

  it('leaves a schema of alternatives to its JSON', () => {
    expect(parametersOf({ oneOf: [{ type: 'object' }] })).toBeUndefined();
  });
});
