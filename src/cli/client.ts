import type * as z from 'zod';
import { AppError } from '../shared/errors.ts';
import type { Contract } from '../shared/ipc/contract.ts';
import type { OutputOf, Reply } from '../shared/ipc/define.ts';
import { reduceApp, type AppState, type StateAction } from '../shared/state/app-state.ts';
import { Follower, type Envelope, type Snapshot } from '../shared/state/follower.ts';

/** A core, here or in the running app. */
export interface Core extends AsyncDisposable {
  dispatch(route: string, input: unknown, signal: AbortSignal): Promise<Reply<unknown>>;
  /** Ends with its signal. */
  follow(topic: string, listener: (envelope: Envelope<unknown>) => void, signal: AbortSignal): Promise<Snapshot<unknown>>;
}
export type Where = 'app' | 'headless';

/** What commands ask, and it does not matter which core answers. */
export class CoreClient implements AsyncDisposable {
  readonly where: Where;
  readonly #core: Core;

  constructor(where: Where, core: Core) {
    this.where = where;
    this.#core = core;
  }

  /** Throws AppError with the reply's code. */
  async request<K extends keyof Contract>(route: K, input: z.input<Contract[K]['input']>, signal: AbortSignal): Promise<OutputOf<Contract[K]>> {
    const reply = await this.#core.dispatch(route, input, signal);
    signal.throwIfAborted();
    if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, { data: reply.error.data });
    return reply.value as OutputOf<Contract[K]>; // dispatch pairs each route with its own output
  }

  /** The app's state now. */
  async state(signal: AbortSignal): Promise<AppState> {
    const ending = new AbortController();
    try {
      const { state } = await this.#core.follow('app', () => undefined, AbortSignal.any([signal, ending.signal]));
      return state as AppState; // what this topic holds
    } finally {
      ending.abort();
    }
  }

  /** Calls back with the app's state now and whenever it changes, until the signal aborts. */
  async follow(onState: (state: AppState) => void, signal: AbortSignal): Promise<void> {
    const follower = new Follower<AppState, StateAction>(reduceApp, onState, () => undefined);
    const snapshot = await this.#core.follow('app', (envelope) => follower.accept(envelope as Envelope<StateAction>), signal); // what this topic sends
    follower.reset(snapshot as Snapshot<AppState>); // what this topic holds
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#core[Symbol.asyncDispose]();
  }
}
