import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { echoed, echoTool } from './raw-server.ts';

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: Readonly<Record<string, unknown>> };
/** Answers one message, or does not. */
export type Take = (message: Message, say: (reply: object) => void) => boolean;

/** An HTTP+SSE server of 2024 over raw HTTP: one event stream, messages by POST. Knows only the clients of its present streams. */
export class RawSse implements AsyncDisposable {
  readonly seen: string[] = [];
  /** The streams that were ever opened. */
  opened = 0;
  take: Take;
  /** POSTs to the stream's own address get this, as from a Streamable HTTP server that there is not. */
  postStatus = 405;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Map<string, ServerResponse>();
  #port = 0;

  constructor(take: Take = () => false) {
    this.take = take;
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => this.#answer(request.method ?? '', request.url ?? '', body, response));
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(take?: Take): Promise<RawSse> {
    const server = new RawSse(take);
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/sse`;
  }

  get open(): number {
    return this.#streams.size;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port; // a TCP server that listens has one
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Ends the event streams, as a proxy does with idle ones. */
  dropStreams(): void {
    for (const stream of this.#streams.values()) stream.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }

  #answer(method: string, path: string, body: string, response: ServerResponse): void {
    if (method === 'GET' && path === '/sse') return this.#openStream(response);
    const stream = this.#streams.get(path);
    if (method !== 'POST' || !path.startsWith('/message')) return void response.writeHead(this.postStatus).end();
    if (!stream) return void response.writeHead(404).end('no such session');
    response.writeHead(202).end();
    const message: Message = JSON.parse(body);
    this.seen.push(message.method ?? 'response');
    const say = (reply: object): void => void stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
    if (this.take(message, say) || message.id === undefined) return;
    const result = (value: object): void => say({ jsonrpc: '2.0', id: message.id, result: value });
    if (message.method === 'initialize')
      result({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'sse', version: '1.0.0' } });
    else if (message.method === 'tools/list') result({ tools: [echoTool] });
    else if (message.method === 'tools/call')
      result(echoed(message.params?.['arguments']));
    else say({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
  }

  #openStream(response: ServerResponse): void {
    this.opened += 1;
    const path = `/message?session=${this.opened}`;
    this.#streams.set(path, response);
    response.on('close', () => this.#streams.delete(path));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${path}\n\n`);
  }
}
