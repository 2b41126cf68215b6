import { generateKeyPairSync } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';

/** Clients that were registered by hand. */
export const publicClient = { id: 'known-public' } as const;
export const secretClient = { id: 'known-secret', secret: 'known-secret-value-0123456789abcdef+/=' } as const;
/** For `client_credentials`. */
export const machineClient = { id: 'machine-secret', secret: 'machine-secret-value-0123456789abcdef+/=' } as const;
export const keyClient = { id: 'machine-key', algorithm: 'ES256' } as const;
/** In the browser, with a private key in place of a secret. */
export const browserKeyClient = { id: 'known-key', algorithm: 'ES256' } as const;
/** Takes ID-JAGs (cross-app access). */
export const crossAppClient = { id: 'cross-app', secret: 'cross-app-secret-value-0123456789abcdef+/=' } as const;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Of `keyClient` and `browserKeyClient`: PKCS#8. */
export const clientKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'client-1' }] };

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const loopbackCallbacks = ['http://127.0.0.1/callback', 'http://[::1]/callback', 'http://localhost/callback'];

/** `redirects`: registered beside the loopback ones, which hold for any port. */
export function knownClients(redirects: readonly string[]): ClientMetadata[] {
  const browser = {
    application_type: 'native' as const, grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const], redirect_uris: [...loopbackCallbacks, ...redirects],
  };
  const machine = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
  return [
    { ...browser, client_id: publicClient.id, token_endpoint_auth_method: 'none' },
    { ...browser, client_id: secretClient.id, client_secret: secretClient.secret, token_endpoint_auth_method: 'client_secret_basic' },
    { ...browser, client_id: browserKeyClient.id, token_endpoint_auth_method: 'private_key_jwt', jwks },
    { ...machine, client_id: machineClient.id, client_secret: machineClient.secret, token_endpoint_auth_method: 'client_secret_basic' },
    { ...machine, client_id: keyClient.id, token_endpoint_auth_method: 'private_key_jwt', jwks },
    { ...machine, client_id: crossAppClient.id, client_secret: crossAppClient.secret, grant_types: [JWT_BEARER], token_endpoint_auth_method: 'client_secret_basic' },
  ];
}
