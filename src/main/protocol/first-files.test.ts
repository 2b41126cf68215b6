import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FirstFiles } from './first-files.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isServed(files: FirstFiles): Promise<boolean> {
  return Promise.race([files.served.then(() => true), Promise.resolve().then(() => Promise.resolve()).then(() => false)]);
}

it('waits while the page still asks for files, and no longer', async () => {
  const files = new FirstFiles();
  files.read();
  vi.advanceTimersByTime(8);
  files.read();
  vi.advanceTimersByTime(8);
  expect(await isServed(files)).toBe(false);
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
