import { describe, expect, it } from 'vitest';
import { TopicStore } from '../../core/state/topic-store.ts';
import type { StateMessage } from '../../shared/ipc/channels.ts';
import { Followers } from './followers.ts';

const signal = new AbortController().signal;

function setup() {
  const store = new TopicStore<readonly number[], number>([], (state, action) => [...state, action]);
  const sent: StateMessage[] = [];
  const followers = new Followers((message) => sent.push(message));
  let open: () => void = () => undefined;
  const app = new Promise<{ follow: () => Promise<ReturnType<typeof store.follow>> }>((resolve) => {
    open = () => resolve({ follow: async (...args: readonly unknown[]) => store.follow(args[1] as (envelope: unknown) => void) }); // as the core calls its listener
  });
  return { store, sent, followers, open: () => open(), follow: (topic = 'app') => followers.follow(app as never, topic, signal) }; // followers use this one function of the app
}

describe('what a page follows', () => {
  it('is given to everybody who asked while the core was opening, and each action comes once', async () => {
    const { store, sent, open, follow } = setup();
    const asked = [follow(), follow(), follow()];
    open();
    for (const snapshot of await Promise.all(asked)) expect(snapshot).toEqual({ seq: 0, state: [] });
    store.apply(7);
    expect(sent).toEqual([{ topic: 'app', envelope: { seq: 1, action: 7 } }]);
    expect(store.followers).toBe(1);
  });

  it('is a new snapshot when asked for again, and still one follower', async () => {
    const { store, open, follow } = setup();
    open();
    await follow();
    store.apply(1);
    expect(await follow()).toEqual({ seq: 1, state: [1] });
    expect(store.followers).toBe(1);
  });

  it('ends with unfollow, also while it waits, and with the page', async () => {
    const { store, sent, followers, open, follow } = setup();
    const waiting = follow();
    followers.unfollow('app');
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    open();
    await follow();
    followers[Symbol.dispose]();
    store.apply(1);
    expect(sent).toEqual([]);
    expect(store.followers).toBe(0);
    await expect(follow()).rejects.toMatchObject({ name: 'AbortError' });
  });
});
