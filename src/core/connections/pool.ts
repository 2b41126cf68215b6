import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { deadline } from '../kernel/deadline.ts';
import { Connection } from './connection.ts';
import { aborted, unless } from './link.ts';
import type { ConnectionPoolDeps, ServerSession } from './session.ts';

/** How many servers are woken at the same time. Those that wait for their turn lose no time of their own. */
const parallelWakes = 10;
/** What still runs when a server stops may take this long. Milliseconds. */
const drainMs = 2_000;
/** At the end of the app: in all, with servers that do not want to stop. Milliseconds. */
const endDrainMs = 1_000;
const endMs = 4_500;

/** Every server's connection, shared by all who use it. */
export class ConnectionPool implements AsyncDisposable {
  readonly #deps: ConnectionPoolDeps;
  readonly #connections = new Map<ServerId, Connection>();
  readonly #network: Disposable;
  readonly #background = new Set<Promise<unknown>>();
  #paused = false;
  #ended: Promise<void> | undefined;

  constructor(deps: ConnectionPoolDeps) {
    this.#deps = deps;
    this.#network = deps.network.onBack(() => {
      if (!this.#paused) for (const connection of this.#connections.values()) connection.networkIsBack();
    });
  }

  /** Takes a definition in, or the new form of one: a changed launch ends the connection, and one that was up comes up again. */
  define(definition: ServerDefinition): void {
    const known = this.#connections.get(definition.id);
    if (!known) {
      this.#connections.set(definition.id, new Connection(definition, this.#deps));
      return;
    }
    const before = known.definition;
    known.redefine(definition);
    if (before.revision === definition.revision && before.enabled === definition.enabled) return;
    const { state } = known;
    const wasUp = state.phase !== 'stopped';
    const why = !definition.enabled ? 'disabled' : state.phase === 'stopped' && state.why === 'by-person' ? 'by-person' : 'asleep';
    this.#inBackground(async () => {
      await known.stop(why, drainMs);
      if (wasUp && definition.enabled && !this.#ended && !this.#paused) await known.start(new AbortController().signal);
    });
  }

  async forget(id: ServerId, signal: AbortSignal): Promise<void> {
    const connection = this.#connections.get(id);
    this.#connections.delete(id);
    signal.throwIfAborted();
    await connection?.stop('asleep', drainMs);
  }

  /** By a person. Resolves when it is connected and its lists are read, or has failed: the state says which. Rejects if `signal` aborts. */
  async start(id: ServerId, signal: AbortSignal): Promise<void> {
    const connection = this.#get(id);
    if (!connection.definition.enabled) throw new AppError('server/disabled', `“${connection.definition.name}” is switched off`);
    this.#refusePaused();
    await connection.start(signal);
  }

  async stop(id: ServerId, why: 'by-person' | 'asleep' | 'disabled', signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#get(id).stop(why, drainMs);
  }

  async restart(id: ServerId, signal: AbortSignal): Promise<void> {
    await this.stop(id, 'asleep', signal);
    await this.start(id, signal);
  }

  state(id: ServerId): ConnectionState {
    return this.#get(id).state;
  }

  /** It is connected, or being connected. */
  isUp(id: ServerId): boolean {
    const phase = this.#connections.get(id)?.state.phase;
    return phase === 'ready' || phase === 'starting' || phase === 'reconnecting';
  }

  /** Connects if need be, then works. Throws the reason when it is not there; the work's own signal also aborts when the server stops. */
  async use<T>(id: ServerId, work: (session: ServerSession, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#refusePaused();
    return this.#get(id).use(work, signal);
  }

  /** Paused, nothing connects and nothing stays connected. */
  async setPaused(paused: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#paused = paused;
    if (!paused) return;
    const up = [...this.#connections.values()].filter(({ state }) => state.phase !== 'stopped');
    await Promise.all(up.map((connection) => connection.stop('asleep', drainMs)));
  }

  /** Connects those that are asleep, a few at a time. Resolves when each has connected or failed; no more are begun once `signal` aborts. */
  async wake(ids: readonly ServerId[], signal: AbortSignal): Promise<void> {
    const queue = [...ids];
    const next = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && !this.#paused && !this.#ended && !signal.aborted; id = queue.shift())
        await this.#connections.get(id)?.wake();
    };
    await unless(signal, Promise.all(Array.from({ length: Math.min(parallelWakes, queue.length) }, next)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#network[Symbol.dispose]();
    using limit = deadline(endMs, new AbortController().signal);
    const all = Promise.allSettled([...this.#connections.values()].map((connection) => connection.stop('asleep', endDrainMs)));
    await Promise.race([Promise.all([all, ...this.#background]), aborted(limit.signal)]);
    if (limit.expired()) this.#deps.log.warn('Some servers did not stop in time');
  }

  #get(id: ServerId): Connection {
    const connection = this.#connections.get(id);
    if (!connection || this.#ended) throw new AppError('server/not-found', 'There is no such server');
    return connection;
  }

  #refusePaused(): void {
    if (this.#paused) throw new AppError('connection/stopped', 'Everything is paused', { data: { why: 'paused' } });
  }

  #inBackground(work: () => Promise<unknown>): void {
    const task = work()
      .catch((error: unknown) => this.#deps.log.error('A server could not be changed over', error))
      .finally(() => this.#background.delete(task));
    this.#background.add(task);
  }
}
