import { AppError } from '../../shared/errors.ts';
import { loopbackRedirect, type LoopbackRedirect } from '../formats/loopback-redirect.ts';
import type { Discovered } from './discover.ts';
import { mayAsk } from './scopes.ts';
import type { ClientFacts } from './sign-in-record.ts';
import type { SignInTarget } from './sign-in-target.ts';

/** Who the app is at a provider (F-161). */
export type Identity =
  | { readonly kind: 'configured'; readonly clientId: string }
  | { readonly kind: 'stored'; readonly client: ClientFacts }
  | { readonly kind: 'document'; readonly clientId: string }
  | { readonly kind: 'register' }
  | { readonly kind: 'ask' };

export interface IdentityChoice {
  readonly stored: ClientFacts | undefined;
  /** Absent where no document may stand for this server. */
  readonly documentUrl: string | undefined;
  /** To be asked for: a registration that does not reach so far gives way to a new one. */
  readonly scope: string | undefined;
  readonly now: number;
}
/** In this order: configured, stored, the metadata document where it is known, dynamic registration, the person. */
export function chooseIdentity({ settings }: SignInTarget, at: Discovered, { stored, documentUrl, scope, now }: IdentityChoice): Identity {
  if (settings.clientId !== undefined) return { kind: 'configured', clientId: settings.clientId };
  const isUsable = stored && (stored.secretExpiresAt === undefined || stored.secretExpiresAt > now) && (stored.from !== 'registered' || (mayAsk(stored.scope, scope) && !settings.hasSecret));
  if (isUsable) return { kind: 'stored', client: stored };
  if (documentUrl !== undefined && at.metadata?.['client_id_metadata_document_supported'] === true) return { kind: 'document', clientId: documentUrl };
  // A configured secret or key belongs to a client that the provider knows already (F-169): no new one has it.
  if (settings.hasSecret) return { kind: 'ask' };
  // A server of 2025-03-26 that describes nothing has its registration at the default path.
  return !at.metadata || at.metadata.registration_endpoint !== undefined ? { kind: 'register' } : { kind: 'ask' };
}

/** Where the browser is to come back to. */
export interface RedirectPlan extends LoopbackRedirect {
  /** As configured, to the letter. */
  readonly exact?: string;
  /** What a person changes when the port is busy; absent where another port will do. */
  readonly setting?: 'oauth.redirectUri' | 'MCP_OAUTH_CALLBACK_PORT';
}
export const defaultCallbackPort = 19_876;
export const callbackPath = '/callback';

/** F-164. Throws `config/invalid` for a redirect address that no program of this machine can answer. */
export function redirectPlan({ settings, server }: SignInTarget, identity: Identity, callbackPort: number | undefined): RedirectPlan {
  if (settings.redirectUri !== undefined) {
    const plan = loopbackRedirect(settings.redirectUri);
    if (!plan) {
      throw new AppError('config/invalid', `oauth.redirectUri of “${server}” must be http://localhost (or 127.0.0.1, [::1]) with a port and a path`, { data: { server, field: 'oauth.redirectUri' } });
    }
    return { ...plan, exact: settings.redirectUri, setting: 'oauth.redirectUri' };
  }
  if (identity.kind === 'configured' || identity.kind === 'ask' || (identity.kind === 'stored' && identity.client.from === 'typed')) {
    return { host: 'localhost', port: callbackPort ?? defaultCallbackPort, path: callbackPath, setting: 'MCP_OAUTH_CALLBACK_PORT' };
  }
  const known = identity.kind === 'stored' && identity.client.redirectUri !== undefined ? loopbackRedirect(identity.client.redirectUri) : undefined;
  return known ?? { host: 'localhost', port: 0, path: callbackPath };
}

/** What a person has to register with a provider. */
export const redirectUriOf = ({ host, port, path, exact }: RedirectPlan): string => exact ?? `http://${host}:${port}${path}`;
