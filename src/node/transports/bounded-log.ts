import { stripVTControlCharacters } from 'node:util';
import type { TransportObserver } from '../../core/ports.ts';

type Line = Parameters<TransportObserver['log']>[0];

/** Characters of one line that reach the log. */
export const maxLineCharacters = 2_000;

export interface LogLimit {
  readonly lines: number;
  readonly perMs: number;
  readonly from: Line['from'];
  /** What stands in for the lines over the limit, at the end of their window. */
  readonly summary: (leftOut: number) => string;
}

/** Lets so many lines through in a window of time and counts the rest, so that a flood costs neither memory nor the window's attention. */
export class BoundedLog {
  readonly #limit: LogLimit;
  readonly #observer: TransportObserver;
  #shown = 0;
  #leftOut = 0;
  #window: NodeJS.Timeout | undefined;

  constructor(limit: LogLimit, observer: TransportObserver) {
    this.#limit = limit;
    this.#observer = observer;
  }

  /** An empty line is no line. */
  add(line: string, level: (text: string) => Line['level']): void {
    this.#window ??= setTimeout(() => this.flush(), this.#limit.perMs).unref();
    if (this.#shown >= this.#limit.lines) {
      this.#leftOut += 1;
      return;
    }
    // Colours and the like count for nothing, within reason.
    const text = stripVTControlCharacters(line.slice(0, maxLineCharacters * 4)).replace(/^\ufeff/, '').trimEnd();
    if (text === '') return;
    this.#shown += 1;
    this.#observer.log({ from: this.#limit.from, level: level(text), text: cut(text) });
  }

  /** Ends the window early: says what was left out so far. */
  flush(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    const leftOut = this.#leftOut;
    this.#shown = 0;
    this.#leftOut = 0;
    if (leftOut > 0) this.#observer.log({ from: this.#limit.from, level: 'info', text: this.#limit.summary(leftOut) });
  }
}

function cut(text: string): string {
  if (text.length <= maxLineCharacters) return text;
  return `${text.slice(0, maxLineCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
