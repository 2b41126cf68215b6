import type { ServerId } from '../../shared/ids.ts';
import type { ProtocolMessage } from '../../shared/model/protocol-message.ts';
import type { MessageTap } from '../connections/message-tap.ts';
import { MessageLog, type KeptMessage, type MessageLogDeps } from './message-log.ts';

type Message = Parameters<MessageTap['message']>[1];

/** All servers' messages together. Characters of JSON. */
const mostKept = 32 * 1024 * 1024;
/** So many requests of one link may wait for an answer that never comes. */
const mostOpen = 1000;
const sessionShown = 6;

/** Keeps what goes between Gatehouse and its servers, for whoever looks at why one of them does not do as it should. In memory only. */
export class Inspector implements Disposable {
  readonly #deps: MessageLogDeps;
  readonly #logs = new Map<ServerId, MessageLog>();

  constructor(deps: MessageLogDeps) {
    this.#deps = deps;
  }

  log(serverId: ServerId): MessageLog {
    const log = this.#logs.get(serverId) ?? new MessageLog(this.#deps);
    this.#logs.set(serverId, log);
    return log;
  }

  forget(serverId: ServerId): void {
    this.#logs.get(serverId)?.[Symbol.dispose]();
    this.#logs.delete(serverId);
  }

  /** For one link: answers are found by the id that they have on it. */
  tap(serverId: ServerId, over: ProtocolMessage['over']): MessageTap {
    const link: LinkMessages = { over, sent: new Map(), received: new Map() };
    const posted = new WeakMap<Message, KeptMessage>();
    return {
      message: (direction, message) => {
        const kept = record(this.log(serverId), link, direction, message);
        if (over === 'http' && direction === 'sent') posted.set(message, kept);
        this.#keepWithin();
      },
      http: (message, { status, sessionId }) => {
        const kept = posted.get(message);
        if (!kept) return;
        const session = sessionId === undefined ? {} : { session: `${sessionId.slice(0, Math.min(sessionShown, sessionId.length / 3))}…` };
        kept.http = { status, ...session };
        this.log(serverId).changed(kept);
      },
    };
  }

  [Symbol.dispose](): void {
    for (const log of this.#logs.values()) log[Symbol.dispose]();
    this.#logs.clear();
  }

  #keepWithin(): void {
    let kept = 0;
    for (const log of this.#logs.values()) kept += log.kept;
    while (kept > mostKept) {
      const largest = [...this.#logs.values()].reduce((a, b) => (a.kept >= b.kept ? a : b));
      const before = largest.kept;
      largest.dropOldest();
      if (largest.kept === before) return;
      kept -= before - largest.kept;
    }
  }
}

interface LinkMessages {
  readonly over: ProtocolMessage['over'];
  /** Requests that have no answer yet, by their id. */
  readonly sent: Map<unknown, KeptMessage>;
  readonly received: Map<unknown, KeptMessage>;
}

function record(log: MessageLog, link: LinkMessages, direction: ProtocolMessage['direction'], message: Message): KeptMessage {
  const { over } = link;
  if ('method' in message) {
    const isRequest = 'id' in message;
    const kept = log.add({ direction, kind: isRequest ? 'request' : 'notification', method: message.method, about: aboutOf(message.params), id: isRequest ? message.id : undefined, over, error: undefined }, message);
    if (isRequest) remember(link[direction], message.id, kept);
    return kept;
  }
  const asked = link[direction === 'sent' ? 'received' : 'sent'];
  const request = asked.get(message.id);
  asked.delete(message.id);
  const kept = log.add({ direction, kind: 'error' in message ? 'error' : 'response', method: request?.method ?? '', about: request?.about, id: message.id ?? undefined, over, error: errorOf(message) }, message);
  if (request) {
    request.pair = kept.seq;
    kept.pair = request.seq;
    request.tookMs = kept.tookMs = Math.max(0, kept.at - request.at);
    log.changed(request);
  }
  return kept;
}

function remember(asked: Map<unknown, KeptMessage>, id: unknown, kept: KeptMessage): void {
  asked.set(id, kept);
  if (asked.size <= mostOpen) return;
  const [oldest] = asked.keys();
  asked.delete(oldest);
}

/** Which tool, prompt or resource a request is about. */
function aboutOf(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const about = 'name' in params ? params.name : 'uri' in params ? params.uri : undefined;
  return typeof about === 'string' ? about : undefined;
}

function errorOf(message: Message): ProtocolMessage['error'] {
  if ('error' in message) return { code: message.error.code, message: String(message.error.message) };
  const result: unknown = 'result' in message ? message.result : undefined;
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true ? { message: 'The tool reports an error' } : undefined;
}
