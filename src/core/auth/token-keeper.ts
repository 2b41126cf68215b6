import type { DpopSession, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInExchange } from '../../shared/model/sign-in.ts';
import { unless } from '../kernel/aborted.ts';
import { hashOf } from '../kernel/hash.ts';
import { loadSdk } from '../kernel/sdk.ts';
import type { Clock, Locks, Log, SignInFetch } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { accountOf } from './account.ts';
import { clientAuthentication } from './client-authentication.ts';
import { discover, type Challenge, type Discovered } from './discover.ts';
import { dpopOf } from './dpop-keys.ts';
import { mayShare, placeOf, type LoginPlace, type Logins } from './logins.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { scopesOf } from './scopes.ts';
import type { LoginFacts, StoredTokens } from './sign-in-record.ts';
import type { SignInTarget } from './sign-in-target.ts';
import { asSignInError, isClientRefused, isGrantRefused } from './token-failure.ts';
import { checkEndpoint, trustedHosts } from './trusted-hosts.ts';

/** A token is renewed so long before its end, or a tenth of its life when that is shorter. Milliseconds. */
const aheadMs = 60_000;
/** How long a provider's description is taken for true when renewing. Milliseconds. */
const descriptionMs = 600_000;

export interface TokenKeeperDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly logins: Logins;
  readonly locks: Locks;
  readonly redactor: Redactor;
  readonly fetch: SignInFetch;
  /** What the server last said. */
  readonly challenge: (serverId: ServerId) => Challenge | undefined;
  readonly onExchange: (serverId: ServerId, exchange: SignInExchange) => void;
}
/** What a request carries. */
export interface PresentToken {
  readonly accessToken: string;
  readonly dpop: DpopSession | undefined;
}
interface Held {
  readonly tokens: StoredTokens;
  readonly dpop: DpopSession | undefined;
}
/** Whose login it is, which for a shared one is another server. */
interface Owner {
  readonly place: LoginPlace;
  readonly login: LoginFacts;
}

/**
 * The tokens of logins, kept fresh. One renewal at a time for a login, over all callers and all processes of the home (O28): whoever gets the lock looks at what is on disk
 * by then, and a rotated refresh token is on disk before its access token is used. What is passing or a lost race never costs a login.
 */
export class TokenKeeper {
  readonly #deps: TokenKeeperDeps;
  readonly #held = new Map<ServerId, Held>();
  readonly #renewing = new Map<ServerId, Promise<boolean>>();
  readonly #described = new Map<ServerId, { readonly at: Discovered; readonly until: number }>();

  constructor(deps: TokenKeeperDeps) {
    this.#deps = deps;
  }

  hold({ serverId }: LoginPlace, tokens: StoredTokens, dpop: DpopSession | undefined): void {
    this.#held.set(serverId, { tokens, dpop });
  }

  forget(serverId: ServerId): void {
    this.#held.delete(serverId);
    this.#described.delete(serverId);
  }

  session(target: SignInTarget): DpopSession | undefined {
    const owner = this.owner(target);
    return owner && this.#held.get(owner.place.serverId)?.dpop;
  }

  /** What giving a login back needs. `undefined` where there is none, or its provider is not to be found any more. */
  async forRevocation(target: SignInTarget, fetchFn: typeof fetch, signal: AbortSignal): Promise<{ readonly at: Discovered; readonly client: OAuthClientInformationMixed; readonly tokens: StoredTokens } | undefined> {
    const owner = this.owner(target);
    const held = owner && (await this.#read(owner, signal));
    const at = held && (await this.#description(target, owner, fetchFn));
    if (!held || at?.issuer !== owner.login.issuer) return undefined;
    const client = await this.#client(target, owner, signal);
    return client && { at, client, tokens: held.tokens };
  }

  /** The login that counts for this server; its own, or the one that it shares. */
  owner(target: SignInTarget): Owner | undefined {
    const { logins } = this.#deps;
    const place = placeOf(target);
    const record = logins.at(place);
    const shared = record?.sharedFrom === undefined ? undefined : logins.record(record.sharedFrom);
    // The other server may have moved since, and its login with it.
    if (record?.sharedFrom !== undefined) return shared?.login && mayShare(target, shared) ? { place: { serverId: record.sharedFrom, address: shared.address }, login: shared.login } : undefined;
    return record?.login && { place, login: record.login };
  }

  /** What to send now, renewed ahead of its end; `undefined` without a login, which the vault is not asked about (F-154). Throws `vault/*`. */
  async present(target: SignInTarget, signal: AbortSignal): Promise<PresentToken | undefined> {
    const owner = this.owner(target);
    if (!owner) return undefined;
    const held = await this.#of(owner, signal);
    if (!held) return undefined;
    if (!this.#isEnding(owner.login) || held.tokens.refreshToken === undefined) return presented(held);
    // A provider that cannot be reached now may be reached when the token is really over.
    await this.renew(target, held.tokens.accessToken, signal).catch((error: unknown) => {
      if (signal.aborted || this.#isOver(owner.login)) throw error;
      this.#deps.log.info('A login could not be renewed ahead of its end', { server: target.serverId });
    });
    const renewed = this.#held.get(owner.place.serverId) ?? held;
    return presented(renewed);
  }

  /**
   * After `used` was refused: `true` when there is another one now. `false`: a person has to sign in again. Throws what is passing (`connection/*`), `vault/*`, `auth/host-blocked`.
   */
  async renew(target: SignInTarget, used: string, signal: AbortSignal): Promise<boolean> {
    const owner = this.owner(target);
    if (!owner) return false;
    const held = await this.#of(owner, signal);
    if (held && held.tokens.accessToken !== used) return true;
    const { serverId } = owner.place;
    const renewing = this.#renewing.get(serverId) ?? this.#renewOnce(target, owner, used).finally(() => this.#renewing.delete(serverId));
    this.#renewing.set(serverId, renewing);
    renewing.catch(() => undefined);
    return await unless(signal, renewing);
  }

  async #of({ place, login }: Owner, signal: AbortSignal): Promise<Held | undefined> {
    const known = this.#held.get(place.serverId);
    if (known && known.tokens.clientId === login.clientId && known.tokens.issuer === login.issuer) return known;
    return this.#read({ place, login }, signal);
  }

  async #read({ place, login }: Owner, signal: AbortSignal): Promise<Held | undefined> {
    const tokens = await this.#deps.logins.tokens(place, login, signal);
    if (!tokens) return undefined;
    const before = this.#held.get(place.serverId);
    const held = { tokens, dpop: before?.tokens.dpopKey?.thumbprint === tokens.dpopKey?.thumbprint ? (before?.dpop ?? (await sessionOf(tokens))) : await sessionOf(tokens) };
    this.#held.set(place.serverId, held);
    return held;
  }

  /** Not one caller's: it goes on when that one gives up, for the provider may have answered already. */
  #renewOnce(target: SignInTarget, owner: Owner, used: string): Promise<boolean> {
    const { signal } = new AbortController();
    const name = `sign-in-${hashOf([owner.place.serverId, owner.login.issuer]).slice(0, 24)}`;
    return this.#deps.locks.run(name, async () => {
      const held = await this.#read(owner, signal);
      if (!held) return false;
      if (held.tokens.accessToken !== used) return true;
      if (held.tokens.refreshToken === undefined) return false;
      return this.#refresh(target, owner, held, held.tokens.refreshToken, signal);
    }, signal);
  }

  async #refresh(target: SignInTarget, owner: Owner, held: Held, refreshToken: string, signal: AbortSignal): Promise<boolean> {
    const { logins, clock, log } = this.#deps;
    const fetchFn = this.#fetch(target, signal);
    try {
      const at = await this.#description(target, owner, fetchFn);
      // Never to another than it came from.
      if (at.issuer !== owner.login.issuer) return false;
      if (at.metadata) checkEndpoint(at.metadata.token_endpoint, 'address for tokens', this.#trusted(target));
      const clientInformation = await this.#client(target, owner, signal);
      if (!clientInformation) return false;
      const addClientAuthentication = clientAuthentication(target, clientInformation, this.#deps.redactor, signal);
      const { refreshAuthorization } = await loadSdk();
      const tokens = await refreshAuthorization(at.authorizationServerUrl, {
        clientInformation, refreshToken, fetchFn,
        ...(at.metadata ? { metadata: at.metadata } : {}), ...(owner.login.resource === undefined ? {} : { resource: owner.login.resource }),
        addClientAuthentication, ...(held.dpop ? { dpop: held.dpop } : {}),
      });
      const now = clock.now();
      const { expiresAt: _over, lifetime: _life, secretId: _id, ...login } = owner.login;
      const stored: StoredTokens = { ...held.tokens, accessToken: tokens.access_token, tokenType: tokens.token_type, refreshToken: tokens.refresh_token ?? refreshToken };
      const account = accountOf(tokens);
      await logins.putLogin(owner.place, {
        ...login, refreshedAt: now, renews: true, ...(tokens.scope === undefined ? {} : { scopes: [...scopesOf(tokens.scope)] }), ...(account === undefined ? {} : { account: account.slice(0, 300) }),
        ...(tokens.expires_in === undefined ? {} : { expiresAt: now + tokens.expires_in * 1_000, lifetime: tokens.expires_in }),
      }, stored, signal);
      this.#held.set(owner.place.serverId, { tokens: stored, dpop: held.dpop });
      log.info('A login was renewed', { server: owner.place.serverId });
      return true;
    } catch (error) {
      if (isGrantRefused(error) || isClientRefused(error)) return this.#refused(owner, refreshToken, isClientRefused(error), signal);
      throw asSignInError(error);
    }
  }

  /** Somebody else may have renewed it in the same moment, with a lock that was lost: then theirs counts. Else it is of no more use. */
  async #refused(owner: Owner, refreshToken: string, isClient: boolean, signal: AbortSignal): Promise<boolean> {
    const { logins, log } = this.#deps;
    const present = await this.#read(owner, signal);
    if (!present) return false;
    if (present.tokens.refreshToken !== refreshToken) return true;
    const { secretId: _id, ...login } = owner.login;
    const { refreshToken: _dead, ...tokens } = present.tokens;
    await logins.putLogin(owner.place, { ...login, renews: false }, tokens, signal);
    if (isClient && owner.login.clientFrom === 'registered') await logins.forgetClient(owner.place, owner.login.issuer, signal);
    this.#held.set(owner.place.serverId, { tokens, dpop: present.dpop });
    log.info('A login ended', { server: owner.place.serverId });
    return false;
  }

  async #client(target: SignInTarget, { place, login }: Owner, signal: AbortSignal): Promise<OAuthClientInformationMixed | undefined> {
    const { logins } = this.#deps;
    if (login.clientFrom === 'configured') {
      const { clientSecret } = target.settings.hasSecret ? await target.credentials(signal) : {};
      return { client_id: login.clientId, ...(clientSecret ? { client_secret: clientSecret.reveal() } : {}) };
    }
    const client = logins.client(place, login.issuer);
    if (!client || client.clientId !== login.clientId) return login.clientFrom === 'document' ? { client_id: login.clientId } : undefined;
    return await logins.clientInformation(client, signal);
  }

  async #description(target: SignInTarget, { place, login }: Owner, fetchFn: typeof fetch): Promise<Discovered> {
    const known = this.#described.get(place.serverId);
    if (known && known.until > this.#deps.clock.now()) return known.at;
    const challenge = this.#deps.challenge(target.serverId) ?? (login.resourceMetadataUrl === undefined ? undefined : { resourceMetadataUrl: login.resourceMetadataUrl });
    const at = await discover({ url: target.url, challenge, skipIssuer: target.settings.skipIssuerMetadataValidation === true }, fetchFn);
    this.#described.set(place.serverId, { at, until: this.#deps.clock.now() + descriptionMs });
    return at;
  }

  #trusted(target: SignInTarget): (host: string) => boolean {
    return trustedHosts(target, this.#deps.logins.at(placeOf(target))?.allowedHosts ?? []);
  }

  #fetch(target: SignInTarget, signal: AbortSignal): typeof fetch {
    const { clock, redactor, onExchange } = this.#deps;
    return recordedFetch(this.#deps.fetch(this.#trusted(target)), {
      clock, step: () => 'token', mask: (text) => redactor.mask(text), onExchange: (exchange) => onExchange(target.serverId, exchange), signal,
    });
  }

  #isEnding({ expiresAt, lifetime }: LoginFacts): boolean {
    return expiresAt !== undefined && expiresAt - this.#deps.clock.now() < Math.min(aheadMs, (lifetime ?? 600) * 100);
  }

  #isOver({ expiresAt }: LoginFacts): boolean {
    return expiresAt !== undefined && expiresAt <= this.#deps.clock.now();
  }
}

const presented = ({ tokens, dpop }: Held): PresentToken => ({ accessToken: tokens.accessToken, dpop });
const sessionOf = async ({ dpopKey }: StoredTokens): Promise<DpopSession | undefined> => (dpopKey ? dpopOf(dpopKey) : undefined);
