import { Worker } from 'node:worker_threads';
import type { SchemaVerdict } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { rememberedSchemas, type FromWorker, type Question } from './worker-messages.ts';

export interface Job {
  readonly key: string;
  readonly schema: string;
  readonly value: string;
}
export type JobEnd = { readonly kind: 'verdict'; readonly verdict: SchemaVerdict } | { readonly kind: 'too-slow' } | { readonly kind: 'failed'; readonly error: unknown };

/** Memory that a schema and a value may take; more ends the worker, not the app. */
const resourceLimits = { maxOldGenerationSizeMb: 192, stackSizeMb: 4 };

/** One worker thread with one job at a time. After its deadline it is ended, whatever it is doing, and this object is of no more use. */
export class JudgingThread {
  readonly #worker: Worker;
  readonly #sent = new Set<string>();
  readonly #ready: Promise<void>;
  #jobs = 0;
  #gone: { readonly error: unknown } | undefined;
  #onMessage: ((message: FromWorker) => void) | undefined;
  #onGone: ((error: unknown) => void) | undefined;

  constructor(location: URL) {
    this.#worker = new Worker(location, { resourceLimits, env: {}, execArgv: [], stdin: false, name: 'gatehouse-schemas' });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', (code) => this.#end(new Error(`The schema worker ended with ${code}`)));
    this.#ready = new Promise((resolve, reject) => {
      this.#onMessage = () => resolve();
      this.#onGone = reject;
    });
    this.#ready.catch(() => undefined); // Whoever runs a job hears of it.
    this.#worker.on('message', (message: FromWorker) => this.#onMessage?.(message));
  }

  get usable(): boolean {
    return this.#gone === undefined;
  }

  /** Never rejects. The deadline counts from when the thread runs, not from when it was asked to start. */
  async run(job: Job, deadlineMs: number): Promise<JobEnd> {
    // Work that somebody waits for keeps the process alive; an idle thread does not.
    this.#worker.ref();
    try {
      await this.#ready;
      return await this.#ask(job, deadlineMs);
    } catch (error) {
      return { kind: 'failed', error };
    } finally {
      if (this.usable) this.#worker.unref();
    }
  }

  async stop(): Promise<void> {
    this.#end(new AppError('run/cancelled', 'The schema worker was stopped'));
    await this.#worker.terminate();
  }

  #ask(job: Job, deadlineMs: number): Promise<JobEnd> {
    return new Promise<JobEnd>((resolve, reject) => {
      const number = ++this.#jobs;
      if (this.#gone) return reject(this.#gone.error);
      let settled = false;
      const settle = (end: JobEnd): void => {
        settled = true;
        clearTimeout(timer);
        resolve(end);
      };
      // Out of memory is a schema's doing as well.
      this.#onGone = (error) => settle(isOutOfMemory(error) ? { kind: 'too-slow' } : { kind: 'failed', error });
      this.#onMessage = (message) => {
        if (message.kind === 'verdict' && message.job === number) settle({ kind: 'verdict', verdict: message.verdict });
      };
      const giveUp = (): void => {
        if (settled) return;
        settle({ kind: 'too-slow' });
        this.stop().catch(() => undefined); // A thread that cannot be ended holds nothing of ours.
      };
      // When this thread itself was held up, the answer may be waiting already: it is taken first.
      const timer = setTimeout(() => setImmediate(giveUp), deadlineMs);
      this.#worker.postMessage(this.#question(number, job));
    });
  }

  #question(number: number, { key, schema, value }: Job): Question {
    const known = this.#sent.has(key);
    if (!known && this.#sent.size >= rememberedSchemas) this.#sent.clear();
    this.#sent.add(key);
    return { job: number, key, value, ...(known ? {} : { schema }) };
  }

  #end(error: unknown): void {
    if (this.#gone) return;
    this.#gone = { error };
    this.#onGone?.(error);
  }
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
