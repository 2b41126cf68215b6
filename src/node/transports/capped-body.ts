import { AppError } from '../../shared/errors.ts';

/** The same answer with its body counted: reading beyond the limit fails with `tool/result-too-large`. An event stream is counted event by event. */
export async function withCappedBody(response: Response, limit: number): Promise<Response> {
  const { body } = response;
  if (!body) return response;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (!isStream && announced > limit) {
    await body.cancel();
    throw tooLarge(limit, announced);
  }
  const count = isStream ? eventCounter() : totalCounter();
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (count(chunk) > limit) controller.error(tooLarge(limit));
        else controller.enqueue(chunk);
      },
    }),
  );
  const capped = new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers });
  // A made response has no address, and whoever resolves a relative one needs it.
  for (const name of ['url', 'redirected', 'type'] as const) Object.defineProperty(capped, name, { value: response[name] });
  return capped;
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
  return (chunk) => {
    const endOfLine = chunk.includes(lineFeed) ? lineFeed : carriageReturn;
    let largest = event;
    let from = 0;
    for (let end = chunk.indexOf(endOfLine); end !== -1; end = chunk.indexOf(endOfLine, from)) {
      line += end - from;
      event += end - from + 1;
      largest = Math.max(largest, event);
      // A carriage return before the line feed may have come with the chunk before.
      const blank = line === 0 || (line === 1 && endOfLine === lineFeed && (end === 0 || chunk[end - 1] === carriageReturn));
      if (blank) event = 0;
      line = 0;
      from = end + 1;
    }
    line += chunk.length - from;
    event += chunk.length - from;
    return Math.max(largest, event);
  };
}

function tooLarge(limit: number, bytes?: number): AppError {
  const size = bytes === undefined ? `more than ${limit} bytes` : `${bytes} bytes`;
  return new AppError('tool/result-too-large', `The server answered with ${size}; at most ${limit} are read`, { data: { limit, ...(bytes === undefined ? {} : { bytes }) } });
}
