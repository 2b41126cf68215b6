import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import type { JWK } from 'jose';
import Provider, { errors, type ClientMetadata, type Configuration, type ResourceServer } from 'oidc-provider';
import type { IdentityProvider } from './identity-provider.ts';
import type { IssuerBehaviour } from './issuer-behaviour.ts';
import { JWT_BEARER } from './known-clients.ts';

export const SCOPES = ['mcp:tools', 'mcp:admin'];

/** A client's document that is hosted over https, under an authority of the test. */
export class HostedDocument {
  /** PEM. */
  readonly authority: string;

  constructor(authority: string) {
    this.authority = authority;
  }
}
export interface ProviderParts {
  readonly issuer: string;
  readonly behaviour: IssuerBehaviour;
  readonly clients: ClientMetadata[];
  /** For which tokens may be asked. */
  readonly resources: ReadonlySet<string>;
  /** Documents that stand for a client, by their address; a `HostedDocument` is fetched there. */
  readonly documents: ReadonlyMap<string, unknown>;
  readonly idp: IdentityProvider | undefined;
}
export interface SigningKey {
  readonly publicJwk: JWK;
  readonly provider: Provider;
}

/** A whole authorization server, with pages on which a person signs in and agrees. */
export function makeProvider(parts: ProviderParts): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const named = { use: 'sig', alg: 'RS256', kid: 'issuer-1' };
  const provider = quietly(() => new Provider(parts.issuer, configuration(parts, { ...privateKey.export({ format: 'jwk' }), ...named })));
  if (parts.idp) takeAssertions(provider, parts, parts.idp);
  return { provider, publicJwk: { ...publicKey.export({ format: 'jwk' }), ...named } };
}

function configuration({ behaviour, clients, resources, documents }: ProviderParts, key: object): Configuration {
  return {
    jwks: { keys: [key] },
    clients,
    scopes: ['openid', 'offline_access', ...SCOPES],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true, initialAccessToken: false },
      revocation: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => behaviour.dpopNonces },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: (_context, id) => documents.has(id) },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (!resources.has(resource)) throw new errors.InvalidTarget();
          return resourceServer(resource, behaviour);
        },
      },
    },
    pkce: { required: () => true },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: () => behaviour.newRefreshTokens,
    ttl: {
      AccessToken: () => behaviour.tokenSeconds, ClientCredentials: () => behaviour.tokenSeconds,
      AuthorizationCode: 60, Grant: 86_400, IdToken: 3_600, Interaction: 600, RefreshToken: 86_400, Session: 86_400,
    },
    // Its own fetch keeps away from this machine, where the documents of a test are.
    fetch: (input) => {
      const address = input instanceof Request ? input.url : input.toString();
      const document = documents.get(address);
      if (document instanceof HostedDocument) return fetched(address, document);
      return Promise.resolve(document === undefined ? new Response(undefined, { status: 404 }) : Response.json(document));
    },
  };
}

const fetched = (address: string, { authority }: HostedDocument): Promise<Response> =>
  new Promise((resolve, reject) => {
    get(address, { ca: authority }, (answer) => {
      text(answer).then((body) => resolve(new Response(body, { status: answer.statusCode ?? 502, headers: { 'content-type': answer.headers['content-type'] ?? '' } })), reject);
    }).on('error', reject);
  });

const resourceServer = (resource: string, behaviour: IssuerBehaviour): ResourceServer => ({
  scope: SCOPES.join(' '), audience: resource, accessTokenTTL: behaviour.tokenSeconds, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } },
});

/** RFC 7523 with an ID-JAG: an access token and no refresh token. */
function takeAssertions(provider: Provider, { issuer, resources, behaviour }: ProviderParts, idp: IdentityProvider): void {
  const used = new Set<unknown>();
  provider.registerGrantType<{ assertion?: string }>(
    JWT_BEARER,
    async (context) => {
      const { client, params } = context.oidc;
      const claims = await idp.verify(params.assertion ?? '', issuer).catch(() => {
        throw new errors.InvalidGrant('the assertion is not from the identity provider, or not for here');
      });
      if (claims['client_id'] !== client.clientId) throw new errors.InvalidGrant('the assertion is for another client');
      if (used.has(claims.jti)) throw new errors.InvalidGrant('the assertion was used before');
      used.add(claims.jti);
      const resource = String(claims['resource']);
      if (!resources.has(resource)) throw new errors.InvalidTarget();
      const accountId = claims.sub ?? '';
      const scope = params.scope ?? (typeof claims['scope'] === 'string' ? claims['scope'] : 'mcp:tools');
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      grant.addResourceScope(resource, scope);
      const token = new provider.AccessToken({ accountId, client, grantId: await grant.save(), gty: 'jwt-bearer', scope });
      token.resourceServer = new provider.ResourceServer(resource, resourceServer(resource, behaviour));
      context.oidc.entity('AccessToken', token);
      context.body = { access_token: await token.save(), token_type: 'Bearer', expires_in: token.expiration, scope };
    },
    ['assertion', 'scope', 'resource'],
    ['resource'],
  );
}

/** It warns that it is made for development, which it is. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  console.warn = console.info = () => undefined;
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}
