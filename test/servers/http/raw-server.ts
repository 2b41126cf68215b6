import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Json = Readonly<Record<string, unknown>>;
export interface Seen {
  readonly http: string;
  /** The JSON-RPC method, or `response` for an answer of the client. */
  readonly rpc: string | undefined;
  readonly id: unknown;
  readonly params: Json;
  readonly headers: IncomingHttpHeaders;
}

/** One HTTP request, and the ways to answer it. */
export class Exchange {
  readonly seen: Seen;
  readonly response: ServerResponse;

  constructor(seen: Seen, response: ServerResponse) {
    this.seen = seen;
    this.response = response;
  }

  json(result: Json, headers: Record<string, string> = {}): void {
    this.send(200, JSON.stringify({ jsonrpc: '2.0', id: this.seen.id, result }), { 'content-type': 'application/json', ...headers });
  }

  error(code: number, message: string, status = 200, id: unknown = this.seen.id): void {
    this.send(status, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }), { 'content-type': 'application/json' });
  }

  send(status: number, body = '', headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers).end(body);
  }

  /** Opens an event stream; `event` writes a message, `end` ends it cleanly, `break` tears the connection. */
  stream(): {
    readonly event: (message: Json, id?: string) => void;
    readonly raw: (text: string) => void;
    readonly end: () => void;
    readonly break: () => void;
  } {
    this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.response.flushHeaders();
    return {
      event: (message, id) =>
        void this.response.write(`${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`),
      raw: (text) => void this.response.write(text),
      end: () => void this.response.end(),
      break: () => this.response.destroy(),
    };
  }
}

export interface RawBehaviour {
  /** Before the usual behaviour; `true`: answered (or left without an answer) here. */
  readonly take?: (exchange: Exchange) => boolean | Promise<boolean>;
  /** Sessions are given out and asked for. */
  readonly sessions?: boolean;
  readonly capabilities?: Json;
  readonly tools?: readonly Json[];
  /** Speaks 2026-07-28 when asked. */
  readonly modern?: boolean;
  /** Answers `initialize` with this version. */
  readonly version?: string;
  readonly name?: string;
}

/** An MCP server over raw HTTP that behaves unless it is told otherwise, and remembers everything it saw. */
export class RawServer implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly sessions = new Set<string>();
  behaviour: RawBehaviour;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(behaviour: RawBehaviour = {}) {
    this.behaviour = behaviour;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(behaviour: RawBehaviour = {}): Promise<RawServer> {
    const server = new RawServer(behaviour);
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  /** The requests with this JSON-RPC method; or `GET`, `DELETE`. */
  of(what: string): readonly Seen[] {
    return this.seen.filter(({ http, rpc }) => rpc === what || (rpc === undefined && http === what));
  }

  /** Listens, on the same port as before after a `stop`. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port; // a TCP server that listens has one
  }

  /** Refuses connections from now on and breaks those that are open. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const message: Json = body === '' ? {} : JSON.parse(body);
    const seen: Seen = {
      http: request.method ?? '',
      id: message['id'],
      params: (message['params'] ?? {}) as Json,
      headers: request.headers, // JSON-RPC params are an object
      rpc: body === '' ? undefined : typeof message['method'] === 'string' ? message['method'] : 'response',
    };
    this.seen.push(seen);
    const exchange = new Exchange(seen, response);
    if (await this.behaviour.take?.(exchange)) return;
    this.usual(exchange);
  }

  usual(exchange: Exchange): void {
    const { seen } = exchange;
    const { sessions = false, modern = false, tools = [echoTool], capabilities = { tools: {} } } = this.behaviour;
    const serverInfo = { name: this.behaviour.name ?? 'raw', version: '1.0.0' };
    if (seen.http === 'GET') return exchange.send(405);
    const known = this.sessions.has(String(seen.headers['mcp-session-id']));
    if (seen.http === 'DELETE') {
      this.sessions.delete(String(seen.headers['mcp-session-id']));
      return exchange.send(200);
    }
    if (seen.rpc === 'initialize') {
      const session = sessions ? randomUUID() : undefined;
      if (session !== undefined) this.sessions.add(session);
      return exchange.json(
        { protocolVersion: this.behaviour.version ?? seen.params['protocolVersion'], capabilities, serverInfo },
        session === undefined ? {} : { 'mcp-session-id': session },
      );
    }
    if (seen.rpc === 'server/discover') {
      if (!modern) return exchange.error(-32601, 'Method not found');
      return exchange.json({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      });
    }
    if (sessions && !known) return exchange.error(-32001, 'Session not found', 404, null);
    if (seen.id === undefined || seen.rpc === 'response') return exchange.send(202);
    const complete = modern ? { resultType: 'complete' } : {};
    if (seen.rpc === 'tools/list') return exchange.json({ ...complete, ...(modern ? { ttlMs: 0, cacheScope: 'private' } : {}), tools });
    if (seen.rpc === 'tools/call') {
      const args = (seen.params['arguments'] ?? {}) as Json; // a call's arguments are an object
      return exchange.json({ ...complete, content: [{ type: 'text', text: String(args['text']) }] });
    }
    return exchange.error(-32601, 'Method not found');
  }
}

export const echoTool = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
} as const;

export function echoed(args: unknown): Json {
  const text = typeof args === 'object' && args !== null && 'text' in args ? args.text : undefined;
  return { content: [{ type: 'text', text: String(text) }] };
}
