import { connect, type Socket } from 'node:net';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { loadSdk } from '../../core/kernel/sdk.ts';
import type { TransportObserver } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { lineOf, MessageReader } from './message-reader.ts';

/** How long the other side may take to end its half once we have ended ours. */
const closeMs = 500;

/** A server behind a Unix socket or a named pipe, newline JSON both ways. Whoever listens there is not ours to start or stop. [F-48] */
export class SocketTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly #path: string;
  readonly #observer: TransportObserver;
  readonly #maxMessageBytes: number | undefined;
  #reader: MessageReader | undefined;
  #socket: Socket | undefined;
  #started = false;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(path: string, observer: TransportObserver, maxMessageBytes?: number) {
    this.#path = path;
    this.#observer = observer;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** With `pid`, tells the SDK that this link behaves like stdio: silence to an unknown request means an old server. */
  get stderr(): null {
    return null;
  }
  get pid(): null {
    return null;
  }

  /** Throws `connection/unreachable` with `data.path`. */
  async start(): Promise<void> {
    if (this.#started || this.#closed) throw new AppError('connection/closed', 'A transport starts once');
    this.#started = true;
    const sdk = await loadSdk();
    if (this.#closed) throw connectionClosed();
    const sink = { message: (message: JSONRPCMessage) => this.onmessage?.(message), error: (error: Error) => this.onerror?.(error) };
    this.#reader = new MessageReader(sdk, sink, this.#observer, this.#maxMessageBytes);
    const socket = connect(this.#path);
    this.#socket = socket;
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('error', reject);
        socket.once('close', () => reject(connectionClosed()));
      });
    } catch (error) {
      this.#closed = true;
      socket.destroy();
      throw error instanceof AppError ? error : unreachable(this.#path, error);
    }
    socket.on('data', (chunk: Buffer) => {
      if (!this.#closed) this.#reader?.push(chunk);
    });
    socket.on('error', (error) => this.onerror?.(error));
    socket.once('close', () => this.#finish());
  }

  send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (!socket || this.#closed) return Promise.reject(connectionClosed());
    return new Promise((resolve, reject) => {
      socket.write(lineOf(message), (error) => (error ? reject(connectionClosed(error)) : resolve()));
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const socket = this.#socket;
    this.#finish();
    if (!socket || socket.closed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.destroy(), closeMs);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      if (socket.connecting || socket.writableNeedDrain) socket.destroy();
      else socket.end();
    });
  }

  #finish(): void {
    if (this.#closed) return;
    this.#reader?.end();
    this.#closed = true;
    this.onclose?.();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nobody listens there',
  EACCES: 'it may not be opened',
  ENOTSOCK: 'it is no socket',
};

function unreachable(path: string, error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason = code === undefined ? 'the connection failed' : (reasons[code] ?? code);
  const data = code === undefined ? { path } : { path, systemCode: code };
  return new AppError('connection/unreachable', `Cannot connect to ${path}: ${reason}`, { data, cause: error });
}

function connectionClosed(cause?: unknown): AppError {
  return new AppError('connection/closed', 'The connection to the server is closed', cause === undefined ? {} : { cause });
}
