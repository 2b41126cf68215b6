import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolCallId } from '../../shared/ids.ts';
import type { AskingCall } from '../../shared/model/elicitation.ts';
import { Deferred } from '../kernel/deferred.ts';
import { CallLimits } from './call-limits.ts';
import { OpenCalls } from './open-calls.ts';

const never = new AbortController().signal;
const from = (name: string): AskingCall => ({ id: ToolCallId.parse(name), tool: name });
/** A question that is answered by the test. */
function asked() {
  const seen: { calls?: readonly AskingCall[]; signal?: AbortSignal } = {};
  const answer = new Deferred<string>();
  return { seen, answer: (text: string) => answer.resolve(text), ask: (calls: readonly AskingCall[], signal: AbortSignal) => (Object.assign(seen, { calls, signal }), answer.promise) };
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

describe('a call whose server asks a person', () => {
  it('does not run out of time meanwhile, and has what it had left afterwards', async () => {
    using limits = new CallLimits({ idleMs: 100, totalMs: 250 }, never);
    const calls = new OpenCalls();
    using _open = calls.begin(from('a'), limits);
    vi.advanceTimersByTime(90);
    const { answer, ask } = asked();
    const asking = calls.asking(ask, never);
    vi.advanceTimersByTime(10_000);
    limits.progressed();
    vi.advanceTimersByTime(10_000);
    expect(limits.signal.aborted).toBe(false);
    answer('yes');
    expect(await asking).toBe('yes');
    vi.advanceTimersByTime(90);
    limits.progressed();
    expect(limits.signal.aborted).toBe(false);
    vi.advanceTimersByTime(75);
    expect(limits.ended?.message).toMatch(/did not finish within 250 ms/);
  });

  it('is silent from the answer on, as from any word of its server', async () => {
    using limits = new CallLimits({ idleMs: 100, totalMs: 10_000 }, never);
    const calls = new OpenCalls();
    using _open = calls.begin(undefined, limits);
    await calls.asking(() => Promise.resolve(), never);
    vi.advanceTimersByTime(99);
    expect(limits.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(limits.ended?.message).toMatch(/silent for 100 ms/);
  });

  it('stands still until the last of several questions is answered; one that has ended is not begun again', async () => {
    const limits = new CallLimits({ idleMs: 100, totalMs: 1_000 }, never);
    const calls = new OpenCalls();
    const open = calls.begin(from('a'), limits);
    const [first, second] = [asked(), asked()];
    const both = [calls.asking(first.ask, never), calls.asking(second.ask, never)];
    first.answer('one');
    await both[0];
    vi.advanceTimersByTime(5_000);
    expect(limits.signal.aborted).toBe(false);
    open[Symbol.dispose]();
    limits[Symbol.dispose]();
    second.answer('two');
    await both[1];
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the question', () => {
  it('names the calls that it may be about, and ends when none of them is left', async () => {
    using limits = new CallLimits({ idleMs: 1_000, totalMs: 1_000 }, never);
    const calls = new OpenCalls();
    const [a, b] = [calls.begin(from('a'), limits), calls.begin(from('b'), limits)];
    const { seen, answer, ask } = asked();
    const asking = calls.asking(ask, never);
    using _later = calls.begin(from('c'), limits);
    expect(seen.calls).toEqual([from('a'), from('b')]);
    a[Symbol.dispose]();
    await Promise.resolve();
    expect(seen.signal?.aborted).toBe(false);
    b[Symbol.dispose]();
    await vi.waitFor(() => expect(seen.signal?.aborted).toBe(true));
    expect(seen.signal?.reason).toMatchObject({ code: 'run/cancelled' });
    answer('late');
    await asking;
  });

  it('beside any call ends with its request alone', () => {
    const calls = new OpenCalls();
    const request = new AbortController();
    const { seen, ask } = asked();
    void calls.asking(ask, request.signal);
    expect([seen.calls, seen.signal?.aborted]).toEqual([[], false]);
    request.abort();
    expect(seen.signal?.aborted).toBe(true);
  });
});
