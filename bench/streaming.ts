import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startModelServer, type ModelServer } from '../test/support/model-server.ts';
import { openWindow } from './electron-window.ts';
import type { Figure } from './figure.ts';
import { mediansOf, numberOf, runs, type Sample } from './interleave.ts';
import { longAnswer } from './long-answer.ts';
import { ask } from './page-bridge.ts';
import { poll } from './poll.ts';
import { appProgram, temporaryFolder } from './programs.ts';
import { longestTask, type LongestTask } from './renderer-tasks.ts';

const answerLength = 15_000;
/** A task longer than this keeps a key press waiting so that a person notices. Milliseconds. */
const longTaskMs = 50;
/** From key to key, as a person types. Milliseconds. */
const keyMs = 80;
const lastWords = 'That is all there is to say.';

/**
 * A streamed answer of 15 kB in the real window, from a model server on loopback: the longest task of the page from the first key to the end of the run.
 * Each run is a new start of the app, so what is loaded for a first answer counts. `streaming` comes as fast as quick models answer; `streaming-fast`
 * four times as fast, so that little of the machine is left.
 */
export async function streaming(): Promise<readonly Figure[]> {
  const usual = await longestTasks(20);
  const fast = await longestTasks(5);
  return [
    { name: 'streaming', value: usual.wallMs, baseline: longTaskMs, unit: 'ms', goal: 1 },
    { name: 'streaming-cpu', value: usual.cpuMs, baseline: longTaskMs, unit: 'ms', goal: null },
    { name: 'streaming-fast', value: fast.wallMs, baseline: longTaskMs, unit: 'ms', goal: 1 },
    { name: 'streaming-fast-cpu', value: fast.cpuMs, baseline: longTaskMs, unit: 'ms', goal: null },
  ];
}

/** With a piece of 24 characters, about six tokens, every so many milliseconds. */
async function longestTasks(pieceMs: number): Promise<LongestTask> {
  await using model = await startModelServer({ chunkSize: 24, latency: pieceMs });
  model.on({ userMessage: /./ }, { text: `${longAnswer(answerLength - lastWords.length - 2)}\n\n${lastWords}` });
  await using home = await temporaryFolder();
  const app = await appProgram(home.path);
  const samples: Sample[] = [];
  for (let run = 0; run <= runs; run += 1) {
    await using open = await openWindow(app);
    if (run === 0) await chooseModel(open.page, model);
    const { wallMs, cpuMs } = await longestTask(open.browser, () => answerOnce(open.page, join(home.path, 'home', 'chats')));
    if (!(await open.page.getByText(lastWords).isVisible())) throw new Error('the answer is not shown to its end');
    samples.push({ wallMs, cpuMs });
    process.stderr.write('.');
  }
  const medians = mediansOf(samples.slice(1));
  return { wallMs: numberOf(medians, 'wallMs'), cpuMs: numberOf(medians, 'cpuMs') };
}

/**
 * Keys come by the protocol's input and the end is seen on the disk: whatever looks for elements in the page would work on its main thread,
 * and be measured with it.
 */
async function answerOnce(page: Page, chats: string): Promise<void> {
  const before = await settledRuns(chats);
  await page.keyboard.type('Tell me everything.', { delay: keyMs });
  await page.keyboard.press('Enter');
  await poll(async () => ((await settledRuns(chats)) > before ? true : undefined), 120_000, 'the answer never ended', 200);
  await page.evaluate(untilShown);
}

async function settledRuns(chats: string): Promise<number> {
  const files = await readdir(chats).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(chats, file), 'utf8')));
  return texts.reduce((sum, text) => sum + text.split('"run-settled"').length - 1, 0);
}

/** In the page, no more work than a timer: the last words are drawn by then, and what comes a moment after them (colours of code). */
const untilShown = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));

async function chooseModel(page: Page, model: ModelServer): Promise<void> {
  const { providerId } = await ask(page, 'models.save-provider', {
    kind: 'openai-compatible', name: 'Loopback', baseUrl: model.baseUrl('openai-compatible'), models: ['talkative'],
  });
  await ask(page, 'settings.update', { model: { providerId, model: 'talkative' } });
}
