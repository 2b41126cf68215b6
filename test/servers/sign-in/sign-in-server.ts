import type { JWK } from 'jose';
import { FrontDoor, jsonAnswer, type IssuerAnswer, type SeenAtIssuer } from './front-door.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { isMetadata, rewriteAnswer, usualBehaviour, type IssuerBehaviour } from './issuer-behaviour.ts';
import { knownClients } from './known-clients.ts';
import { makeProvider } from './provider.ts';
import { SecuredServer, type SecuredOptions } from './secured-server.ts';

export interface SignInServerOptions extends Partial<IssuerBehaviour> {
  /** Registered for the known clients beside loopback's `/callback`, which holds for any port. */
  readonly redirects?: readonly string[];
  readonly idp?: IdentityProvider;
  /** One that is free by default. */
  readonly port?: number;
}

/** A whole authorization server on loopback, and the MCP servers that it protects. It remembers all that it was asked. */
export class SignInServer implements AsyncDisposable {
  readonly behaviour: IssuerBehaviour;
  /** Documents that stand for a client, by the address that is the client's id. */
  readonly documents = new Map<string, unknown>();
  /** Every token, code, verifier, secret and assertion that went to or from it. */
  readonly secrets = new Set<string>();
  readonly publicJwk: JWK;
  readonly #door: FrontDoor;
  readonly #resources = new Set<string>();
  readonly #servers: SecuredServer[] = [];
  readonly #forgetting: (token: string) => Promise<void>;
  readonly #isRegistered: (clientId: string, redirectUri: string) => Promise<boolean>;
  readonly #handler: Parameters<FrontDoor['behind']>[0];

  private constructor(door: FrontDoor, options: SignInServerOptions) {
    const { redirects = [], idp, port: _port, ...behaviour } = options;
    this.behaviour = { ...usualBehaviour, ...behaviour };
    this.#door = door;
    const { provider, publicJwk } = makeProvider({
      issuer: door.origin, behaviour: this.behaviour, clients: knownClients(redirects), resources: this.#resources, documents: this.documents, idp,
    });
    this.publicJwk = publicJwk;
    this.#forgetting = async (token) => {
      const found = await provider.RefreshToken.find(token);
      await found?.destroy();
    };
    this.#isRegistered = async (clientId, redirectUri) => (await provider.Client.find(clientId))?.redirectUris?.includes(redirectUri) ?? false;
    const handle = provider.callback();
    this.#handler = (request, response) => void handle(request, response);
  }

  static async start(options: SignInServerOptions = {}): Promise<SignInServer> {
    const server = new SignInServer(await FrontDoor.open(options.port), options);
    await server.#door.behind(server.#handler, { take: (seen) => server.#take(seen), rewrite: (seen, answer) => server.#rewrite(seen, answer) });
    return server;
  }

  get issuer(): string {
    return this.#door.origin;
  }
  get seen(): readonly SeenAtIssuer[] {
    return this.#door.seen;
  }
  /** Token requests with this grant type. */
  grants(type: string): readonly SeenAtIssuer[] {
    return this.seen.filter(({ path, form }) => path === '/token' && form.get('grant_type') === type);
  }
  /** Requests to an endpoint: `/reg`, `/token`, `/auth`, `/token/revocation`, `/jwks`. */
  at(path: string): readonly SeenAtIssuer[] {
    return this.seen.filter((seen) => seen.path === path);
  }

  /** An MCP server that takes this one's tokens. */
  async protect(options: SecuredOptions = {}): Promise<SecuredServer> {
    const secured = await SecuredServer.start({ issuer: this.issuer, publicJwk: this.publicJwk }, options);
    this.#servers.push(secured);
    this.allow(secured.audience);
    return secured;
  }
  /** Tokens may be asked for this resource. */
  allow(resource: string): void {
    this.#resources.add(resource);
  }

  /** As if its holder had given it back: the next use is `invalid_grant`. */
  async forget(refreshToken: string): Promise<void> {
    await this.#forgetting(refreshToken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const secured of this.#servers) await secured[Symbol.asyncDispose]();
    await this.#door[Symbol.asyncDispose]();
  }

  async #take(seen: SeenAtIssuer): Promise<IssuerAnswer | 'drop' | undefined> {
    this.#noteSent(seen);
    const odd = await this.behaviour.take(seen);
    if (odd !== undefined) return odd;
    const { registration, revocation, exactRedirects } = this.behaviour;
    if (seen.path === '/reg' && registration === 'off') return jsonAnswer({ error: 'not_found' }, 404);
    if (seen.path === '/reg' && registration === 'refused') return jsonAnswer({ error: 'access_denied', error_description: 'Ask your administrator' }, 403);
    if (seen.path === '/token/revocation' && revocation !== 'on') return jsonAnswer({ error: 'temporarily_unavailable' }, revocation === 'off' ? 404 : 503);
    if (seen.path === '/auth' && exactRedirects && !(await this.#isRegistered(seen.query.get('client_id') ?? '', seen.query.get('redirect_uri') ?? '')))
      return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'redirect_uri did not match any of the client\'s registered redirect_uris' };
    return undefined;
  }

  #rewrite(seen: SeenAtIssuer, answer: IssuerAnswer): IssuerAnswer {
    const changed = rewriteAnswer(this.behaviour, seen, answer);
    const location = changed.headers?.['location'];
    if (typeof location === 'string' && URL.canParse(location)) this.#note(new URL(location).searchParams, ['code']);
    if ((seen.path === '/token' || seen.path === '/reg') && !isMetadata(seen.path)) {
      const said: unknown = JSON.parse(changed.body || '{}');
      for (const [name, value] of Object.entries(said ?? {})) if (secretFields.includes(name) && typeof value === 'string') this.secrets.add(value);
    }
    return changed;
  }

  #noteSent({ form, headers }: SeenAtIssuer): void {
    this.#note(form, secretFields);
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (basic === undefined) return;
    this.secrets.add(basic);
    this.secrets.add(decodeURIComponent(Buffer.from(basic, 'base64').toString('utf8').split(':')[1] ?? ''));
  }
  #note(fields: URLSearchParams, names: readonly string[]): void {
    for (const name of names) {
      const value = fields.get(name);
      if (value) this.secrets.add(value);
    }
  }
}
const secretFields = [
  'access_token', 'refresh_token', 'id_token', 'client_secret', 'registration_access_token', 'code', 'code_verifier', 'client_assertion', 'assertion', 'token', 'subject_token',
];
