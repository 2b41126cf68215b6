import type { ServerId } from '../../shared/ids.ts';
import type { ProtocolMessage } from '../../shared/model/protocol-message.ts';
import type { TraceSetting } from '../../shared/model/settings.ts';
import type { MessageTap } from '../connections/message-tap.ts';
import type { TraceFile, TraceFiles } from '../ports.ts';

type Message = Parameters<MessageTap['message']>[1];
type Direction = ProtocolMessage['direction'];

export interface TracerDeps {
  readonly now: () => number;
  readonly mask: (text: string) => string;
  readonly files: TraceFiles;
  readonly setting: () => TraceSetting;
  /** `trace` is what the server says of its own. */
  readonly server: (id: ServerId) => { readonly name: string; readonly trace: boolean | undefined } | undefined;
}
/** So many requests of one link may wait for an answer that never comes. */
const mostOpen = 1000;
const redacted = '[redacted]';

/**
 * One line for each message of the servers that are traced: that it went, not what it says (F-181 to F-183). A session has one file; when that is full, nothing more
 * is written until another is named. What goes wrong here reaches no message.
 */
export class Tracer implements Disposable {
  readonly #deps: TracerDeps;
  #open: { readonly named: string | undefined; readonly file: TraceFile; bytes: number; events: number; full: boolean } | undefined;

  constructor(deps: TracerDeps) {
    this.#deps = deps;
  }

  tap(serverId: ServerId, over: ProtocolMessage['over']): MessageTap {
    const open = { sent: new Map<unknown, Asked>(), received: new Map<unknown, Asked>() };
    return {
      message: (direction, message) => {
        const server = this.#deps.server(serverId);
        const setting = this.#deps.setting();
        if (!server || !(server.trace ?? setting.enabled)) return;
        // Of what is not written any more nothing is worked out either: messages may be large.
        if (this.#open?.full === true && this.#open.named === setting.file) return;
        const at = this.#deps.now();
        this.#write(setting, { version: 1, timestamp: new Date(at).toISOString(), direction, server: server.name, transport: over, ...facts(open, direction, message, at), bytes: bytesOf(JSON.stringify(message)) });
      },
      http: () => undefined,
    };
  }

  #write(setting: TraceSetting, line: object): void {
    if (this.#open?.named !== setting.file) this[Symbol.dispose]();
    const open = (this.#open ??= { named: setting.file, file: this.#deps.files.open(setting.file), bytes: 0, events: 0, full: false });
    const text = `${this.#deps.mask(JSON.stringify(line))}\n`;
    const bytes = bytesOf(text);
    open.full = open.events >= setting.maxEvents || open.bytes + bytes > setting.maxBytes;
    if (open.full) return;
    open.file.append(text);
    open.events += 1;
    open.bytes += bytes;
  }

  [Symbol.dispose](): void {
    this.#open?.file[Symbol.dispose]();
    this.#open = undefined;
  }
}

interface Asked {
  readonly method: string;
  readonly at: number;
}

function facts(open: Readonly<Record<Direction, Map<unknown, Asked>>>, direction: Direction, message: Message, at: number): object {
  if ('method' in message) {
    const method = methodOf(message.method);
    if (!('id' in message)) return { kind: 'notification', status: 'ok', method, ...related(message.params) };
    const asked = open[direction];
    asked.set(message.id, { method, at });
    if (asked.size > mostOpen) asked.delete(asked.keys().next().value);
    return { kind: 'request', status: 'pending', method, id: idOf(message.id) };
  }
  const asked = open[direction === 'sent' ? 'received' : 'sent'];
  const request = asked.get(message.id);
  asked.delete(message.id);
  const answered = { ...(request ? { method: request.method, durationMs: Math.max(0, at - request.at) } : {}), id: idOf(message.id) };
  return 'error' in message ? { kind: 'error', status: 'error', ...answered, errorCode: message.error.code } : { kind: 'response', status: isToolError(message.result) ? 'tool-error' : 'ok', ...answered };
}

/** Ids that are texts may say something. */
const idOf = (id: unknown): number | string | null => (typeof id === 'number' ? id : id === undefined || id === null ? null : redacted);
/** A server may put anything into one that it invents. */
const methodOf = (method: string): string => (/^(?:\$\/)?[a-z]+(?:[/_][a-z]+)*$/i.test(method) && method.length <= 64 ? method : redacted);
const isToolError = (result: unknown): boolean => typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The request that a notification is about. */
function related(params: unknown): { readonly relatedRequestId?: number | string | null } {
  if (typeof params !== 'object' || params === null) return {};
  const id = 'requestId' in params ? params.requestId : 'progressToken' in params ? params.progressToken : undefined;
  return id === undefined ? {} : { relatedRequestId: idOf(id) };
}
