import { describe, expect, it } from 'vitest';
import { TopicStore } from '../../core/state/topic-store.ts';
import { Follower, type Envelope } from './follower.ts';

const append = (state: readonly number[], action: number): readonly number[] => [...state, action];
/** The same numbers each time: a trial that fails can be run again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a follower', () => {
  it('keeps what comes before the snapshot, drops what the snapshot holds and repeats, and asks again on a gap', () => {
    const store = new TopicStore<readonly number[], number>([], append);
    const sent: Envelope<number>[] = [];
    let gaps = 0;
    let seen: readonly number[] = [];
    const follower = new Follower(append, (state) => (seen = state), () => (gaps += 1));
    using live = store.follow((envelope) => sent.push(envelope));
    store.apply(1);
    follower.accept(sent[0] as Envelope<number>); // sent holds one for each apply
    follower.reset(live);
    expect(seen).toEqual([1]);
    follower.accept(sent[0] as Envelope<number>);
    expect(seen).toEqual([1]);
    store.apply(2);
    store.apply(3);
    follower.accept(sent[2] as Envelope<number>);
    expect(gaps).toBe(1);
    follower.accept(sent[1] as Envelope<number>);
    follower.reset({ seq: 3, state: store.current });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('ends equal to its source in 500 trials with loss and repeats', () => {
    for (let trial = 0; trial < 500; trial += 1) {
      const next = random(trial);
      const store = new TopicStore<readonly number[], number>([], append);
      let seen: readonly number[] = [];
      let asked = true;
      const follower = new Follower<readonly number[], number>(append, (state) => (seen = state), () => (asked = true));
      let seq = 0;
      let lossy = true;
      using _following = store.follow((envelope) => {
        seq = envelope.seq;
        if (lossy && next() < 0.2) return;
        follower.accept(envelope);
        if (next() < 0.2) follower.accept(envelope);
      });
      for (let step = 0; step < 30; step += 1) {
        store.apply(step);
        if (asked && next() < 0.5) {
          asked = false;
          follower.reset({ seq, state: store.current });
        }
      }
      // What was lost shows as a gap once something comes after it.
      lossy = false;
      store.apply(30);
      if (asked) follower.reset({ seq, state: store.current });
      expect(seen).toEqual(store.current);
    }
  });

  it('hears nothing after its end', () => {
    const store = new TopicStore<readonly number[], number>([], append);
    const heard: unknown[] = [];
    const live = store.follow((envelope) => heard.push(envelope));
    live[Symbol.dispose]();
    store.apply(1);
    expect(heard).toEqual([]);
  });
});
