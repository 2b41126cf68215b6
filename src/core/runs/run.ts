import { AppError } from '../../shared/errors.ts';
import { Revision, ServerId, ToolCallId, type ChatId, type RunId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ContentRef } from '../../shared/model/content.ts';
import type { ModelChoice, ModelProvider } from '../../shared/model/settings.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import type { RunEnding } from '../../shared/model/transcript-entry.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Log, Models } from '../ports.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';
import type { Transcript } from '../transcripts/transcript.ts';
import { modelMessages } from './model-messages.ts';
import { answerOnce, type AskedCall, type RequestedCall } from './model-turn.ts';
import { systemPrompt, type ServerInstructions } from './system-prompt.ts';

export interface RunDeps {
  readonly newId: () => string;
  readonly log: Log;
  readonly models: Models;
  readonly stepLimit: () => number;
  /** Throws `model/not-chosen` when the provider is gone, `secret/missing` or `vault/*` when its key cannot be read. */
  readonly provider: (choice: ModelChoice, signal: AbortSignal) => Promise<{ readonly provider: ModelProvider; readonly key: Secret | undefined }>;
  /** Connects what is asleep, for a bounded time. */
  readonly wakeServers: (signal: AbortSignal) => Promise<void>;
  readonly tools: () => readonly CatalogTool[];
  readonly instructions: () => readonly ServerInstructions[];
  readonly readImage: (ref: ContentRef, signal: AbortSignal) => Promise<Uint8Array>;
  readonly execute: (call: ToolCall, recorder: CallRecorder, signal: AbortSignal) => Promise<ToolOutcome>;
  readonly recorder: (callId: ToolCallId) => CallRecorder;
}

/** One go of the agent, from a message to rest: ask the model, make its calls, ask again. Everything is in the transcript before it counts; nothing is held here that the transcript does not hold. */
export async function run(chatId: ChatId, runId: RunId, choice: ModelChoice, transcript: Transcript, deps: RunDeps, signal: AbortSignal): Promise<RunEnding> {
  try {
    const { provider, key } = await deps.provider(choice, signal);
    await deps.wakeServers(signal);
    const setAside = new Map<string, string>();
    const limit = deps.stepLimit();
    for (let step = 1; step <= limit; step += 1) {
      const messages = await modelMessages(transcript.entries, (ref) => deps.readImage(ref, signal));
      const calls = await answerOnce(
        { runId, step, choice, provider, key, system: systemPrompt(deps.instructions()), messages, tools: deps.tools(), setAside, toCall: (asked) => toolCall(chatId, asked, deps) },
        transcript,
        deps,
        signal,
      );
      if (calls.length === 0) return { how: 'done' };
      await makeCalls(calls, deps, signal);
      signal.throwIfAborted();
    }
    return { how: 'step-limit', steps: limit };
  } catch (error) {
    if (signal.aborted) return { how: 'stopped' };
    const { code, message, kind } = AppError.from(error);
    if (kind === 'bug') deps.log.error('A run met a bug', error);
    return { how: 'failed', code, message };
  }
}

/** The calls of one answer, side by side: questions to the person do not wait for one another. */
async function makeCalls(calls: readonly RequestedCall[], deps: RunDeps, signal: AbortSignal): Promise<void> {
  await Promise.all(
    calls.map(async ({ asked, call }) => {
      const recorder = deps.recorder(call.id);
      const refusal = refusalOf(asked);
      if (refusal) await recorder.settled(refusal);
      else await deps.execute(call, recorder, signal);
    }),
  );
}

function toolCall(chatId: ChatId, { name, args, offered }: AskedCall, deps: RunDeps): ToolCall {
  return {
    id: ToolCallId.parse(deps.newId()),
    ref: offered?.tool.ref ?? unknownRef(name),
    serverName: offered?.tool.serverName ?? '',
    args: offered && args ? offered.mapArguments(args) : (args ?? {}),
    caller: { kind: 'chat', chatId },
  };
}

/** For a name that was not offered: it is shown and answered, and leads to no server. */
const unknownRef = (name: string) => ({ serverId: ServerId.parse('none'), tool: name.slice(0, 200) || 'unnamed', revision: Revision.parse('none') });

function refusalOf({ name, args, invalid, offered }: AskedCall): ToolOutcome | undefined {
  if (!offered) return { kind: 'failed', code: 'tool/not-found', message: `There is no tool named “${name}”` };
  if (args === undefined) return { kind: 'denied', by: 'guard', reason: `The arguments were no JSON object: ${(invalid ?? '').slice(0, 200)}` };
  return undefined;
}

