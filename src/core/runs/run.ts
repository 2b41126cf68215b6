import { AppError } from '../../shared/errors.ts';
import { Revision, ServerId, ToolCallId, type ChatId, type EntryId, type RunId } from '../../shared/ids.ts';
import type { ContentRef } from '../../shared/model/content.ts';
import type { ModelChoice, ModelProvider } from '../../shared/model/settings.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import type { RunEnding } from '../../shared/model/transcript-entry.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Log, Models, ModelTool } from '../ports.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';
import type { Transcript } from '../transcripts/transcript.ts';
import { modelMessages } from './model-messages.ts';
import { answerOnce, type AskedCall, type RequestedCall } from './model-turn.ts';
import type { ToolsToOffer } from './offered-tools.ts';
import type { OpenRun, RunWanted } from './open-run.ts';

export interface RunDeps {
  readonly newId: () => string;
  readonly log: Log;
  readonly models: Models;
  readonly stepLimit: () => number;
  /** Opens what the run's profile brings along; throws why the run cannot begin. */
  readonly openRun: (ids: { readonly chatId: ChatId; readonly runId: RunId }, wanted: RunWanted, signal: AbortSignal) => Promise<OpenRun>;
  /** Throws `model/not-chosen` when the provider is gone, `secret/missing` or `vault/*` when its key cannot be read. */
  readonly provider: (choice: ModelChoice, signal: AbortSignal) => Promise<{ readonly provider: ModelProvider; readonly key: Secret | undefined }>;
  /** Takes in changed definitions, connects the servers without which a run does not begin, and looks for what is to be at hand: pins, and these servers. Throws why a required one is not there (U-67). */
  readonly prepare: (asked: readonly ServerId[], signal: AbortSignal) => Promise<void>;
  /** Calls of an earlier process that stand still for a person go on before the model is asked again. */
  readonly before?: (choice: ModelChoice, signal: AbortSignal) => Promise<void>;
  readonly tools: (open: OpenRun) => ToolsToOffer;
  /** What to tell a model that calls a tool by a name which it was not offered (F-99). */
  readonly notOffered: (name: string) => string;
  readonly onSent: (stepId: EntryId, provider: ModelProvider, tools: readonly ModelTool[]) => void;
  readonly readImage: (ref: ContentRef, signal: AbortSignal) => Promise<Uint8Array>;
  /** `provider` is whom the tools that this call may load are offered to. */
  readonly execute: (call: ToolCall, recorder: CallRecorder, provider: ModelProvider, signal: AbortSignal) => Promise<ToolOutcome>;
  readonly recorder: (callId: ToolCallId) => CallRecorder;
}

/** What a run begins with. */
export interface RunStart extends RunWanted {
  readonly chatId: ChatId;
  readonly runId: RunId;
  readonly stepsDone: number;
}

/** One go of the agent, from a message to rest: ask the model, make its calls, ask again. Everything is in the transcript before it counts; nothing is held here that the transcript does not hold. */
export async function run(start: RunStart, transcript: Transcript, deps: RunDeps, signal: AbortSignal): Promise<RunEnding> {
  const { runId } = start;
  try {
    using open = await deps.openRun(start, start, signal);
    await tell(open, runId, transcript);
    await deps.before?.(open.choice, signal);
    return await steps(open, start, transcript, deps, signal);
  } catch (error) {
    if (signal.aborted) return { how: 'stopped' };
    const { code, message, kind } = AppError.from(error);
    if (kind === 'bug') deps.log.error('A run met a bug', error);
    return { how: 'failed', code, message };
  }
}

/** Once a run, whatever process it goes on in. */
async function tell({ setup }: OpenRun, runId: RunId, transcript: Transcript): Promise<void> {
  if (!setup || transcript.entries.some((entry) => entry.type === 'run-prepared' && entry.runId === runId)) return;
  await transcript.append({ type: 'run-prepared', runId, setup }, false);
}

async function steps(open: OpenRun, { chatId, runId, stepsDone }: RunStart, transcript: Transcript, deps: RunDeps, signal: AbortSignal): Promise<RunEnding> {
  const { choice, settings, system } = open;
  const { provider, key } = await deps.provider(choice, signal);
  if (settings.mcp) await deps.prepare(open.scope.asked(), signal);
  const setAside = new Map<string, string>();
  const limit = settings.maxSteps ?? deps.stepLimit();
  for (let step = stepsDone + 1; step <= limit; step += 1) {
    const messages = await modelMessages(transcript.entries, (ref) => deps.readImage(ref, signal));
    const calls = await answerOnce(
      {
        runId, step, choice, provider, key, system, messages, tools: deps.tools(open), setAside, ...(settings.reasoningEffort === undefined ? {} : { reasoningEffort: settings.reasoningEffort }),
        toCall: (asked) => toolCall(chatId, asked, deps), onSent: (stepId, tools) => deps.onSent(stepId, provider, tools),
      },
      transcript,
      deps,
      signal,
    );
    if (calls.length === 0) return { how: 'done' };
    await makeCalls(calls, provider, deps, signal);
    signal.throwIfAborted();
  }
  return { how: 'step-limit', steps: limit };
}

/** The calls of one answer, side by side: questions to the person do not wait for one another. */
async function makeCalls(calls: readonly RequestedCall[], provider: ModelProvider, deps: RunDeps, signal: AbortSignal): Promise<void> {
  await Promise.all(
    calls.map(async ({ asked, call }) => {
      const recorder = deps.recorder(call.id);
      const refusal = refusalOf(asked, deps);
      if (refusal) await recorder.settled(refusal);
      else await deps.execute(call, recorder, provider, signal);
    }),
  );
}

function toolCall(chatId: ChatId, { name, args, offered }: AskedCall, deps: RunDeps): ToolCall {
  return {
    id: ToolCallId.parse(deps.newId()),
    ref: offered?.tool.ref ?? unknownRef(name),
    serverName: offered?.tool.serverName ?? '',
    args: offered && args ? offered.fitted.mapArguments(args) : (args ?? {}),
    caller: { kind: 'chat', chatId },
  };
}

/** For a name that was not offered: it is shown and answered, and leads to no server. */
const unknownRef = (name: string) => ({ serverId: ServerId.parse('none'), tool: name.slice(0, 200) || 'unnamed', revision: Revision.parse('none') });

function refusalOf({ name, args, invalid, offered }: AskedCall, deps: RunDeps): ToolOutcome | undefined {
  if (!offered) return { kind: 'failed', code: 'tool/not-found', message: deps.notOffered(name) };
  if (args === undefined) return { kind: 'denied', by: 'guard', reason: `The arguments were no JSON object: ${(invalid ?? '').slice(0, 200)}` };
  return undefined;
}

