import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import type { LostAnswer } from './lost-answer.ts';
import type { MessageTap } from './message-tap.ts';
import { OpenWork } from './open-work.ts';

/** The server's result as it came, kept beside the shape that the SDK accepts. */
export const rawKey = 'gatehouse/raw';

/**
 * For each of these the SDK checks the whole result and throws it away for one odd item. It gets an empty one instead, and the caller
 * the server's own under `rawKey`.
 */
const emptyResults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tools/list': { tools: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
  'tools/call': { content: [] },
  'resources/read': { contents: [] },
  'prompts/get': { messages: [] },
  'skills/list': { skills: [] },
  'skills/get': { skill: {} },
};
/** A server may have asked this much at the same time; what it asks beyond is not answered. */
const answersAtOnce = 64;
const cacheable = { ttlMs: 0, cacheScope: 'private' };

type Response = Extract<JSONRPCMessage, { id?: unknown; result: unknown } | { error: unknown }>;
const isResponse = (message: JSONRPCMessage): message is Response => !('method' in message);
const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => 'method' in message && 'id' in message;

export interface WireHooks {
  readonly tap?: MessageTap | undefined;
  /** Something came that answers nothing. */
  readonly onStray: (what: string) => void;
}

/**
 * Stands between the SDK's client and a transport. An answer counts only under the id of a request that waits for it (the SDK takes
 * `null` for 0); a request whose answer is lost fails at once; a version that the SDK does not know is accepted and remembered.
 */
export class Wire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  /** The last thing that the transport reported: callers of the SDK see only that the connection closed. */
  lastError: Error | undefined;
  sentInitialize = false;
  readonly work = new OpenWork();
  /** Errors and lost answers of which it is known that they were lost on the way. */
  readonly losses = new WeakSet<object>();
  readonly hasPerRequestStream: boolean;
  readonly inner: Transport;
  readonly #hooks: WireHooks;
  readonly #waiting = new Map<RequestId, string>();
  #version: string | undefined;
  #answering = 0;

  constructor(inner: Transport, hooks: WireHooks) {
    this.inner = inner;
    this.#hooks = hooks;
    this.hasPerRequestStream = inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  /** As the server answered `initialize`, when it is one that the SDK does not know. */
  get unknownVersion(): string | undefined {
    return this.#version;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  isWaiting(id: RequestId): boolean {
    return this.#waiting.has(id);
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message, extra) => this.#receive(message, extra);
    this.inner.onerror = (error) => {
      this.lastError = error;
      this.onerror?.(error);
    };
    this.inner.onclose = () => {
      this.#waiting.clear();
      this.onclose?.();
    };
    await this.inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#hooks.tap?.message('sent', message);
    this.work.sent(message);
    if (isResponse(message)) return this.#answer(message);
    if (isRequest(message)) {
      this.#waiting.set(message.id, message.method);
      if (message.method === 'initialize') this.sentInitialize = true;
      options?.requestSignal?.addEventListener('abort', () => this.#drop(message.id), { once: true });
    }
    if ('method' in message && message.method === 'notifications/cancelled') this.#forget(message.params?.['requestId']);
    try {
      await this.inner.send(message, options);
    } catch (error) {
      if (isRequest(message)) this.#drop(message.id);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.inner.close();
  }

  async #answer(message: Response): Promise<void> {
    if (this.#answering >= answersAtOnce)
      return this.#hooks.onStray('The server asks too much at the same time; some of it is not answered');
    this.#answering += 1;
    try {
      await this.inner.send(message);
    } finally {
      this.#answering -= 1;
    }
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(this.#version ?? version);
  }

  /** Fails the request, if it still waits. */
  lose(id: RequestId, why: LostAnswer): void {
    if (!this.#drop(id)) return;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32603, message: why.message, data: why } });
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    this.#hooks.tap?.message('received', message);
    this.work.received(message);
    if (!isResponse(message)) {
      this.onmessage?.(message, extra);
      return;
    }
    const id = this.#addressee(message);
    const method = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || method === undefined) {
      this.#hooks.onStray(`The server answered a request that was not made or has ended (id ${JSON.stringify(message.id ?? null)})`);
      return;
    }
    this.#waiting.delete(id);
    this.onmessage?.('result' in message ? { ...message, id, result: this.#accepted(method, message.result) } : { ...message, id }, extra);
  }

  /** An error without an id belongs to the one request that waits, if there is just one. */
  #addressee(message: Response): RequestId | undefined {
    const id: unknown = message.id;
    if (typeof id === 'string' || typeof id === 'number') return id;
    const [only, ...others] = this.#waiting.keys();
    return 'error' in message && others.length === 0 ? only : undefined;
  }

  #accepted(method: string, result: object): Record<string, unknown> {
    const fields: Record<string, unknown> = { ...result };
    const version = fields['protocolVersion'];
    if (method === 'initialize' && typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      this.#version = version;
      return { ...fields, protocolVersion: SUPPORTED_PROTOCOL_VERSIONS[0] };
    }
    const empty = emptyResults[method];
    const type = fields['resultType'];
    return empty && (type === undefined || type === 'complete')
      ? { ...empty, ...cacheable, resultType: 'complete', [rawKey]: result }
      : fields;
  }

  #drop(id: RequestId): boolean {
    this.work.lost(id);
    return this.#waiting.delete(id);
  }

  #forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#waiting.delete(id);
  }
}
