import { Worker } from 'node:worker_threads';
import type { TokenCounter } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import type { CountAnswer, CountQuestion } from './worker-messages.ts';

interface Waiting {
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Counts on a thread of its own, which starts with the first question: the vocabulary takes a moment to load and 60 MB. It never keeps the process alive. */
export function createTokenCounter(location: URL): TokenCounter & AsyncDisposable {
  let worker: Worker | undefined;
  let jobs = 0;
  let closed = false;
  const waiting = new Map<number, Waiting>();
  const fail = (error: unknown): void => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const started = (): Worker => {
    const made = new Worker(location, { env: {}, execArgv: [], stdin: false, name: 'gatehouse-tokens' });
    made.on('error', (error) => worker === made && fail(error));
    made.on('exit', (code) => worker === made && fail(new Error(`The token counter ended with ${code}`)));
    made.on('message', ({ job, counts }: CountAnswer) => {
      waiting.get(job)?.resolve(counts);
      waiting.delete(job);
    });
    made.unref();
    return made;
  };
  return {
    count(texts, signal) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new AppError('run/cancelled', 'Gatehouse is stopping'));
        if (signal.aborted) return reject(signal.reason);
        const job = ++jobs;
        const stop = (): void => {
          waiting.delete(job);
          reject(signal.reason);
        };
        const settled = <T>(settle: (value: T) => void) => (value: T): void => {
          signal.removeEventListener('abort', stop);
          settle(value);
        };
        signal.addEventListener('abort', stop, { once: true });
        waiting.set(job, { resolve: settled(resolve), reject: settled(reject) });
        const question: CountQuestion = { job, texts };
        (worker ??= started()).postMessage(question);
      });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const last = worker;
      fail(new AppError('run/cancelled', 'Gatehouse is stopping'));
      await last?.terminate();
    },
  };
}
