import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { CountAnswer, CountQuestion } from './worker-messages.ts';

/** What looks like a special token is text like any other: a server may write it into a description. */
const asText = { disallowedSpecial: new Set<string>() };

parentPort?.on('message', ({ job, texts }: CountQuestion) => {
  const answer: CountAnswer = { job, counts: texts.map((text) => countTokens(text, asText)) };
  parentPort?.postMessage(answer);
});
