import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { EmbeddedJWK, calculateJwkThumbprint, createLocalJWKSet, jwtVerify, type JWK, type JWTPayload } from 'jose';

export interface TrustedIssuer {
  readonly issuer: string;
  readonly publicJwk: JWK;
}
export interface PresentedRequest {
  readonly method: string;
  /** As the client wrote it, without its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}
export type TokenVerdict =
  | { readonly kind: 'good'; readonly claims: JWTPayload }
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly error: string; readonly why: string };

/** What the `Authorization` of a request is worth: a Bearer token (RFC 6750) or a DPoP-bound one (RFC 9449) for this audience. */
export async function checkToken(request: PresentedRequest, issuer: TrustedIssuer, audience: string): Promise<TokenVerdict> {
  const [, scheme, token] = /^(Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) return { kind: 'none' };
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [issuer.publicJwk] }), { issuer: issuer.issuer, audience, typ: 'at+jwt' });
    const bound = typeof payload['cnf'] === 'object';
    if (bound !== (scheme === 'DPoP')) return { kind: 'bad', error: 'invalid_token', why: 'the token is for another scheme' };
    return { kind: 'good', claims: payload };
  } catch (error) {
    return { kind: 'bad', error: 'invalid_token', why: error instanceof Error ? error.name : 'unknown' };
  }
}

/** The proof beside a DPoP-bound token. Answers what is wrong with it. */
export async function checkProof(request: PresentedRequest, claims: JWTPayload, used: Set<string>, nonce: string | undefined): Promise<'invalid_dpop_proof' | 'use_dpop_nonce' | undefined> {
  const proof = request.headers['dpop'];
  if (typeof proof !== 'string') return 'invalid_dpop_proof';
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', maxTokenAge: '5m' });
    const token = request.headers.authorization?.split(' ')[1] ?? '';
    const bound = claims['cnf'];
    const thumbprint = typeof bound === 'object' && bound !== null && 'jkt' in bound ? bound.jkt : undefined;
    if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== thumbprint) return 'invalid_dpop_proof';
    if (payload['htm'] !== request.method || payload['htu'] !== request.url || payload['ath'] !== createHash('sha256').update(token).digest('base64url')) return 'invalid_dpop_proof';
    if (payload.jti === undefined || used.has(payload.jti)) return 'invalid_dpop_proof';
    used.add(payload.jti);
    return nonce !== undefined && payload['nonce'] !== nonce ? 'use_dpop_nonce' : undefined;
  } catch {
    return 'invalid_dpop_proof';
  }
}
