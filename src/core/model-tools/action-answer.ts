import { AppError, type ErrorCode } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { answerForModel } from '../guard/model-text.ts';
import type { ActionAnswer, ActionErrorCode } from './own-tool.ts';

export type Refusal = Extract<ActionAnswer, { ok: false }>;

export const refused = (code: ActionErrorCode, message: string, data?: JsonObject): Refusal => ({ ok: false, error: { code, message, ...(data === undefined ? {} : { data }) } });

/** The app's codes in the words that models and scripts are promised (F-96). What is not named here happened while connecting or calling; the caller knows which. */
const codes: Readonly<Partial<Record<ErrorCode, ActionErrorCode>>> = {
  'request/invalid': 'invalid_arguments',
  'server/not-found': 'server_not_found',
  'server/disabled': 'server_disabled',
  'tool/not-found': 'tool_not_found',
  'approval/required': 'approval_required',
  'elicitation/url-required': 'url_elicitation_required',
  'auth/sign-in-required': 'auth_required',
  'auth/scopes-needed': 'auth_required',
  'auth/client-needed': 'auth_required',
  'auth/host-blocked': 'auth_required',
  'auth/account-refused': 'auth_required',
  'connection/backing-off': 'server_backoff',
  'connection/crash-loop': 'server_unavailable',
  'connection/stopped': 'server_unavailable',
  'secret/missing': 'server_unavailable',
  'secret/policy-denied': 'server_unavailable',
  'secret/command-failed': 'server_unavailable',
  'variable/missing': 'server_unavailable',
  'vault/unavailable': 'server_unavailable',
  'vault/locked': 'server_unavailable',
  'vault/key-missing': 'server_unavailable',
  'vault/damaged': 'server_unavailable',
  'trust/needed': 'server_unavailable',
  'trust/changed': 'server_unavailable',
  'project/needed': 'server_unavailable',
  'user/needed': 'server_unavailable',
  'launch/command-not-found': 'connect_failed',
  'launch/not-permitted': 'connect_failed',
  'server/not-mcp': 'connect_failed',
  'tool/outcome-unknown': 'ambiguous_outcome',
  'tool/result-too-large': 'result_too_large',
  'result/read-failed': 'result_read_failed',
  'storage/failed': 'call_capture_failed',
  'run/cancelled': 'aborted',
};

/** An expected failure as an answer; a bug is thrown on. `otherwise` says what was being done. */
export function refusalOf(thrown: unknown, otherwise: ActionErrorCode, signal: AbortSignal): Refusal {
  if (signal.aborted) return refused('aborted', 'The call was cancelled');
  const error = AppError.from(thrown);
  if (error.kind === 'bug') throw thrown;
  return failure(error.code, error.message, otherwise, error.data);
}

function failure(code: ErrorCode, message: string, otherwise: ActionErrorCode, data?: unknown): Refusal {
  const age = typeof data === 'object' && data !== null && 'ageSeconds' in data && typeof data.ageSeconds === 'number' ? data.ageSeconds : undefined;
  const said = age === undefined ? message : `${message} (failed ${age} s ago; it is tried again by itself)`;
  return refused(codes[code] ?? otherwise, said, age === undefined ? undefined : { ageSeconds: age });
}

/** How a call to a server ended, as an action's answer. `data` is the raw result, where there is one. */
export function answerOf(outcome: ToolOutcome, call: ToolCall, data: unknown): ActionAnswer {
  const { text } = answerForModel(outcome, call);
  switch (outcome.kind) {
    case 'succeeded':
      return { ok: true, data, text, outcome };
    case 'tool-error':
      return { ok: false, error: { code: 'tool_error', message: text }, outcome, ...(data === undefined ? {} : { data }) };
    case 'denied':
      return { ok: false, error: { code: outcome.by === 'guard' ? 'call_failed' : 'approval_denied', message: text }, outcome };
    case 'cancelled':
      return { ok: false, error: { code: 'aborted', message: text }, outcome };
    case 'failed':
      return { ok: false, error: { code: codes[outcome.code] ?? 'call_failed', message: text }, outcome };
  }
}
