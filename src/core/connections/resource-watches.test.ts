import { describe, expect, it } from 'vitest';
import type { ResourceWatchAction } from '../../shared/state/resource-watch.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { eventually, stdio, TestPool } from '../../../test/support/test-pool.ts';

const minuteMs = 60_000;
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 30_000) {
    clock.advance(Math.min(30_000, left));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }
}

describe('whoever follows a resource', () => {
  it('keeps its server connected, and lets it go with the last of them', async () => {
    const clock = new FakeClock();
    const test = new TestPool({ clock, random: () => 1 });
    const id = await test.ready(stdio('library.mjs'), { options: { idleTimeout: 1 } });
    const heard: ResourceWatchAction[] = [];
    const first = test.pool.watch(id, 'lib://guide', (action) => heard.push(action));
    const second = test.pool.watch(id, 'lib://guide', () => undefined);
    await eventually(() => expect(heard).toContainEqual({ type: 'phase', phase: 'watching' }));
    await pass(clock, 10 * minuteMs);
    expect(test.pool.state(id).phase).toBe('ready');
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await pass(clock, 10 * minuteMs);
    expect(test.pool.state(id).phase).toBe('ready');
    second[Symbol.dispose]();
    // It is idle from when the server has answered that nobody follows any more.
    await eventually(async () => {
      await pass(clock, minuteMs);
      expect(test.pool.state(id)).toMatchObject({ phase: 'stopped', why: 'asleep' });
    });
  });

  it('of a server that announces nothing is told so, and so is one too many', async () => {
    const test = new TestPool();
    const id = await test.ready(stdio('calls.mjs'));
    const heard: ResourceWatchAction[] = [];
    test.pool.watch(id, 'lib://guide', (action) => heard.push(action));
    expect(heard).toEqual([{ type: 'phase', phase: 'unsupported' }]);
    for (let at = 0; at < 63; at += 1) test.pool.watch(id, `lib://${at}`, () => undefined);
    test.pool.watch(id, 'lib://more', (action) => heard.push(action));
    expect(heard.at(-1)).toEqual({ type: 'phase', phase: 'failed', code: 'request/invalid' });
  });
});
