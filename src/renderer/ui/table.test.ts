import { describe, expect, it } from 'vitest';
import { tableOf } from './table.tsx';

describe('tables', () => {
  it('takes a list of flat objects for a table, with every column that any row has', () => {
    expect(tableOf([{ id: 1, title: 'a' }, { id: 2, done: true }])?.columns).toEqual(['id', 'title', 'done']);
  });
  it.each([[[]], [[1, 2]], [[{ a: {} }]], [[{ a: 1 }, null]], [{ a: 1 }], ['text']])('shows %j in another way', (value) => {
    expect(tableOf(value)).toBeUndefined();
  });
});
