import type { DpopSession } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import { loadSdk } from '../kernel/sdk.ts';
import type { Discovered } from './discover.ts';
import type { StoredTokens } from './sign-in-record.ts';

type DpopKey = NonNullable<StoredTokens['dpopKey']>;
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** A key for proofs of possession (RFC 9449), where the server's tokens want them. ES256, which every provider has to know. */
export async function newDpop(at: Discovered): Promise<{ readonly session: DpopSession; readonly key: DpopKey } | undefined> {
  if (!at.dpop) return undefined;
  const known: unknown = at.metadata && Reflect.get(at.metadata, 'dpop_signing_alg_values_supported');
  if (Array.isArray(known) && !known.includes('ES256')) throw new AppError('auth/failed', 'The provider wants proofs of possession in a form that Gatehouse does not have');
  const sdk = await loadSdk();
  const keyPair = await sdk.generateDpopKeyPair({ alg: 'ES256', extractable: true });
  const jwk = { ...(await crypto.subtle.exportKey('jwk', keyPair.privateKey)) };
  return { session: await sdk.DpopSession.create({ keyPair }), key: { jwk, thumbprint: keyPair.thumbprint } };
}

/** The session of a login from before. Throws `auth/sign-in-required` for a key that is none. */
export async function dpopOf({ jwk, thumbprint }: DpopKey): Promise<DpopSession> {
  const { kty, crv, x, y } = jwk;
  const sdk = await loadSdk();
  try {
    const publicJwk = { kty: String(kty), crv: String(crv), x: String(x), y: String(y) };
    const keyPair = {
      privateKey: await crypto.subtle.importKey('jwk', jwk, curve, false, ['sign']),
      publicKey: await crypto.subtle.importKey('jwk', publicJwk, curve, true, ['verify']),
      publicJwk, thumbprint, alg: 'ES256' as const,
    };
    return await sdk.DpopSession.create({ keyPair });
  } catch (cause) {
    throw new AppError('auth/sign-in-required', 'The key of the login cannot be used', { cause });
  }
}
