import { SdkHttpError, SSEClientTransport, SseError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, RequestId, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Secret } from '../kernel/secret.ts';
import type { Clock } from '../ports.ts';
import { asAppError, httpError, rpcErrorOf } from './failure.ts';
import { exchangeHeader, HttpExchanges, type Exchange } from './http-exchanges.ts';
import { httpUrl } from './http-headers.ts';
import { LostAnswer } from './lost-answer.ts';
import type { MessageTap } from './message-tap.ts';
import { outgoing, type HttpParty } from './outgoing.ts';
import { Wire, type WireHooks } from './wire.ts';

export interface HttpTarget extends HttpParty {
  readonly url: string | Secret;
}
export interface HttpWireHooks extends WireHooks {
  readonly onRefused: (error: unknown) => void;
  readonly onSessionLost: () => void;
  readonly onNote: (text: string) => void;
  readonly onReopened: () => void;
}

/** The server no longer knows the session that the request named, and did nothing. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

/** Streamable HTTP: the SDK's transport, with a fetch that knows which exchange is which. */
export class HttpWire extends Wire {
  readonly #http: StreamableHTTPClientTransport;
  readonly #exchanges: HttpExchanges;
  readonly #tap: MessageTap | undefined;
  readonly #byRequest = new Map<RequestId, Exchange>();
  /** The error of a stream that broke, until the SDK has told whose it was: it does so at once. */
  #broken: Error | undefined;

  constructor(target: HttpTarget, base: typeof fetch, clock: Clock, hooks: HttpWireHooks) {
    const exchanges = new HttpExchanges(base, target, clock, hooks);
    const http = new StreamableHTTPClientTransport(httpUrl(target.url), {
      fetch: exchanges.fetch,
      reconnectionOptions: { initialReconnectionDelay: 1_000, maxReconnectionDelay: 30_000, reconnectionDelayGrowFactor: 2, maxRetries: 5 },
      reconnectionScheduler: exchanges.reopen,
    });
    super(http, hooks);
    this.#http = http;
    this.#exchanges = exchanges;
    this.#tap = hooks.tap;
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    const exchange = this.#exchanges.begin(options?.requestSignal);
    if (id !== undefined) {
      this.#byRequest.set(id, exchange);
      exchange.controller.signal.addEventListener('abort', () => this.#byRequest.delete(id), { once: true });
    }
    try {
      await super.send(message, {
        ...options,
        headers: { ...options?.headers, [exchangeHeader]: exchange.key },
        // One of its own for each message: on the transport's alone every request would leave a listener behind.
        requestSignal: exchange.controller.signal,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          this.#ended(id, exchange, 'The answer’s stream ended before the answer', this.#broken !== undefined);
        },
      });
      if (exchange.answer === 'json') this.#ended(id, exchange, 'The server answered, but not this request');
      else if (exchange.answer === 'none')
        this.#ended(id, exchange, this.#exchanges.streamIsOpen ? undefined : 'The server took the request without an answer');
    } catch (error) {
      this.#ended(id, exchange, undefined);
      throw this.#explained(error, exchange);
    } finally {
      if (exchange.status !== undefined) this.#tap?.http(message, { status: exchange.status, sessionId: this.sessionId });
      this.#closeCancelled(message);
    }
  }

  override async start(): Promise<void> {
    await super.start();
    const report = this.inner.onerror;
    this.inner.onerror = (error) => {
      report?.(error);
      if (!error.message.startsWith('SSE stream disconnected')) return;
      this.#broken = error;
      queueMicrotask(() => (this.#broken = undefined));
    };
  }

  /** Tells the server that the session is over. */
  async endSession(): Promise<void> {
    await this.#http.terminateSession();
  }

  #ended(id: RequestId | undefined, exchange: Exchange, why: string | undefined, broke = false): void {
    this.#exchanges.end(exchange);
    if (id === undefined) return;
    this.#byRequest.delete(id);
    if (why === undefined) return;
    const lost = new LostAnswer(why, this.lastError);
    if (broke) this.losses.add(lost);
    this.lose(id, lost);
  }

  /** The old era cancels by a notification; once it is out, the answer's connection is only a socket held open. */
  #closeCancelled(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#byRequest.get(id)?.controller.abort();
  }

  #explained(error: unknown, exchange: Exchange): unknown {
    if (!(error instanceof SdkHttpError)) {
      // No answer at all; one that broke off may have been the answer.
      if (error instanceof Error && exchange.status === undefined && asAppError(error).code.startsWith('connection/')) this.losses.add(error);
      return error;
    }
    const body = typeof error.data.text === 'string' ? error.data.text : undefined;
    if (exchange.carriedSession && (error.status === 404 || saysNoSession(rpcErrorOf(body))))
      return new SessionLost('The server does not know the session any more', { cause: error });
    if (error.status >= 500 && !rpcErrorOf(body)) this.losses.add(error);
    return exchange.challenged ? httpError(403, body, error, true) : error;
  }
}

/** The forms in which servers say, by JSON-RPC, that they do not know the session. */
export function saysNoSession(error: { readonly code: number; readonly message: string } | undefined): boolean {
  if (!error || (error.code !== -32000 && error.code !== -32001)) return false;
  return /server (is )?not initialized|session (was )?(not found|expired)|no valid session/i.test(error.message);
}

/** HTTP+SSE of 2024: one stream for everything the server says. With that stream the connection ends, for a new one knows nothing of it. */
export class SseWire extends Wire {
  readonly #failed: { error?: unknown };

  constructor(target: HttpTarget, base: typeof fetch, hooks: WireHooks) {
    const failed: { error?: unknown } = {};
    const out = outgoing(base, target);
    const send: typeof fetch = async (input, init) => {
      try {
        const response = await out(input, init);
        if (init?.method !== 'POST' || response.ok) return response;
        throw httpError(response.status, await response.text(), undefined, response.headers.has('www-authenticate'));
      } catch (error) {
        failed.error = error;
        throw error;
      }
    };
    super(new SSEClientTransport(httpUrl(target.url), { fetch: send }), hooks);
    this.#failed = failed;
  }

  override async start(): Promise<void> {
    await super.start().catch((error: unknown) => {
      // The event source keeps the reason of a failed fetch to itself.
      throw error instanceof SseError && error.code === undefined ? (this.#failed.error ?? error) : error;
    });
    const report = this.inner.onerror;
    this.inner.onerror = (error) => {
      report?.(error);
      if (error instanceof SseError)
        void this.close().catch((failed: unknown) => report?.(new Error('The stream could not be closed', { cause: failed })));
    };
  }
}
