import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FirstFiles } from './first-files.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isServed(files: FirstFiles): Promise<boolean> {
  return Promise.race([files.served.then(() => true), Promise.resolve().then(() => Promise.resolve()).then(() => false)]);
}

it('waits while the page has a file to come, or asks for another soon after, and no longer', async () => {
  const files = new FirstFiles();
  const small = files.asked();
  const big = files.asked();
  small();
  vi.advanceTimersByTime(500);
  expect(await isServed(files)).toBe(false);
  big();
  vi.advanceTimersByTime(8);
  const next = files.asked();
  vi.advanceTimersByTime(100);
  expect(await isServed(files)).toBe(false);
  next();
  vi.advanceTimersByTime(10);
  expect(await isServed(files)).toBe(true);
});

it('does not wait for ever for a page that asks for nothing', async () => {
  const files = new FirstFiles();
  vi.advanceTimersByTime(900);
  expect(await isServed(files)).toBe(false);
  vi.advanceTimersByTime(200);
  expect(await isServed(files)).toBe(true);
});
