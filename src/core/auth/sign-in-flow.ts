import type { DpopSession, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import type { SignInBegun } from '../../shared/ipc/contract/auth.ts';
import type { ClientOrigin, SignInExchange, SignInFlow as FlowState, SignInStep } from '../../shared/model/sign-in.ts';
import { Deferred } from '../kernel/deferred.ts';
import { loadSdk, sdkNow } from '../kernel/sdk.ts';
import { Secret } from '../kernel/secret.ts';
import type { Browser, CallbackVerdict, Clock, SignInFetch, SignInListener, SignInListeners } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { accountOf } from './account.ts';
import { withExtras } from './authorization-address.ts';
import { newState, readAnswer, sameState } from './callback-answer.ts';
import { clientAuthentication } from './client-authentication.ts';
import { callbackPath, chooseIdentity, redirectPlan, redirectUriOf, type Identity, type RedirectPlan } from './client-identity.ts';
import { discover, type Challenge, type Discovered } from './discover.ts';
import { newDpop } from './dpop-keys.ts';
import { placeOf, type LoginPlace, type Logins } from './logins.ts';
import { documentFor, toleratesRedirect } from './metadata-document.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { scopesOf, scopeToAsk, scopeToRegister } from './scopes.ts';
import type { LoginFacts, StoredTokens } from './sign-in-record.ts';
import type { SignInTarget } from './sign-in-target.ts';
import { asSignInError } from './token-failure.ts';
import { checkBrowserAddress, checkEndpoint, trustedHosts } from './trusted-hosts.ts';

/** F-165. Milliseconds. */
export const waitMs = 300_000;

export interface SignInFlowDeps {
  readonly clock: Clock;
  readonly logins: Logins;
  readonly redactor: Redactor;
  readonly fetch: SignInFetch;
  readonly listeners: SignInListeners;
  readonly browser: Browser;
  /** `MCP_OAUTH_CALLBACK_PORT`. */
  readonly callbackPort: () => number | undefined;
  /** The app's metadata document, where one is hosted. */
  readonly documentUrl: () => string | false | undefined;
  /** Throws `vault/*` where nothing could be kept. */
  readonly demandVault: (signal: AbortSignal) => Promise<void>;
  readonly onState: (state: FlowState | undefined) => void;
  readonly onExchange: (exchange: SignInExchange) => void;
  /** The browser did not open; the sign-in goes on. */
  readonly onUnopened: (error: unknown) => void;
  readonly onLogin: (login: LoginFacts, tokens: StoredTokens, session: DpopSession | undefined) => void;
  /** Uses the new login; throws when the server does not let it in. */
  readonly connect: (signal: AbortSignal) => Promise<void>;
}
export interface SignInWish {
  readonly flowId: string;
  readonly openBrowser: boolean;
  readonly otherAccount: boolean;
  readonly challenge: Challenge | undefined;
  /** Beside what the server and its settings want. */
  readonly scopes: readonly string[];
  /** Of the login before. */
  readonly granted: readonly string[];
}

interface Client {
  readonly information: OAuthClientInformationMixed;
  readonly from: ClientOrigin;
}
interface Answer {
  readonly code: string;
  readonly iss: string | undefined;
}

/**
 * One sign-in of a person to one server, step by step (OAuth 2.1 with PKCE, RFC 8252, MCP authorization). What belongs to it alone (state, verifier, listener) ends with it,
 * so that several go on side by side (F-166).
 */
export class SignInFlow {
  readonly #deps: SignInFlowDeps;
  readonly #target: SignInTarget;
  readonly #wish: SignInWish;
  readonly #place: LoginPlace;
  readonly #stop = new AbortController();
  readonly #answer = new Deferred<Answer>();
  readonly #startedAt: number;
  readonly #state = newState();
  #now: FlowState;
  #at: Discovered | undefined;
  #redirectUri = '';
  #heard = false;
  #isOver = false;
  /** As soon as the person is needed, or not. */
  readonly begun: Promise<SignInBegun>;
  /** The end: a login, or why there is none. */
  readonly outcome: Promise<LoginFacts>;

  constructor(target: SignInTarget, wish: SignInWish, deps: SignInFlowDeps) {
    this.#deps = deps;
    this.#target = target;
    this.#place = placeOf(target);
    this.#wish = wish;
    this.#startedAt = deps.clock.now();
    this.#now = { flowId: wish.flowId, step: 'discovery', phase: 'working', startedAt: this.#startedAt };
    this.#answer.promise.catch(() => undefined);
    const begun = new Deferred<SignInBegun>();
    this.begun = begun.promise;
    this.outcome = this.#run((result) => begun.resolve(result)).catch((error: unknown) => {
      const failure = this.#failed(error);
      begun.reject(failure);
      throw failure;
    });
    this.begun.catch(() => undefined);
    this.outcome.catch(() => undefined);
  }

  get state(): FlowState {
    return this.#now;
  }

  /** Somebody gave up, or another sign-in takes its place. */
  cancel(reason: AppError): void {
    this.#stop.abort(reason);
  }

  /**
   * By hand (F-167). With nothing it only says whether the answer came. Throws `auth/waiting`, `auth/denied`, `auth/issuer-mismatch`, `auth/failed`; an address that is not
   * of this sign-in leaves it as it is.
   */
  complete({ redirectUrl, code }: { readonly redirectUrl?: string | undefined; readonly code?: string | undefined }): void {
    if (this.#heard || this.#isOver) return;
    if (this.#now.phase !== 'waiting' || !this.#at) throw new AppError('auth/waiting', 'The sign-in has not come to the browser yet');
    if (redirectUrl !== undefined) {
      const url = URL.canParse(redirectUrl) ? new URL(redirectUrl) : undefined;
      const mine = new URL(this.#redirectUri);
      if (!url || url.origin !== mine.origin || url.pathname !== mine.pathname) throw new AppError('auth/waiting', `This is not the address that the browser was sent to: it begins with ${this.#redirectUri}`);
      if (this.#receive(url.searchParams) === 'unknown') throw new AppError('auth/waiting', 'This address belongs to another sign-in');
    } else if (code !== undefined) {
      // Typed by the person, who knows for which sign-in; PKCE ties it to this one.
      this.#heard = true;
      this.#deps.redactor.register(new Secret(code));
      this.#answer.resolve({ code, iss: this.#at.metadata?.issuer });
    } else throw new AppError('auth/waiting', 'The browser has not come back yet');
  }

  async #run(begin: (begun: SignInBegun) => void): Promise<LoginFacts> {
    const { signal } = this.#stop;
    await this.#deps.demandVault(signal);
    const at = (this.#at = await discover({ url: this.#target.url, challenge: this.#wish.challenge, skipIssuer: this.#target.settings.skipIssuerMetadataValidation === true }, this.#fetch));
    const trusted = this.#trusted;
    if (at.metadata) {
      checkEndpoint(at.metadata.authorization_endpoint, 'sign-in page', trusted);
      checkEndpoint(at.metadata.token_endpoint, 'address for tokens', trusted);
    }
    this.#step('client', { issuer: at.issuer });
    const stored = this.#deps.logins.client(this.#place, at.issuer);
    const scope = scopeToAsk({ configured: this.#target.settings.scope, challenged: this.#wish.challenge?.scope, wanted: this.#wish.scopes, granted: this.#wish.granted }, at);
    const identity = chooseIdentity(this.#target, at, { stored, scope, documentUrl: documentFor(this.#target, this.#deps.documentUrl()), now: this.#deps.clock.now() });
    await using place = await this.#listen(identity);
    const { listener } = place;
    this.#redirectUri = place.redirectUri;
    this.#step('client', { redirectUri: this.#redirectUri });
    const client = await this.#client(place.identity, at, scope);
    this.#step('browser', {});
    const { startAuthorization } = await loadSdk();
    const { authorizationUrl, codeVerifier } = await startAuthorization(at.authorizationServerUrl, {
      clientInformation: client.information, redirectUrl: this.#redirectUri, state: this.#state,
      ...(at.metadata ? { metadata: at.metadata } : {}), ...(scope === undefined ? {} : { scope }), ...(at.resource === undefined ? {} : { resource: at.resource }),
    });
    this.#deps.redactor.register(new Secret(codeVerifier));
    const url = checkBrowserAddress(withExtras(authorizationUrl, { params: this.#target.settings.authorizationParams, otherAccount: this.#wish.otherAccount }), trusted);
    const expiresAt = this.#deps.clock.now() + waitMs;
    this.#step('callback', { phase: 'waiting', expiresAt });
    // Without a browser to open, the address can still be taken elsewhere.
    if (this.#wish.openBrowser) await this.#deps.browser.open(url, signal).catch((error: unknown) => this.#deps.onUnopened(error));
    begin({ kind: 'browser', flowId: this.#wish.flowId, url, redirectUri: this.#redirectUri, expiresAt });
    const answer = await this.#patience(this.#answer.promise);
    this.#step('token', { phase: 'working' });
    const login = await this.#redeem(answer, { at, client, codeVerifier, scope });
    await listener[Symbol.asyncDispose]();
    this.#step('connect', {});
    await this.#deps.connect(signal).catch((error: unknown) => {
      const refused = error instanceof AppError && error.code.startsWith('auth/');
      // What else stands in the way of a connection is the connection's to tell.
      if (refused) throw new AppError('auth/account-refused', `The sign-in went well${login.account === undefined ? '' : ` as ${login.account}`}, and the server still refuses`, { cause: error });
    });
    this.#deps.onState(undefined);
    return login;
  }

  /** Bound before anything is registered or opened (O27). A registration whose port is taken gives way to a new one. */
  async #listen(identity: Identity): Promise<{ readonly listener: SignInListener; readonly redirectUri: string; readonly identity: Identity } & AsyncDisposable> {
    const plan = redirectPlan(this.#target, identity, this.#deps.callbackPort());
    if (identity.kind === 'ask') throw clientNeeded(this.#at?.issuer ?? '', redirectUriOf(plan));
    const open = (wanted: RedirectPlan) => this.#deps.listeners.open(wanted, (params) => this.#receive(params), this.#stop.signal);
    const made = (listener: SignInListener, as: Identity) => ({ listener, redirectUri: plan.exact ?? listener.redirectUri, identity: as, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() });
    try {
      return made(await open(plan), identity);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'auth/port-busy') throw error;
      if (plan.setting !== undefined) throw new AppError('auth/port-busy', `Port ${plan.port} is used by another program, and ${this.#target.server} is to come back there (${plan.setting})`, { data: { port: plan.port, setting: plan.setting, redirectUri: redirectUriOf(plan) } });
      const fresh: RedirectPlan = { host: 'localhost', port: 0, path: callbackPath };
      const isDocument = identity.kind === 'stored' && identity.client.from === 'document';
      return made(await open(fresh), isDocument ? identity : { kind: 'register' });
    }
  }

  async #client(identity: Identity, at: Discovered, scope: string | undefined): Promise<Client> {
    const { signal } = this.#stop;
    const { logins } = this.#deps;
    switch (identity.kind) {
      case 'configured': {
        const { clientSecret } = this.#target.settings.hasSecret ? await this.#target.credentials(signal) : {};
        return { from: 'configured', information: { client_id: identity.clientId, ...(clientSecret ? { client_secret: clientSecret.reveal() } : {}) } };
      }
      case 'stored': {
        const { client } = identity;
        if (client.from === 'document' && !toleratesRedirect(client.redirectUri, this.#redirectUri)) return this.#client({ kind: 'register' }, at, scope);
        return { from: client.from, information: await logins.clientInformation(client, signal) };
      }
      case 'document': {
        const facts = await logins.putClient(this.#place, { issuer: at.issuer, clientId: identity.clientId, from: 'document', redirectUri: this.#redirectUri }, undefined, signal);
        return { from: 'document', information: { client_id: facts.clientId } };
      }
      case 'register':
        return this.#register(at, scope);
      case 'ask':
        throw clientNeeded(at.issuer, this.#redirectUri);
    }
  }

  /** RFC 7591, as a native app whose loopback port may change (RFC 8252, section 7.3). */
  async #register(at: Discovered, scope: string | undefined): Promise<Client> {
    const { settings } = this.#target;
    if (at.metadata?.registration_endpoint !== undefined) checkEndpoint(at.metadata.registration_endpoint, 'address for registrations', this.#trusted);
    const wide = scopeToRegister(scope, at);
    const { registerClient } = await loadSdk();
    const registered = await registerClient(at.authorizationServerUrl, {
      ...(at.metadata ? { metadata: at.metadata } : {}), ...(wide === undefined ? {} : { scope: wide }), fetchFn: this.#fetch,
      clientMetadata: {
        client_name: settings.clientName ?? 'Gatehouse', ...(settings.clientUri === undefined ? {} : { client_uri: settings.clientUri }),
        redirect_uris: [this.#redirectUri], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none', application_type: 'native',
      },
    }).catch((error: unknown) => {
      const app = asSignInError(error);
      throw app.code === 'auth/client-needed' ? clientNeeded(at.issuer, redirectUriOf(redirectPlan(this.#target, { kind: 'ask' }, this.#deps.callbackPort())), app) : app;
    });
    const secret = registered.client_secret === undefined ? undefined : new Secret(registered.client_secret);
    const expires = registered.client_secret_expires_at;
    await this.#deps.logins.putClient(this.#place, {
      issuer: at.issuer, clientId: registered.client_id, from: 'registered', redirectUri: this.#redirectUri,
      ...(registered.token_endpoint_auth_method === undefined ? {} : { authMethod: registered.token_endpoint_auth_method }),
      ...((registered.scope ?? wide) === undefined ? {} : { scope: registered.scope ?? wide }),
      ...(expires === undefined || expires === 0 ? {} : { secretExpiresAt: expires * 1_000 }),
    }, secret, this.#stop.signal);
    return { from: 'registered', information: registered };
  }

  async #redeem({ code, iss }: Answer, { at, client, codeVerifier, scope }: { readonly at: Discovered; readonly client: Client; readonly codeVerifier: string; readonly scope: string | undefined }): Promise<LoginFacts> {
    const { signal } = this.#stop;
    const dpop = await newDpop(at);
    const addClientAuthentication = clientAuthentication(this.#target, client.information, this.#deps.redactor, signal);
    const { exchangeAuthorization } = await loadSdk();
    const tokens = await exchangeAuthorization(at.authorizationServerUrl, {
      clientInformation: client.information, authorizationCode: code, codeVerifier, redirectUri: this.#redirectUri, fetchFn: this.#fetch,
      ...(at.metadata ? { metadata: at.metadata } : {}), ...(iss === undefined ? {} : { iss }), ...(at.resource === undefined ? {} : { resource: at.resource }),
      addClientAuthentication, ...(dpop ? { dpop: dpop.session } : {}),
    });
    const now = this.#deps.clock.now();
    const account = accountOf(tokens);
    const isBound = dpop !== undefined && tokens.token_type.toLowerCase() === 'dpop';
    const stored: StoredTokens = {
      address: this.#place.address, issuer: at.issuer, clientId: client.information.client_id, accessToken: tokens.access_token, tokenType: tokens.token_type,
      ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }), ...(isBound ? { dpopKey: dpop.key } : {}),
    };
    const login = await this.#deps.logins.putLogin(this.#place, {
      issuer: at.issuer, clientId: client.information.client_id, clientFrom: client.from, scopes: [...scopesOf(tokens.scope ?? scope)], signedInAt: now, renews: tokens.refresh_token !== undefined,
      ...(at.resource === undefined ? {} : { resource: at.resource }), ...(account === undefined ? {} : { account: account.slice(0, 300) }),
      ...(tokens.expires_in === undefined ? {} : { expiresAt: now + tokens.expires_in * 1_000, lifetime: tokens.expires_in }), ...(isBound ? { dpop: true } : {}),
      ...(this.#wish.challenge?.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: this.#wish.challenge.resourceMetadataUrl }),
    }, stored, signal);
    this.#deps.onLogin(login, stored, isBound ? dpop.session : undefined);
    return login;
  }

  /** What came to the redirect address. A foreign state changes nothing: it is a stale tab, or somebody else (S12). */
  #receive(params: URLSearchParams): CallbackVerdict {
    const sdk = sdkNow();
    if (!this.#at || !sdk || this.#heard || this.#now.phase !== 'waiting' || !sameState(params.get('state'), this.#state)) return 'unknown';
    const answer = readAnswer(params, this.#at, sdk);
    this.#heard = true;
    if (answer.kind === 'refused') {
      this.#answer.reject(answer.error);
      return 'denied';
    }
    this.#deps.redactor.register(new Secret(answer.code));
    this.#answer.resolve(answer);
    return 'accepted';
  }

  async #patience<T>(work: Promise<T>): Promise<T> {
    const waiting = new AbortController();
    const { signal } = this.#stop;
    const over = this.#deps.clock.sleep(waitMs, AbortSignal.any([signal, waiting.signal])).then(
      () => {
        throw new AppError('auth/expired', 'The browser did not come back within five minutes');
      },
      () => new Promise<never>((_resolve, reject) => (signal.aborted ? reject(signal.reason) : undefined)),
    );
    return await Promise.race([work, over]).finally(() => waiting.abort());
  }

  get #trusted(): (host: string) => boolean {
    return trustedHosts(this.#target, this.#deps.logins.at(this.#place)?.allowedHosts ?? []);
  }

  get #fetch(): typeof fetch {
    const { clock, redactor, onExchange } = this.#deps;
    return recordedFetch(this.#deps.fetch(this.#trusted), { clock, step: () => this.#now.step, mask: (text) => redactor.mask(text), onExchange, signal: this.#stop.signal });
  }

  #step(step: SignInStep, more: Partial<FlowState>): void {
    this.#stop.signal.throwIfAborted();
    this.#now = { ...this.#now, phase: 'working', step, ...more };
    this.#deps.onState(this.#now);
  }

  /** Left for the person to read, at the step where it happened. */
  #failed(error: unknown): AppError {
    this.#isOver = true;
    const { signal } = this.#stop;
    const app = signal.aborted && signal.reason instanceof AppError ? signal.reason : asSignInError(error);
    const data = typeof app.data === 'object' && app.data !== null ? app.data : {};
    const host = 'host' in data && typeof data.host === 'string' ? data.host : undefined;
    const redirectUri = 'redirectUri' in data && typeof data.redirectUri === 'string' ? data.redirectUri : undefined;
    const phase = app.code === 'auth/client-needed' ? 'needs-client' : app.code === 'auth/host-blocked' ? 'needs-host' : 'failed';
    const failure = { code: app.code, message: this.#deps.redactor.mask(app.message).slice(0, 500) };
    this.#now = { ...this.#now, phase, failure, ...(host === undefined ? {} : { host }), ...(redirectUri === undefined ? {} : { redirectUri }) };
    if (!signal.aborted) this.#deps.onState(this.#now);
    return new AppError(app.code, failure.message, { data: app.data, cause: app });
  }
}

function clientNeeded(issuer: string, redirectUri: string, cause?: AppError): AppError {
  return new AppError('auth/client-needed', cause?.message ?? 'The provider has no registration for apps: it wants a client id that you get there', { data: { issuer, redirectUri }, cause });
}
