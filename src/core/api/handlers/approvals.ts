import { AppError } from '../../../shared/errors.ts';
import type { approvals } from '../../../shared/ipc/contract/approvals.ts';
import type { Handlers, RequestContext } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const approvalHandlers = ({ approvals: desk, grants }: Parts): Handlers<typeof approvals> => ({
  'approvals.answer': async ({ approvalId, answer }, context) => {
    // Permanent grants are given where a person can read what they allow: in a window or at a terminal. So is what counts as typed by a person.
    if (answer.decision === 'allow' && (answer.scope !== 'once' || desk.question(approvalId).onceOnly)) personOnly(context);
    desk.answer(approvalId, answer);
  },
  'approvals.revoke': async ({ grantId }, context) => {
    personOnly(context);
    await grants.revoke(grantId, context.signal);
  },
});

function personOnly({ caller }: RequestContext): void {
  if ('kind' in caller && caller.kind === 'http-api') throw new AppError('request/forbidden', 'Lasting permissions, and those that only a person gives, are given in the window or at a terminal');
}
