import { documentProblem } from '../../shared/text/document-address.ts';
import { loopbackRedirect } from './loopback-redirect.ts';
import type { RawFields, RawOAuth, RawValue } from './raw-entry.ts';
import { isVariable } from './secret-text.ts';

/** What of a server's `oauth` cannot be together. Never says a value. */
export interface OAuthProblem {
  /** Of the option, below `oauth`. */
  readonly path: readonly string[];
  readonly message: string;
  /** `warning`: something is missing still, or does nothing. */
  readonly severity: 'error' | 'warning';
}

/** Whether a sign-in is asked for, rather than only done when the server wants one (F-154): by name, or by saying how, with no token or header that already says who asks. */
export const signsIn = ({ auth, oauth, bearerToken, bearerTokenEnv, headers }: Pick<RawFields, 'auth' | 'oauth' | 'bearerToken' | 'bearerTokenEnv' | 'headers'>): boolean =>
  auth === 'oauth' ||
  (auth === undefined && typeof oauth === 'object' && bearerToken === undefined && bearerTokenEnv === undefined && !Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization'));

/** Of the keys that a provider checks with the client's public key (RFC 7518; Ed25519 also by its name of RFC 9864). A shared secret is not one. */
const algorithms: ReadonlySet<string> = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']);
/** Ours in each assertion (RFC 7519, section 4.1; RFC 7523, section 3). */
export const standardClaims: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);

/** What a sign-in owns of the authorization request: no setting may replace it (F-171). */
export const ownParameters: ReadonlySet<string> = new Set(['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'response_type', 'resource', 'request', 'request_uri', 'response_mode', 'dpop_jkt']);

/** Combinations that no provider could take (F-162, F-169, F-170), and what is missing for a machine to have an identity of its own (F-201), each at its option. */
export function oauthProblems(oauth: RawOAuth): readonly OAuthProblem[] {
  const problems: OAuthProblem[] = [];
  const say = (path: string, message: string, severity: OAuthProblem['severity'] = 'error') => void problems.push({ path: path.split('.'), message, severity });
  const { grantType, clientId, clientSecret, clientMetadataUrl, redirectUri, authorizationParams, privateKeyJwt, crossAppAccess, assertion } = oauth;
  const known = clientId !== undefined || typeof clientMetadataUrl === 'string';
  if (privateKeyJwt && clientSecret !== undefined) say('privateKeyJwt', 'privateKeyJwt and clientSecret cannot be together: a client proves who it is in one way');
  if (clientSecret !== undefined && clientId === undefined) say('clientSecret', 'clientSecret needs the clientId that it belongs to', 'warning');
  if (privateKeyJwt && !known) say('privateKeyJwt', 'privateKeyJwt needs a clientId, or a clientMetadataUrl of your own that holds the public key', 'warning');
  if (crossAppAccess && grantType !== undefined) say('grantType', 'grantType and crossAppAccess cannot be together: crossAppAccess has a grant of its own');
  if (crossAppAccess && !known) say('crossAppAccess', 'crossAppAccess needs the clientId by which the server’s own provider knows this client', 'warning');
  if (grantType === 'client_credentials') {
    if (!known) say('grantType', 'client_credentials needs a clientId', 'warning');
    else if (clientSecret === undefined && !privateKeyJwt) say('grantType', 'client_credentials needs a clientSecret or a privateKeyJwt', 'warning');
  }
  if (grantType === 'jwt-bearer' && assertion === undefined) say('grantType', 'jwt-bearer needs the assertion that it sends', 'warning');
  if (assertion !== undefined && grantType !== 'jwt-bearer') say('assertion', 'assertion is sent with grantType jwt-bearer only', 'warning');
  const document = typeof clientMetadataUrl === 'string' && !mayChange(clientMetadataUrl) ? documentProblem(clientMetadataUrl) : undefined;
  if (document !== undefined) say('clientMetadataUrl', `clientMetadataUrl ${document}`);
  if (redirectUri !== undefined && !mayChange(redirectUri) && !loopbackRedirect(redirectUri)) {
    say('redirectUri', 'redirectUri must be http://localhost, 127.0.0.1 or [::1], with a port: a browser cannot come back to another address', 'warning');
  }
  const taken = Object.keys(authorizationParams ?? {}).filter((name) => ownParameters.has(name.toLowerCase()));
  if (taken.length > 0) say('authorizationParams', `${taken.join(', ')} ${taken.length === 1 ? 'belongs' : 'belong'} to the sign-in: what stands here is not used`, 'warning');
  if (privateKeyJwt) checkKey(privateKeyJwt, say);
  return problems;
}

function checkKey({ algorithm, privateKey, claims }: NonNullable<RawOAuth['privateKeyJwt']>, say: (path: string, message: string, severity?: OAuthProblem['severity']) => void): void {
  if (!algorithms.has(algorithm)) say('privateKeyJwt.algorithm', `algorithm must be one of ${[...algorithms].join(', ')}`);
  else {
    const key = literalOf(privateKey);
    const problem = key === undefined ? undefined : keyProblem(key, algorithm);
    if (problem !== undefined) say('privateKeyJwt.privateKey', `privateKey ${problem}`);
  }
  const ours = Object.keys(claims ?? {}).filter((name) => standardClaims.has(name));
  if (ours.length > 0) say('privateKeyJwt.claims', `${ours.join(', ')} ${ours.length === 1 ? 'is' : 'are'} set anew for each request: what stands here is not used`, 'warning');
}

/** A text that stands as it is; `undefined` for what is only known when it is used. */
const literalOf = (value: RawValue): string | undefined => (typeof value === 'string' ? (mayChange(value) ? undefined : value) : 'plain' in value ? value.plain : undefined);
const mayChange = (text: string): boolean => text.startsWith('!') || isVariable(text) || /\$\{|\$env:|\{env:/.test(text);

/** Why a private key cannot be used with this algorithm (F-169); `undefined` when its form is right. Never says a part of it. */
export function keyProblem(key: string, algorithm: string): string | undefined {
  const text = key.trim();
  if (text.startsWith('{')) return jwkProblem(text);
  const label = /^-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  if (label === undefined) return 'must be a PEM or a JWK';
  if (algorithm.startsWith('Ed')) return `must be a JWK for ${algorithm}`;
  if (label === 'PRIVATE KEY') return undefined;
  if (label === 'ENCRYPTED PRIVATE KEY') return 'is encrypted: take its passphrase away, or have a !command write it out';
  if (label.endsWith('PRIVATE KEY')) return `is a PEM of the form “${label}”: it must be PKCS#8 (openssl pkcs8 -topk8 -nocrypt)`;
  return `is a ${label.toLowerCase()}, not a private key`;
}

function jwkProblem(text: string): string | undefined {
  try {
    const jwk: unknown = JSON.parse(text);
    if (typeof jwk === 'object' && jwk !== null && 'kty' in jwk && typeof jwk.kty === 'string') {
      if (jwk.kty === 'oct') return 'is a shared key: use clientSecret';
      return 'd' in jwk ? undefined : 'is a public JWK, not a private one';
    }
  } catch {
    // Said below.
  }
  return 'must be a PEM or a JWK';
}
