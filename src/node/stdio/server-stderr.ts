import { stripVTControlCharacters } from 'node:util';
import type { TransportObserver } from '../../core/ports.ts';
import type { ServerLogLine } from '../../shared/model/connection-state.ts';
import { BoundedLog, maxLineCharacters } from '../transports/bounded-log.ts';
import { lastBytes, LineReader } from '../transports/line-reader.ts';

const tailBytes = 8 * 1024;

/** Reads a server's stderr for as long as it writes, so that it never waits; keeps the end of it, shows its lines. [O5] [F-45] */
export class ServerStderr {
  readonly #log: BoundedLog;
  readonly #lines: LineReader;
  #tail: Buffer = Buffer.alloc(0);

  constructor(observer: TransportObserver) {
    this.#log = new BoundedLog({ lines: 200, perMs: 1_000, from: 'stderr', summary: (count) => `… ${count} lines left out` }, observer);
    this.#lines = new LineReader(maxLineCharacters * 4, {
      line: (line) => this.#log.add(line, levelOf),
      longLine: ({ head }) => this.#log.add(head.toString('utf8'), levelOf),
    });
  }

  push(chunk: Buffer): void {
    this.#tail = lastBytes([this.#tail, chunk], tailBytes);
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    this.#log.flush();
  }

  /** At most the last 8 KiB, never starting in the middle of a character, without a terminal's colours. */
  get tail(): string {
    let start = 0;
    if (this.#tail.length === tailBytes) while (start < 4 && ((this.#tail[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return stripVTControlCharacters(this.#tail.toString('utf8', start));
  }
}

/** stderr is where servers log, not where they fail: only a line that calls itself a warning or an error is one. */
export function levelOf(line: string): ServerLogLine['level'] {
  // A time, brackets and the like may stand before the word.
  const start = line.slice(0, 200).replace(/^\W*(?:\d{4}-\d\d-\d\dT[\d:.,]+Z?)?[^A-Za-z]*/, '');
  if (/^(err|fatal|critical|panic|panicked|uncaught|unhandled|traceback|[A-Za-z]{0,60}(Error|Exception))\b/i.test(start)) return 'error';
  if (/^(warn|warning)\b/i.test(start)) return 'warning';
  if (/^(debug|trace|verbose)\b/i.test(start)) return 'debug';
  return 'info';
}
