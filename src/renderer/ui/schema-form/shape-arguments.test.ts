import { describe, expect, it } from 'vitest';
import { shapeArguments } from './shape-arguments.ts';

const schema = {
  type: 'object', required: ['title', 'tags'],
  properties: {
    title: { type: 'string' }, text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, count: { type: 'integer' }, on: { type: 'boolean' },
    where: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, zip: { type: 'string' } } },
    items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' }, note: { type: 'string' } } } },
  },
};

describe('arguments from a form', () => {
  it('leaves out optional fields that are empty', () => {
    expect(shapeArguments({ title: 'x', text: '', tags: [], where: {}, count: undefined }, schema)).toEqual({ title: 'x', tags: [] });
  });
  it('keeps required fields even when they are empty, so that the tool can say so', () => {
    expect(shapeArguments({ title: '', tags: [] }, schema)).toEqual({ title: '', tags: [] });
  });
  it('keeps zero, false and null: they were meant', () => {
    expect(shapeArguments({ title: 'x', tags: [], count: 0, on: false, text: null }, schema)).toEqual({ title: 'x', tags: [], count: 0, on: false, text: null });
  });
  it('does the same inside of objects and lists', () => {
    expect(shapeArguments({ title: 'x', tags: ['a'], where: { city: '', zip: '' }, items: [{ sku: 'a', note: '' }] }, schema)).toEqual({ title: 'x', tags: ['a'], where: { city: '' }, items: [{ sku: 'a' }] });
  });
  it('is not fooled by names that every object has', () => {
    expect(shapeArguments(JSON.parse('{"constructor":"","__proto__":"x"}'), schema)).toEqual(JSON.parse('{"__proto__":"x"}'));
  });
});
