import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as z from 'zod';
import type { App } from '../core/app.ts';
import { Lifetime } from '../core/kernel/lifetime.ts';
import type { Log } from '../core/ports.ts';
import { storageProblem } from '../node/records/storage-problem.ts';
import { AppError } from '../shared/errors.ts';
import type { Reply, RequestContext } from '../shared/ipc/define.ts';
import type { Envelope } from '../shared/state/follower.ts';
import { admit } from './admit.ts';
import { makeDoorPlace, type DoorPlaceOptions } from './door-place.ts';
import { ownerRoutes } from './owner-routes.ts';
import { readBody } from './read-body.ts';

export interface DoorLimits {
  readonly bodyBytes: number;
  readonly connections: number;
  /** For the headers, and for the whole request, to arrive. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** What a follower that does not read may leave waiting before it is cut off. */
  readonly unreadBytes: number;
}
const usual: DoorLimits = { bodyBytes: 8 * 1024 * 1024, connections: 64, headersMs: 10_000, requestMs: 30_000, unreadBytes: 16 * 1024 * 1024 };
/** How long requests that were told to stop may take to say so. Milliseconds. */
const partingMs = 1_000;

export interface OwnerDoorDeps {
  readonly app: Pick<App, 'dispatch' | 'follow'>;
  readonly home: string;
  readonly log: Pick<Log, 'error'>;
  readonly limits?: Partial<DoorLimits>;
  readonly place?: DoorPlaceOptions;
}

const Ask = z.strictObject({ route: z.string().max(200), input: z.unknown().optional() });
const caller = { kind: 'cli' } as const;

/**
 * The contract over a socket in the home that only its owner can reach, with a token that is new at every start. `POST /request {route, input}` answers
 * a Reply; `GET /follow?topic=…` answers lines of JSON: `{snapshot}`, then `{envelope}` for each action. Ends what is open when disposed. Throws `storage/failed`.
 */
export async function openOwnerDoor({ app, home, log, limits, place }: OwnerDoorDeps): Promise<AsyncDisposable> {
  const most = { ...usual, ...limits };
  const lifetime = new Lifetime();
  try {
    const at = lifetime.own(await makeDoorPlace(home, place));
    const open = new Set<Promise<void>>();
    const server = createServer(
      { headersTimeout: most.headersMs, requestTimeout: most.requestMs, connectionsCheckingInterval: Math.min(most.headersMs, 1_000), keepAliveTimeout: 5_000 },
      (request, response) => {
        const answering = answer(request, response, { app, token: at.token, limits: most, ending: lifetime.signal })
          .catch((error: unknown) => {
            log.error('The owner door failed at a request', error);
            response.destroy();
          })
          .finally(() => open.delete(answering));
        open.add(answering);
      },
    );
    server.maxConnections = most.connections;
    await listen(server, at.socket);
    server.on('error', (error) => log.error('The owner door met an error', error));
    lifetime.onEnd(() => closeServer(server, open));
    await at.announce();
  } catch (error) {
    await lifetime.end();
    throw storageProblem('Cannot open the owner door', error);
  }
  return lifetime;
}

async function listen(server: Server, socket: string): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(socket);
  await listening;
}

/** Requests have been told to stop; what does not is cut off. */
async function closeServer(server: Server, open: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([Promise.allSettled(open), new Promise((resolve) => (timer = setTimeout(resolve, partingMs)))]);
  clearTimeout(timer);
  server.closeAllConnections();
  await closed;
}

interface Answering {
  readonly app: Pick<App, 'dispatch' | 'follow'>;
  readonly token: string;
  readonly limits: DoorLimits;
  readonly ending: AbortSignal;
}

async function answer(request: IncomingMessage, response: ServerResponse, { app, token, limits, ending }: Answering): Promise<void> {
  const admission = admit({ method: request.method ?? '', url: request.url ?? '', headers: request.headers }, token);
  if (admission.kind === 'refused') return refuse(response, admission.status, admission.allow);
  const gone = new AbortController();
  response.once('close', () => gone.abort(new DOMException('The asker went away', 'AbortError')));
  const signal = AbortSignal.any([gone.signal, ending]);
  if (admission.kind === 'follow') return follow(app, admission.topic, response, limits.unreadBytes, signal);
  const body = await readBody(request, limits.bodyBytes);
  switch (body.kind) {
    case 'cut':
      return void response.destroy();
    case 'too-large':
      return refuse(response, 413);
    case 'whole':
      return send(response, 200, await replyTo(app, body.text, { caller, signal }));
  }
}

async function replyTo(app: Pick<App, 'dispatch'>, text: string, context: RequestContext): Promise<Reply<unknown>> {
  const asked = Ask.safeParse(parsed(text));
  if (!asked.success) return { ok: false, error: { code: 'request/invalid', message: 'This is no request' } };
  const { route, input } = asked.data;
  if (!ownerRoutes.has(route)) return { ok: false, error: { code: 'request/unknown-route', message: `There is no route ${route.slice(0, 100)}` } };
  return app.dispatch(route, input, context);
}

async function follow(app: Pick<App, 'follow'>, topic: string, response: ServerResponse, unreadBytes: number, signal: AbortSignal): Promise<void> {
  let early: Envelope<unknown>[] | undefined = [];
  const write = (line: object) => {
    if (response.destroyed) return;
    response.write(`${JSON.stringify(line)}\n`);
    // It asks again when it can read, and gets a snapshot.
    if (response.writableLength > unreadBytes) response.destroy();
  };
  try {
    const following = await app.follow(topic, (envelope) => (early ? void early.push(envelope) : write({ envelope })), signal);
    using _ = following;
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    write({ snapshot: { seq: following.seq, state: following.state } });
    for (const envelope of early) write({ envelope });
    early = undefined;
    await aborted(signal);
    response.end();
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (error.kind === 'bug') throw thrown;
    if (response.headersSent) response.destroy();
    else send(response, 404, { ok: false, error: error.toData() });
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** What was not read is not waited for. */
function refuse(response: ServerResponse, status: number, allow?: string): void {
  response.once('finish', () => response.req.destroy());
  response.writeHead(status, { connection: 'close', 'content-length': 0, ...(allow === undefined ? {} : { allow }) }).end();
}

function send(response: ServerResponse, status: number, body: Reply<unknown>): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, 'cache-control': 'no-store' }).end(bytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
