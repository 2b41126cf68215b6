/** A line over the limit: its ends are all that is kept of it. */
export interface LongLine {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly bytes: number;
}
export interface LineSink {
  /** Without its line feed. A whole line is decoded at once, so that no character is split. */
  line(line: string): void;
  /** Called once the line has ended, its middle long forgotten. */
  longLine(line: LongLine): void;
}

const headBytes = 64 * 1024;
const tailBytes = 1024;
const lineFeed = 0x0a;

/** Cuts a byte stream at line feeds. Chunks are joined once a line is whole, and nobody holds its bytes while it is worked on: a huge line costs no more than its size. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Set while the rest of a line over the limit streams by. */
  #long: { readonly head: Buffer; tail: Buffer } | undefined;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, from);
      if (end === -1) break;
      this.#keep(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The stream is over: what stands there without a line feed is a line too. */
  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#long) {
      this.#long.tail = lastBytes([this.#long.tail, piece], tailBytes);
      return;
    }
    this.#chunks.push(piece);
    if (this.#bytes <= this.#maxBytes) return;
    this.#long = { head: firstBytes(this.#chunks, headBytes), tail: lastBytes(this.#chunks, tailBytes) };
    this.#chunks = [];
  }

  #finish(): void {
    const [long, bytes] = [this.#long, this.#bytes];
    const line = this.#takeText();
    this.#long = undefined;
    this.#bytes = 0;
    if (long) this.#sink.longLine({ head: long.head, tail: long.tail, bytes });
    else this.#sink.line(line);
  }

  #takeText(): string {
    const chunks = this.#chunks;
    this.#chunks = [];
    return (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString('utf8');
  }
}

/** A copy of its own: a slice would keep the whole chunk in memory. */
function firstBytes(chunks: readonly Buffer[], count: number): Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    if (bytes >= count) break;
    parts.push(chunk.subarray(0, count - bytes));
    bytes += chunk.length;
  }
  return Buffer.concat(parts);
}

/** The end of several chunks as one, in a copy of its own. */
export function lastBytes(chunks: readonly Buffer[], count: number): Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const chunk of chunks.toReversed()) {
    if (bytes >= count) break;
    parts.unshift(chunk.subarray(Math.max(0, chunk.length - (count - bytes))));
    bytes += chunk.length;
  }
  return Buffer.concat(parts);
}
