import { afterEach, expect, it, vi } from 'vitest';
import { inSteps } from './live.ts';

afterEach(() => void vi.useRealTimers());

it('What changes often is shown at once, then in steps, and never without its last state', () => {
  vi.useFakeTimers();
  const shown: number[] = [];
  const { show, settle } = inSteps<number>((value) => shown.push(value), 50);
  show(1);
  expect(shown).toEqual([1]);
  for (const value of [2, 3, 4]) show(value);
  expect(shown).toEqual([1]);
  vi.advanceTimersByTime(50);
  expect(shown).toEqual([1, 4]);
  show(5);
  vi.advanceTimersByTime(49);
  expect(shown).toEqual([1, 4]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([1, 4, 5]);
  vi.advanceTimersByTime(1_000);
  show(6);
  expect(shown).toEqual([1, 4, 5, 6]);
  show(7);
  settle();
  expect(shown).toEqual([1, 4, 5, 6, 7]);
  vi.advanceTimersByTime(1_000);
  expect(shown).toEqual([1, 4, 5, 6, 7]);
});
