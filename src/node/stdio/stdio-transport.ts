import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { loadSdk } from '../../core/kernel/sdk.ts';
import type { ProcessEnd, ReadyStdioLaunch, StdioTransport, TransportObserver } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { lineOf, MessageReader } from '../transports/message-reader.ts';
import type { Environment } from './environment.ts';
import { ServerProcess, type ServerProcessDeps } from './server-process.ts';

export interface StdioParameters {
  readonly launch: ReadyStdioLaunch;
  readonly observer: TransportObserver;
  readonly deps: Omit<ServerProcessDeps, 'person'>;
  /** Asked for at the start; not for the app's own runtime. */
  readonly personEnvironment: () => Promise<Environment>;
  readonly processEnvironment: Environment;
  readonly maxMessageBytes?: number;
}

/** The end of stdout and the end of the process come in any order; so long the second may take. */
const exitAfterEofMs = 200;

/**
 * A server as a child process, newline JSON both ways. `onclose` comes once: at `close()`, or when the server has ended by itself, with
 * `ended` set. `close()` resolves when nothing that the server started is left.
 */
export class ProcessTransport implements StdioTransport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly #parameters: StdioParameters;
  readonly #abort = new AbortController();
  readonly #sends = new Set<(error: AppError) => void>();
  readonly #onFinish: (() => void)[] = [];
  #launching: Promise<void> | undefined;
  #starting: Promise<void> | undefined;
  #reader: MessageReader | undefined;
  /** What came before anybody could read it. */
  readonly #early: Buffer[] = [];
  #process: ServerProcess | undefined;
  #ended: ProcessEnd | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(parameters: StdioParameters) {
    this.#parameters = parameters;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get ended(): ProcessEnd | undefined {
    return this.#ended;
  }

  get saidInstead(): string | undefined {
    return this.#reader?.saidInstead;
  }

  /** With `pid`, tells the SDK that this is stdio. Lines of stderr go to the observer; there is no stream to take over. */
  get stderr(): null {
    return null;
  }

  launch(): Promise<void> {
    if (this.#closed && !this.#launching) return Promise.reject(connectionClosed());
    return (this.#launching ??= this.#launch());
  }

  start(): Promise<void> {
    if (this.#starting || this.#closed) return Promise.reject(new AppError('connection/closed', 'A transport starts once'));
    return (this.#starting = this.#start());
  }

  send(message: JSONRPCMessage): Promise<void> {
    const server = this.#process;
    if (!server || this.#closed) return Promise.reject(connectionClosed());
    return new Promise((resolve, reject) => {
      this.#sends.add(reject);
      server.write(lineOf(message))
        .then(resolve, (cause: unknown) => this.#whenGone().then(() => reject(connectionClosed(cause))))
        .finally(() => this.#sends.delete(reject));
    });
  }

  /** Who cannot write any more waits for how the server ended: that is what tells why. */
  #whenGone(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, exitAfterEofMs);
      this.#onFinish.push(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #start(): Promise<void> {
    const { observer, maxMessageBytes } = this.#parameters;
    await this.launch();
    const sdk = await this.#unlessClosed(loadSdk());
    if (this.#closed) throw connectionClosed();
    const sink = { message: (message: JSONRPCMessage) => this.onmessage?.(message), error: (error: Error) => this.onerror?.(error) };
    const reader = (this.#reader = new MessageReader(sdk, sink, observer, maxMessageBytes));
    for (const chunk of this.#early.splice(0)) reader.push(chunk);
    this.#process?.resumeStdout();
    if (!this.#ended) return;
    this.#hangUp();
    throw connectionClosed();
  }

  async #launch(): Promise<void> {
    const { launch, observer, deps, personEnvironment, processEnvironment } = this.#parameters;
    const person = launch.ownRuntime ? processEnvironment : await this.#unlessClosed(personEnvironment());
    if (this.#closed) throw connectionClosed();
    const listener = {
      log: (line: Parameters<TransportObserver['log']>[0]) => observer.log(line),
      stdout: (chunk: Buffer) => this.#read(chunk),
      stdoutEnded: () => this.#stdoutEnded(),
      ended: (end: ProcessEnd) => this.#serverEnded(end),
    };
    try {
      this.#process = await ServerProcess.start(launch, listener, { ...deps, person }, this.#abort.signal);
    } catch (error) {
      if (this.#closed) throw connectionClosed(error);
      throw error;
    }
  }

  /** A login shell may take its seconds; whoever closes does not wait for it. */
  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    const closed = new Promise<never>((_, reject) => {
      this.#abort.signal.addEventListener('abort', () => reject(connectionClosed()), { once: true });
    });
    return Promise.race([work, closed]);
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    if (this.#reader) return this.#reader.push(chunk);
    this.#early.push(chunk);
    this.#process?.pauseStdout();
  }

  #stdoutEnded(): void {
    // A server that only closed its stdout can be heard no more: it is stopped like one that was told to.
    setTimeout(() => {
      if (!this.#ended) this.#hangUp();
    }, exitAfterEofMs).unref();
  }

  #serverEnded(end: ProcessEnd): void {
    this.#ended = end;
    // Before anybody reads: what it wrote is still to be looked at.
    if (this.#reader) this.#hangUp();
  }

  /** The link is gone. What the server leaves behind is cleared away; `close()` waits for that. */
  #hangUp(): void {
    this.#finish();
    this.close().catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
  }

  async #close(): Promise<void> {
    this.#finish();
    this.#abort.abort(connectionClosed());
    await Promise.allSettled([this.#starting, this.#launching]);
    await this.#process?.stop();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#reader?.end();
    this.#closed = true;
    for (const told of this.#onFinish.splice(0)) told();
    for (const fail of this.#sends) fail(connectionClosed());
    this.onclose?.();
  }
}

function connectionClosed(cause?: unknown): AppError {
  return new AppError('connection/closed', 'The connection to the server is closed', cause === undefined ? {} : { cause });
}
