import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JWTPayload } from 'jose';
import { answerJson } from '../../support/plain-http-server.ts';
import { listen, textOf } from './front-door.ts';
import { SecuredSse } from './secured-sse.ts';
import { securedTools, type Held } from './secured-tools.ts';
import { checkProof, checkToken, type TrustedIssuer } from './token-check.ts';

/** How a protected MCP server behaves; a test changes it while the server runs. */
export interface SecuredBehaviour {
  /** Whom it lets in without a token: nobody, whoever does not call a tool, everybody. */
  anonymous: 'none' | 'until-call' | 'all';
  /** Where its metadata (RFC 9728) stands: below its path, at its origin, or nowhere. */
  metadataAt: 'path' | 'origin' | 'nowhere';
  /** The challenge names the metadata. */
  challengeNames: boolean;
  /** The scope of the challenge of a 401. */
  challengeScope: string | undefined;
  scopesSupported: readonly string[] | undefined;
  /** The resource that the metadata names, when it is not its audience. */
  resourceSays: string | undefined;
  /** Where to sign in. */
  authorizationServers: readonly string[];
  /** Tokens of this one are taken. */
  trusts: TrustedIssuer;
  /** Refuses every token, as if all had ended; or these. */
  refuses: boolean | ReadonlySet<string>;
  dpop: 'no' | 'required' | 'with-nonce';
  /** Tools, each with the scope that it wants; without it: 403 with a challenge. */
  wants: Readonly<Record<string, string>>;
  /** Answers before everything else: `true` when it did. */
  take: (seen: SeenAtSecured, response: ServerResponse) => boolean;
}
export interface SeenAtSecured {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly rpc: string | undefined;
  readonly tool: string | undefined;
  /** Absent until it was answered. */
  status?: number;
}
export interface SecuredOptions extends Partial<SecuredBehaviour> {
  readonly transport?: 'http' | 'sse';
  /** What tokens have to be for; its own address by default. `/` at the end of it is one of the oddities of servers. */
  readonly audience?: (url: string) => string;
  readonly port?: number;
}

/** An MCP server on loopback that wants tokens (RFC 9728, RFC 6750, RFC 9449): `whoami`, `admin_reset` (wants `mcp:admin`), `hold`. */
export class SecuredServer implements AsyncDisposable {
  readonly url: string;
  readonly audience: string;
  readonly behaviour: SecuredBehaviour;
  readonly seen: SeenAtSecured[] = [];
  /** Calls of `hold` that are under way. */
  readonly held: Held[] = [];
  readonly #server: Server;
  readonly #origin: string;
  readonly #sse: SecuredSse | undefined;
  readonly #nonce = randomUUID();
  readonly #proofs = new Set<string>();

  private constructor(server: Server, port: number, issuer: TrustedIssuer, options: SecuredOptions) {
    const { transport = 'http', audience = (url) => url, port: _port, ...behaviour } = options;
    this.#server = server;
    this.#origin = `http://127.0.0.1:${port}`;
    this.url = `${this.#origin}${transport === 'sse' ? '/sse' : '/mcp'}`;
    this.audience = audience(this.url);
    this.#sse = transport === 'sse' ? new SecuredSse(this.held) : undefined;
    this.behaviour = {
      anonymous: 'none', metadataAt: 'path', challengeNames: true, challengeScope: 'mcp:tools', scopesSupported: ['mcp:tools', 'mcp:admin'], resourceSays: undefined,
      authorizationServers: [issuer.issuer], trusts: issuer, refuses: false, dpop: 'no', wants: { admin_reset: 'mcp:admin' }, take: () => false, ...behaviour,
    };
  }

  static async start(issuer: TrustedIssuer, options: SecuredOptions = {}): Promise<SecuredServer> {
    const server = createServer();
    const secured = new SecuredServer(server, await listen(server, options.port), issuer, options);
    server.on('request', (request, response) => void secured.#answer(request, response).catch(() => response.destroy()));
    return secured;
  }

  /** What whoever called last carried. */
  get lastToken(): string {
    return this.seen.findLast(({ authorization }) => authorization !== undefined)?.authorization?.split(' ')[1] ?? '';
  }
  /** From now on every token that was carried so far is over. */
  endTokens(): void {
    this.behaviour.refuses = new Set(this.seen.flatMap(({ authorization }) => (authorization === undefined ? [] : [authorization.split(' ')[1] ?? ''])));
  }

  /** Messages of MCP with this method. */
  rpc(method: string): readonly SeenAtSecured[] {
    return this.seen.filter(({ rpc }) => rpc === method);
  }
  get metadataUrl(): string {
    const { metadataAt } = this.behaviour;
    return `${this.#origin}/.well-known/oauth-protected-resource${metadataAt === 'path' ? new URL(this.url).pathname : ''}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const url = new URL(request.url ?? '/', this.#origin);
    const message = messageOf(body);
    const seen: SeenAtSecured = {
      method: request.method ?? '', path: url.pathname, authorization: request.headers.authorization,
      rpc: typeof message?.method === 'string' ? message.method : undefined, tool: message?.method === 'tools/call' ? message.params?.name : undefined,
    };
    this.seen.push(seen);
    response.on('finish', () => (seen.status = response.statusCode));
    if (this.behaviour.take(seen, response)) return;
    if (url.href === this.metadataUrl && this.behaviour.metadataAt !== 'nowhere') return answerJson(response, this.#metadata());
    if (!['/mcp', '/mcp/', '/sse', '/messages'].includes(url.pathname)) return answerJson(response, { error: 'not_found' }, 404);
    const allowed = await this.#admit(request, response, seen, `${this.#origin}${url.pathname}`);
    if (allowed) await this.#serve(request, response, allowed, message, url);
  }

  #metadata(): Record<string, unknown> {
    const { authorizationServers, scopesSupported, resourceSays } = this.behaviour;
    return {
      resource: resourceSays ?? this.audience, authorization_servers: authorizationServers, bearer_methods_supported: ['header'], resource_name: 'Secured',
      ...(scopesSupported ? { scopes_supported: scopesSupported } : {}),
    };
  }

  /** The token's claims, or nothing when it was answered that there has to be another. */
  async #admit(request: IncomingMessage, response: ServerResponse, seen: SeenAtSecured, url: string): Promise<JWTPayload | undefined> {
    const { anonymous, refuses, dpop, challengeScope, trusts, wants } = this.behaviour;
    const presented = { method: seen.method, url, headers: request.headers };
    const isOver = typeof refuses === 'boolean' ? refuses : refuses.has(seen.authorization?.split(' ')[1] ?? '');
    const verdict = isOver ? ({ kind: 'bad', error: 'invalid_token', why: 'it ended' } as const) : await checkToken(presented, trusts, this.audience);
    const scope = challengeScope === undefined ? {} : { scope: challengeScope };
    if (verdict.kind === 'none') {
      if (anonymous === 'all' || (anonymous === 'until-call' && seen.rpc !== 'tools/call')) return {};
      return this.#challenge(response, 401, scope);
    }
    if (verdict.kind === 'bad') return this.#challenge(response, 401, { error: verdict.error, error_description: verdict.why, ...scope });
    const { claims } = verdict;
    if (dpop !== 'no') {
      const wrong = await checkProof(presented, claims, this.#proofs, dpop === 'with-nonce' ? this.#nonce : undefined);
      if (wrong) return this.#challenge(response, 401, { error: wrong }, wrong === 'use_dpop_nonce' ? { 'dpop-nonce': this.#nonce } : {});
    }
    const wanted = wants[seen.tool ?? ''];
    const granted = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : [];
    if (wanted !== undefined && !granted.includes(wanted)) return this.#challenge(response, 403, { error: 'insufficient_scope', scope: `mcp:tools ${wanted}`, error_description: 'more is needed' });
    return claims;
  }

  #challenge(response: ServerResponse, status: number, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): undefined {
    const all = { ...(this.behaviour.challengeNames ? { resource_metadata: this.metadataUrl } : {}), ...fields };
    const scheme = this.behaviour.dpop === 'no' ? 'Bearer' : 'DPoP';
    const words = Object.entries(all).map(([name, value]) => `${name}="${value}"`).join(', ');
    answerJson(response, { error: fields['error'] ?? 'unauthorized' }, status, { 'www-authenticate': words === '' ? scheme : `${scheme} ${words}`, ...headers });
    return undefined;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, claims: JWTPayload, message: unknown, url: URL): Promise<void> {
    if (this.#sse) return await this.#sse.serve(request, response, claims, message, url);
    if (request.method !== 'POST') return answerJson(response, {}, 405);
    // Without sessions: what was granted can differ from one request to the next.
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = securedTools(claims, this.held);
    response.on('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]); // its optional fields are written without `undefined`
    await transport.handleRequest(request, response, message);
  }
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}
function messageOf(body: string): Message | undefined {
  try {
    return body === '' ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
