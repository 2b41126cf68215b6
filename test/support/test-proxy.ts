import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface TestProxyOptions {
  /** `user:password`; anybody else gets 407. */
  readonly login?: string;
  /** Answers every request so. */
  readonly refuses?: number;
}

/** A forward proxy as companies have them: tunnels (`CONNECT`) and whole addresses. Whatever name it is asked for, it goes to this machine. */
export class TestProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What it was asked for: `CONNECT host:port`, `GET http://host/path`. */
  readonly seen: string[] = [];

  private constructor({ login, refuses }: TestProxyOptions) {
    const refusal = (authorization: string | undefined): number | undefined => {
      if (refuses !== undefined) return refuses;
      return login === undefined || authorization === `Basic ${Buffer.from(login).toString('base64')}` ? undefined : 407;
    };
    this.#server = createServer((request, response) => {
      this.seen.push(`${request.method} ${request.url}`);
      const status = refusal(request.headers['proxy-authorization']);
      if (status !== undefined || !URL.canParse(request.url ?? '')) {
        response.writeHead(status ?? 400).end();
        return;
      }
      const { port, pathname, search } = new URL(request.url ?? '');
      const onward = httpRequest({ host: '127.0.0.1', port, path: `${pathname}${search}`, method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    this.#server.on('connect', (request, socket: Socket, head) => {
      this.seen.push(`CONNECT ${request.url}`);
      const status = refusal(request.headers['proxy-authorization']);
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
        return;
      }
      const onward = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const end of [socket, onward]) {
        this.#sockets.add(end);
        end.on('error', () => undefined).on('close', () => void (socket.destroy(), onward.destroy()));
      }
    });
  }

  static async start(options: TestProxyOptions = {}): Promise<TestProxy> {
    const proxy = new TestProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`; // it listens on a port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
