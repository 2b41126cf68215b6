import { stripVTControlCharacters } from 'node:util';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Sdk } from '../../core/kernel/sdk.ts';
import type { TransportObserver } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { BoundedLog } from './bounded-log.ts';
import { LineReader, type LongLine } from './line-reader.ts';
import { idOfLongAnswer } from './long-answer.ts';

/** Bytes of one message, on every transport. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Characters that are kept of what came in place of the protocol. */
const insteadLimit = 2_048;

export interface MessageSink {
  message(message: JSONRPCMessage): void;
  error(error: Error): void;
}

/** A message as it is written: newline JSON. */
export const lineOf = (message: JSONRPCMessage): string => `${JSON.stringify(message)}\n`;

/** Newline JSON in, messages out. Text that is no protocol goes to the observer; a request whose answer cannot be used fails at once. */
export class MessageReader {
  readonly #sdk: Sdk;
  readonly #sink: MessageSink;
  readonly #observer: TransportObserver;
  readonly #maxBytes: number;
  readonly #lines: LineReader;
  readonly #noise: BoundedLog;
  #hinted = false;
  #instead: string | undefined = '';

  constructor(sdk: Sdk, sink: MessageSink, observer: TransportObserver, maxBytes: number = maxMessageBytes) {
    this.#sdk = sdk;
    this.#sink = sink;
    this.#observer = observer;
    this.#maxBytes = maxBytes;
    this.#noise = new BoundedLog({ lines: 100, perMs: 60_000, from: 'stdout', summary: (count) => `… ${count} more lines` }, observer);
    this.#lines = new LineReader(maxBytes, { line: (line) => this.#read(line), longLine: (line) => this.#refuse(line) });
  }

  /** The first lines of what is no protocol, while nothing was a message. */
  get saidInstead(): string | undefined {
    return this.#instead === '' ? undefined : this.#instead;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    this.#noise.flush();
  }

  #read(line: string): void {
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '') return;
    const value = parseJson(text);
    const message = asMessage(value, this.#sdk);
    if (message) {
      this.#instead = undefined;
      return this.#deliver(message);
    }
    const id = idOfMalformedAnswer(value);
    if (id !== undefined) this.#deliver(failure(id, 'The server answered with something that is no JSON-RPC message'));
    this.#keepInstead(text);
    this.#noise.add(line, () => 'info');
    if (this.#hinted) return;
    this.#hinted = true;
    this.#observer.log({ from: 'gatehouse', level: 'warning', text: 'The server wrote text that is no protocol to stdout' });
  }

  /** Whole lines alone: half a secret would not be recognised when what is shown is masked. */
  #keepInstead(text: string): void {
    if (this.#instead === undefined) return;
    const line = text.length < insteadLimit ? stripVTControlCharacters(text) : `(a line of ${text.length} characters)`;
    if (this.#instead.length + line.length < insteadLimit) this.#instead += `${line}\n`;
  }

  #refuse(line: LongLine): void {
    const message = `The server sent a line of ${line.bytes} bytes; at most ${this.#maxBytes} are read`;
    const data = { bytes: line.bytes, limit: this.#maxBytes };
    const id = idOfLongAnswer(line);
    this.#sink.error(new AppError('tool/result-too-large', message, { data: id === undefined ? data : { ...data, id } }));
    if (id !== undefined) this.#deliver(failure(id, message, { code: 'tool/result-too-large', ...data }));
  }

  /** A fault in a listener must not end the reading of the next line. */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.#sink.message(message);
    } catch (error) {
      this.#sink.error(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function failure(id: string | number, message: string, data?: unknown): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32603, message, ...(data === undefined ? {} : { data }) } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asMessage(value: unknown, { parseJSONRPCMessage }: Sdk): JSONRPCMessage | undefined {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value)) return undefined;
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

/** An answer by its shape but not by the protocol: its request would wait until its deadline. */
function idOfMalformedAnswer(value: unknown): string | number | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value) || 'method' in value) return undefined;
  if (!('result' in value || 'error' in value)) return undefined;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : undefined;
}
