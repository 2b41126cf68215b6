import type { ChatId, EntryId, RunId, ToolCallId } from '../ids.ts';
import type { Attachment } from '../model/attachment.ts';
import type { ChatTools, ToolName } from '../model/chat-tools.ts';
import type { CostSum, DefinitionCost } from '../model/cost.ts';
import { everyTool } from '../model/every-tool.ts';
import type { RunSetup } from '../model/run-setup.ts';
import type { ModelChoice } from '../model/settings.ts';
import type { ToolCallView, ToolOutcome } from '../model/tool-call.ts';
import type { RunEnding, TranscriptEntry, Usage } from '../model/transcript-entry.ts';
import { keptOutTokens } from './kept-out.ts';

export type ChatItem =
  | { readonly kind: 'user'; readonly id: EntryId; readonly at: number; readonly text: string; readonly attachments?: readonly Attachment[] }
  | {
      readonly kind: 'assistant'; readonly id: EntryId; readonly at: number; readonly model: ModelChoice; readonly step: number;
      readonly text: string; readonly reasoning: string; readonly calls: readonly ToolCallId[];
      readonly toolsSetAside: readonly { readonly name: string; readonly reason: string }[];
      /** Absent while it streams. */
      readonly finish?: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'cut-off' | 'other';
      readonly usage?: Usage;
    }
  | { readonly kind: 'direct-call'; readonly id: EntryId; readonly at: number; readonly call: ToolCallId }
  | { readonly kind: 'run-prepared'; readonly id: EntryId; readonly at: number; readonly setup: RunSetup }
  | { readonly kind: 'run-ended'; readonly id: EntryId; readonly at: number; readonly ending: RunEnding };

export type RunView =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly runId: RunId; readonly since: number; readonly step: number }
  /** At rest in a way that the person may want to go on from. */
  | { readonly phase: 'resting'; readonly ending: RunEnding };

export interface ChatState {
  readonly id: ChatId | undefined;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The last entry: what the next one follows. */
  readonly head: EntryId | null;
  /** `null` is Direct mode; `undefined` follows the settings. */
  readonly model: ModelChoice | null | undefined;
  /** Of the runs to come. */
  readonly profile: string | undefined;
  readonly items: readonly ChatItem[];
  readonly calls: Readonly<Record<ToolCallId, ToolCallView>>;
  readonly run: RunView;
  readonly usage: Usage;
  /** Tools that searches have loaded, in order; offered with their schemas while they exist. */
  readonly loaded: readonly ToolName[];
  readonly tools: ChatTools;
  readonly cost: CostSum;
  /** Of the run that is under way or was last. */
  readonly runCost: CostSum;
}

export type ChatAction =
  | { readonly type: 'entry'; readonly entry: TranscriptEntry }
  /** A running call's progress: shown, not recorded. */
  | { readonly type: 'progress'; readonly callId: ToolCallId; readonly progress: { readonly done: number; readonly total?: number; readonly message?: string } };

const noCost: CostSum = { requests: 0, sent: 0, plainHost: 0, keptOut: 0 };
export const emptyChatState: ChatState = {
  id: undefined, title: '', createdAt: 0, updatedAt: 0, head: null, model: undefined, profile: undefined, items: [], calls: {}, run: { phase: 'idle' }, usage: { inputTokens: 0, outputTokens: 0 },
  loaded: [], tools: everyTool, cost: noCost, runCost: noCost,
};

/** Folds a transcript into what is shown. The same code reads the log on disk, follows in main and follows in windows. */
export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  if (action.type === 'progress') {
    return withCall(state, action.callId, (view) => (view.phase === 'running' ? { ...view, progress: action.progress } : view));
  }
  const { entry } = action;
  const next = { ...state, head: entry.id, updatedAt: entry.at };
  switch (entry.type) {
    case 'chat-created':
      return { ...next, id: entry.chatId, title: entry.title, createdAt: entry.at };
    case 'chat-renamed':
      return { ...next, title: entry.title };
    case 'model-chosen':
      return { ...next, model: entry.model };
    case 'user-message':
      return withItem(next, { kind: 'user', id: entry.id, at: entry.at, text: entry.text, ...(entry.attachments ? { attachments: entry.attachments } : {}) });
    case 'model-left-open':
      return { ...next, model: undefined };
    case 'profile-chosen':
      return { ...next, profile: entry.profile ?? undefined };
    case 'run-prepared':
      return withItem(next, { kind: 'run-prepared', id: entry.id, at: entry.at, setup: entry.setup });
    case 'run-started':
      return { ...next, runCost: noCost, run: { phase: 'running', runId: entry.runId, since: entry.at, step: 0 } };
    case 'step-started':
      return withItem(
        { ...next, run: { phase: 'running', runId: entry.runId, since: state.run.phase === 'running' ? state.run.since : entry.at, step: entry.step } },
        { kind: 'assistant', id: entry.id, at: entry.at, model: entry.model, step: entry.step, text: '', reasoning: '', calls: [], toolsSetAside: entry.toolsSetAside },
      );
    case 'text':
      return withAnswer(next, entry.stepId, (item) => ({ ...item, text: item.text + entry.delta }));
    case 'reasoning':
      return withAnswer(next, entry.stepId, (item) => ({ ...item, reasoning: item.reasoning + entry.delta }));
    case 'call-requested': {
      const view: ToolCallView = { call: entry.call, entryId: entry.id, requestedAt: entry.at, inner: [], phase: 'starting' };
      const known = { ...next, calls: { ...state.calls, [entry.call.id]: view } };
      const { parentId } = entry.call;
      if (parentId !== undefined) return withCall(known, parentId, (outer) => ({ ...outer, inner: [...outer.inner, entry.call.id] }));
      if (entry.stepId === undefined) return withItem(known, { kind: 'direct-call', id: entry.id, at: entry.at, call: entry.call.id });
      return withAnswer(known, entry.stepId, (item) => ({ ...item, calls: [...item.calls, entry.call.id] }));
    }
    case 'call-waiting':
      return withCall(next, entry.callId, (view) => ({ ...common(view), phase: 'waiting', approvalId: entry.approvalId }));
    case 'call-started':
      return withCall(next, entry.callId, (view) => ({ ...common(view), call: entry.call, phase: 'running', startedAt: entry.at }));
    case 'call-settled':
      return withCall(withKeptOut(next, entry.callId, entry.outcome), entry.callId, (view) => ({
        ...common(view), phase: 'settled', settledAt: entry.at, outcome: entry.outcome,
        ...(view.phase === 'running' ? { startedAt: view.startedAt } : {}),
      }));
    case 'step-finished':
      return withAnswer(
        { ...next, usage: addUsage(state.usage, entry.usage) },
        entry.stepId,
        (item) => ({ ...item, finish: entry.finish, ...(entry.usage ? { usage: entry.usage } : {}) }),
      );
    case 'tools-loaded':
      return { ...next, loaded: [...state.loaded, ...entry.tools.filter((tool) => !state.loaded.some((known) => isSame(known, tool)))] };
    case 'chat-tools-set':
      return { ...next, tools: entry.tools };
    case 'cost-counted':
      return { ...next, cost: addCost(state.cost, entry.cost), runCost: addCost(state.runCost, entry.cost) };
    case 'run-settled': {
      const settled: ChatState = { ...next, run: entry.ending.how === 'done' ? { phase: 'idle' } : { phase: 'resting', ending: entry.ending } };
      return entry.ending.how === 'done' ? settled : withItem(settled, { kind: 'run-ended', id: entry.id, at: entry.at, ending: entry.ending });
    }
  }
}

export function addUsage(total: Usage, more: Usage | undefined): Usage {
  if (!more) return total;
  const cached = (total.cachedInputTokens ?? 0) + (more.cachedInputTokens ?? 0);
  return { inputTokens: total.inputTokens + more.inputTokens, outputTokens: total.outputTokens + more.outputTokens, ...(cached > 0 ? { cachedInputTokens: cached } : {}) };
}

const addCost = (sum: CostSum, { sent, plainHost }: DefinitionCost): CostSum => ({ ...sum, requests: sum.requests + 1, sent: sum.sent + sent, plainHost: sum.plainHost + plainHost });

function withKeptOut(state: ChatState, callId: ToolCallId, outcome: ToolOutcome): ChatState {
  const call = state.calls[callId]?.call;
  const tokens = call ? keptOutTokens(call, call.parentId === undefined ? undefined : state.calls[call.parentId]?.call, outcome) : 0;
  if (tokens === 0) return state;
  const add = (sum: CostSum): CostSum => ({ ...sum, keptOut: Math.max(0, sum.keptOut + tokens) });
  return { ...state, cost: add(state.cost), runCost: add(state.runCost) };
}

const isSame = (a: ToolName, b: ToolName) => a.serverId === b.serverId && a.tool === b.tool;
const common = ({ call, entryId, requestedAt, inner }: ToolCallView) => ({ call, entryId, requestedAt, inner });
const withItem = (state: ChatState, item: ChatItem): ChatState => ({ ...state, items: [...state.items, item] });

function withCall(state: ChatState, callId: ToolCallId, change: (view: ToolCallView) => ToolCallView): ChatState {
  const view = state.calls[callId];
  return view ? { ...state, calls: { ...state.calls, [callId]: change(view) } } : state;
}

/** The answer is nearly always the last item: look from the end. */
function withAnswer(state: ChatState, stepId: EntryId, change: (item: ChatItem & { kind: 'assistant' }) => ChatItem): ChatState {
  const index = state.items.findLastIndex((item) => item.id === stepId);
  const item = state.items[index];
  return item?.kind === 'assistant' ? { ...state, items: state.items.with(index, change(item)) } : state;
}
