import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { CountAnswer, CountQuestion } from './worker-messages.ts';

/** What looks like a special token is text like any other: a server may write it into a description. */
const asText = { disallowedSpecial: new Set<string>() };

// Loading the words takes a second of work at the start of a first run, when everything else is busy, and nobody waits for an estimate.
// Linux gives each thread its own priority; elsewhere this would be that of the whole app.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
const words = import('gpt-tokenizer/encoding/o200k_base');

parentPort?.on('message', ({ job, texts }: CountQuestion) => void answer(job, texts));

async function answer(job: number, texts: readonly string[]): Promise<void> {
  const { countTokens } = await words;
  const counted: CountAnswer = { job, counts: texts.map((text) => countTokens(text, asText)) };
  parentPort?.postMessage(counted);
}
