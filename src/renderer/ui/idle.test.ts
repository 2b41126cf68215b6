import { afterEach, expect, it, vi } from 'vitest';
import { inIdleMoments } from './idle.ts';

/** A page whose idle moments last as long as they are said to; each step takes ten of a moment's milliseconds. */
function page(momentMs: readonly number[]) {
  const moments: string[][] = [];
  let left = 0;
  const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => () => {
    moments.at(-1)?.push(name);
    left -= 10;
  });
  vi.stubGlobal('requestIdleCallback', (work: IdleRequestCallback) => {
    left = momentMs[moments.length] ?? 0;
    queueMicrotask(() => {
      moments.push([]);
      work({ didTimeout: left === 0, timeRemaining: () => Math.max(0, left) });
    });
    return 0;
  });
  return { steps, moments };
}
afterEach(() => void vi.unstubAllGlobals());

it('takes as many steps in an idle moment as there is time for, and one where there is none', async () => {
  const { steps, moments } = page([30, 0, 50]);
  await inIdleMoments(steps);
  expect(moments).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
});

it('says when a step fails, and takes none after it', async () => {
  const { steps, moments } = page([50]);
  await expect(inIdleMoments([...steps.slice(0, 1), () => { throw new Error('broken'); }, ...steps.slice(1)])).rejects.toThrow('broken');
  expect(moments).toEqual([['a']]);
});
