import type { DpopSession, OAuthClientInformation, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import { loadSdk } from '../kernel/sdk.ts';
import { Secret } from '../kernel/secret.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { clientAuthentication } from './client-authentication.ts';
import { exchangeEndpointOf } from './company-provider.ts';
import type { Discovered } from './discover.ts';
import type { SignInCredentials, SignInTarget } from './sign-in-target.ts';
import { asSignInError } from './token-failure.ts';
import { hostOf } from './trusted-hosts.ts';

export interface MachineTokenRequest {
  readonly target: SignInTarget;
  readonly discovered: Discovered;
  readonly scope: string | undefined;
  /** Whom the machine signed in to before: its secrets go to nobody else (RFC 9700, section 4.4). */
  readonly expectedIssuer?: string | undefined;
  readonly fetch: typeof fetch;
  /** For the company's provider, whose address (`host:port`) the person wrote down. */
  readonly idpFetch: (host: string) => typeof fetch;
  readonly redactor: Redactor;
  readonly dpop?: DpopSession | undefined;
}
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * An access token without a person (F-169, F-170): as itself (RFC 6749, section 4.4), with a JWT of its platform (RFC 7523, section 2.1), or for a person who is signed in
 * at their company (RFC 8693, then RFC 7523). Credentials are read anew and kept nowhere; one try, and no other grant after it. Throws `config/invalid` where the client
 * has no identity of its own (F-201), `auth/*`, `secret/*`, `vault/*`, `user/needed`, `connection/unreachable`.
 */
export async function machineToken(request: MachineTokenRequest, signal: AbortSignal): Promise<OAuthTokens> {
  const { target, discovered, expectedIssuer, redactor } = request;
  if (expectedIssuer !== undefined && discovered.issuer !== expectedIssuer) {
    throw new AppError('auth/issuer-mismatch', 'The server names another issuer than the one that knows this machine: signing out forgets that one', { data: { kind: 'pinned', expected: expectedIssuer, received: discovered.issuer } });
  }
  const client = clientOf(target);
  const credentials = await target.credentials(signal);
  const once: Secret[] = [];
  const guard = (value: string): void => {
    const secret = new Secret(value);
    redactor.register(secret);
    once.push(secret);
  };
  try {
    const params = await grantOf(request, credentials, guard, signal);
    return await askFor(params, client, credentials, request, signal);
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error);
    throw new AppError(failure.code, redactor.mask(failure.message).slice(0, 500), { data: failure.data, cause: failure });
  } finally {
    // Of use once: what no one can do anything with need not be looked for for ever.
    for (const secret of once) redactor.forget(secret);
  }
}

/** F-201: the shared document is never a machine's. A workload's own JWT may be all that there is. */
function clientOf({ way, server, settings }: SignInTarget): string | undefined {
  const own = settings.clientId ?? (typeof settings.clientMetadataUrl === 'string' ? settings.clientMetadataUrl : undefined);
  const missing = (field: string, what: string): AppError =>
    new AppError('config/invalid', `“${server}” needs ${what} to sign in by itself`, { data: { server, field: `oauth.${field}` } });
  if (own === undefined && way !== 'jwt-bearer') throw missing('clientId', 'a clientId of its own (the one that people share is not used for machines)');
  if (way === 'client-credentials' && !settings.hasSecret) throw missing('clientSecret', 'a clientSecret or a privateKeyJwt');
  return own;
}

async function grantOf(request: MachineTokenRequest, credentials: SignInCredentials, guard: (value: string) => void, signal: AbortSignal): Promise<URLSearchParams> {
  const { target, scope } = request;
  const scoped = scope === undefined || scope === '' ? {} : { scope };
  switch (target.way) {
    case 'client-credentials':
      return new URLSearchParams({ grant_type: 'client_credentials', ...scoped });
    case 'jwt-bearer':
      if (!credentials.assertion) throw new AppError('config/invalid', `“${target.server}” needs an assertion to sign in by itself`, { data: { server: target.server, field: 'oauth.assertion' } });
      return new URLSearchParams({ grant_type: jwtBearer, assertion: credentials.assertion.reveal(), ...scoped });
    case 'cross-app': {
      const assertion = await companyGrant(request, credentials, signal);
      guard(assertion);
      return new URLSearchParams({ grant_type: jwtBearer, assertion, ...scoped });
    }
    case 'browser':
      throw new AppError('auth/not-supported', `“${target.server}” is signed in to by a person`);
  }
}

/** What the company's provider says to the server's (ID-JAG). It hears of the server by name only, and nothing of it goes on but the grant. */
async function companyGrant({ target, discovered, scope, idpFetch }: MachineTokenRequest, { crossApp }: SignInCredentials, signal: AbortSignal): Promise<string> {
  if (!crossApp) throw new AppError('config/invalid', `“${target.server}” says nothing of crossAppAccess`);
  const { idpUrl, clientId, idToken, clientSecret } = crossApp;
  if (!URL.canParse(idpUrl)) throw new AppError('config/invalid', `crossAppAccess.idpUrl of “${target.server}” is no address`, { data: { server: target.server, field: 'oauth.crossAppAccess.idpUrl' } });
  const fetchFn = ending(idpFetch(hostOf(idpUrl)), signal);
  const { requestJwtAuthorizationGrant } = await loadSdk();
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint: await exchangeEndpointOf(idpUrl, fetchFn), audience: discovered.issuer, resource: discovered.resource ?? target.url, idToken: idToken.reveal(), clientId, fetchFn,
    ...(clientSecret ? { clientSecret: clientSecret.reveal() } : {}), ...(scope === undefined || scope === '' ? {} : { scope }),
  });
  return jwtAuthGrant;
}

/** The client proves who it is by its key, or by its secret in the way that the provider's metadata name. */
async function askFor(params: URLSearchParams, clientId: string | undefined, { clientSecret }: SignInCredentials, request: MachineTokenRequest, signal: AbortSignal): Promise<OAuthTokens> {
  const { target, discovered, dpop, redactor } = request;
  const client: OAuthClientInformation | undefined = clientId === undefined ? undefined : { client_id: clientId, ...(clientSecret ? { client_secret: clientSecret.reveal() } : {}) };
  const authenticate = client && clientAuthentication(target, client, redactor, signal);
  const provider: OAuthClientProvider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => client,
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
    prepareTokenRequest: () => params,
    ...(authenticate ? { addClientAuthentication: authenticate } : {}),
    ...(dpop ? { dpop: () => dpop } : {}),
  };
  const { fetchToken } = await loadSdk();
  return await fetchToken(provider, discovered.authorizationServerUrl, {
    fetchFn: ending(request.fetch, signal),
    ...(discovered.metadata ? { metadata: discovered.metadata } : {}), ...(discovered.resource === undefined ? {} : { resource: discovered.resource }),
  });
}

const ending = (base: typeof fetch, signal: AbortSignal): typeof fetch => (input, init) => base(input, { ...init, signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal });

function failureOf(error: unknown): AppError {
  // What the SDK says of the exchange has no kind of its own.
  if (error instanceof Error && /^(?:Token exchange failed|Invalid token exchange response)/.test(error.message)) return new AppError('auth/failed', error.message, { cause: error });
  return asSignInError(error);
}
