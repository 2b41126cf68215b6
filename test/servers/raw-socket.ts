import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { echoed, echoTool } from './http/raw-server.ts';

export type SocketMessage = { readonly id?: unknown; readonly method?: string; readonly params?: Readonly<Record<string, unknown>> };
/** Answers one message, or does not. */
export type SocketTake = (message: SocketMessage, say: (reply: object | string) => void, peer: Socket) => boolean;

/** An MCP server on a Unix socket: newline JSON. */
export class RawSocket implements AsyncDisposable {
  readonly seen: SocketMessage[] = [];
  readonly peers = new Set<Socket>();
  opened = 0;
  take: SocketTake;
  readonly path: string;
  readonly #server: Server;

  constructor(path: string, take: SocketTake = () => false) {
    this.path = path;
    this.take = take;
    this.#server = createServer((peer) => this.#serve(peer));
  }

  static async start(path: string, take?: SocketTake): Promise<RawSocket> {
    const server = new RawSocket(path, take);
    await server.listen();
    return server;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.path, resolve));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const peer of this.peers) peer.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }

  #serve(peer: Socket): void {
    this.opened += 1;
    this.peers.add(peer);
    peer.on('close', () => this.peers.delete(peer));
    peer.on('error', () => peer.destroy());
    createInterface({ input: peer }).on('line', (line) => {
      const message: SocketMessage = JSON.parse(line);
      this.seen.push(message);
      const say = (reply: object | string): void => void peer.write(`${typeof reply === 'string' ? reply : JSON.stringify(reply)}\n`);
      if (this.take(message, say, peer) || message.id === undefined) return;
      const result = (value: object): void => say({ jsonrpc: '2.0', id: message.id, result: value });
      if (message.method === 'initialize')
        result({
          protocolVersion: message.params?.['protocolVersion'],
          capabilities: { tools: {} },
          serverInfo: { name: 'socket', version: '1.0.0' },
        });
      else if (message.method === 'tools/list') result({ tools: [echoTool] });
      else if (message.method === 'tools/call')
        result(echoed(message.params?.['arguments']));
      else say({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
    });
  }
}
