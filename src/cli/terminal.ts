import type { ReadStream, WriteStream } from 'node:tty';
import { CliError } from './cli-error.ts';
import { charactersOf } from './output.ts';

export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}
const longestAnswer = 65_536;

/** What a person sees and types. Answers go to stdout; questions and remarks to stderr, so that output can be piped. */
export class Terminal {
  readonly #streams: TerminalStreams;
  readonly #env: NodeJS.ProcessEnv;

  constructor(streams: TerminalStreams, env: NodeJS.ProcessEnv) {
    this.#streams = streams;
    this.#env = env;
  }

  /** Somebody reads and types here. */
  get hasPerson(): boolean {
    return this.#streams.stdin.isTTY && this.#streams.stdout.isTTY;
  }

  /** What comes on stdin is typed, so it could be seen. */
  get isTyped(): boolean {
    return this.#streams.stdin.isTTY;
  }

  get colours(): boolean {
    return this.#coloursOn(this.#streams.stdout);
  }

  get width(): number {
    return this.#streams.stdout.isTTY ? this.#streams.stdout.columns : 120;
  }

  print(text: string): void {
    this.#streams.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  remark(text: string): void {
    this.#streams.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** `false` for anything but a yes. Throws when there is no person. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    return /^y(es)?$/i.test((await this.ask(`${question} [y/N] `, signal)).trim());
  }

  ask(question: string, signal: AbortSignal): Promise<string> {
    this.#needPerson();
    return this.#line(question, signal, true);
  }

  /** What is typed is not shown, and is in no history. */
  askHidden(question: string, signal: AbortSignal): Promise<string> {
    if (!this.isTyped) this.#needPerson();
    return this.#line(question, signal, false);
  }

  /** Everything on stdin, which is no terminal. */
  async readAll(most: number, signal: AbortSignal): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const { stdin } = this.#streams;
    const stop = () => stdin.destroy();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const chunk of stdin) {
        const part = Buffer.from(chunk);
        bytes += part.length;
        if (bytes > most) throw new CliError(`More than ${most} bytes came on stdin.`);
        chunks.push(part);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    signal.throwIfAborted();
    return Buffer.concat(chunks).toString('utf8');
  }

  #needPerson(): void {
    if (!this.hasPerson) throw new CliError('This asks a question, and there is no terminal to ask it at.', { exit: 'needsPerson' });
  }

  #coloursOn(stream: WriteStream): boolean {
    return stream.isTTY && (this.#env['NO_COLOR'] ?? '') === '' && this.#env['TERM'] !== 'dumb';
  }

  /** In raw mode, so that a hidden answer never reaches the screen; Ctrl-C is a key then, and ends the process as ever. */
  #line(question: string, signal: AbortSignal, shown: boolean): Promise<string> {
    const { stdin, stderr } = this.#streams;
    return new Promise((resolve, reject) => {
      let text = '';
      const end = (finish: () => void) => {
        stdin.off('data', onData);
        signal.removeEventListener('abort', onAbort);
        setRaw(stdin, false);
        stdin.pause();
        stderr.write('\n');
        finish();
      };
      const onAbort = () => end(() => reject(signal.reason));
      const onKey = (key: string): boolean => {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end(() => resolve(text));
          return true;
        }
        if (key === '\u0003') {
          // The handler of the signal does the rest.
          process.kill(process.pid, 'SIGINT');
          return true;
        }
        if (key === '\u007F' || key === '\b') {
          if (shown && text !== '') stderr.write('\b \b');
          text = charactersOf(text).slice(0, -1).join('');
        } else if (key >= ' ' && text.length < longestAnswer) {
          text += key;
          if (shown) stderr.write(key);
        }
        return false;
      };
      const onData = (chunk: Buffer | string) => {
        for (const key of chunk.toString()) if (onKey(key)) return;
      };
      signal.addEventListener('abort', onAbort, { once: true });
      // Before the question: what is typed on seeing it must not be echoed by the terminal.
      setRaw(stdin, true);
      stdin.on('data', onData);
      stdin.resume();
      stderr.write(question);
    });
  }
}

function setRaw(stdin: ReadStream, raw: boolean): void {
  if (stdin.isTTY) stdin.setRawMode(raw);
}
