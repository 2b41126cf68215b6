import { AppError } from '../../shared/errors.ts';
import type { Sdk } from '../kernel/sdk.ts';
import type { Discovered } from './discover.ts';

export type CallbackAnswer = { readonly kind: 'code'; readonly code: string; readonly iss: string | undefined } | { readonly kind: 'refused'; readonly error: AppError };

/**
 * What the browser brought back, once its state is known to be ours. Who speaks is found out first (RFC 9207, section 2.4): neither the code nor the words of an error
 * count before that (F-165).
 */
export function readAnswer(params: URLSearchParams, at: Discovered, { validateAuthorizationResponseIssuer, IssuerMismatchError }: Sdk): CallbackAnswer {
  const iss = params.get('iss') ?? undefined;
  try {
    validateAuthorizationResponseIssuer({ iss, expectedIssuer: at.metadata?.issuer, issParameterSupported: at.metadata?.['authorization_response_iss_parameter_supported'] === true });
  } catch (cause) {
    const kind = cause instanceof IssuerMismatchError ? cause.kind : 'authorization_response';
    return { kind: 'refused', error: new AppError('auth/issuer-mismatch', 'The answer came from another issuer than the one that was asked', { data: { kind }, cause }) };
  }
  const error = params.get('error');
  if (error !== null) {
    const said = [error, params.get('error_description')].filter((part) => part !== null && part !== '').join(': ').slice(0, 300);
    return { kind: 'refused', error: new AppError(error === 'access_denied' ? 'auth/denied' : 'auth/failed', said, { data: { error: error.slice(0, 100) } }) };
  }
  const code = params.get('code');
  if (code === null || code === '') return { kind: 'refused', error: new AppError('auth/failed', 'The provider sent the browser back without a code') };
  return { kind: 'code', code, iss };
}

/** Compared in a time that does not depend on where they differ. */
export function sameState(given: string | null, expected: string): boolean {
  if (given === null || given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

/** 32 random bytes, base64url (RFC 6749, section 10.12). */
export function newState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
