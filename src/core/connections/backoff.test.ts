import { expect, it } from 'vitest';
import { countDeath, isCrashLoop, quickWait, slowWait } from './backoff.ts';

it('three quick tries wait 250 ms, then double', () => {
  expect([1, 2, 3].map(quickWait)).toEqual([250, 500, 1_000]);
});

it('after them the wait is anything up to a bound that doubles from one second to a minute', () => {
  const bounds = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
  expect(bounds.map((_, n) => slowWait(n + 1, () => 1))).toEqual(bounds);
  expect(bounds.map((_, n) => slowWait(n + 1, () => 0.5))).toEqual(bounds.map((bound) => bound / 2));
  expect(slowWait(1, () => 0)).toBe(0);
  expect(slowWait(5_000, () => 1)).toBe(60_000);
});

it('five deaths within a minute are a loop, and older ones do not count', () => {
  const die = (...times: number[]) => times.reduce<readonly number[]>(countDeath, []);
  expect(isCrashLoop(die(0, 1, 2, 3))).toBe(false);
  expect(isCrashLoop(die(0, 1, 2, 3, 59_999))).toBe(true);
  expect(isCrashLoop(die(0, 1, 2, 3, 60_000))).toBe(false);
  expect(die(0, 100_000)).toEqual([100_000]);
});
