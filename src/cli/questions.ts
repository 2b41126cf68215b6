import type { SecretQuestion } from '../shared/model/secret-entry.ts';
import { AppError } from '../shared/errors.ts';
import { answerApproval } from './approval-questions.ts';
import { oneLine } from './output.ts';
import type { Session } from './session.ts';

/** Something else that reads what is typed, and steps aside for a question. */
export interface SharedKeyboard {
  give(): Promise<void>;
  take(): void;
}

/**
 * Does work during which servers may ask for secrets, and calls from a terminal for permission, and asks the person at this terminal. A running app asks in its window as well: the first answer
 * counts. Without a terminal a core of our own refuses by itself, and the app's window is where the question waits. `keyboard` is what else reads it meanwhile.
 */
export async function answeringQuestions<T>(session: Session, work: (signal: AbortSignal) => Promise<T>, keyboard?: SharedKeyboard): Promise<T> {
  const { terminal } = session.cli;
  if (!terminal.hasPerson) return work(session.signal);
  const over = new AbortController();
  const signal = AbortSignal.any([session.signal, over.signal]);
  const asked = new Set<string>();
  let asking: Promise<void> = Promise.resolve();
  let failed: unknown;
  const ask = (id: string, question: () => Promise<void>): void => {
    if (asked.has(id)) return;
    asked.add(id);
    // One after the other: there is one keyboard.
    asking = asking
      .then(() => keyboard?.give())
      .then(question)
      .catch((error: unknown) => {
        if (!over.signal.aborted) failed ??= error;
      })
      .then(() => keyboard?.take());
  };
  await session.client.follow(({ secretQuestions, approvals }) => {
    for (const question of secretQuestions) ask(question.id, () => answer(session, question, signal));
    for (const approval of approvals) if (approval.call.caller.kind === 'cli') ask(approval.id, () => answerApproval(session, approval, signal));
  }, signal);
  try {
    return await work(session.signal);
  } finally {
    over.abort();
    await asking;
    if (failed !== undefined) session.remark(failed instanceof Error ? oneLine(failed.message) : 'The question could not be answered');
  }
}

async function answer({ cli, client }: Session, { id, server, target, key, scope, fromProject }: SecretQuestion, signal: AbortSignal): Promise<void> {
  const { terminal } = cli;
  terminal.remark(`${oneLine(server)} wants the ${scope} secret ${oneLine(key)}, to start:\n  ${oneLine(target)}`);
  if (fromProject !== undefined) terminal.remark(`A file of the project ${oneLine(fromProject)} asks for it.`);
  const word = (await terminal.ask('Allow it once, always, or not? [o/a/N] ', signal)).trim().toLowerCase();
  const decision = word === 'o' || word === 'once' ? 'once' : word === 'a' || word === 'always' ? 'always' : 'deny';
  try {
    await client.request('secrets.answer', { questionId: id, answer: decision }, signal);
  } catch (error) {
    // It was answered in the window meanwhile.
    if (!(error instanceof AppError && error.kind === 'caller')) throw error;
  }
}
