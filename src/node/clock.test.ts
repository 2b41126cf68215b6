import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';

const never = new AbortController().signal;

it('sleeps for at least the time asked for', async () => {
  const before = performance.now();
  await systemClock.sleep(20, never);
  expect(performance.now() - before).toBeGreaterThanOrEqual(19);
});

it('wakes at once with the reason when the signal aborts, before or during the sleep', async () => {
  const reason = new Error('enough');
  await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

it('a sleep longer than timers can count does not end at once', async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(2 ** 32, controller.signal).then(() => 'woke', () => 'aborted');
  const first = await Promise.race([sleeping, systemClock.sleep(30, never).then(() => 'asleep')]);
  controller.abort();
  expect([first, await sleeping]).toEqual(['asleep', 'aborted']);
});

it('[F-37] a doze keeps no process from ending; a sleep does', async () => {
  const awake = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const stop = new AbortController();
  const before = awake();
  const dozing = systemClock.doze(60_000, stop.signal).catch(() => undefined);
  expect(awake()).toBe(before);
  const sleeping = systemClock.sleep(60_000, stop.signal).catch(() => undefined);
  expect(awake()).toBe(before + 1);
  stop.abort();
  await Promise.all([dozing, sleeping]);
  await systemClock.doze(5, never);
});
