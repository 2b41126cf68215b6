import { ApprovalId } from '../../shared/ids.ts';
import type { CatalogTool, JsonObject } from '../../shared/model/catalog.ts';
import type { Approval, ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { decide } from '../policy/decide.ts';
import type { CallRecorder, ToolCallsDeps } from './tool-calls.ts';

/** One of Gatehouse's own tools that does nothing before a person said so, and is asked about each time anew. */
export interface AskedTool {
  /** `title` says what is asked. */
  readonly tool: CatalogTool;
  /** Why it always asks. */
  readonly because: string;
  /** Where a call with these arguments leads, for the person to judge; or why it is worth no question. Nothing is touched or looked up. */
  readonly about: (args: JsonObject) => { readonly target: string } | { readonly outcome: ToolOutcome };
  /** Expected endings are outcomes. */
  readonly run: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome>;
}
export type AskedCallDeps = Pick<ToolCallsDeps, 'approvals' | 'keptBy' | 'clock' | 'newId' | 'paused' | 'settings'>;

/**
 * Policy may deny it; that it would allow it counts for nothing: a person is asked each time, and the answer counts for this call alone. What they made of the arguments is judged like what the
 * model wrote. Throws the signal's reason, and `approval/required` when there is nobody to ask.
 */
export async function askedCall(wanted: ToolCall, asked: AskedTool, deps: AskedCallDeps, recorder: CallRecorder, signal: AbortSignal): Promise<ToolOutcome> {
  const about = asked.about(wanted.args);
  if ('outcome' in about) return about.outcome;
  const denial = denialOf(wanted, asked, deps);
  if (denial) return denial;
  const { title, description, annotations, inputSchema } = asked.tool;
  const approval: Approval = {
    id: ApprovalId.parse(deps.newId()), call: wanted, because: asked.because, askedAt: deps.clock.now(), target: about.target,
    ...(title === undefined ? {} : { toolTitle: title }), toolDescription: description, annotations, inputSchema, onceOnly: true,
  };
  if (deps.approvals.canAsk) await recorder.waiting(approval.id);
  const answer = await deps.approvals.ask(approval, signal);
  if (answer.decision === 'deny') return { kind: 'denied', by: 'user', reason: answer.reason ?? '' };
  const call = answer.args === undefined ? wanted : { ...wanted, args: answer.args };
  const now = asked.about(call.args);
  if ('outcome' in now) return now.outcome;
  const meanwhile = denialOf(call, asked, deps);
  if (meanwhile) return meanwhile;
  signal.throwIfAborted();
  await recorder.started(call);
  return asked.run(call, signal);
}

function denialOf(call: ToolCall, { tool }: AskedTool, { settings, paused, keptBy }: AskedCallDeps): ToolOutcome | undefined {
  const { approvals, approveTools } = settings();
  const verdict = decide({
    caller: call.caller, serverId: tool.ref.serverId, names: { serverName: tool.serverName, tool: tool.ref.tool, modelName: tool.modelName }, preset: approvals, approveTools,
    serverApproveTools: undefined, allowed: undefined, stale: undefined, paused: paused(), keptBy: keptBy(call), inner: call.parentId !== undefined,
  });
  return verdict.kind === 'deny' ? { kind: 'denied', by: 'policy', reason: verdict.because } : undefined;
}
