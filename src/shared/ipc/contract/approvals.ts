import * as z from 'zod';
import { ApprovalId, GrantId } from '../../ids.ts';
import { ApprovalAnswer } from '../../model/tool-call.ts';
import { request } from '../define.ts';

export const approvals = {
  /** `approval/not-found` when it was answered before or its call is gone. */
  'approvals.answer': request<void>()(z.strictObject({ approvalId: ApprovalId, answer: ApprovalAnswer })),
  'approvals.revoke': request<void>()(z.strictObject({ grantId: GrantId })),
};
