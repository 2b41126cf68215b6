import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SignJWT, jwtVerify, type JWTPayload } from 'jose';
import { answerJson } from '../../support/plain-http-server.ts';
import { listen, textOf } from './front-door.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
/** The app, as a company's identity provider knows it. */
export const idpClient = { id: 'gatehouse-at-idp', secret: 'idp-secret-value-0123456789abcdef' } as const;

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly seen: readonly { readonly path: string; readonly form: URLSearchParams; readonly authorization: string | undefined }[];
  /** A person's ID token for the app. */
  idToken(subject?: string): Promise<string>;
  /** What an ID-JAG says, for whoever should take it. Throws when it is not from here. */
  verify(assertion: string, audience: string): Promise<JWTPayload>;
}

/** A company's identity provider: exchanges ID tokens for ID-JAGs (RFC 8693). */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const seen: { path: string; form: URLSearchParams; authorization: string | undefined }[] = [];
  let issuer = '';
  const signed = (claims: Record<string, unknown>, typ?: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...(typ === undefined ? {} : { typ }) }).setIssuer(issuer).setIssuedAt().setExpirationTime('5m');

  const exchange = async (form: URLSearchParams): Promise<{ status: number; body: unknown }> => {
    if (form.get('grant_type') !== TOKEN_EXCHANGE || form.get('requested_token_type') !== ID_JAG || form.get('subject_token_type') !== ID_TOKEN) return { status: 400, body: { error: 'invalid_request' } };
    try {
      const { payload } = await jwtVerify(form.get('subject_token') ?? '', publicKey, { issuer, audience: idpClient.id });
      const claims = { client_id: 'cross-app', resource: form.get('resource'), ...(form.has('scope') ? { scope: form.get('scope') } : {}) };
      const jag = await signed(claims, 'oauth-id-jag+jwt').setSubject(payload.sub ?? '').setAudience(form.get('audience') ?? '').setJti(randomUUID()).sign(privateKey);
      return { status: 200, body: { issued_token_type: ID_JAG, access_token: jag, token_type: 'N_A', expires_in: 300 } };
    } catch {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
  };
  const server = createServer((request, response) => {
    void textOf(request).then(async (body) => {
      const form = new URLSearchParams(body);
      const path = new URL(request.url ?? '/', issuer).pathname;
      seen.push({ path, form, authorization: request.headers.authorization });
      if (path.startsWith('/.well-known/'))
        return answerJson(response, { issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/auth`, response_types_supported: ['code'], grant_types_supported: [TOKEN_EXCHANGE] });
      if (path !== '/token') return answerJson(response, {}, 404);
      const { status, body: answer } = await exchange(form);
      answerJson(response, answer, status);
    });
  });
  issuer = `http://127.0.0.1:${await listen(server)}`;
  return {
    issuer, seen,
    idToken: (subject = 'alice') => signed({ email: `${subject}@example.test` }).setAudience(idpClient.id).setSubject(subject).sign(privateKey),
    verify: async (assertion, audience) => (await jwtVerify(assertion, publicKey, { issuer, audience, typ: 'oauth-id-jag+jwt' })).payload,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
