import { lastBytes } from './line-reader.ts';
import { idOfLongAnswer } from './long-answer.ts';

const headBytes = 64 * 1024;
const tailBytes = 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts an event stream at the ends of its events. Events go on whole; in the place of one over the limit, which streams by unheld, a JSON-RPC error goes to the
 * request that it would have answered, and nothing where that cannot be told: the stream and what else uses it live on.
 */
export class EventCutter {
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #bytes = 0;
  #long: { readonly head: Buffer; tail: Buffer } | undefined;
  /** Bytes of the line that is being read, and the byte before it all. */
  #line = 0;
  #last = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What can go on now. */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Lines end with a line feed, alone or after a carriage return; in rare streams with a carriage return alone.
    const endOfLine = chunk.includes(lineFeed) ? lineFeed : carriageReturn;
    const done: Uint8Array[] = [];
    let kept = 0;
    let from = 0;
    for (let end = chunk.indexOf(endOfLine); end !== -1; end = chunk.indexOf(endOfLine, from)) {
      this.#line += end - from;
      const before = end === 0 ? this.#last : chunk[end - 1];
      const blank = this.#line === 0 || (this.#line === 1 && endOfLine === lineFeed && before === carriageReturn);
      this.#line = 0;
      from = end + 1;
      if (!blank) continue;
      this.#keep(chunk.subarray(kept, from));
      done.push(...this.#finish());
      kept = from;
    }
    this.#line += chunk.length - from;
    this.#last = chunk.at(-1) ?? this.#last;
    if (kept < chunk.length) this.#keep(chunk.subarray(kept));
    return done;
  }

  /** The stream is over; what stands there unfinished is no event, and goes on as it is. */
  end(): readonly Uint8Array[] {
    return this.#finish();
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#long) {
      this.#long.tail = lastBytes([this.#long.tail, piece], tailBytes);
      return;
    }
    this.#held.push(piece);
    if (this.#bytes <= this.#maxBytes) return;
    const head = Buffer.concat(this.#held, Math.min(this.#bytes, headBytes));
    this.#long = { head, tail: lastBytes(this.#held, tailBytes) };
    this.#held = [];
  }

  #finish(): readonly Uint8Array[] {
    const [held, long, bytes] = [this.#held, this.#long, this.#bytes];
    this.#held = [];
    this.#long = undefined;
    this.#bytes = 0;
    if (!long) return held;
    const id = idOfLongAnswer({ head: jsonStart(long.head), tail: jsonEnd(long.tail) });
    return id === undefined ? [] : [refusal(id, bytes, this.#maxBytes)];
  }
}

/** The event's fields taken off: what is left is JSON. */
function jsonStart(head: Buffer): Buffer {
  const text = head.toString('utf8');
  const data = /(?:^|[\r\n])data: ?/.exec(text);
  return data ? Buffer.from(text.slice(data.index + data[0].length).replace(/(\r\n?|\n)data: ?/g, '\n')) : Buffer.alloc(0);
}
const jsonEnd = (tail: Buffer): Buffer => Buffer.from(tail.toString('utf8').replace(/(\r\n?|\n)data: ?/g, '\n').trimEnd());

function refusal(id: string | number, bytes: number, limit: number): Buffer {
  const error = { code: -32603, message: `The server sent an event of ${bytes} bytes; at most ${limit} are read`, data: { code: 'tool/result-too-large', bytes, limit } };
  return Buffer.from(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
}
