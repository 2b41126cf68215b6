import { expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { ApprovalId } from '../../shared/ids.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import { ApprovalDesk } from './approval-desk.ts';

const id = ApprovalId.parse('a1');
const never = new AbortController().signal;
const newDesk = () => new ApprovalDesk({ interaction: 'person', onAsked: () => undefined, onClosed: () => undefined });
const about = (more: Partial<Approval> = {}): Approval => ({ id, ...more }) as Approval; // what the desk reads of it

it('takes one answer, and says of a later one that it comes too late', async () => {
  const desk = newDesk();
  const answer = desk.ask(about(), never);
  desk.answer(id, { decision: 'allow', scope: 'tool' });
  expect(await answer).toEqual({ decision: 'allow', scope: 'tool' });
  expect(() => desk.answer(id, { decision: 'deny' })).toThrow(new AppError('approval/not-found', 'This question is no longer waiting'));
});

it('takes no lasting answer where one call alone can be allowed, and goes on asking', async () => {
  const desk = newDesk();
  const answer = desk.ask(about({ onceOnly: true }), never);
  for (const scope of ['chat', 'tool', 'server'] as const) expect(() => desk.answer(id, { decision: 'allow', scope })).toThrow(new AppError('request/invalid', 'This can be allowed once, and not for longer'));
  expect(desk.waiting).toBe(1);
  desk.answer(id, { decision: 'allow', scope: 'once', args: { url: 'https://other.example/' } });
  expect(await answer).toEqual({ decision: 'allow', scope: 'once', args: { url: 'https://other.example/' } });
});
