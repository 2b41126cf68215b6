import { parentPort } from 'node:worker_threads';
import { judgeOf, type Judge } from './judge.ts';
import { rememberedSchemas, type FromWorker, type Question } from './worker-messages.ts';

const judges = new Map<string, Judge>();

function judgeFor({ key, schema }: Question): Judge | undefined {
  if (schema === undefined) return judges.get(key);
  if (judges.size >= rememberedSchemas) judges.clear();
  const judge = judgeOf(schema);
  judges.set(key, judge);
  return judge;
}

const answer = (message: FromWorker): void => parentPort?.postMessage(message);

parentPort?.on('message', (question: Question) => {
  const judge = judgeFor(question);
  if (!judge) throw new Error('A schema that was never sent');
  answer({ kind: 'verdict', job: question.job, verdict: judge(JSON.parse(question.value), question.value.length) });
});
answer({ kind: 'ready' });
