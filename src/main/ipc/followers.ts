import type { App } from '../../core/app.ts';
import type { StateMessage } from '../../shared/ipc/channels.ts';
import type { Snapshot } from '../../shared/state/follower.ts';
import { untilAborted } from './until-aborted.ts';

interface Follow {
  readonly here: AbortController;
  readonly snapshot: Promise<Snapshot<unknown>>;
}

/** What one page follows. Ends with the page. */
export class Followers implements Disposable {
  readonly #send: (message: StateMessage) => void;
  readonly #follows = new Map<string, Follow>();
  #ended = false;

  constructor(send: (message: StateMessage) => void) {
    this.#send = send;
  }

  get topics(): readonly string[] {
    return [...this.#follows.keys()];
  }

  /** Following again gives a new snapshot; each action still comes once. One that is still waiting for the core then gets that snapshot too. */
  async follow(app: Promise<Pick<App, 'follow'>>, topic: string, signal: AbortSignal): Promise<Snapshot<unknown>> {
    const before = this.#follows.get(topic);
    const here = new AbortController();
    const snapshot = this.#begin(app, topic, here, signal);
    if (this.#ended) here.abort();
    else this.#follows.set(topic, { here, snapshot });
    before?.here.abort();
    try {
      return await snapshot;
    } catch (error) {
      const now = this.#follows.get(topic);
      if (now && now.here !== here && !signal.aborted) return await now.snapshot;
      if (now?.here === here) this.#follows.delete(topic);
      throw error;
    }
  }

  unfollow(topic: string): void {
    this.#follows.get(topic)?.here.abort();
    this.#follows.delete(topic);
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    for (const topic of this.topics) this.unfollow(topic);
  }

  async #begin(app: Promise<Pick<App, 'follow'>>, topic: string, here: AbortController, signal: AbortSignal): Promise<Snapshot<unknown>> {
    const core = await untilAborted(app, AbortSignal.any([signal, here.signal]));
    const send = (envelope: StateMessage['envelope']) => {
      if (!here.signal.aborted) this.#send({ topic, envelope });
    };
    const following = await core.follow(topic, send, here.signal);
    const end = () => following[Symbol.dispose]();
    if (here.signal.aborted) end();
    else here.signal.addEventListener('abort', end, { once: true });
    // The rest of what is followed is functions, which cannot be sent.
    return { seq: following.seq, state: following.state };
  }
}
