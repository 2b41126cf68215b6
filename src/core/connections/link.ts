import { ProtocolError, type Client, type StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ServerIdentity } from '../../shared/model/connection-state.ts';
import type { ProcessEnd, ResolvedPackage, StdioTransport } from '../ports.ts';
import { aborted } from '../kernel/aborted.ts';
import { deadline } from '../kernel/deadline.ts';
import type { CallLimits } from './call-limits.ts';
import { callOnce, type CallTarget } from './calls.ts';
import { HttpWire, saysNoSession, SessionLost } from './http-wire.ts';
import { LostAnswer } from './lost-answer.ts';
import { OpenCalls } from './open-calls.ts';
import type { CallOptions, RawToolResult } from './session.ts';
import { rawKey, type Wire } from './wire.ts';

export type ListKind = 'tools' | 'resources' | 'prompts';
export interface LinkEvents {
  /** The link is gone, or its server cannot be reached; at most once. */
  readonly onDown: (link: Link, error: unknown) => void;
  readonly onSessionLost: (link: Link) => void;
  readonly onListChanged: (link: Link, kind: ListKind) => void;
  readonly onResourceChanged: (link: Link, uri: string) => void;
}

const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'gatehouse',
    validate: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: { ...value } }
        : { issues: [{ message: 'not an object' }] },
  },
};
/** A server that does not answer its goodbye is left without. Milliseconds. */
const goodbyeMs = 500;

export interface CloseOptions {
  readonly keepSession?: boolean;
}

/** One live link to a server: the SDK's client, connected. Nothing outside connections/ sees it. */
export class Link {
  readonly client: Client;
  readonly wire: Wire;
  readonly process: StdioTransport | undefined;
  /** Which transport carries it; `sse` also when Streamable HTTP was asked for and only SSE was there. */
  readonly over: 'stdio' | 'socket' | 'http' | 'sse';
  readonly package: ResolvedPackage | undefined;
  readonly calls = new OpenCalls();
  #events: LinkEvents | undefined;
  #closed: Promise<void> | undefined;
  #down: { readonly error: unknown } | undefined;

  constructor(client: Client, wire: Wire, over: Link['over'], process?: StdioTransport, launched?: ResolvedPackage) {
    this.client = client;
    this.wire = wire;
    this.over = over;
    this.process = process;
    this.package = launched;
  }

  /** From here on the link reports. */
  attach(events: LinkEvents): void {
    if (this.#down && !this.#closed) events.onDown(this, this.#down.error);
    else this.#events = events;
  }

  get identity(): ServerIdentity {
    const server = this.client.getServerVersion();
    return { name: server?.name ?? '', version: server?.version ?? '', ...(server?.title === undefined ? {} : { title: server.title }) };
  }

  get protocolVersion(): string {
    return this.wire.unknownVersion ?? this.client.getNegotiatedProtocolVersion() ?? '';
  }

  get era(): 'modern' | 'legacy' {
    return this.client.getProtocolEra() ?? 'legacy';
  }

  get capabilities(): JsonObject {
    return { ...this.client.getServerCapabilities() };
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  get ended(): ProcessEnd | undefined {
    return this.process?.ended;
  }

  get pid(): number | undefined {
    return this.process?.pid ?? undefined;
  }

  /** The result as the server sent it, whatever is in it. */
  async request(method: string, params: JsonObject, timeoutMs: number, signal: AbortSignal): Promise<JsonObject> {
    const result = await this.client.request({ method, params: { ...params } }, anyObject, { timeout: timeoutMs, signal });
    const raw = result[rawKey];
    return typeof raw === 'object' && raw !== null ? { ...raw } : result;
  }

  /** See `callOnce`. */
  call(target: CallTarget, args: JsonObject, options: CallOptions, limits: CallLimits): Promise<RawToolResult> {
    return callOnce(this, target, args, options, limits);
  }

  /** The server does not know our session any more, and so did nothing. */
  isSessionLoss(error: unknown): boolean {
    return error instanceof SessionLost || (error instanceof ProtocolError && this.wire.sessionId !== undefined && saysNoSession(error));
  }

  /** The request, or its answer, was lost on the way: the server did not refuse it, and did not end its answer by itself either. */
  wasLostInTransport(error: unknown): boolean {
    for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
      if (this.wire.losses.has(at) || (at instanceof ProtocolError && at.data instanceof LostAnswer && this.wire.losses.has(at.data))) return true;
    }
    return false;
  }

  down(error: unknown): void {
    this.#down ??= { error };
    const events = this.#events;
    this.#events = undefined;
    if (!this.#closed) events?.onDown(this, error);
  }

  sessionLost(): void {
    this.#events?.onSessionLost(this);
  }

  listChanged(kind: ListKind): void {
    this.#events?.onListChanged(this, kind);
  }

  resourceChanged(uri: string): void {
    this.#events?.onResourceChanged(this, uri);
  }

  /** Notifications may have been missed. */
  allListsChanged(): void {
    for (const kind of this.announced()) this.listChanged(kind);
  }

  /** The lists whose changes the server says it announces. */
  announced(): readonly ListKind[] {
    const { tools, resources, prompts } = this.client.getServerCapabilities() ?? {};
    return [
      ...(tools?.listChanged === true ? ['tools' as const] : []),
      ...(resources?.listChanged === true ? ['resources' as const] : []),
      ...(prompts?.listChanged === true ? ['prompts' as const] : []),
    ];
  }

  /** It announces changes of the resources that it is asked to. */
  announcesResources(): boolean {
    return this.client.getServerCapabilities()?.resources?.subscribe === true;
  }

  get isGone(): boolean {
    return this.#down !== undefined || this.#closed !== undefined;
  }

  /** Idempotent. `keepSession`: the server forgot it already. What still waits for an answer fails. */
  close(options: CloseOptions = {}): Promise<void> {
    this.#events = undefined;
    return (this.#closed ??= this.#close(options.keepSession === true));
  }

  async #close(keepSession: boolean): Promise<void> {
    if (this.wire instanceof HttpWire && this.wire.sessionId !== undefined && !keepSession) {
      using limit = deadline(goodbyeMs, new AbortController().signal);
      await Promise.race([this.wire.endSession().catch(() => undefined), aborted(limit.signal)]);
    }
    await this.client.close();
    // A client whose handshake failed has let go of its transport.
    await this.wire.close();
  }
}
