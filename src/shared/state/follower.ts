export interface Snapshot<S> {
  readonly seq: number;
  readonly state: S;
}
export interface Envelope<A> {
  readonly seq: number;
  readonly action: A;
}

/** Follows a source: keeps what arrives before the snapshot, drops what the snapshot holds, asks again on a gap. */
export class Follower<S, A> {
  #at: Snapshot<S> | undefined;
  #early: Envelope<A>[] = [];
  readonly #reduce: (state: S, action: A) => S;
  readonly #onChange: (state: S) => void;
  readonly #onGap: () => void;

  constructor(reduce: (state: S, action: A) => S, onChange: (state: S) => void, onGap: () => void) {
    this.#reduce = reduce;
    this.#onChange = onChange;
    this.#onGap = onGap;
  }

  reset(snapshot: Snapshot<S>): void {
    this.#at = snapshot;
    for (const envelope of this.#early.splice(0)) this.accept(envelope);
    if (this.#at) this.#onChange(this.#at.state);
  }

  accept(envelope: Envelope<A>): void {
    if (!this.#at) {
      this.#early.push(envelope);
      return;
    }
    if (envelope.seq <= this.#at.seq) return;
    if (envelope.seq > this.#at.seq + 1) {
      this.#at = undefined;
      this.#early = [envelope];
      this.#onGap();
      return;
    }
    this.#at = { seq: envelope.seq, state: this.#reduce(this.#at.state, envelope.action) };
    this.#onChange(this.#at.state);
  }
}
