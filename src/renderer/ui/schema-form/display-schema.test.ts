import { describe, expect, it } from 'vitest';
import { displayOf } from './display-schema.ts';

const form = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const display = displayOf({ type: 'object', properties, ...more });
  if (display.kind !== 'form') throw new Error(display.why);
  return display;
};
const json = { 'ui:field': 'JsonField' };

describe('how a schema is shown', () => {
  it('leaves plain fields to the form', () => {
    expect(form({ a: { type: 'string' }, b: { type: 'integer' }, c: { enum: ['x', 'y'] } })).toMatchObject({ uiSchema: {}, schema: { properties: { c: { type: 'string' } } } });
  });
  it('takes a tool without properties for one without arguments', () => {
    expect(displayOf({ type: 'object' })).toMatchObject({ kind: 'form', schema: { properties: {} } });
  });
  it('shows "or nothing" as an optional field', () => {
    expect(form({ a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'number' }, { type: 'null' }], title: 'B' } }).schema).toMatchObject({ properties: { a: { type: 'string' }, b: { type: 'number', title: 'B' } } });
  });
  it.each([
    ['anything at all', {}], ['free keys', { type: 'object', additionalProperties: { type: 'string' } }], ['a list of anything', { type: 'array' }], ['a tuple', { type: 'array', prefixItems: [{}] }],
    ['two types', { type: ['string', 'number'] }], ['a foreign reference', { $ref: 'https://example.com/s.json' }], ['a reference to nowhere', { $ref: '#/$defs/none' }], ['true', true], ['null', null],
  ])('writes %s as JSON in its place', (_, property) => {
    expect(form({ a: property }).uiSchema).toEqual({ a: json });
  });
  it('follows references and stops where they turn in circles', () => {
    const display = form({ tree: { $ref: '#/$defs/node' } }, { $defs: { node: { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } } } } });
    expect(display.uiSchema).toEqual({ tree: { child: json } });
    expect(display.schema).not.toHaveProperty('$defs');
  });
  it('names the choices of a choice', () => {
    expect(form({ who: { oneOf: [{ title: 'A person', type: 'object', properties: { first: { type: 'string' } } }, { type: 'object', properties: { team: { type: 'string' } } }] } }).schema).toMatchObject({
      properties: { who: { oneOf: [{ title: 'A person' }, { title: 'team' }] } },
    });
  });
  it('gives up the form for a schema that is too large or none', () => {
    expect(displayOf({ type: 'object', properties: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, { type: 'string' }])) }).kind).toBe('json');
    expect(displayOf({ type: 'array', items: { type: 'string' } }).kind).toBe('json');
  });
  it('ends on a schema that is deep without end', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 200; depth += 1) deep = { type: 'object', properties: { a: deep } };
    expect(displayOf(deep).kind).toBe('form');
  });
});
