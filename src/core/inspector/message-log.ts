import type { MessagePayload, ProtocolMessage } from '../../shared/model/protocol-message.ts';
import type { Envelope, Snapshot } from '../../shared/state/follower.ts';
import type { MessagesAction, MessagesState } from '../../shared/state/messages-state.ts';
import { keptPayload, type KeptPayload } from './kept-payload.ts';
import { shownPayload } from './shown-payload.ts';

export interface MessageLogDeps {
  readonly now: () => number;
  /** Hides secret values. It is asked when something is shown: a secret may become known after the message. */
  readonly mask: (text: string) => string;
}
/** One message before masking; what an answer adds to its request is put here. */
export interface KeptMessage extends NewMessage, Pick<ProtocolMessage, 'seq' | 'at' | 'size'> {
  pair: number | undefined;
  tookMs: number | undefined;
  http: ProtocolMessage['http'] | undefined;
  readonly payload: KeptPayload;
}
/** What is known of a message when it comes. */
export interface NewMessage extends Pick<ProtocolMessage, 'direction' | 'kind' | 'method' | 'over'> {
  readonly about: string | undefined;
  readonly id: string | number | undefined;
  readonly error: ProtocolMessage['error'] | undefined;
}

/** What a server's messages may take, whichever is first. Characters of JSON and messages. */
const mostKept = 2 * 1024 * 1024;
const mostMessages = 2000;
/** Of every message also: its row. */
const rowCost = 200;
/** Followers hear of many messages at once. Milliseconds. */
const publishMs = 100;
const wordsLimit = 200;

/** The last messages of one server, in memory only. Before somebody looks, a message costs its counting and a reference. */
export class MessageLog implements Disposable {
  readonly #deps: MessageLogDeps;
  readonly #messages = new Map<number, KeptMessage>();
  readonly #listeners = new Set<(envelope: Envelope<MessagesAction>) => void>();
  readonly #news = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #from = 1;
  #kept = 0;
  #dropped = 0;
  #actions = 0;

  constructor(deps: MessageLogDeps) {
    this.#deps = deps;
  }

  get kept(): number {
    return this.#kept;
  }

  add(message: NewMessage, raw: unknown): KeptMessage {
    const payload = keptPayload(raw);
    this.#last += 1;
    const { direction, kind, method, about, id, over, error } = message;
    const kept: KeptMessage = { seq: this.#last, at: this.#deps.now(), direction, kind, method, about, id, size: payload.size, over, pair: undefined, tookMs: undefined, error, http: undefined, payload };
    this.#messages.set(kept.seq, kept);
    this.#kept += payload.kept + rowCost;
    while (this.#messages.size > mostMessages || this.#kept > mostKept) this.dropOldest();
    this.changed(kept);
    return kept;
  }

  dropOldest(): void {
    const message = this.#messages.get(this.#from);
    if (!message) return;
    this.#messages.delete(this.#from);
    this.#kept -= message.payload.kept + rowCost;
    this.#from += 1;
    this.#dropped += 1;
  }

  clear(): void {
    this.#messages.clear();
    this.#kept = 0;
    this.#from = this.#last + 1;
    this.#dropped = 0;
    this.#tellSoon();
  }

  /** `undefined` when it was let go of. */
  payload(seq: number): MessagePayload | undefined {
    const message = this.#messages.get(seq);
    return message && { payload: shownPayload(message.payload.value, this.#deps.mask), cut: message.payload.cut };
  }

  get state(): MessagesState {
    return { messages: [...this.#messages.values()].map((message) => this.#shown(message)), dropped: this.#dropped };
  }

  follow(listener: (envelope: Envelope<MessagesAction>) => void): Snapshot<MessagesState> & Disposable {
    // Now, so that the snapshot holds all that was said before it.
    this.#publish();
    this.#listeners.add(listener);
    return { seq: this.#actions, state: this.state, [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  /** It is new, or more is known of it. */
  changed(message: KeptMessage): void {
    if (this.#listeners.size === 0) return;
    this.#news.add(message.seq);
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#listeners.size > 0) this.#timer ??= setTimeout(() => this.#publish(), publishMs);
  }

  #publish(): void {
    clearTimeout(this.#timer);
    const waiting = this.#timer !== undefined;
    this.#timer = undefined;
    const put = [...this.#news].flatMap((seq) => this.#messages.get(seq) ?? []).map((message) => this.#shown(message));
    this.#news.clear();
    if (!waiting || this.#listeners.size === 0) return;
    this.#actions += 1;
    for (const listener of this.#listeners) listener({ seq: this.#actions, action: { type: 'messages', put, from: this.#from, dropped: this.#dropped } });
  }

  #shown({ payload, method, about, id, error, pair, tookMs, http, ...row }: KeptMessage): ProtocolMessage {
    const words = (text: string): string => {
      const masked = this.#deps.mask(text);
      return masked.length > wordsLimit ? `${masked.slice(0, wordsLimit)}…` : masked;
    };
    return {
      ...row,
      method: words(method),
      ...(about === undefined ? {} : { about: words(about) }),
      ...(id === undefined ? {} : { id: typeof id === 'string' ? words(id) : id }),
      ...(error === undefined ? {} : { error: { ...error, message: words(error.message) } }),
      ...(payload.larger ? { larger: true } : {}),
      ...(pair === undefined ? {} : { pair }),
      ...(tookMs === undefined ? {} : { tookMs }),
      ...(http === undefined ? {} : { http }),
    };
  }
}
