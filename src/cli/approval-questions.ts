import { AppError } from '../shared/errors.ts';
import type { Approval, ApprovalAnswer } from '../shared/model/tool-call.ts';
import { oneLine } from './output.ts';
import type { Session } from './session.ts';

/** Longer arguments are told by their beginning; the window shows them whole. Characters. */
const argumentsShown = 2_000;

/** Asks the person at this terminal about a call that was made from a terminal. A running app asks in its window as well: the first answer counts. */
export async function answerApproval({ cli, client }: Session, { id, call, target, because, changed, onceOnly }: Approval, signal: AbortSignal): Promise<void> {
  const { terminal } = cli;
  const args = JSON.stringify(call.args);
  const what = call.resource === undefined ? `run ${oneLine(call.ref.tool)} with ${oneLine(args.slice(0, argumentsShown))}${args.length > argumentsShown ? ` … (${args.length} characters)` : ''}` : `read ${oneLine(call.resource)}`;
  terminal.remark(`On ${oneLine(call.serverName)} (${oneLine(target)}): ${what}\n${oneLine(because)}.`);
  if (changed) terminal.remark(`The ${changed.what} is not what it was when you allowed it; the window shows the difference.`);
  const word = (await terminal.ask(onceOnly ? 'Allow it once, or not? [o/N] ' : 'Allow it once, always (this tool), or not? [o/a/N] ', signal)).trim().toLowerCase();
  try {
    await client.request('approvals.answer', { approvalId: id, answer: answerFor(word, onceOnly === true) }, signal);
  } catch (error) {
    // It was answered in the window meanwhile, or the call is gone.
    if (!(error instanceof AppError && error.kind === 'caller')) throw error;
  }
}

function answerFor(word: string, onceOnly: boolean): ApprovalAnswer {
  if (word === 'o' || word === 'once') return { decision: 'allow', scope: 'once' };
  return !onceOnly && (word === 'a' || word === 'always') ? { decision: 'allow', scope: 'tool' } : { decision: 'deny' };
}
