import { AppError } from '../../shared/errors.ts';

export interface BodyWatch {
  /** Bytes of the whole body; of one event, when it is an event stream. */
  readonly limit: number;
  /** Puts a break in the middle of the body into words. */
  readonly explain: (error: unknown) => unknown;
}

/** The same answer, its body watched: reading beyond the limit fails with `tool/result-too-large`, as does one announced to be longer. */
export async function withWatchedBody(response: Response, { limit, explain }: BodyWatch): Promise<Response> {
  const { body } = response;
  if (!body) return response;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (!isStream && announced > limit) {
    await body.cancel();
    throw tooLarge(limit, announced);
  }
  const count = isStream ? eventCounter() : totalCounter();
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw explain(error);
      });
      if (done) return controller.close();
      if (count(value) <= limit) return controller.enqueue(value);
      const error = tooLarge(limit);
      controller.error(error);
      await reader.cancel(error);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const result = new Response(watched, { status: response.status, statusText: response.statusText, headers: response.headers });
  // A made response has no address, and whoever resolves a relative one needs it.
  for (const name of ['url', 'redirected', 'type'] as const) Object.defineProperty(result, name, { value: response[name] });
  return result;
}

function totalCounter(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => (bytes += chunk.length);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The bytes since the last blank line: what a reader of events has to hold. The largest such count within the chunk. */
function eventCounter(): (chunk: Uint8Array) => number {
  let event = 0;
  let line = 0;
  let lastByte = 0;
  return (chunk) => {
    // Lines end with a line feed, alone or after a carriage return; in rare streams with a carriage return alone.
    const endOfLine = chunk.includes(lineFeed) ? lineFeed : carriageReturn;
    let largest = event;
    let from = 0;
    for (let end = chunk.indexOf(endOfLine); end !== -1; end = chunk.indexOf(endOfLine, from)) {
      line += end - from;
      event += end - from + 1;
      largest = Math.max(largest, event);
      const before = end === 0 ? lastByte : chunk[end - 1];
      if (line === 0 || (line === 1 && endOfLine === lineFeed && before === carriageReturn)) event = 0;
      line = 0;
      from = end + 1;
    }
    line += chunk.length - from;
    event += chunk.length - from;
    lastByte = chunk.at(-1) ?? lastByte;
    return Math.max(largest, event);
  };
}

function tooLarge(limit: number, bytes?: number): AppError {
  const size = bytes === undefined ? `more than ${limit} bytes` : `${bytes} bytes`;
  const data = bytes === undefined ? { limit } : { limit, bytes };
  return new AppError('tool/result-too-large', `The server answered with ${size}; at most ${limit} are read`, { data });
}
