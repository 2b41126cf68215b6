import { expect, it } from 'vitest';
import { nearNames, slipsBetween } from './near-names.ts';

it('suggests at most five names that are two slips away, nearest first', () => {
  expect(nearNames('read_flie', ['write_file', 'read_file', 'read_files', 'list'])).toEqual(['read_file', 'read_files']);
  expect(nearNames('note', ['note7', 'note6', 'note5', 'note4', 'note3', 'note2', 'note1'])).toEqual(['note1', 'note2', 'note3', 'note4', 'note5']);
});
it('suggests nothing for a name of more than 512 characters, however near', () => {
  expect(nearNames('a'.repeat(512), ['a'.repeat(511)])).toHaveLength(1);
  expect(nearNames('a'.repeat(513), ['a'.repeat(512)])).toEqual([]);
});
it('counts a swap of neighbours as one slip, and stops counting beyond the limit', () => {
  expect(slipsBetween('serach', 'search', 2)).toBe(1);
  expect(slipsBetween('', 'ab', 2)).toBe(2);
  expect(slipsBetween('kitten', 'sitting', 2)).toBe(3);
  expect(slipsBetween('kitten', 'sitting', 5)).toBe(3);
});
