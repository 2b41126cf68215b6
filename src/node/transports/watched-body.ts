import { AppError } from '../../shared/errors.ts';
import { EventCutter } from './event-cutter.ts';

export interface BodyWatch {
  /** Bytes of the whole body; of one event, when it is an event stream. */
  readonly limit: number;
  /** Puts a break in the middle of the body into words. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * The same answer, its body watched: reading beyond the limit fails with `tool/result-too-large`, as does one announced to be longer. An event stream lives on:
 * an event over the limit is left out, and its request told so.
 */
export async function withWatchedBody(response: Response, { limit, explain }: BodyWatch): Promise<Response> {
  const { body } = response;
  if (!body) return response;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (!isStream && announced > limit) {
    await body.cancel();
    throw tooLarge(limit, announced);
  }
  const reader = body.getReader();
  const read = () =>
    reader.read().catch((error: unknown) => {
      throw explain(error);
    });
  const watched = new ReadableStream<Uint8Array>({
    pull: isStream ? eventsOf(read, limit) : allOf(read, reader, limit),
    cancel: (reason) => reader.cancel(reason),
  });
  const result = new Response(watched, { status: response.status, statusText: response.statusText, headers: response.headers });
  // A made response has no address, and whoever resolves a relative one needs it.
  for (const name of ['url', 'redirected', 'type'] as const) Object.defineProperty(result, name, { value: response[name] });
  return result;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = () => ReturnType<Reader['read']>;
type Pull = (controller: ReadableStreamDefaultController<Uint8Array>) => Promise<void>;

function allOf(read: Read, reader: Reader, limit: number): Pull {
  let bytes = 0;
  return async (controller) => {
    const { done, value } = await read();
    if (done) return controller.close();
    bytes += value.length;
    if (bytes <= limit) return controller.enqueue(value);
    const error = tooLarge(limit);
    controller.error(error);
    await reader.cancel(error);
  };
}

function eventsOf(read: Read, limit: number): Pull {
  const events = new EventCutter(limit);
  return async (controller) => {
    // Whoever pulls wants something: reads on until an event has ended.
    for (;;) {
      const { done, value } = await read();
      const pieces = done ? events.end() : events.push(value);
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      if (done) return controller.close();
      if (pieces.length > 0) return undefined;
    }
  };
}

function tooLarge(limit: number, bytes?: number): AppError {
  const size = bytes === undefined ? `more than ${limit} bytes` : `${bytes} bytes`;
  const data = bytes === undefined ? { limit } : { limit, bytes };
  return new AppError('tool/result-too-large', `The server answered with ${size}; at most ${limit} are read`, { data });
}
