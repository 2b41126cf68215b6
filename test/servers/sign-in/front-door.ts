import { createServer, request as forward, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, as it reached an authorization server. */
export interface SeenAtIssuer {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of a form's body; empty for any other. */
  readonly form: URLSearchParams;
}
export interface IssuerAnswer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}
export interface FrontDoorRules {
  /** Answers here instead of the server behind; `drop` breaks the connection. */
  take(seen: SeenAtIssuer): Promise<IssuerAnswer | 'drop' | undefined>;
  /** Changes what the server behind answered. */
  rewrite(seen: SeenAtIssuer, answer: IssuerAnswer): IssuerAnswer;
}

export const jsonAnswer = (value: unknown, status = 200, headers: OutgoingHttpHeaders = {}): IssuerAnswer => ({
  status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value),
});

/** The address that people and clients know of an authorization server. What stands behind it stays as it is; oddities are put on here. */
export class FrontDoor implements AsyncDisposable {
  readonly seen: SeenAtIssuer[] = [];
  readonly #server: Server;
  #rules: FrontDoorRules | undefined;
  #behind: { readonly server: Server; readonly port: number } | undefined;
  #port = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  }

  static async open(port = 0): Promise<FrontDoor> {
    const door = new FrontDoor();
    door.#port = await listen(door.#server, port);
    return door;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async behind(handler: (request: IncomingMessage, response: ServerResponse) => void, rules: FrontDoorRules): Promise<void> {
    const server = createServer(handler);
    this.#rules = rules;
    this.#behind = { server, port: await listen(server) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.#server, this.#behind?.server]) {
      if (!server?.listening) continue;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const url = new URL(request.url ?? '/', this.origin);
    const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    const seen: SeenAtIssuer = {
      method: request.method ?? '', path: url.pathname, query: url.searchParams, headers: request.headers, body, form: new URLSearchParams(isForm ? body : ''),
    };
    this.seen.push(seen);
    const taken = await this.#rules?.take(seen);
    if (taken === 'drop') return void response.destroy();
    const answer = taken ?? this.#rules?.rewrite(seen, await this.#askBehind(request, body)) ?? { status: 503 };
    response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body ?? '') }).end(answer.body);
  }

  #askBehind({ method, url, headers }: IncomingMessage, body: string): Promise<IssuerAnswer> {
    return new Promise((resolve, reject) => {
      const asking = forward({ host: '127.0.0.1', port: this.#behind?.port, method, path: url, headers, agent: false }, (answer) => {
        const { 'transfer-encoding': _transfer, connection: _connection, 'keep-alive': _alive, ...kept } = answer.headers;
        textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 500, headers: kept, body: text }), reject);
      });
      asking.on('error', reject).end(body);
    });
  }
}

export async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port; // a TCP server that listens has one
}
