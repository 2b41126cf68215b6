import type { Envelope, Snapshot } from '../../shared/state/follower.ts';

/** One topic's state, changed by actions through its reducer alone. Followers get each action with its number. */
export class TopicStore<S, A> {
  #state: S;
  #seq = 0;
  readonly #reduce: (state: S, action: A) => S;
  readonly #listeners = new Set<(envelope: Envelope<A>) => void>();

  constructor(initial: S, reduce: (state: S, action: A) => S) {
    this.#state = initial;
    this.#reduce = reduce;
  }

  get current(): S {
    return this.#state;
  }

  get followers(): number {
    return this.#listeners.size;
  }

  apply(action: A): void {
    this.#state = this.#reduce(this.#state, action);
    this.#seq += 1;
    for (const listener of this.#listeners) listener({ seq: this.#seq, action });
  }

  /** The state now, and every action from now on until disposed. */
  follow(listener: (envelope: Envelope<A>) => void): Snapshot<S> & Disposable {
    this.#listeners.add(listener);
    return { seq: this.#seq, state: this.#state, [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
