import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInBegun } from '../../shared/ipc/contract/auth.ts';
import type { SignInExchange, SignInFlow as FlowState, SignInLogin, SignInStatus, SignInWanted, SignInWay } from '../../shared/model/sign-in.ts';
import { unless } from '../kernel/aborted.ts';
import { Secret } from '../kernel/secret.ts';
import type { Browser, Clock, Documents, Locks, Log, SignInFetch, SignInListeners, Vault } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { discover, type Challenge } from './discover.ts';
import type { HttpAuth } from './http-auth.ts';
import { Logins, mayShare, placeOf } from './logins.ts';
import { MachineTokens } from './machine-tokens.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { revoke } from './revoke.ts';
import { ServerAuth } from './server-auth.ts';
import { SignInFlow } from './sign-in-flow.ts';
import { loginOf } from './sign-in-facts.ts';
import type { SignInTarget } from './sign-in-target.ts';
import { TokenKeeper } from './token-keeper.ts';
import { hostOf, trustedHosts } from './trusted-hosts.ts';

export interface StartOptions {
  readonly openBrowser: boolean;
  readonly scopes?: readonly string[] | undefined;
  readonly otherAccount?: boolean | undefined;
}
export interface Completion {
  readonly redirectUrl?: string | undefined;
  readonly code?: string | undefined;
}
export interface SignInsDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly documents: Documents;
  readonly vault: Vault;
  readonly redactor: Redactor;
  readonly fetch: SignInFetch;
  readonly listeners: SignInListeners;
  readonly browser: Browser;
  readonly locks: Locks;
  readonly callbackPort: () => number | undefined;
  readonly documentUrl: () => string | false | undefined;
  /** Throws `auth/not-supported` for a server that is not signed in to, and what filling in its address throws. */
  readonly target: (serverId: ServerId, signal: AbortSignal) => Promise<SignInTarget>;
  /** `undefined` for a server that is not signed in to. Reads nothing. */
  readonly way: (serverId: ServerId) => SignInWay | undefined;
  /** There is something else to show. */
  readonly onStatus: (serverId: ServerId, status: SignInStatus | undefined) => void;
  /** Connects it, if it is not, with what there is now. Throws why the server does not let it in. */
  readonly connect: (serverId: ServerId, signal: AbortSignal) => Promise<void>;
  readonly disconnect: (serverId: ServerId, signal: AbortSignal) => Promise<void>;
}

const historyLimit = 100;

/** Signing in to servers: one sign-in at a time for each, and what they leave behind. Nothing here opens a browser but `start` that is told to. */
export class SignIns implements AsyncDisposable {
  readonly #deps: SignInsDeps;
  readonly #logins: Logins;
  readonly #keeper: TokenKeeper;
  readonly #machine: MachineTokens;
  readonly #flows = new Map<ServerId, SignInFlow>();
  readonly #shown = new Map<ServerId, FlowState>();
  readonly #wanted = new Map<ServerId, SignInWanted>();
  readonly #challenges = new Map<ServerId, Challenge>();
  /** F-172: until a sign-in brings them, or sign-out. */
  readonly #scopes = new Map<ServerId, ReadonlySet<string>>();
  readonly #history = new Map<ServerId, readonly SignInExchange[]>();

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
    const { clock, log, locks, redactor, fetch } = deps;
    const challenge = (serverId: ServerId) => this.#challenges.get(serverId);
    const onExchange = (serverId: ServerId, exchange: SignInExchange) => this.#note(serverId, exchange);
    this.#logins = new Logins({ documents: deps.documents, vault: deps.vault, redactor, onChange: (serverId) => this.#changed(serverId) });
    this.#keeper = new TokenKeeper({ clock, log, logins: this.#logins, locks, redactor, fetch, challenge, onExchange });
    this.#machine = new MachineTokens({
      clock, logins: this.#logins, redactor, fetch, challenge, onExchange,
      onChange: (serverId, failure) => {
        if (failure) {
          const { step, error } = failure;
          this.#show(serverId, { flowId: deps.newId(), step, phase: 'failed', startedAt: clock.now(), failure: { code: error.code, message: redactor.mask(error.message).slice(0, 500) }, ...hostIn(error) });
        } else this.#show(serverId, undefined);
      },
    });
  }

  /** Throws `config/invalid` for a file that cannot be understood. */
  load(signal: AbortSignal): Promise<void> {
    return this.#logins.load(signal);
  }

  status(serverId: ServerId): SignInStatus | undefined {
    const way = this.#deps.way(serverId);
    if (way === undefined) return undefined;
    const record = this.#logins.record(serverId);
    const shared = record?.sharedFrom === undefined ? undefined : this.#logins.record(record.sharedFrom)?.login;
    const login = way === 'browser' ? (shared ? loginOf(shared, record?.sharedFrom) : record?.login && loginOf(record.login, undefined)) : this.#machine.login(serverId);
    const [flow, wanted, allowed] = [this.#shown.get(serverId), this.#wanted.get(serverId), record?.allowedHosts ?? []];
    if (!login && !flow && !wanted && allowed.length === 0) return undefined;
    // Asked for one although one is kept: that is for another address, and counts here no more (F-160).
    const isForElsewhere = wanted?.because === 'connect' || wanted?.because === 'call';
    return { way, ...(login && !isForElsewhere ? { login } : {}), ...(flow ? { flow } : {}), ...(wanted ? { wanted } : {}), ...(allowed.length > 0 ? { allowedHosts: allowed } : {}) };
  }

  /** Shows it again: its row is another. */
  publish(serverId: ServerId): void {
    this.#deps.onStatus(serverId, this.status(serverId));
  }

  /** Throws `auth/*`, `vault/*`, `secret/*`. */
  async start(serverId: ServerId, options: StartOptions, signal: AbortSignal): Promise<SignInBegun> {
    const target = await this.#deps.target(serverId, signal);
    this.#history.set(serverId, []);
    if (target.way !== 'browser') return this.#startMachine(target, signal).catch(insteadOf);
    // Its listener is gone before the next one wants the same port.
    for (let before = this.#flows.get(serverId); before; before = this.#flows.get(serverId)) {
      this.#end(serverId, 'Another sign-in took its place');
      await before.outcome.catch(() => undefined);
    }
    const flow = this.#flow(target, options);
    this.#flows.set(serverId, flow);
    try {
      return await unless(signal, flow.begun);
    } catch (error) {
      if (signal.aborted) this.#end(serverId, 'The sign-in was given up');
      return insteadOf(error);
    }
  }

  async complete(serverId: ServerId, given: Completion, signal: AbortSignal): Promise<SignInLogin> {
    const flow = this.#flows.get(serverId);
    if (!flow) return this.#present(serverId);
    flow.complete(given);
    await unless(signal, flow.outcome);
    return this.#present(serverId);
  }

  async wait(serverId: ServerId, signal: AbortSignal): Promise<SignInLogin> {
    const flow = this.#flows.get(serverId);
    if (flow) await unless(signal, flow.outcome);
    return this.#present(serverId);
  }

  async cancel(serverId: ServerId): Promise<void> {
    this.#end(serverId, 'The sign-in was cancelled');
    this.#show(serverId, undefined);
  }

  async setClient(serverId: ServerId, clientId: string, clientSecret: string | undefined, signal: AbortSignal): Promise<void> {
    const target = await this.#deps.target(serverId, signal);
    const shown = this.#shown.get(serverId);
    const issuer = shown?.issuer ?? (await discover({ url: target.url, challenge: this.#challenges.get(serverId), skipIssuer: target.settings.skipIssuerMetadataValidation === true }, this.#fetch(target, signal))).issuer;
    const secret = clientSecret === undefined ? undefined : new Secret(clientSecret);
    const redirect = shown?.redirectUri === undefined ? {} : { redirectUri: shown.redirectUri };
    await this.#logins.putClient(placeOf(target), { issuer, clientId, from: 'typed', ...redirect }, secret, signal);
    this.#show(serverId, undefined);
  }

  /** Throws `request/invalid` for what is no host and port. */
  async allowHost(serverId: ServerId, host: string, signal: AbortSignal): Promise<void> {
    const url = URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`) : undefined;
    if (!url || url.pathname !== '/' || url.username !== '' || url.search !== '' || url.hash !== '' || hostOf(url) !== host.toLowerCase()) {
      throw new AppError('request/invalid', 'A host and its port are wanted, such as 127.0.0.1:8080');
    }
    await this.#logins.allowHost(placeOf(await this.#deps.target(serverId, signal)), host.toLowerCase(), signal);
    this.#deps.log.info('A local address was allowed for a sign-in', { server: serverId, host });
    if (this.#shown.get(serverId)?.phase === 'needs-host') this.#show(serverId, undefined);
  }

  /** A sign-in under way is ended: it may lead there. */
  async forbidHost(serverId: ServerId, host: string, signal: AbortSignal): Promise<void> {
    this.#end(serverId, 'The address is not allowed any more');
    await this.#logins.forbidHost(placeOf(await this.#deps.target(serverId, signal)), host.toLowerCase(), signal);
    this.#deps.log.info('A local address is not allowed for a sign-in any more', { server: serverId, host });
  }

  /** What cannot be given back to its provider is forgotten all the same. */
  async signOut(serverId: ServerId, forgetClient: boolean, signal: AbortSignal): Promise<'yes' | 'failed' | 'unsupported'> {
    this.#end(serverId, 'Signed out');
    const revoked = await this.#revoke(serverId, signal);
    await this.#logins.clear(serverId, forgetClient, signal);
    this.#forget(serverId);
    await this.#deps.disconnect(serverId, signal);
    this.#deps.log.info('Signed out of a server', { server: serverId, revoked });
    return revoked;
  }

  async history(serverId: ServerId): Promise<readonly SignInExchange[]> {
    return this.#history.get(serverId) ?? [];
  }

  /** Throws `auth/no-flow` without a login there, `request/invalid` when that login is for something else. */
  async share(serverId: ServerId, from: ServerId | null, signal: AbortSignal): Promise<void> {
    const target = await this.#deps.target(serverId, signal);
    if (from !== null) {
      const record = from === serverId ? undefined : this.#logins.record(from);
      if (!record?.login || record.sharedFrom !== undefined) throw new AppError('auth/no-flow', 'There is no login to share');
      if (!mayShare(target, record)) throw new AppError('request/invalid', 'That login is for another resource, and its token would be of no use here');
    }
    await this.#logins.share(placeOf(target), from ?? undefined, signal);
    this.#wanted.delete(serverId);
    this.publish(serverId);
    await this.#deps.connect(serverId, signal);
  }

  /** The person renamed the server. */
  async move(from: ServerId, to: ServerId, signal: AbortSignal): Promise<void> {
    this.#end(from, 'The server was renamed');
    await this.#logins.move(from, to, signal);
    this.#forget(from);
    this.publish(to);
  }

  /** The person removed the server. */
  async remove(serverId: ServerId, signal: AbortSignal): Promise<void> {
    this.#end(serverId, 'The server was removed');
    await this.#logins.forget(serverId, signal);
    this.#forget(serverId);
  }

  /** For the requests of one connection. */
  httpAuth(target: SignInTarget): HttpAuth {
    return new ServerAuth(target, {
      clock: this.#deps.clock, keeper: this.#keeper, machine: this.#machine,
      onChallenge: (serverId, { scope = this.#challenges.get(serverId)?.scope, ...challenge }) => void this.#challenges.set(serverId, { ...challenge, ...(scope === undefined ? {} : { scope }) }),
      onWanted: (serverId, wanted) => {
        if (wanted.scopes) this.#scopes.set(serverId, new Set([...(this.#scopes.get(serverId) ?? []), ...wanted.scopes]));
        this.#wanted.set(serverId, wanted);
        this.publish(serverId);
      },
    });
  }

  /** For a test of what is not saved: a machine signs in for it alone, and nothing of that is kept or shown; a person is asked for nothing. */
  trialAuth(target: SignInTarget): HttpAuth | undefined {
    if (target.way === 'browser') return undefined;
    const { clock, redactor, fetch } = this.#deps;
    let heard: Challenge | undefined;
    const machine = new MachineTokens({
      clock, redactor, fetch, challenge: () => heard, onExchange: () => undefined, onChange: () => undefined,
      logins: { at: (place) => this.#logins.at(place), pinIssuer: () => Promise.resolve() },
    });
    return new ServerAuth(target, { clock, machine, keeper: this.#keeper, onChallenge: (_id, challenge) => void (heard = challenge), onWanted: () => undefined });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const flow of this.#flows.values()) flow.cancel(new AppError('run/cancelled', 'Gatehouse ends'));
    await Promise.allSettled([...this.#flows.values()].map(({ outcome }) => outcome));
  }

  #flow(target: SignInTarget, { openBrowser, scopes = [], otherAccount = false }: StartOptions): SignInFlow {
    const { serverId } = target;
    const { clock, redactor, fetch, listeners, browser, callbackPort, documentUrl, log } = this.#deps;
    const flowId = this.#deps.newId();
    const isPresent = () => this.#flows.get(serverId)?.state.flowId === flowId || !this.#flows.has(serverId);
    const flow = new SignInFlow(target, {
      flowId, openBrowser, otherAccount, challenge: this.#challenges.get(serverId),
      scopes: [...new Set([...(this.#scopes.get(serverId) ?? []), ...scopes])], granted: this.#logins.at(placeOf(target))?.login?.scopes ?? [],
    }, {
      clock, redactor, fetch, listeners, browser, callbackPort, documentUrl, logins: this.#logins,
      demandVault: (signal) => this.#demandVault(signal),
      onState: (state) => {
        if (isPresent()) this.#show(serverId, state);
      },
      onExchange: (exchange) => this.#note(serverId, exchange),
      onUnopened: (error) => log.warn('The browser could not be opened', { server: serverId, code: AppError.from(error).code }),
      onLogin: (_login, tokens, session) => {
        this.#keeper.forget(serverId);
        this.#keeper.hold(placeOf(target), tokens, session);
        this.#scopes.delete(serverId);
        this.#wanted.delete(serverId);
        log.info('Signed in to a server', { server: serverId });
        this.publish(serverId);
      },
      connect: (signal) => this.#deps.connect(serverId, signal),
    });
    flow.outcome.then(
      () => {
        if (this.#flows.get(serverId) === flow) this.#flows.delete(serverId);
      },
      () => undefined,
    );
    return flow;
  }

  async #startMachine(target: SignInTarget, signal: AbortSignal): Promise<SignInBegun> {
    this.#machine.forget(target.serverId);
    await this.#machine.obtain(target, undefined, [...(this.#scopes.get(target.serverId) ?? [])], signal);
    await this.#deps.connect(target.serverId, signal);
    return { kind: 'signed-in', login: await this.#present(target.serverId) };
  }

  async #present(serverId: ServerId): Promise<SignInLogin> {
    const login = this.status(serverId)?.login;
    if (!login) throw new AppError('auth/no-flow', 'No sign-in is under way');
    return login;
  }

  async #revoke(serverId: ServerId, signal: AbortSignal): Promise<'yes' | 'failed' | 'unsupported'> {
    const record = this.#logins.record(serverId);
    // A shared login is the other server's to give back.
    if (!record?.login || record.sharedFrom !== undefined) return 'unsupported';
    try {
      const target = await this.#deps.target(serverId, signal);
      const given = await this.#keeper.forRevocation(target, this.#fetch(target, signal), signal);
      if (!given) return 'unsupported';
      return (await revoke({ ...given, target, fetch: this.#fetch(target, signal), redactor: this.#deps.redactor }, signal)) ? 'yes' : 'unsupported';
    } catch (error) {
      signal.throwIfAborted();
      this.#deps.log.info('Tokens could not be given back', { server: serverId, code: AppError.from(error).code });
      return 'failed';
    }
  }

  async #demandVault(signal: AbortSignal): Promise<void> {
    const { vault } = this.#deps;
    const status = vault.status.phase === 'unopened' || vault.status.phase === 'unavailable' ? await vault.open(signal) : vault.status;
    if (status.phase !== 'unavailable') return;
    const { why, message } = status;
    throw new AppError(why === 'locked' ? 'vault/locked' : why === 'key-missing' ? 'vault/key-missing' : why === 'damaged' ? 'vault/damaged' : 'vault/unavailable', message);
  }

  #fetch(target: SignInTarget, signal: AbortSignal): typeof fetch {
    const { clock, redactor } = this.#deps;
    return recordedFetch(this.#deps.fetch(trustedHosts(target, this.#logins.at(placeOf(target))?.allowedHosts ?? [])), {
      clock, step: () => 'token', mask: (text) => redactor.mask(text), onExchange: (exchange) => this.#note(target.serverId, exchange), signal,
    });
  }

  #end(serverId: ServerId, why: string): void {
    this.#flows.get(serverId)?.cancel(new AppError('run/cancelled', why));
    this.#flows.delete(serverId);
  }

  #forget(serverId: ServerId): void {
    this.#keeper.forget(serverId);
    this.#machine.forget(serverId);
    for (const kept of [this.#shown, this.#wanted, this.#scopes, this.#history]) kept.delete(serverId);
    this.publish(serverId);
  }

  #show(serverId: ServerId, state: FlowState | undefined): void {
    if (state) this.#shown.set(serverId, state);
    else this.#shown.delete(serverId);
    this.publish(serverId);
  }

  #note(serverId: ServerId, exchange: SignInExchange): void {
    this.#history.set(serverId, [...(this.#history.get(serverId) ?? []), exchange].slice(-historyLimit));
  }

  /** And of every server that shares its login. */
  #changed(serverId: ServerId): void {
    this.publish(serverId);
    for (const other of this.#logins.servers()) if (this.#logins.record(other)?.sharedFrom === serverId) this.publish(other);
  }
}

function hostIn({ data }: AppError): { readonly host?: string } {
  return typeof data === 'object' && data !== null && 'host' in data && typeof data.host === 'string' ? { host: data.host } : {};
}

/** What the person has to bring first. Throws any other error on. */
function insteadOf(error: unknown): SignInBegun {
  const { code, data } = AppError.from(error);
  const told = typeof data === 'object' && data !== null ? data : {};
  if (code === 'auth/client-needed' && 'issuer' in told && 'redirectUri' in told) return { kind: 'needs-client', issuer: String(told.issuer), redirectUri: String(told.redirectUri) };
  if (code === 'auth/host-blocked' && 'host' in told) return { kind: 'needs-host', host: String(told.host) };
  throw error;
}
