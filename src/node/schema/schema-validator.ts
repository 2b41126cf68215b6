import { hashOf } from '../../core/kernel/hash.ts';
import type { SchemaValidator, SchemaVerdict } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { JudgingThread, type Job, type JobEnd } from './judging-thread.ts';
import { QuickJudge } from './quick-judge.ts';

export interface SchemaValidatorOptions {
  /** The built worker. By default it lies beside the program. */
  readonly worker?: URL;
  readonly deadlineMs?: number;
  /** Threads at most; they start when they are needed. */
  readonly threads?: number;
}
interface Waiting {
  readonly job: Job;
  readonly settle: (end: JobEnd) => void;
}

/** Judges plain schemas at once, all others on threads of its own, which end with a schema that takes longer than 250 ms. An idle one does not keep the process alive. */
export function createSchemaValidator(options: SchemaValidatorOptions = {}): SchemaValidator & AsyncDisposable {
  return new ThreadedValidator(options);
}

class ThreadedValidator implements SchemaValidator, AsyncDisposable {
  readonly #location: URL;
  readonly #deadlineMs: number;
  readonly #most: number;
  /** By the schema itself, which nobody changes once it is in the catalog. */
  readonly #hashes = new WeakMap<JsonObject, { readonly key: string; readonly text: string }>();
  readonly #quick = new QuickJudge();
  readonly #idle: JudgingThread[] = [];
  readonly #busy = new Set<JudgingThread>();
  #waiting: Waiting[] = [];
  #closed = false;

  constructor({ worker, deadlineMs = 250, threads = 2 }: SchemaValidatorOptions) {
    this.#location = worker ?? new URL('./validator-worker.js', import.meta.url);
    this.#deadlineMs = deadlineMs;
    this.#most = threads;
  }

  async check(schema: JsonObject, value: unknown, signal: AbortSignal): Promise<SchemaVerdict> {
    signal.throwIfAborted();
    if (this.#closed) throw new AppError('run/cancelled', 'Gatehouse is stopping');
    const known = this.#known(schema);
    if (!known) return { kind: 'unusable', reason: 'not-a-schema', message: 'It is not plain JSON, or is nested too deeply' };
    const text = jsonOf(value);
    if (text === undefined) return { kind: 'misfits', problems: ['The value is not plain JSON, or is nested too deeply'] };
    const quick = await this.#quick.judge(known.key, known.text, text);
    signal.throwIfAborted();
    if (quick) return quick;
    if (this.#closed) throw new AppError('run/cancelled', 'Gatehouse is stopping');
    return verdictOf(await this.#run({ key: known.key, schema: known.text, value: text }, signal), this.#deadlineMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { settle } of this.#waiting.splice(0)) settle({ kind: 'failed', error: new AppError('run/cancelled', 'Gatehouse is stopping') });
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.stop()));
  }

  #known(schema: JsonObject): { readonly key: string; readonly text: string } | undefined {
    const known = this.#hashes.get(schema);
    if (known) return known;
    const text = jsonOf(schema);
    if (text === undefined) return undefined;
    const made = { key: hashOf(text), text };
    // What a server sends for a schema need not be an object.
    if (typeof schema === 'object' && schema !== null) this.#hashes.set(schema, made);
    return made;
  }

  /** An abort lets go of the answer at once; a job that is under way ends by itself or by its deadline. */
  #run(job: Job, signal: AbortSignal): Promise<JobEnd> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        job,
        settle: (end) => {
          signal.removeEventListener('abort', stop);
          resolve(end);
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#waiting.length > 0 && !this.#closed) {
      const thread = this.#idle.pop() ?? (this.#busy.size < this.#most ? new JudgingThread(this.#location) : undefined);
      if (!thread) return;
      if (!thread.usable) continue;
      const waiting = this.#waiting.shift();
      if (!waiting) return;
      this.#busy.add(thread);
      void this.#work(thread, waiting);
    }
  }

  /** Never rejects. */
  async #work(thread: JudgingThread, { job, settle }: Waiting): Promise<void> {
    const end = await thread.run(job, this.#deadlineMs);
    this.#busy.delete(thread);
    if (thread.usable && !this.#closed) this.#idle.push(thread);
    settle(end);
    this.#serve();
  }
}

function verdictOf(end: JobEnd, deadlineMs: number): SchemaVerdict {
  switch (end.kind) {
    case 'verdict': return end.verdict;
    case 'too-slow': return { kind: 'unusable', reason: 'too-slow', message: `Checking took longer than ${deadlineMs} ms` };
    case 'failed': throw AppError.from(end.error);
  }
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
