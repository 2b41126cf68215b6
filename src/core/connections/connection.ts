import { AppError } from '../../shared/errors.ts';
import type { ConnectionFailure, ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ServerRules } from '../../shared/model/server-rules.ts';
import { unless } from '../kernel/aborted.ts';
import { Attempt } from './attempt.ts';
import { asAppError, exited, failureOf, masked } from './failure.ts';
import { isKeptAlive, whyNotThere } from './health.ts';
import type { CloseOptions, Link } from './link.ts';
import { Listings } from './listings.ts';
import { looksSame, readyState } from './ready-state.ts';
import { Recovery } from './recovery.ts';
import { ResourceWatches } from './resource-watches.ts';
import { refusal, stateOfNeed } from './refusal.ts';
import { SdkSession } from './sdk-session.ts';
import type { ConnectionPoolDeps, ServerSession } from './session.ts';
import { Uses } from './uses.ts';

type StopReason = 'asleep' | 'by-person' | 'disabled';

const listKinds = ['tools', 'resources', 'prompts'] as const;

/** One server's connection and its state. Links come and go; each event names its link, and counts only if that is the present one. */
export class Connection {
  readonly #deps: ConnectionPoolDeps;
  readonly #uses = new Uses();
  readonly #listings: Listings;
  /** Whoever looks at a resource wants to know when it changes. */
  readonly watches: ResourceWatches;
  readonly #recovery: Recovery;
  #definition: ServerDefinition;
  #state: ConnectionState;
  #link: Link | undefined;
  #attempt: Attempt | undefined;
  #retry: AbortController | undefined;
  /** The next use need not wait: the first after a drop, and after the network came back. */
  #tryNow = false;
  /** The next attempt is a person's. */
  #byPerson = false;
  /** The end of its last use, or when it came up. */
  #lastUsed = 0;
  /** It was up at least once (F-35). */
  #wasUp = false;
  /** What the last launch had to do without. */
  #launchWarnings: readonly string[] = [];

  constructor(definition: ServerDefinition, deps: ConnectionPoolDeps) {
    this.#definition = definition;
    this.#deps = deps;
    this.#recovery = new Recovery(deps.random ?? Math.random);
    this.#state = { phase: 'stopped', why: definition.enabled ? 'asleep' : 'disabled' };
    this.watches = new ResourceWatches(deps, () => this.#rules.requestMs);
    this.#listings = new Listings(
      definition.id,
      { ...deps, onListing: (id, listing) => deps.onListing(id, { ...listing, warnings: [...this.#launchWarnings, ...listing.warnings] }) },
      () => this.#rules.handshakeMs,
      (link) => this.#renewLost(link),
    );
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get definition(): ServerDefinition {
    return this.#definition;
  }

  /** The launch is the same; name and limits may differ. */
  redefine(definition: ServerDefinition): void {
    this.#definition = definition;
  }

  /** A person wants it: what stood in the way before is forgotten. The outcome is the state. */
  async start(signal: AbortSignal): Promise<void> {
    this.#recovery.forgive();
    this.#byPerson = true;
    try {
      await this.#reach(signal);
    } finally {
      this.#byPerson = false;
    }
  }

  /** It may be woken: asleep; or kept alive, gone, and its back-off over (F-34). A person's own wish stands, and so does what only a person can bring (F-41). */
  get mayWake(): boolean {
    const state = this.#state;
    if (state.phase === 'stopped') return state.why === 'asleep';
    if (state.phase !== 'failed' && state.phase !== 'reconnecting') return false;
    const due = state.retryAt !== undefined && (this.#tryNow || this.#deps.clock.now() >= state.retryAt);
    return due && this.isKeptAlive && !this.#attempt;
  }

  get isKeptAlive(): boolean {
    return isKeptAlive(this.#rules.lifecycle, this.#wasUp);
  }

  /** Shown while it waits for its turn to be woken. */
  setQueued(queued: boolean): void {
    const state = this.#state;
    if (state.phase !== 'stopped' || state.why !== 'asleep' || (state.queued === true) === queued) return;
    this.#set({ phase: 'stopped', why: 'asleep', ...(queued ? { queued } : {}) });
  }

  /** Like `start`, but what stands in the way still does, and a person who is asked is not waited for; what is under way is waited for. `onLinked`: the handshake is over, however it ended; its lists may still be on their way. */
  async wake(onLinked: () => void): Promise<void> {
    if (!this.#attempt && !this.#link && !this.mayWake) return;
    const reached = this.#reach(new AbortController().signal);
    const attempt = this.#attempt;
    attempt?.link.then(onLinked, onLinked);
    await Promise.race([reached, attempt?.asked ?? reached]);
  }

  async use<T>(work: (session: ServerSession, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const session = new SdkSession(await this.#ready(signal), {
        server: this.#definition.name,
        requestMs: () => this.#rules.requestMs,
        inputSchema: (tool): JsonObject | undefined => this.#listings.inputSchema(tool),
        mayRepeat: (tool) => this.#definition.options.retryOnTransportFailure === true && this.#listings.isRepeatable(tool),
        renew: (lost, renewing) => unless(renewing, this.#renew(lost)),
      });
      return await this.#uses.run((using) => work(session, using), signal).finally(() => (this.#lastUsed = this.#deps.clock.now()));
    } catch (error) {
      // Servers quote what they were given: on their stderr, in their answers.
      throw error instanceof AppError ? masked(error, this.#deps.mask) : error;
    }
  }

  /** Connects as a use does, and resolves when its lists are of now; with `anew` a connected server's are read again (F-93). Throws why it is not there. */
  async look(anew: boolean, signal: AbortSignal): Promise<void> {
    const before = this.#link;
    await this.use(() => Promise.resolve(), signal);
    if (anew && this.#link === before) this.#listings.announce(listKinds);
    await unless(signal, this.#listings.settled());
  }

  /** Resolves when no list of it is being read or about to be. */
  listed(): Promise<void> {
    return this.#listings.settled();
  }

  /** Shown as stopped at once; what is running may take `drainMs` to end. */
  async stop(why: StopReason, drainMs: number): Promise<void> {
    await this.end(why, drainMs).catch((error: unknown) => this.#deps.log.error('A connection could not be closed', error));
  }

  /** Like `stop`; throws what could not be closed, after all the rest was. */
  async end(why: StopReason, drainMs: number): Promise<void> {
    const link = this.#link;
    const attempt = this.#attempt;
    this.#link = undefined;
    this.#attempt = undefined;
    this.#tryNow = false;
    this.#retry?.abort();
    attempt?.stop.abort(new AppError('connection/stopped', 'The server was stopped'));
    this.#set({ phase: 'stopped', why });
    this.#listings.detach();
    this.watches.detach();
    await this.#uses.drain(drainMs, new AppError('connection/stopped', 'The server was stopped'));
    const late = attempt?.link.then((made) => made.close(), () => undefined);
    const failures = (await Promise.allSettled([link?.close(), late])).flatMap((closed) => (closed.status === 'rejected' ? [closed.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, `“${this.#definition.name}” could not be closed`);
  }

  /**
   * The look of every 30 s (F-37): one that is kept alive is asked whether it is there; another is stopped when nobody used it for its time, and nothing of it is
   * under way (F-38).
   */
  async lookAfter(signal: AbortSignal): Promise<void> {
    const link = this.#link;
    if (!link || this.#state.phase !== 'ready') return;
    const { idleMs } = this.#rules;
    const now = this.#deps.clock.now();
    const busy = this.#uses.size > 0 || link.wire.work.isOpen;
    const inUse = busy || this.watches.size > 0;
    if (inUse) this.#lastUsed = now;
    if (!busy && this.isKeptAlive) await this.#askForLife(link, signal);
    else if (!inUse && idleMs > 0 && now - this.#lastUsed >= idleMs) await this.stop('asleep', 0);
    if (this.#link !== link || this.#state.phase !== 'ready') return;
    const next = readyState(link, this.#state.since, inUse ? undefined : this.#stopsAt, this.#deps);
    if (!looksSame(next, this.#state)) this.#set(next);
  }

  async #askForLife(link: Link, signal: AbortSignal): Promise<void> {
    try {
      const gone = await whyNotThere(link, this.#rules.handshakeMs, signal);
      if (gone) this.#dropped(link, gone);
    } catch (error) {
      if (!signal.aborted && link.isSessionLoss(error)) this.#renewLost(link);
    }
  }

  /** The machine woke up or the network is back. */
  networkIsBack(): void {
    const { phase } = this.#state;
    if (phase !== 'reconnecting' && !(phase === 'failed' && this.#state.retryAt !== undefined)) return;
    this.#tryNow = true;
    if (this.isKeptAlive || this.#definition.transport.type !== 'stdio') this.#begin();
  }

  async #reach(signal: AbortSignal): Promise<void> {
    try {
      await unless(signal, this.#link ? Promise.resolve(this.#link) : this.#begin().link);
      await unless(signal, this.#listings.settled());
    } catch (error) {
      signal.throwIfAborted();
      this.#deps.log.info('A server could not be connected', { server: this.#definition.id, code: asAppError(error).code });
    }
  }

  async #ready(signal: AbortSignal): Promise<Link> {
    signal.throwIfAborted();
    if (this.#link) return this.#link;
    if (this.#attempt) return this.#attempt.forUse(signal);
    const refused = refusal(this.#state, this.#definition, this.#tryNow, this.#deps.clock.now());
    if (refused) throw refused;
    return this.#begin().forUse(signal);
  }

  /** The one attempt that everybody shares; begun if there is none. */
  #begin(): Attempt {
    if (this.#attempt) return this.#attempt;
    this.#retry?.abort();
    this.#tryNow = false;
    this.#launchWarnings = [];
    const attempt = new Attempt({
      definition: this.#definition, deps: this.#deps, recovery: this.#recovery, handshakeMs: this.#rules.handshakeMs, byPerson: this.#byPerson,
      onTry: (tried) => {
        this.#announceTry(tried);
        this.#launchWarnings = [];
      },
      onAsking: (message, tried) => {
        if (message === undefined) this.#announceTry(tried);
        else this.#set({ phase: 'needs', what: 'secret', message: this.#deps.mask(message).slice(0, 500) });
      },
      onWarning: (text) => void (this.#launchWarnings = [...this.#launchWarnings, text]),
    });
    this.#byPerson = false;
    this.#attempt = attempt;
    attempt.link.then(
      (link) => this.#connected(attempt, link),
      (error: unknown) => this.#failed(attempt, error),
    );
    return attempt;
  }

  #announceTry(tried: number): void {
    const since = this.#deps.clock.now();
    const attempt = this.#recovery.failures + tried;
    this.#set(this.#state.phase === 'reconnecting' ? { ...this.#state, attempt, retryAt: since } : { phase: 'starting', since, attempt });
  }

  #connected(attempt: Attempt, link: Link): void {
    if (this.#attempt !== attempt) return;
    this.#attempt = undefined;
    this.#link = link;
    const since = this.#deps.clock.now();
    this.#recovery.ready(since);
    this.#wasUp = true;
    this.#lastUsed = since;
    this.#set(readyState(link, since, this.#stopsAt, this.#deps));
    this.#listings.attach(link);
    this.watches.attach(link);
    link.attach({
      onDown: (down, error) => this.#dropped(down, error),
      onSessionLost: (lost) => this.#renewLost(lost),
      onListChanged: (changed, kind) => {
        if (changed === this.#link) this.#listings.announce([kind]);
      },
      onResourceChanged: (changed, uri) => this.watches.changed(changed, uri),
    });
  }

  #failed(attempt: Attempt, error: unknown): void {
    if (this.#attempt !== attempt) return;
    this.#attempt = undefined;
    const app = asAppError(error);
    const need = stateOfNeed(app, this.#deps.mask);
    if (need) this.#set(need);
    else if (app.code === 'server/disabled') this.#set({ phase: 'stopped', why: 'disabled' });
    else this.#backOff(this.#failureOf(error), this.#state.phase === 'reconnecting');
    if (app.kind === 'bug') this.#deps.log.error('A connect met a bug', error);
  }

  /** The link that was ready is gone. */
  #dropped(link: Link, error: unknown): void {
    if (link !== this.#link) return;
    this.#link = undefined;
    this.#listings.detach();
    this.watches.detach();
    const now = this.#deps.clock.now();
    this.#recovery.dropped(now);
    const { ended } = link;
    if (ended) this.#recovery.died(now);
    const failure = this.#failureOf(
      ended ? exited(ended, error) : (error ?? new AppError('connection/closed', 'The server closed the connection')),
    );
    this.#tryNow = true;
    this.#backOff(failure, link.over !== 'stdio');
    this.#closeWhenIdle(link);
  }

  #backOff(failure: ConnectionFailure, wasReady: boolean): void {
    const now = this.#deps.clock.now();
    const next = this.#recovery.after(failure, wasReady, now);
    this.#set(next);
    if (!('retryAt' in next)) return;
    if (this.#retriesAlone) this.#retryLater(next.retryAt - now);
    else this.#sayWhenOver(next.retryAt - now);
  }

  #retryLater(ms: number): void {
    const retry = (this.#retry = new AbortController());
    this.#deps.clock.sleep(ms, retry.signal).then(
      () => this.#begin(),
      (error: unknown) => {
        if (!retry.signal.aborted) this.#deps.log.error('A connect could not be repeated', error);
      },
    );
  }

  /** F-40: the back-off is over, and the next use tries again. */
  #sayWhenOver(ms: number): void {
    const waiting = (this.#retry = new AbortController());
    this.#deps.clock.doze(ms, waiting.signal).then(
      () => this.#set({ ...this.#state }),
      () => undefined,
    );
  }

  /** A process is started again by its next use, or kept alive; what others run is tried again by itself, but where the person wants it at the start alone (F-33). */
  get #retriesAlone(): boolean {
    return this.#definition.transport.type !== 'stdio' && this.#rules.lifecycle !== 'eager';
  }

  /** A new link for one whose session the server forgot; the old one ends when nobody uses it any more. */
  async #renew(lost: Link): Promise<Link> {
    if (this.#link !== lost) return this.#ready(new AbortController().signal);
    this.#link = undefined;
    this.#listings.detach();
    this.watches.detach();
    const now = this.#deps.clock.now();
    const failure: ConnectionFailure = { code: 'connection/closed', message: 'The server forgot the session' };
    // Published as the attempt begins.
    this.#state = { phase: 'reconnecting', since: now, attempt: 1, retryAt: now, failure };
    this.#closeWhenIdle(lost, { keepSession: true });
    return this.#begin().link;
  }

  #renewLost(lost: Link): void {
    this.#renew(lost).catch((error: unknown) => this.#deps.log.info('A session could not be renewed', { code: asAppError(error).code }));
  }

  #failureOf(error: unknown): ConnectionFailure {
    return failureOf(error, { mask: this.#deps.mask });
  }

  get #rules(): ServerRules {
    return this.#deps.rules(this.#definition);
  }

  get #stopsAt(): number | undefined {
    const { idleMs } = this.#rules;
    return idleMs > 0 && !this.isKeptAlive ? this.#lastUsed + idleMs : undefined;
  }

  #closeWhenIdle(link: Link, options: CloseOptions = {}): void {
    this.#uses
      .idle()
      .then(() => this.#close(link, options))
      .catch((error: unknown) => this.#deps.log.error('A connection could not be closed', error));
  }

  async #close(link: Link | undefined, options: CloseOptions = {}): Promise<void> {
    await link?.close(options).catch((error: unknown) => this.#deps.log.error('A connection could not be closed', error));
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#deps.onState(this.#definition.id, state);
  }
}
