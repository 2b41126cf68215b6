import { AppError } from '../../shared/errors.ts';
import type { EntryId, RunId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ModelChoice, ModelProvider } from '../../shared/model/settings.ts';
import type { ReasoningEffort } from '../../shared/model/run-layer.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import type { Secret } from '../kernel/secret.ts';
import { handsOverCode, toldCall, withoutCode } from '../model-tools/told-args.ts';
import type { ModelEvent, ModelMessage, Models, ModelTool } from '../ports.ts';
import { TextCoalescer } from '../state/coalesce.ts';
import type { Transcript } from '../transcripts/transcript.ts';
import { offerFor, type OfferedTool, type ToolsToOffer } from './offered-tools.ts';

/** A call as the model asked for it. `offered` is absent for a name that was not offered, `args` for text that was no JSON object. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject | undefined;
  readonly invalid?: string;
  readonly offered: OfferedTool | undefined;
}
/** An asked call with what it became: recorded, not yet made. */
export interface RequestedCall {
  readonly asked: AskedCall;
  readonly call: ToolCall;
}
export interface ModelTurn {
  readonly runId: RunId;
  readonly step: number;
  readonly choice: ModelChoice;
  readonly provider: ModelProvider;
  readonly key: Secret | undefined;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: ToolsToOffer;
  readonly reasoningEffort?: ReasoningEffort;
  /** Tools that this run's provider refused, by model name with the reason; grows here. */
  readonly setAside: Map<string, string>;
  readonly toCall: (asked: AskedCall) => ToolCall;
  /** The request is on its way, with these definitions. Takes no time. */
  readonly onSent: (stepId: EntryId, tools: readonly ModelTool[]) => void;
}

/** At most one action in this time for text that streams in. */
const coalesceMs = 33;
/** How many tools one run gives up before it believes the provider that the request is at fault. */
const refusalsBorne = 20;

/**
 * One answer of the model, streamed into the transcript. A tool that the provider refuses is set aside and the request made again, so that
 * one bad tool never fails a chat. Throws `model/*`; what had arrived by then stays in the transcript, marked as cut off.
 */
export async function answerOnce(turn: ModelTurn, transcript: Transcript, deps: { readonly models: Models }, signal: AbortSignal): Promise<readonly RequestedCall[]> {
  for (;;) {
    const { offered, setAside } = offerFor(turn.provider.kind, turn.tools, turn.setAside);
    const tools = offered.map(({ fitted }) => fitted.tool);
    const events = deps.models.step({ provider: turn.provider, key: turn.key, model: turn.choice.model, system: turn.system, messages: turn.messages, tools, ...(turn.reasoningEffort === undefined ? {} : { reasoningEffort: turn.reasoningEffort }) }, signal)[Symbol.asyncIterator]();
    let first: IteratorResult<ModelEvent>;
    try {
      first = await events.next();
    } catch (error) {
      const blamed = blamedTool(error, tools);
      if (blamed === undefined || turn.setAside.size >= refusalsBorne) throw error;
      turn.setAside.set(blamed, 'The provider refused it');
      continue;
    }
    const stepId = await transcript.append({ type: 'step-started', runId: turn.runId, step: turn.step, model: turn.choice, toolsOffered: tools.length, toolsSetAside: setAside.slice(0, 200) }, false);
    turn.onSent(stepId, tools);
    return stream(stepId, first, events, new Map(offered.map((one) => [one.tool.modelName, one])), turn.toCall, transcript);
  }
}

function blamedTool(error: unknown, tools: readonly { readonly name: string }[]): string | undefined {
  if (!(error instanceof AppError) || error.code !== 'model/refused') return undefined;
  const data = error.data as { toolIndex?: unknown; toolName?: unknown } | undefined; // checked field by field below
  if (typeof data?.toolName === 'string' && tools.some((tool) => tool.name === data.toolName)) return data.toolName;
  return typeof data?.toolIndex === 'number' ? tools[data.toolIndex]?.name : undefined;
}

async function stream(stepId: EntryId, first: IteratorResult<ModelEvent>, events: AsyncIterator<ModelEvent>, offered: ReadonlyMap<string, OfferedTool>, toCall: (asked: AskedCall) => ToolCall, transcript: Transcript): Promise<readonly RequestedCall[]> {
  const asked: AskedCall[] = [];
  // A write that fails ends the run at the next durable entry: the same file refuses that too.
  const say = (type: 'text' | 'reasoning') => (delta: string) => void transcript.append({ type, stepId, delta }, false).catch(() => undefined);
  using text = new TextCoalescer(coalesceMs, say('text'));
  using reasoning = new TextCoalescer(coalesceMs, say('reasoning'));
  try {
    for (let next = first; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'text') text.push(event.delta);
      else if (event.type === 'reasoning') reasoning.push(event.delta);
      else if (event.type === 'tool-call') asked.push({ id: event.id, name: event.name, args: event.args, ...(event.invalid === undefined ? {} : { invalid: event.invalid }), offered: offered.get(event.name) });
      else {
        reasoning.flush();
        text.flush();
        // The calls stand before the end of the answer, so that a crash between the two finds an answer cut off and never a call forgotten.
        const calls = asked.map((one) => ({ asked: one, call: toCall(one) }));
        // Not in the provider's own form of the answer either.
        const hasCode = calls.some(({ call }) => handsOverCode(call));
        for (const { asked: one, call } of calls) {
          const args = one.args ?? {};
          await transcript.append({ type: 'call-requested', stepId, call: toldCall(call), modelCall: { id: one.id, name: one.name, args: handsOverCode(call) ? withoutCode(args) : args } }, false);
        }
        await transcript.append({ type: 'step-finished', stepId, finish: event.finish, ...(event.usage ? { usage: event.usage } : {}), ...(event.replay && !hasCode ? { replay: event.replay } : {}) }, true);
        return calls;
      }
    }
    throw new AppError('model/failed', 'The answer ended without an end');
  } catch (error) {
    reasoning.flush();
    text.flush();
    await transcript.append({ type: 'step-finished', stepId, finish: 'cut-off' }, true);
    throw error;
  }
}
