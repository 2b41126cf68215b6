import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInWanted } from '../../shared/model/sign-in.ts';
import { loadSdk } from '../kernel/sdk.ts';
import type { Clock } from '../ports.ts';
import type { Challenge } from './discover.ts';
import type { AuthorizedRequest, ChallengedRequest, HttpAuth } from './http-auth.ts';
import type { MachineTokens } from './machine-tokens.ts';
import { scopesOf } from './scopes.ts';
import type { SignInTarget } from './sign-in-target.ts';
import type { PresentToken, TokenKeeper } from './token-keeper.ts';

export interface ServerAuthDeps {
  readonly clock: Clock;
  readonly keeper: TokenKeeper;
  readonly machine: MachineTokens;
  readonly onChallenge: (serverId: ServerId, challenge: Challenge) => void;
  readonly onWanted: (serverId: ServerId, wanted: SignInWanted) => void;
}

/** Who asks, for the requests of one connection. */
export class ServerAuth implements HttpAuth {
  readonly #deps: ServerAuthDeps;
  readonly #target: SignInTarget;

  constructor(target: SignInTarget, deps: ServerAuthDeps) {
    this.#deps = deps;
    this.#target = target;
  }

  async authorize({ url, method, headers }: AuthorizedRequest, signal: AbortSignal): Promise<void> {
    const token = await this.#present(signal);
    if (!token) return;
    headers.set('authorization', `${token.dpop ? 'DPoP' : 'Bearer'} ${token.accessToken}`);
    if (token.dpop) headers.set('dpop', await token.dpop.buildProof({ htm: method, htu: url, accessToken: token.accessToken }));
  }

  async challenged(response: Response, sent: ChallengedRequest, signal: AbortSignal): Promise<'again' | 'refused'> {
    const { extractWWWAuthenticateParams, isDpopNonceChallenge } = await loadSdk();
    const said = extractWWWAuthenticateParams(response);
    this.#deps.onChallenge(this.#target.serverId, {
      // What one request wants beside (403) is remembered apart, until it is granted (F-172).
      ...(said.resourceMetadataUrl ? { resourceMetadataUrl: said.resourceMetadataUrl.href } : {}), ...(said.scope === undefined || response.status !== 401 ? {} : { scope: said.scope }),
      ...(/^dpop\b/i.test(response.headers.get('www-authenticate') ?? '') ? { dpop: true } : {}),
    });
    const used = /^(?:Bearer|DPoP) (.+)$/.exec(sent.headers.get('authorization') ?? '')?.[1];
    // The nonce was heard with the answer.
    if (used !== undefined && isDpopNonceChallenge(response)) return 'again';
    if (response.status === 403) return said.error === 'insufficient_scope' ? this.#needsMore(said.scope, used, sent, signal) : 'refused';
    if (this.#target.way !== 'browser') {
      if (sent.isRepeated) throw new AppError('auth/account-refused', 'The server refuses a token that was made for it just now');
      await this.#deps.machine.obtain(this.#target, used, [], signal);
      return 'again';
    }
    if (sent.isRepeated) {
      this.#want({ because: 'expired', ...named(sent) });
      return 'refused';
    }
    // Somebody may have signed in since this was sent.
    if (used === undefined) return (await this.#present(signal)) ? 'again' : this.#refused(sent);
    if (await this.#renewed(used, signal)) return 'again';
    this.#want({ because: 'expired', ...named(sent) });
    throw new AppError('auth/sign-in-required', 'The login ended, and could not be renewed');
  }

  heard(response: Response, url: URL): void {
    if (!response.headers.has('dpop-nonce')) return;
    const session = this.#deps.keeper.session(this.#target) ?? this.#deps.machine.session(this.#target.serverId);
    session?.observeNonce(response, url);
  }

  /** More has to be granted (RFC 6750, section 3.1): a machine asks for it at once, a person is asked when they want it (S6, F-172). */
  async #needsMore(scope: string | undefined, used: string | undefined, sent: ChallengedRequest, signal: AbortSignal): Promise<'again'> {
    const scopes = scopesOf(scope);
    if (this.#target.way !== 'browser' && !sent.isRepeated) {
      await this.#deps.machine.obtain(this.#target, used, scopes, signal);
      return 'again';
    }
    this.#want({ because: 'scopes', scopes, ...named(sent) });
    throw new AppError('auth/scopes-needed', `${sent.tool === undefined ? 'The server' : `“${sent.tool}”`} wants ${scopes.length === 0 ? 'more than was granted' : scopes.join(', ')}`, {
      data: { scopes, ...named(sent) },
    });
  }

  async #renewed(used: string, signal: AbortSignal): Promise<boolean> {
    return await this.#deps.keeper.renew(this.#target, used, signal).catch((error: unknown) => {
      // It leads to an address now that only the person can allow; signing in asks for that.
      if (AppError.from(error).code === 'auth/host-blocked') return false;
      throw error;
    });
  }

  #refused(sent: ChallengedRequest): 'refused' {
    this.#want({ because: sent.tool === undefined ? 'connect' : 'call', ...named(sent) });
    return 'refused';
  }

  #want(wanted: Omit<SignInWanted, 'at'>): void {
    this.#deps.onWanted(this.#target.serverId, { ...wanted, at: this.#deps.clock.now() });
  }

  #present(signal: AbortSignal): Promise<PresentToken | undefined> {
    const { machine, keeper } = this.#deps;
    return this.#target.way === 'browser' ? keeper.present(this.#target, signal) : machine.present(this.#target, signal);
  }
}

const named = ({ tool }: ChallengedRequest): { readonly tool?: string } => (tool === undefined ? {} : { tool: tool.slice(0, 200) });
