import { afterEach, expect, it, vi } from 'vitest';
import { inSteps, restedAt } from './live.ts';

afterEach(() => void vi.useRealTimers());

it('What changes often is shown at once, then in steps, and never without its last state', () => {
  vi.useFakeTimers();
  const shown: number[] = [];
  const { show, settle } = inSteps<number>((value) => shown.push(value), 50, 50);
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

it('What goes on changing is shown less and less often, and at once again after a rest', () => {
  vi.useFakeTimers();
  let shown = 0;
  const { show } = inSteps(() => (shown += 1), 50, 250);
  const changeFor = (ms: number): number => {
    const before = shown;
    for (let at = 0; at < ms; at += 10) {
      show(at);
      vi.advanceTimersByTime(10);
    }
    return shown - before;
  };
  expect(changeFor(500)).toBeGreaterThan(5);
  changeFor(1_000);
  expect(changeFor(1_000)).toBe(4);
  vi.advanceTimersByTime(600);
  const before = shown;
  show(1);
  expect(shown).toBe(before + 1);
  vi.advanceTimersByTime(10);
  show(2);
  vi.advanceTimersByTime(40);
  expect(shown).toBe(before + 2);
});

it('The first state of a chat is drawn at once, the next when the page and the machine have rested for twice as long as it took', () => {
  expect(restedAt(undefined, 60_000)).toBe(60_000);
  expect(restedAt(60_000, 60_010)).toBe(60_060);
  expect(restedAt(60_000, 60_200)).toBe(60_600);
});
