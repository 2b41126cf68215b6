import * as z from 'zod';
import { ErrorCode } from './error-code.ts';
import { ApprovalId, ChatId, EntryId, RunId, ToolCallId } from '../ids.ts';
import { Attachment } from './attachment.ts';
import { ChatTools, ToolName } from './chat-tools.ts';
import { DefinitionCost } from './cost.ts';
import { RunSetup } from './run-setup.ts';
import { ModelChoice } from './settings.ts';
import { ToolCall, ToolOutcome } from './tool-call.ts';

/** Tokens as the provider counted them; absent where it did not say. */
export const Usage = z.strictObject({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  cachedInputTokens: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const RunEnding = z.discriminatedUnion('how', [
  z.strictObject({ how: z.literal('done') }),
  z.strictObject({ how: z.literal('stopped') }),
  /** The step limit was reached; the person may go on. */
  z.strictObject({ how: z.literal('step-limit'), steps: z.number() }),
  /** Gatehouse ended in the middle; said when it starts again. */
  z.strictObject({ how: z.literal('interrupted') }),
  z.strictObject({ how: z.literal('failed'), code: ErrorCode, message: z.string() }),
]);
export type RunEnding = z.infer<typeof RunEnding>;

const base = { id: EntryId, /** The entry that this one follows; two entries may follow one. */ parent: EntryId.nullable(), at: z.number() };

/** One record of a chat's log. The log is the truth; everything shown is folded from it. Unknown kinds of later versions are kept and skipped. */
export const TranscriptEntry = z.discriminatedUnion('type', [
  z.strictObject({ ...base, type: z.literal('chat-created'), chatId: ChatId, title: z.string() }),
  z.strictObject({ ...base, type: z.literal('chat-renamed'), title: z.string() }),
  z.strictObject({ ...base, type: z.literal('model-chosen'), model: ModelChoice.nullable() }),
  z.strictObject({ ...base, type: z.literal('user-message'), text: z.string(), attachments: z.array(Attachment).readonly().optional() }),
  /** The chat has no model of its own any more: it follows profile, files and settings. */
  z.strictObject({ ...base, type: z.literal('model-left-open') }),
  /** The profile of runs from now on; `null`: none. */
  z.strictObject({ ...base, type: z.literal('profile-chosen'), profile: z.string().nullable() }),
  z.strictObject({ ...base, type: z.literal('run-started'), runId: RunId, model: ModelChoice, profile: z.string().optional(), ownModel: z.boolean().optional() }),
  /** What the run's profile brought along, as it was when its first request was made. */
  z.strictObject({ ...base, type: z.literal('run-prepared'), runId: RunId, setup: RunSetup }),
  /** Begins one model answer; later entries name it by this entry's id. */
  z.strictObject({ ...base, type: z.literal('step-started'), runId: RunId, step: z.number().int(), model: ModelChoice, toolsOffered: z.number().int(), toolsSetAside: z.array(z.strictObject({ name: z.string(), reason: z.string() })) }),
  z.strictObject({ ...base, type: z.literal('text'), stepId: EntryId, delta: z.string() }),
  z.strictObject({ ...base, type: z.literal('reasoning'), stepId: EntryId, delta: z.string() }),
  /** `stepId` is absent for a call that a person made in Direct mode, and for one that another call made (`call.parentId`). `modelCall` is what the provider must be answered with. */
  z.strictObject({ ...base, type: z.literal('call-requested'), stepId: EntryId.optional(), call: ToolCall, modelCall: z.strictObject({ id: z.string(), name: z.string(), args: z.unknown() }).optional() }),
  z.strictObject({ ...base, type: z.literal('call-waiting'), callId: ToolCallId, approvalId: ApprovalId }),
  /** Durable before anything happens. `call` holds the arguments as they run, edited or not. */
  z.strictObject({ ...base, type: z.literal('call-started'), callId: ToolCallId, call: ToolCall }),
  z.strictObject({ ...base, type: z.literal('call-settled'), callId: ToolCallId, outcome: ToolOutcome }),
  /** `replay` is the provider's own form of the answer (reasoning signatures and the like), for that provider only. */
  z.strictObject({ ...base, type: z.literal('step-finished'), stepId: EntryId, finish: z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'cut-off', 'other']), usage: Usage.optional(), replay: z.unknown().optional() }),
  /** A search found them: from the next model answer on they are offered with their schemas (F-99, F-100). */
  z.strictObject({ ...base, type: z.literal('tools-loaded'), tools: z.array(ToolName) }),
  /** The person says which tools this chat may use. */
  z.strictObject({ ...base, type: z.literal('chat-tools-set'), tools: ChatTools }),
  /** What the definitions sent with one model answer cost; counted after it was sent. */
  z.strictObject({ ...base, type: z.literal('cost-counted'), stepId: EntryId, cost: DefinitionCost }),
  z.strictObject({ ...base, type: z.literal('run-settled'), runId: RunId, ending: RunEnding }),
]);
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;
type WithoutBase<T> = T extends unknown ? Omit<T, 'id' | 'parent' | 'at'> : never;
/** What a writer says; the transcript gives it id, parent and time. */
export type NewEntry = WithoutBase<TranscriptEntry>;
