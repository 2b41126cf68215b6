import { AppError } from '../../shared/errors.ts';
import type { ConnectionFailure, ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { quickWait } from './backoff.ts';
import { asAppError, exited, failureOf, masked } from './failure.ts';
import { unless, type CloseOptions, type Link } from './link.ts';
import { Listings } from './listings.ts';
import { makeLink } from './make-link.ts';
import { Recovery } from './recovery.ts';
import { refusal, stateOfNeed } from './refusal.ts';
import { SdkSession } from './sdk-session.ts';
import { defaultLimits, type ConnectionPoolDeps, type ServerSession } from './session.ts';
import { Uses } from './uses.ts';

interface Attempt {
  readonly link: Promise<Link>;
  readonly stop: AbortController;
  /** Resolves when a person is asked something first: that may take any time. */
  readonly asked: Promise<void>;
}

/** One server's connection and its state. Links come and go; each event names its link, and counts only if that is the present one. */
export class Connection {
  readonly #deps: ConnectionPoolDeps;
  readonly #uses = new Uses();
  readonly #listings: Listings;
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
  /** What the last launch had to do without. */
  #launchWarnings: readonly string[] = [];

  constructor(definition: ServerDefinition, deps: ConnectionPoolDeps) {
    this.#definition = definition;
    this.#deps = deps;
    this.#recovery = new Recovery(deps.random ?? Math.random);
    this.#state = { phase: 'stopped', why: definition.enabled ? 'asleep' : 'disabled' };
    this.#listings = new Listings(
      definition.id,
      { ...deps, onListing: (id, listing) => deps.onListing(id, { ...listing, warnings: [...this.#launchWarnings, ...listing.warnings] }) },
      () => this.#handshakeMs,
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

  /** Like `start`, but what stands in the way still does, and a person who is asked is not waited for. */
  async wake(): Promise<void> {
    if (this.#state.phase !== 'starting' && !(this.#state.phase === 'stopped' && this.#state.why === 'asleep')) return;
    const reached = this.#reach(new AbortController().signal);
    await Promise.race([reached, this.#attempt?.asked ?? reached]);
  }

  async use<T>(work: (session: ServerSession, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const session = new SdkSession(await this.#ready(signal), {
        server: this.#definition.name,
        requestMs: () => this.#definition.options.limits?.callIdleMs ?? defaultLimits.callIdleMs,
        inputSchema: (tool): JsonObject | undefined => this.#listings.inputSchema(tool),
        renew: (lost, renewing) => unless(renewing, this.#renew(lost)),
      });
      return await this.#uses.run((using) => work(session, using), signal);
    } catch (error) {
      // Servers quote what they were given: on their stderr, in their answers.
      throw error instanceof AppError ? masked(error, this.#deps.mask) : error;
    }
  }

  /** Shown as stopped at once; what is running may take `drainMs` to end. */
  async stop(why: 'asleep' | 'by-person' | 'disabled', drainMs: number): Promise<void> {
    const link = this.#link;
    const attempt = this.#attempt;
    this.#link = undefined;
    this.#attempt = undefined;
    this.#tryNow = false;
    this.#retry?.abort();
    attempt?.stop.abort(new AppError('connection/stopped', 'The server was stopped'));
    this.#set({ phase: 'stopped', why });
    this.#listings.detach();
    await this.#uses.drain(drainMs, new AppError('connection/stopped', 'The server was stopped'));
    await Promise.all([
      this.#close(link),
      attempt?.link.then(
        (late) => this.#close(late),
        () => undefined,
      ),
    ]);
  }

  /** The machine woke up or the network is back. */
  networkIsBack(): void {
    const { phase } = this.#state;
    if (phase !== 'reconnecting' && !(phase === 'failed' && this.#state.retryAt !== undefined)) return;
    this.#tryNow = true;
    if (this.#retriesAlone) this.#begin();
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
    if (this.#attempt) return unless(signal, this.#attempt.link);
    const refused = refusal(this.#state, this.#definition, this.#tryNow, this.#deps.clock.now());
    if (refused) throw refused;
    return unless(signal, this.#begin().link);
  }

  /** The one attempt that everybody shares; begun if there is none. */
  #begin(): Attempt {
    if (this.#attempt) return this.#attempt;
    this.#retry?.abort();
    this.#tryNow = false;
    const stop = new AbortController();
    let asked = (): void => undefined;
    const asking = new Promise<void>((resolve) => (asked = resolve));
    const attempt: Attempt = { stop, asked: asking, link: this.#connect(asked, stop.signal) };
    this.#attempt = attempt;
    attempt.link.then(
      (link) => this.#connected(attempt, link),
      (error: unknown) => this.#failed(attempt, error),
    );
    return attempt;
  }

  /** A few tries in quick succession while there is nothing to wait for; the failure of the last one. */
  async #connect(asked: () => void, signal: AbortSignal): Promise<Link> {
    const { tries } = this.#recovery;
    const byPerson = this.#byPerson;
    this.#byPerson = false;
    for (let tried = 1; ; tried += 1) {
      this.#announceTry(tried);
      this.#launchWarnings = [];
      const asking = (message: string | undefined): void => {
        asked();
        if (signal.aborted) return;
        if (message === undefined) this.#announceTry(tried);
        else this.#set({ phase: 'needs', what: 'secret', message: this.#deps.mask(message).slice(0, 500) });
      };
      const warn = (text: string): void => void (this.#launchWarnings = [...this.#launchWarnings, text]);
      try {
        return await makeLink(this.#definition, this.#deps, this.#handshakeMs, { byPerson, asking, warn }, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = this.#failureOf(error);
        if (failure.code === 'server/exited') this.#recovery.died(this.#deps.clock.now());
        if (tried >= tries || !this.#recovery.mayTryQuickly(failure)) throw error;
        await this.#deps.clock.sleep(quickWait(tried), signal);
      }
    }
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
    const { pid, era, protocolVersion, identity } = link;
    const { mask } = this.#deps;
    const { title } = identity;
    const server = { name: mask(identity.name), version: mask(identity.version), ...(title === undefined ? {} : { title: mask(title) }) };
    const since = this.#deps.clock.now();
    this.#recovery.ready(since);
    this.#set({ phase: 'ready', since, protocolVersion, era, server, ...(pid === undefined ? {} : { pid }) });
    this.#listings.attach(link);
    link.attach({
      onDown: (down, error) => this.#dropped(down, error),
      onSessionLost: (lost) => this.#renewLost(lost),
      onListChanged: (changed, kind) => {
        if (changed === this.#link) this.#listings.announce([kind]);
      },
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
    if ('retryAt' in next && this.#retriesAlone) this.#retryLater(next.retryAt - now);
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

  /** A process is started again by its next use only; what others run is tried again by itself. */
  get #retriesAlone(): boolean {
    return this.#definition.transport.type !== 'stdio';
  }

  /** A new link for one whose session the server forgot; the old one ends when nobody uses it any more. */
  async #renew(lost: Link): Promise<Link> {
    if (this.#link !== lost) return this.#ready(new AbortController().signal);
    this.#link = undefined;
    this.#listings.detach();
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

  get #handshakeMs(): number {
    return this.#definition.options.limits?.handshakeMs ?? defaultLimits.handshakeMs;
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
