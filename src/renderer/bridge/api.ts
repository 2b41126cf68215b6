import type { ErrorCode, ErrorData } from '../../shared/errors.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Api, Reply } from '../../shared/ipc/define.ts';
import type { ShellContract } from '../../shared/ipc/shell-contract.ts';

/** A request that was answered with an error. Its words for people come from `describeError`. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  readonly data: unknown;

  constructor({ code, message, data }: ErrorData) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** Whatever was thrown, as something that has words. */
  static from(thrown: unknown): RequestError {
    if (thrown instanceof RequestError) return thrown;
    return new RequestError({ code: 'internal/bug', message: thrown instanceof Error ? thrown.message : 'Something went wrong' });
  }
}

export const isCancelled = (thrown: unknown): boolean => thrown instanceof RequestError && thrown.code === 'run/cancelled';

let lastId = 0;
let onAnswer = (): void => undefined;
/** Called with each answer, before whoever asked goes on: what main did for it is in its state by then. */
export function beforeAnswers(listener: () => void): void {
  onAnswer = listener;
}

/** One request over the bridge. An abort tells main and rejects here at once with `run/cancelled`. */
export async function send(route: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const cancelled = () => new RequestError({ code: 'run/cancelled', message: 'Cancelled' });
  if (signal?.aborted) throw cancelled();
  lastId += 1;
  const id = lastId;
  const answer = window.gatehouse.request({ id, route, input });
  let stopListening = (): void => undefined;
  const abort = new Promise<never>((_, reject) => {
    const cancel = () => {
      window.gatehouse.cancel(id);
      reject(cancelled());
    };
    signal?.addEventListener('abort', cancel, { once: true });
    stopListening = () => signal?.removeEventListener('abort', cancel);
  });
  try {
    const reply = (await Promise.race([answer, abort])) as Reply<unknown>; // what main's door answers, always
    onAnswer();
    if (!reply.ok) throw new RequestError(reply.error);
    return reply.value;
  } finally {
    stopListening();
  }
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `api.chats.callTool(input)` asks for `chats.call-tool`: names become one generic call, so nothing is generated. */
function makeApi(): unknown {
  const areas = new Map<string, unknown>();
  const areaOf = (area: string): unknown =>
    new Proxy({}, {
      get: (_, verb) => (typeof verb === 'string' ? (input?: unknown, signal?: AbortSignal) => send(`${kebab(area)}.${kebab(verb)}`, input, signal) : undefined),
    });
  return new Proxy({}, {
    get: (_, area) => {
      if (typeof area !== 'string') return undefined;
      if (!areas.has(area)) areas.set(area, areaOf(area));
      return areas.get(area);
    },
  });
}
export const api = makeApi() as Api<Contract & ShellContract>; // the type is the contract's own; main answers to its names
