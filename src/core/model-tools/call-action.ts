import { ToolCallId } from '../../shared/ids.ts';
import type { CatalogTool, JsonObject } from '../../shared/model/catalog.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { rawResult } from '../contents/raw-result.ts';
import type { ContentStore } from '../ports.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';
import { answerOf, refusalOf } from './action-answer.ts';
import { actionParams, parsedParams } from './action-params.ts';
import type { ActionAnswer, OwnToolContext } from './own-tool.ts';
import { cachedMark, type ServerLookupDeps } from './server-lookup.ts';
import { findTool } from './tool-lookup.ts';

export interface CallActionDeps extends ServerLookupDeps {
  readonly newId: () => string;
  readonly contents: Pick<ContentStore, 'read'>;
  readonly execute: (call: ToolCall, recorder: CallRecorder, signal: AbortSignal) => Promise<ToolOutcome>;
  /** Whether policy would let it run, ask a person, or deny it, as things are now. */
  readonly verdict: (call: ToolCall) => 'allow' | 'ask' | 'deny';
  /** Whether a use of it now would ask a person to sign in. */
  readonly signsInFirst: (serverId: CatalogTool['ref']['serverId']) => boolean;
}

/** One tool by name. Whoever calls, policy and a person are asked as for any other call; it is recorded as made by the call that asked for it. */
export async function call(deps: CallActionDeps, params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const parsed = parsedParams(actionParams.call, params);
  if (!parsed.ok) return parsed;
  const { tool: name, server, args } = parsed.value;
  const found = await findTool(deps, name, server, context, signal);
  if (!found.ok) return found;
  const { tool } = found;
  // What is remembered of a server may be old: it is looked at anew before a person is asked about it.
  if (cachedMark(deps, tool.ref.serverId) !== undefined && deps.verdict(innerCall(deps, tool, args, context)) !== 'deny') {
    try {
      await deps.connect(tool.ref.serverId, context.callId, signal);
    } catch (error) {
      return refusalOf(error, 'connect_failed', signal);
    }
    const now = await findTool(deps, tool.ref.tool, tool.serverName, context, signal);
    return now.ok ? made(deps, innerCall(deps, now.tool, args, context), context, signal) : now;
  }
  return made(deps, innerCall(deps, tool, args, context), context, signal);
}

/** Records and makes it. */
export async function made(deps: CallActionDeps, wanted: ToolCall, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const recorder = await context.record(wanted);
  const outcome = await context.cancellable(wanted, signal, (either) => deps.execute(wanted, recorder, either));
  const result = outcome.kind === 'succeeded' || outcome.kind === 'tool-error' ? outcome.result : undefined;
  return answerOf(outcome, wanted, result && (await rawResult(result, deps, signal)));
}

export const innerCall = (deps: Pick<CallActionDeps, 'newId'>, tool: CatalogTool, args: JsonObject, context: OwnToolContext): ToolCall => ({
  id: ToolCallId.parse(deps.newId()), ref: tool.ref, serverName: tool.serverName, args: { ...args }, caller: context.caller, parentId: context.callId,
});

/** What `call` would do, without doing it. A call that leads nowhere asks nobody. */
export function wouldAsk(deps: CallActionDeps, params: unknown, context: OwnToolContext): boolean {
  const parsed = parsedParams(actionParams.call, params);
  if (!parsed.ok) return false;
  const { tool: name, server, args } = parsed.value;
  const resolved = deps.view(context.caller).catalog.resolve(name, server === undefined ? {} : { server });
  if (resolved.kind !== 'found') return false;
  const verdict = deps.verdict(innerCall(deps, resolved.tool, args, context));
  return verdict === 'ask' || (verdict === 'allow' && deps.signsInFirst(resolved.tool.ref.serverId));
}
