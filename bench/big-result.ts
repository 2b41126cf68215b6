import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { mediansOf, numberOf, type Sample } from './interleave.ts';
import { temporaryFolder } from './programs.ts';

/** Each is a process of its own, for what a process has once had at most cannot be taken back. */
const runs = 5;
const ways = ['stdio', 'json', 'sse'] as const;

/** By how much the memory of the whole core grows at most while a result of 60 MiB comes in and is kept, against the size of the result. */
export async function bigResult(): Promise<readonly Figure[]> {
  await using server = await bigServer();
  const figures: Figure[] = [];
  for (const way of ways) {
    const samples: Sample[] = [];
    for (let run = 0; run < runs; run += 1) {
      samples.push(await measure(way === 'stdio' ? { way } : { way, url: `${server.url}/${way}` }));
      process.stderr.write('.');
    }
    const medians = mediansOf(samples);
    figures.push({ name: `big-result-${way}`, value: numberOf(medians, 'grown'), baseline: numberOf(medians, 'size'), unit: 'MiB', goal: 5 });
  }
  return figures;
}

async function measure(subject: object): Promise<Sample> {
  await using home = await temporaryFolder();
  const child = fork(join(import.meta.dirname, 'big-result-subject.js'), [JSON.stringify({ ...subject, home: join(home.path, 'home') })]);
  const [sample] = await answer(child);
  await ended(child);
  return sample as Sample; // the program's own
}

async function bigServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = fork(join(process.cwd(), 'test', 'servers', 'http', 'big.mjs'));
  const [told] = await answer(child);
  return {
    url: `http://127.0.0.1:${String((told as { readonly port: number }).port)}`, // the program's own
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await ended(child);
    },
  };
}

async function answer(child: ChildProcess): Promise<readonly unknown[]> {
  const failed = once(child, 'exit').then(([code]): never => {
    throw new Error(`a program of the benchmark ended with ${String(code)}`);
  });
  failed.catch(() => undefined); // nobody waits for it once there is an answer
  return Promise.race([once(child, 'message') as Promise<readonly unknown[]>, failed]);
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};
