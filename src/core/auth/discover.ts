import type { AuthorizationServerMetadata, OAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import { loadSdk } from '../kernel/sdk.ts';

/** What a server said when it refused a request for want of a login (RFC 6750, section 3). */
export interface Challenge {
  /** Where it describes itself (RFC 9728, section 5.1). */
  readonly resourceMetadataUrl?: string;
  readonly scope?: string;
  /** It wants proof of possession (RFC 9449, section 7.1). */
  readonly dpop?: true;
}
/** Who signs people in for a server. */
export interface Discovered {
  /** What credentials are bound to. */
  readonly issuer: string;
  readonly authorizationServerUrl: string;
  /** Absent for a server of 2025-03-26 that describes nothing: its endpoints have the default paths. */
  readonly metadata?: AuthorizationServerMetadata;
  /** The resource indicator (RFC 8707), as the server writes it; absent where it describes itself nowhere. */
  readonly resource?: string;
  /** What the server says there is to ask for. */
  readonly scopes?: readonly string[];
  /** Tokens of this server are of use with a proof only (RFC 9449, section 5.2 of RFC 9728). */
  readonly dpop?: true;
}
export interface DiscoverOptions {
  /** Of the server, with variables filled in. */
  readonly url: string;
  readonly challenge?: Challenge | undefined;
  /** F-173: only the echo of the issuer in its metadata is not compared. */
  readonly skipIssuer: boolean;
}

/**
 * Who signs in to this server: its protected resource metadata (RFC 9728), then the metadata of the first authorization server that it names (RFC 8414, OpenID Connect
 * Discovery 1.0); a server without the first is taken for its own, as in MCP 2025-03-26. Throws `auth/discovery-failed`, `auth/issuer-mismatch`, and what `fetchFn` throws.
 */
export async function discover({ url, challenge, skipIssuer }: DiscoverOptions, fetchFn: typeof fetch): Promise<Discovered> {
  const described = await resourceMetadata(url, challenge, fetchFn);
  const [named] = described?.authorization_servers ?? [];
  const authorizationServerUrl = named ?? String(new URL('/', url));
  if (!URL.canParse(authorizationServerUrl)) throw new AppError('auth/discovery-failed', 'The server names an authorization server whose address is none');
  const metadata = await serverMetadata(authorizationServerUrl, skipIssuer, fetchFn);
  if (!metadata && named !== undefined) {
    throw new AppError('auth/discovery-failed', `${new URL(named).host} does not describe how to sign in there`, { data: { authorizationServer: named } });
  }
  return {
    issuer: metadata?.issuer ?? authorizationServerUrl,
    authorizationServerUrl,
    ...(metadata ? { metadata } : {}),
    ...(described ? { resource: described.resource } : {}),
    ...(described?.scopes_supported ? { scopes: described.scopes_supported } : {}),
    ...(described?.dpop_bound_access_tokens_required === true || challenge?.dpop ? { dpop: true } : {}),
  };
}

async function resourceMetadata(url: string, challenge: Challenge | undefined, fetchFn: typeof fetch): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { discoverOAuthProtectedResourceMetadata } = await loadSdk();
  const described = await discoverOAuthProtectedResourceMetadata(url, challenge?.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: challenge.resourceMetadataUrl }, fetchFn).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    // What passes is no reason to take it for one of 2025-03-26.
    if (error instanceof Error && /^HTTP 5\d\d /.test(error.message)) throw new AppError('auth/discovery-failed', `${new URL(url).host} cannot describe itself now: ${error.message}`, { cause: error });
    return undefined; // It describes itself nowhere, or in no form that can be read.
  });
  if (!described) return undefined;
  if (isForServer(url, described.resource)) return described;
  const host = URL.canParse(described.resource) ? new URL(described.resource).host : 'something that is no address';
  throw new AppError('auth/discovery-failed', `The server describes itself as another one (${host}): a token for that one is not asked for`, { data: { resource: described.resource } });
}

/** S5: the same address, with or without a slash at its end, or one above it on the same origin. */
export function isForServer(server: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [wanted, named] = [new URL(server), new URL(resource)];
  const folder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
  return wanted.origin === named.origin && named.username === '' && named.password === '' && folder(wanted.pathname).startsWith(folder(named.pathname));
}

async function serverMetadata(authorizationServerUrl: string, skipIssuer: boolean, fetchFn: typeof fetch): Promise<AuthorizationServerMetadata | undefined> {
  const { discoverAuthorizationServerMetadata, IssuerMismatchError } = await loadSdk();
  try {
    return await discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn, skipIssuerValidation: skipIssuer });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof IssuerMismatchError) {
      throw new AppError('auth/issuer-mismatch', `${new URL(authorizationServerUrl).host} describes itself as another issuer`, {
        data: { expected: error.expected, received: error.received, kind: error.kind }, cause: error,
      });
    }
    const why = error instanceof Error && error.name !== 'ZodError' ? error.message : 'its description has not the form of RFC 8414';
    throw new AppError('auth/discovery-failed', `${new URL(authorizationServerUrl).host} cannot be used: ${why}`.slice(0, 500), { data: { authorizationServer: authorizationServerUrl }, cause: error });
  }
}
