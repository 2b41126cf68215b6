import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  // What a broken server sends has no shape to rely on: tests look inside with matchers.
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The command line of a server that misbehaves; see stdio/broken.mjs for the modes. */
export const brokenServer = (...mode: readonly string[]): { readonly command: string; readonly args: readonly string[] } => (
  { command: process.execPath, args: [join(import.meta.dirname, 'stdio', 'broken.mjs'), ...mode] }
);

function objectsIn(line: string): readonly Message[] {
  try {
    const parsed: unknown = JSON.parse(line.trim());
    return typeof parsed === 'object' && parsed !== null ? [parsed] : [];
  } catch {
    return [];
  }
}

/** Speaks to a stdio server line by line, and keeps everything that it says. */
export class RawClient implements AsyncDisposable {
  readonly lines: string[] = [];
  /** Those of the lines that are JSON objects. */
  readonly messages: Message[] = [];
  readonly child: ChildProcess;
  /** Exit code and signal. */
  readonly ended: Promise<readonly [number | null, string | null]>;
  stderr = '';
  stderrBytes = 0;
  #nextId = 1;
  readonly #waiting = new Set<() => void>();

  constructor({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
    this.child = spawn(command, args, { stdio: 'pipe' });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-8_192);
      this.stderrBytes += chunk.length;
    });
    this.child.stdin?.on('error', () => undefined); // It may be gone before it reads.
    let parts: Buffer[] = [];
    this.child.stdout?.on('data', (chunk: Buffer) => {
      let rest = chunk;
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        this.#take(Buffer.concat([...parts, rest.subarray(0, at)]).toString());
        parts = [];
        rest = rest.subarray(at + 1);
      }
      parts.push(rest);
    });
    this.ended = once(this.child, 'close').then(([code, signal]: unknown[]) => [
      typeof code === 'number' ? code : null, typeof signal === 'string' ? signal : null,
    ]);
  }

  #take(line: string): void {
    this.lines.push(line);
    this.messages.push(...objectsIn(line));
    for (const look of this.#waiting) look();
  }

  send(message: Readonly<Record<string, unknown>>): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The id of the request. */
  ask(method: string, params: Readonly<Record<string, unknown>> = {}): number {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return id;
  }

  /** The first value that `find` gives, now or after a line that is still to come. */
  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
      void this.ended.then(() => reject(new Error(`the server ended: ${this.stderr}`)));
    });
  }

  async request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Message> {
    const id = this.ask(method, params);
    return this.until(() => this.messages.find((message) => message.id === id));
  }

  /** What the tool answered. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return (await this.request('tools/call', { name, arguments: args })).result;
  }

  async initialize(): Promise<Message> {
    const clientInfo = { name: 'raw', version: '1' };
    const answer = await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
