import { AppError } from '../../shared/errors.ts';
import { Revision, ToolCallId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { Caller, ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { closing } from '../kernel/closing.ts';
import { forRecord } from '../model-tools/own-result.ts';
import type { EarlierCall, OwnToolContext } from '../model-tools/own-tool.ts';
import type { OwnTools } from '../model-tools/own-tools.ts';
import type { Log } from '../ports.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';

export interface OwnCallDeps {
  readonly newId: () => string;
  readonly log: Log;
  readonly ownTools: OwnTools;
}

/** What a chat is called that a call of a person's begins. */
export const topicOf = ({ ref, serverName, args }: Pick<ToolCall, 'ref' | 'serverName' | 'args'>): string =>
  ref.serverId === ownToolsId && ref.tool === 'mcp_script' && typeof args['code'] === 'string' ? `Script: ${args['code'].trim()}` : `${ref.tool} · ${serverName}`;
export const isOwnCall = ({ ref }: Pick<ToolCall, 'ref'>): boolean => ref.serverId === ownToolsId;

export const ownCall = (name: string, args: JsonObject, caller: Caller, newId: () => string): ToolCall => ({
  id: ToolCallId.parse(newId()), ref: { serverId: ownToolsId, tool: name, revision: Revision.parse('own') }, serverName: 'Gatehouse', args: { ...args }, caller,
});

/**
 * One of Gatehouse's own tools. All but `connect_mcp` need no permission: what they do to servers are calls of their own, each with its own. Expected endings are
 * outcomes; this does not throw for them. `call-requested` has been recorded by the caller.
 */
export function executeOwn(call: ToolCall, recorder: CallRecorder, context: OwnToolContext, deps: OwnCallDeps, signal: AbortSignal): Promise<ToolOutcome> {
  if (deps.ownTools.asksFirst(call.ref.tool)) return deps.ownTools.executeAsked(call, recorder, context, signal);
  return settled(call, recorder, deps, signal, async () => {
    signal.throwIfAborted();
    await recorder.started(call);
    return deps.ownTools.run(call, context, signal);
  });
}

/** Goes on with a call that stood still for a person when the app ended. */
export function resumeOwn(call: ToolCall, recorder: CallRecorder, context: OwnToolContext, earlier: (callId: ToolCallId) => EarlierCall | undefined, deps: OwnCallDeps, signal: AbortSignal): Promise<ToolOutcome> {
  return settled(call, recorder, deps, signal, async () => (await deps.ownTools.later(call.ref.tool)?.resume(context, earlier, signal)) ?? { kind: 'cancelled' });
}

/** Whether this open call can go on in this process, or in the next. */
export const standsStill = async ({ id, ref }: ToolCall, { ownTools }: OwnCallDeps): Promise<boolean> =>
  ref.serverId === ownToolsId && (await ownTools.later(ref.tool)?.waits(id, new AbortController().signal)) === true;

async function settled(call: ToolCall, recorder: CallRecorder, deps: OwnCallDeps, signal: AbortSignal, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const { log } = deps;
  try {
    const outcome = await work();
    await recorder.settled(forRecord(outcome));
    return outcome;
  } catch (error) {
    // It has not ended: the next start goes on with it.
    if (signal.reason === closing && (await standsStill(call, deps))) return { kind: 'cancelled' };
    const ending = endingOf(error, log, signal);
    return recorder.settled(ending).then(
      () => ending,
      (failure: unknown) => {
        log.error('The outcome of a tool call could not be saved', failure);
        return { kind: 'failed', code: 'storage/failed', message: 'The outcome could not be saved' };
      },
    );
  }
}

function endingOf(error: unknown, log: Log, signal: AbortSignal): ToolOutcome {
  if (signal.aborted) return { kind: 'cancelled' };
  const { code, message, kind } = AppError.from(error);
  if (kind === 'bug') log.error('One of Gatehouse’s own tools met a bug', error);
  return { kind: 'failed', code, message };
}

/** For whoever asks without a chat: the command line, a program. What it calls is told to the log alone, without its arguments. */
export function contextWithoutChat(call: ToolCall, log: Log): OwnToolContext {
  return {
    caller: call.caller, callId: call.id, mayUse: () => true,
    load: async (tools) => tools.map((tool) => ({ tool, why: 'there is no chat to load it for' })),
    record: async (inner) => logRecorder(inner, log),
    cancellable: (_call, signal, work) => work(signal),
  };
}

export function logRecorder({ serverName, ref, caller }: ToolCall, log: Log): CallRecorder {
  const facts = { server: serverName, tool: ref.tool, caller: caller.kind };
  return {
    waiting: async () => log.info('A tool call waits for a person', facts),
    started: async () => log.info('A tool call started', facts),
    settled: async (outcome) => log.info('A tool call ended', { ...facts, outcome: outcome.kind }),
    progress: () => undefined,
  };
}
