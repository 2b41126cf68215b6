import { describe, expect, it } from 'vitest';
import { formFields, sentContent, shownContent } from './form-answer.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Full name' },
    seats: { type: 'integer', title: 'Seats', default: 2 },
    class: { type: 'string', title: 'Class', oneOf: [{ const: '1', title: 'First' }, { const: 'b', title: 'b' }], default: '1' },
    extras: { type: 'array', items: { type: 'string', oneOf: [{ const: 'x', title: 'Bike' }] } },
    window: { type: 'boolean' },
  },
};

describe('the answer to a form', () => {
  it('is what was filled in and what was proposed, in the order of the form; what was left out is not in it', () => {
    const sent = sentContent(schema, { extras: ['x'], name: 'Ada', window: undefined });
    expect(Object.entries(sent)).toEqual([['name', 'Ada'], ['seats', 2], ['class', '1'], ['extras', ['x']]]);
  });

  it('is looked over under the names of its fields, a choice by its name and what is sent for it', () => {
    expect(Object.entries(shownContent(schema, { name: 'Ada', class: '1', extras: ['x'], window: false }))).toEqual([['Full name', 'Ada'], ['Class', 'First (1)'], ['extras', ['Bike (x)']], ['window', false]]);
    expect(shownContent(schema, { class: 'b' })).toEqual({ Class: 'b' });
  });

  it('names fields by their own names where two are called the same', () => {
    expect(formFields({ properties: { a: { title: 'Name' }, b: { title: 'Name' } } }).map(({ title }) => title)).toEqual(['a', 'b']);
  });
});
