import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallbackVerdict, SignInListener, SignInListeners } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { errno } from '../records/storage-problem.ts';
import { callbackHeaders, callbackPage } from './callback-page.ts';

type Wanted = Parameters<SignInListeners['open']>[0];
type OnCallback = (params: URLSearchParams) => CallbackVerdict;

/** A browser keeps cookies of every program on localhost together, and sends them all. */
const maxHeaderBytes = 64 * 1024;
const maxConnections = 16;
const headersWithinMs = 5_000;
const requestWithinMs = 10_000;
/** What is being answered when the listener closes may still be sent. */
const lastAnswerMs = 500;
const freePorts = 20;

/** See `SignInListeners`. */
export function createSignInListeners(): SignInListeners {
  return {
    async open(wanted, onCallback, signal) {
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        try {
          return await listen(wanted, onCallback);
        } catch (error) {
          if (!isBusy(error)) throw error;
          if (wanted.port !== 0 || tries === freePorts) {
            throw new AppError('auth/port-busy', `Port ${wanted.port} cannot be listened on`, { data: { port: wanted.port }, cause: error });
          }
        }
      }
    },
  };
}

/** `localhost` stands for both families, and a browser may take either. The other's port may be taken by another program where this one's is free. */
async function listen(wanted: Wanted, onCallback: OnCallback): Promise<SignInListener> {
  const servers: Server[] = [];
  const bind = async (host: string, port: number): Promise<number> => {
    const server = createServer({ maxHeaderSize: maxHeaderBytes, headersTimeout: headersWithinMs, requestTimeout: requestWithinMs, keepAliveTimeout: 1, connectionsCheckingInterval: 1_000 });
    server.maxConnections = maxConnections;
    servers.push(server);
    server.listen({ host, port, ipv6Only: host === '::1', exclusive: true });
    await once(server, 'listening');
    return (server.address() as AddressInfo).port; // it listens on a port
  };
  const close = async () => void (await Promise.all(servers.map(closed)));
  try {
    const port = await bind(wanted.host === '[::1]' ? '::1' : '127.0.0.1', wanted.port);
    if (wanted.host === 'localhost') await bind('::1', port).catch(unlessAbsent);
    const host = port === 80 ? wanted.host : `${wanted.host}:${port}`;
    for (const server of servers) server.on('request', (request, response) => answer(request, response, { host, path: wanted.path, onCallback }));
    return { redirectUri: `http://${host}${wanted.path}`, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** There is no IPv6 on this machine: no browser comes that way. */
function unlessAbsent(error: unknown): void {
  if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(errno(error) ?? '')) throw error;
}

/** A port below 1024 may be forbidden. */
const isBusy = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(errno(error) ?? '');

interface Expected {
  readonly host: string;
  readonly path: string;
  readonly onCallback: OnCallback;
}

function answer(request: IncomingMessage, response: ServerResponse, { host, path, onCallback }: Expected): void {
  const hosts = request.rawHeaders.filter((_, index) => index % 2 === 0).filter((name) => name.toLowerCase() === 'host');
  const [asked = '', ...query] = (request.url ?? '').split('?');
  if (request.method !== 'GET' || hosts.length !== 1 || request.headers.host !== host || asked !== path) {
    response.writeHead(404, { ...callbackHeaders, 'content-type': 'text/plain' }).end('Not found');
    return;
  }
  const params = new URLSearchParams(query.join('?'));
  const verdict = isAmbiguous(params) ? 'unknown' : onCallback(params);
  response.writeHead(verdict === 'unknown' ? 400 : 200, callbackHeaders).end(callbackPage(verdict));
}

/** Said twice, one reader may take the first and another the last (RFC 6749, section 3.1). */
const isAmbiguous = (params: URLSearchParams): boolean => ['state', 'code', 'iss', 'error'].some((name) => params.getAll(name).length > 1);

/** Hears nothing new from now on, and lets go of who is still there. */
async function closed(server: Server): Promise<void> {
  const last = setTimeout(() => server.closeAllConnections(), lastAnswerMs);
  // Told of an error when it does not listen any more, or never did: it is closed then.
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(last);
}
