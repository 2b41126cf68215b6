import type { DpopSession } from '@modelcontextprotocol/client';
import type { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInExchange, SignInLogin, SignInStep } from '../../shared/model/sign-in.ts';
import { unless } from '../kernel/aborted.ts';
import { Secret } from '../kernel/secret.ts';
import type { Clock, SignInFetch } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { discover, type Challenge } from './discover.ts';
import { newDpop } from './dpop-keys.ts';
import { placeOf, type Logins } from './logins.ts';
import { machineToken } from './machine-token.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { scopesOf, scopeToAsk } from './scopes.ts';
import type { SignInTarget } from './sign-in-target.ts';
import type { PresentToken } from './token-keeper.ts';
import { asSignInError } from './token-failure.ts';
import { checkEndpoint, trustedHosts } from './trusted-hosts.ts';

export interface MachineTokensDeps {
  readonly clock: Clock;
  readonly logins: Pick<Logins, 'at' | 'pinIssuer'>;
  readonly redactor: Redactor;
  readonly fetch: SignInFetch;
  readonly challenge: (serverId: ServerId) => Challenge | undefined;
  readonly onExchange: (serverId: ServerId, exchange: SignInExchange) => void;
  /** It has a token now, or why it has none. */
  readonly onChange: (serverId: ServerId, failure: { readonly step: SignInStep; readonly error: AppError } | undefined) => void;
}
interface Held extends PresentToken {
  readonly purpose: string;
  readonly login: SignInLogin;
}

/** Tokens that the machine asks for by itself (RFC 6749, section 4.4; RFC 7523; F-169, F-170). In memory only; one request at a time for a server. */
export class MachineTokens {
  readonly #deps: MachineTokensDeps;
  readonly #held = new Map<ServerId, Held>();
  readonly #asking = new Map<ServerId, Promise<Held>>();

  constructor(deps: MachineTokensDeps) {
    this.#deps = deps;
  }

  login(serverId: ServerId): SignInLogin | undefined {
    return this.#held.get(serverId)?.login;
  }

  session(serverId: ServerId): DpopSession | undefined {
    return this.#held.get(serverId)?.dpop;
  }

  forget(serverId: ServerId): void {
    const held = this.#held.get(serverId);
    if (held) this.#deps.redactor.forget(new Secret(held.accessToken));
    this.#held.delete(serverId);
  }

  /** The one from before, asked for anew when it is at its end. Nothing before the server ever asked. */
  async present(target: SignInTarget, signal: AbortSignal): Promise<PresentToken | undefined> {
    const held = this.#of(target);
    if (!held) return undefined;
    const { expiresAt, signedInAt } = held.login;
    const isEnding = expiresAt !== undefined && expiresAt - this.#deps.clock.now() < Math.min(60_000, (expiresAt - signedInAt) / 10);
    return isEnding ? this.obtain(target, held.accessToken, [], signal) : held;
  }

  /** One that is not `used`, with these scopes beside the usual. Throws `auth/*`, `secret/*`, `connection/*`. */
  async obtain(target: SignInTarget, used: string | undefined, scopes: readonly string[], signal: AbortSignal): Promise<PresentToken> {
    const held = this.#of(target);
    if (held && held.accessToken !== used) return held;
    const asking = this.#asking.get(target.serverId) ?? this.#ask(target, scopes).finally(() => this.#asking.delete(target.serverId));
    this.#asking.set(target.serverId, asking);
    asking.catch(() => undefined);
    return await unless(signal, asking);
  }

  #of(target: SignInTarget): Held | undefined {
    const held = this.#held.get(target.serverId);
    return held?.purpose === purposeOf(target) ? held : undefined;
  }

  async #ask(target: SignInTarget, scopes: readonly string[]): Promise<Held> {
    const { serverId } = target;
    const { signal } = new AbortController();
    let step: SignInStep = 'discovery';
    try {
      const held = await this.#token(target, scopes, (next) => (step = next), signal);
      this.forget(serverId);
      this.#deps.redactor.register(new Secret(held.accessToken));
      this.#held.set(serverId, held);
      this.#deps.onChange(serverId, undefined);
      return held;
    } catch (thrown) {
      const error = asSignInError(thrown);
      this.#deps.onChange(serverId, { step, error });
      throw error;
    }
  }

  async #token(target: SignInTarget, scopes: readonly string[], onStep: (step: SignInStep) => SignInStep, signal: AbortSignal): Promise<Held> {
    const { logins, clock, redactor } = this.#deps;
    const place = placeOf(target);
    const trusted = trustedHosts(target, logins.at(place)?.allowedHosts ?? []);
    let step: SignInStep = 'discovery';
    const recorded = (base: typeof fetch) =>
      recordedFetch(base, { clock, step: () => step, mask: (text) => redactor.mask(text), onExchange: (exchange) => this.#deps.onExchange(target.serverId, exchange), signal });
    const fetchFn = recorded(this.#deps.fetch(trusted));
    const challenge = this.#deps.challenge(target.serverId);
    const at = await discover({ url: target.url, challenge, skipIssuer: target.settings.skipIssuerMetadataValidation === true }, fetchFn);
    if (at.metadata) checkEndpoint(at.metadata.token_endpoint, 'address for tokens', trusted);
    const pinned = logins.at(place)?.machineIssuer;
    step = onStep('token');
    const granted = this.#held.get(target.serverId)?.login.scopes ?? [];
    const scope = scopeToAsk({ configured: target.settings.scope, challenged: challenge?.scope, wanted: scopes, granted }, at);
    const dpop = await newDpop(at);
    const tokens = await machineToken({
      target, discovered: at, scope, fetch: fetchFn, idpFetch: (host) => recorded(this.#deps.fetch((other) => other === host || trusted(other))), redactor,
      ...(pinned === undefined ? {} : { expectedIssuer: pinned }), ...(dpop ? { dpop: dpop.session } : {}),
    }, signal);
    if (pinned === undefined) await logins.pinIssuer(place, at.issuer, signal);
    const now = clock.now();
    const session: DpopSession | undefined = tokens.token_type.toLowerCase() === 'dpop' ? dpop?.session : undefined;
    const login: SignInLogin = {
      issuer: at.issuer, scopes: scopesOf(tokens.scope ?? scope), ...clientOf(target), signedInAt: now, renews: true,
      ...(tokens.expires_in === undefined ? {} : { expiresAt: now + tokens.expires_in * 1_000 }), ...(session ? { dpop: true } : {}),
    };
    return { accessToken: tokens.access_token, dpop: session, purpose: purposeOf(target), login };
  }
}

/** What a token is of use for: another address, client or scope in the settings wants another one. */
const purposeOf = (target: SignInTarget): string => JSON.stringify([placeOf(target).address, target.way, target.settings]);

function clientOf({ settings: { clientId, clientMetadataUrl } }: SignInTarget): Pick<SignInLogin, 'clientId' | 'clientFrom'> {
  if (clientId !== undefined || typeof clientMetadataUrl !== 'string') return { clientId: clientId ?? '', clientFrom: 'configured' };
  return { clientId: clientMetadataUrl, clientFrom: 'document' };
}
