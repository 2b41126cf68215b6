import { AppError } from '../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import { wasNeverSent } from './failure.ts';
import { outgoing, type HttpParty } from './outgoing.ts';

/** Names a POST to our own fetch; it never leaves. */
export const exchangeHeader = 'x-gatehouse-exchange';

/** One POST and its answer. */
export interface Exchange {
  readonly key: string;
  readonly controller: AbortController;
  carriedSession: boolean;
  /** 403 with a `WWW-Authenticate`: signing in may help. */
  challenged: boolean;
  /** `json`: the whole answer has been read once the send is through. */
  answer: 'none' | 'json' | 'stream';
  /** Once headers came back. */
  status: number | undefined;
}
export interface ExchangeHooks {
  /** The server cannot be reached at all. */
  readonly onRefused: (error: unknown) => void;
  /** The open notification stream was refused as belonging to no session. */
  readonly onSessionLost: () => void;
  /** For the server's log. */
  readonly onNote: (text: string) => void;
  /** The notification stream is back, and what came meanwhile will not be told again. */
  readonly onReopened: () => void;
}

/** How many times the stream for notifications may be opened anew although it never holds. */
const shortStreams = 10;
const shortMs = 5_000;
const longestWaitMs = 60_000;
/** How a server says that it has no stream for notifications; only 405 is in the specification. */
const noStream = new Set([400, 404, 405, 406, 415, 501]);

/** The fetch under the SDK's HTTP transport: knows which POST belongs to which message, and keeps the notification stream within bounds. */
export class HttpExchanges {
  readonly #base: typeof fetch;
  readonly #clock: Clock;
  readonly #hooks: ExchangeHooks;
  readonly #live = new Map<string, Exchange>();
  #made = 0;
  #streamOpenedAt: number | undefined;
  /** The notification stream is open; some servers answer there. */
  streamIsOpen = false;
  #short = 0;

  constructor(base: typeof fetch, party: HttpParty, clock: Clock, hooks: ExchangeHooks) {
    this.#base = outgoing(base, party);
    this.#clock = clock;
    this.#hooks = hooks;
  }

  begin(parent: AbortSignal | undefined): Exchange {
    this.#made += 1;
    const exchange: Exchange = {
      key: String(this.#made),
      controller: new AbortController(),
      carriedSession: false,
      challenged: false,
      answer: 'none',
      status: undefined,
    };
    this.#live.set(exchange.key, exchange);
    exchange.controller.signal.addEventListener('abort', () => this.end(exchange), { once: true });
    if (parent?.aborted) exchange.controller.abort(parent.reason);
    else parent?.addEventListener('abort', () => exchange.controller.abort(parent.reason), { once: true });
    return exchange;
  }

  end(exchange: Exchange): void {
    this.#live.delete(exchange.key);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const exchange = this.#live.get(headers.get(exchangeHeader) ?? '');
    headers.delete(exchangeHeader);
    if (init?.method === 'GET') return this.#openStream(input, { ...init, headers });
    const response = await this.#send(input, { ...init, headers });
    if (exchange) {
      exchange.status = response.status;
      exchange.carriedSession = headers.has('mcp-session-id');
      exchange.challenged = response.status === 403 && response.headers.has('www-authenticate');
      const type = response.headers.get('content-type') ?? '';
      exchange.answer = response.status === 202 ? 'none' : /^text\/event-stream\b/i.test(type) ? 'stream' : 'json';
    }
    return response;
  };

  async #send(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    try {
      return await this.#base(input, init);
    } catch (error) {
      if (wasNeverSent(error)) this.#hooks.onRefused(error);
      throw error;
    }
  }

  async #openStream(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    const wasOpen = this.#streamOpenedAt !== undefined;
    const response = await this.#send(input, init);
    if (response.ok) {
      this.#streamOpenedAt = this.#clock.now();
      this.streamIsOpen = true;
      if (wasOpen && !new Headers(init.headers).has('last-event-id')) this.#hooks.onReopened();
      return response;
    }
    await response.body?.cancel();
    if (wasOpen && response.status === 404) this.#hooks.onSessionLost();
    else if (!noStream.has(response.status))
      this.#hooks.onNote(
        `The stream for notifications did not open (HTTP ${response.status}); changes on the server are seen at the next connect`,
      );
    return noStream.has(response.status) ? new Response(null, { status: 405 }) : new Response(null, { status: response.status });
  }

  /** The SDK's `reconnectionScheduler`: waits longer for a stream that does not hold, and gives up with a note. */
  readonly reopen = (open: () => void, delayMs: number): (() => void) => {
    this.streamIsOpen = false;
    const held = this.#streamOpenedAt === undefined ? 0 : this.#clock.now() - this.#streamOpenedAt;
    this.#short = held >= shortMs ? 0 : this.#short + 1;
    const stop = new AbortController();
    if (this.#short > shortStreams) {
      this.#hooks.onNote('The server keeps closing its stream for notifications; it is not opened again until the next connect');
      return () => stop.abort();
    }
    const wait = this.#short <= 1 ? delayMs : Math.max(delayMs, Math.min(longestWaitMs, 1_000 * 2 ** (this.#short - 2)));
    this.#clock.sleep(wait, stop.signal).then(open, (error: unknown) => {
      if (!stop.signal.aborted) this.#hooks.onNote(`The stream for notifications was not opened again: ${AppError.from(error).message}`);
    });
    return () => stop.abort();
  };
}
