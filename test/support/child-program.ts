import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** A running program of ours, told what to do by its arguments, whose every line on stdout is seen. */
export class ChildProgram implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown>;
  readonly #waiting = new Set<() => void>();

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#ended = once(this.child, 'close');
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#look();
    });
    void this.#ended.then(() => this.#look());
  }

  static node(file: string, ...args: readonly string[]): ChildProgram {
    return new ChildProgram(process.execPath, [file, ...args]);
  }

  /** Resolves with the line that fits, at once if it has come already; rejects when the program ends without it. */
  async line(fits: (line: string, index: number) => boolean): Promise<string> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(`Ended after: ${this.lines.slice(-5).join(' | ')}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Lines that were on their way are in `lines` when this resolves. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  async ended(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
