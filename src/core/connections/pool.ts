import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ResourceWatchAction } from '../../shared/state/resource-watch.ts';
import type { ServerRules } from '../../shared/model/server-rules.ts';
import { aborted, unless } from '../kernel/aborted.ts';
import { deadline } from '../kernel/deadline.ts';
import { Lifetime } from '../kernel/lifetime.ts';
import { Connection } from './connection.ts';
import { connectsAtStart } from './health.ts';
import type { ConnectionPoolDeps, ServerSession } from './session.ts';
import { Turns } from './turns.ts';

/** How many servers are being connected at the same time (F-39); what they list is no part of it. Those that wait for their turn lose no time of their own (O7). */
const parallelWakes = 10;
/** What still runs when a server stops may take this long. Milliseconds. */
const drainMs = 2_000;
/** At the end of the app: in all, with servers that do not want to stop. Milliseconds. */
const endDrainMs = 1_000;
const endMs = 4_500;
/** From one look at all servers to the next (F-37). Milliseconds. */
const lookEveryMs = 30_000;
/** How long lists that are on their way are waited for by whoever wants to see them. */
const listedMs = 3_000;

/** Every server's connection, shared by all who use it. */
export class ConnectionPool implements AsyncDisposable {
  readonly #deps: ConnectionPoolDeps;
  readonly #connections = new Map<ServerId, Connection>();
  readonly #network: Disposable;
  readonly #background = new Set<Promise<unknown>>();
  readonly #turns = new Turns(parallelWakes);
  readonly #upkeep = new Lifetime();
  #begun = false;
  #paused = false;
  #ended: Promise<void> | undefined;

  constructor(deps: ConnectionPoolDeps) {
    this.#deps = deps;
    this.#network = deps.network.onBack(() => {
      if (!this.#paused) for (const connection of this.#connections.values()) connection.networkIsBack();
    });
    this.#upkeep.run((signal) => this.#lookAfterAll(signal), (error) => deps.log.error('Servers are not looked after any more', error));
  }

  /** The app is open: connects in the background what runs from the start (F-33, F-34), and looks into those whose pinned tools nobody knows (F-42). */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#wakeAllSoon();
  }

  /** Takes a definition in, or the new form of one: a changed launch ends the connection, and one that was up comes up again. */
  define(definition: ServerDefinition): void {
    const known = this.#connections.get(definition.id);
    if (!known) {
      this.#connections.set(definition.id, new Connection(definition, this.#deps));
      this.#wakeSoon([definition]);
      return;
    }
    const before = known.definition;
    known.redefine(definition);
    if (before.revision === definition.revision && before.enabled === definition.enabled) {
      if (before.options.lifecycle !== definition.options.lifecycle) this.#wakeSoon([definition]);
      return;
    }
    const { state } = known;
    const wasUp = state.phase !== 'stopped';
    const why = !definition.enabled ? 'disabled' : state.phase === 'stopped' && state.why === 'by-person' ? 'by-person' : 'asleep';
    this.#inBackground(async () => {
      await known.stop(why, drainMs);
      if (wasUp && definition.enabled && !this.#ended && !this.#paused) await known.start(new AbortController().signal);
      else this.#wakeSoon([definition]);
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

  /** How it lives and how long it may take, as things are now. */
  rules(id: ServerId): ServerRules {
    return this.#deps.rules(this.#get(id).definition);
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

  /** Tells of a resource's changes until it is disposed; holds the connection that there is, and begins none. */
  watch(id: ServerId, uri: string, listener: (action: ResourceWatchAction) => void): Disposable {
    return this.#get(id).watches.watch(uri, listener);
  }

  /** Connects if need be; resolves when the server's lists are of now, read again if `anew`. Throws why it is not there. */
  async look(id: ServerId, { anew }: { readonly anew: boolean }, signal: AbortSignal): Promise<void> {
    this.#refusePaused();
    await this.#get(id).look(anew, signal);
  }

  /** Resolves when the lists that a server announced anew have come, or after a moment: some announce without end. */
  async listed(id: ServerId, signal: AbortSignal): Promise<void> {
    using limit = deadline(listedMs, signal);
    await Promise.race([this.#connections.get(id)?.listed(), aborted(limit.signal)]);
    signal.throwIfAborted();
  }

  /** Paused, nothing connects and nothing stays connected. */
  async setPaused(paused: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#paused = paused;
    if (!paused) {
      this.#wakeAllSoon();
      return;
    }
    const up = [...this.#connections.values()].filter(({ state }) => state.phase !== 'stopped');
    await Promise.all(up.map((connection) => connection.stop('asleep', drainMs)));
  }

  /** Connects those that may be woken, a few at a time. Resolves when each has its lists or failed, those too that others had begun to connect; no more are begun once `signal` aborts. */
  async wake(ids: readonly ServerId[], signal: AbortSignal): Promise<void> {
    await unless(signal, Promise.all(ids.map((id) => this.#wakeInTurn(id, signal))));
  }

  async #wakeInTurn(id: ServerId, signal: AbortSignal): Promise<void> {
    const connection = this.#connections.get(id);
    if (!connection || this.#rests) return;
    if (!connection.mayWake) return connection.wake(() => undefined);
    if (this.#turns.areTaken) connection.setQueued(true);
    try {
      using turn = await this.#turns.take(signal);
      if (!this.#rests && this.#connections.get(id) === connection) await connection.wake(() => turn[Symbol.dispose]());
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      connection.setQueued(false);
    }
  }

  #wakeAllSoon(): void {
    this.#wakeSoon([...this.#connections.values()].map(({ definition }) => definition));
  }

  /** Those of them that are to run without being used. */
  #wakeSoon(definitions: readonly ServerDefinition[]): void {
    if (!this.#begun || this.#rests) return;
    const { rules, needsDiscovery } = this.#deps;
    const wanted = definitions.filter((definition) => {
      const { id, enabled, options } = definition;
      const pins = options.directTools;
      const isPinned = pins === true || (Array.isArray(pins) && pins.length > 0);
      return enabled && (connectsAtStart(rules(definition).lifecycle) || (isPinned && needsDiscovery?.(id) === true));
    });
    if (wanted.length > 0) this.#inBackground(() => this.wake(wanted.map(({ id }) => id), this.#upkeep.signal));
  }

  /** One look after another, at a steady pace: they never overlap, however long one takes. */
  async #lookAfterAll(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    for (let next = clock.now() + lookEveryMs; ; next = Math.max(next + lookEveryMs, clock.now())) {
      await clock.doze(Math.max(0, next - clock.now()), signal);
      if (this.#paused) continue;
      const looked = await Promise.allSettled([...this.#connections.values()].map((connection) => connection.lookAfter(signal)));
      for (const look of looked) if (look.status === 'rejected' && !signal.aborted) log.error('A server could not be looked after', look.reason);
      // A connect may take longer than a look, and nobody waits for it here.
      const gone = [...this.#connections.values()].filter((one) => one.isKeptAlive && one.mayWake && (this.#begun || one.state.phase !== 'stopped'));
      if (gone.length > 0) this.#inBackground(() => this.wake(gone.map(({ definition }) => definition.id), signal));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  /** Throws what could not be closed, together, once everything else is (F-44). */
  async #end(): Promise<void> {
    this.#network[Symbol.dispose]();
    const upkeep = this.#upkeep.end();
    using limit = deadline(endMs, new AbortController().signal);
    const failures: unknown[] = [];
    const all = [...this.#connections.values()].map((connection) => connection.end('asleep', endDrainMs).catch((error: unknown) => failures.push(error)));
    await Promise.race([Promise.all([...all, upkeep, ...this.#background]), aborted(limit.signal)]);
    if (limit.expired()) this.#deps.log.warn('Some servers did not stop in time');
    if (failures.length > 0) throw new AggregateError(failures, 'Some servers could not be closed');
  }

  /** Nothing is to be started now. */
  get #rests(): boolean {
    return this.#paused || this.#ended !== undefined;
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
