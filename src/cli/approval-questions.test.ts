import { expect, it } from 'vitest';
import type { Approval, ApprovalAnswer } from '../shared/model/tool-call.ts';
import { answerApproval } from './approval-questions.ts';
import type { Session } from './session.ts';

/** What is said to the person who types `word`, and what becomes of it. */
async function asked(approval: object, word: string): Promise<{ readonly question: string; readonly answer: ApprovalAnswer | undefined }> {
  let question = '';
  let answer: ApprovalAnswer | undefined;
  const terminal = { remark: () => undefined, ask: async (text: string) => ((question = text), word) };
  const client = { request: async (_: string, given: { readonly answer: ApprovalAnswer }) => void (answer = given.answer) };
  const whole = { id: 'a', call: { ref: { serverId: 's', tool: 'find_book' }, serverName: 'books', args: {} }, target: 'books', because: 'It asks', ...approval };
  await answerApproval({ cli: { terminal }, client } as unknown as Session, whole as unknown as Approval, new AbortController().signal); // what is used of them
  return { question, answer };
}

it('offers to allow a tool for good, and takes no such answer where a call can be allowed once only', async () => {
  expect(await asked({}, 'a')).toEqual({ question: expect.stringContaining('always') as string, answer: { decision: 'allow', scope: 'tool' } });
  expect(await asked({ onceOnly: true }, 'o')).toEqual({ question: 'Allow it once, or not? [o/N] ', answer: { decision: 'allow', scope: 'once' } });
  expect((await asked({ onceOnly: true }, 'a')).answer).toEqual({ decision: 'deny' });
});
