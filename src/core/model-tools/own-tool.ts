import type { ToolCallId } from '../../shared/ids.ts';
import type { CatalogTool, JsonObject } from '../../shared/model/catalog.ts';
import type { ToolName } from '../../shared/model/chat-tools.ts';
import type { Caller, ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';

/** On whose behalf one of Gatehouse's own tools works: a model in a chat, a person in Direct mode, the CLI, the HTTP API. */
export interface OwnToolContext {
  readonly caller: Caller;
  /** The own tool's call: what it calls is recorded as made by it. */
  readonly callId: ToolCallId;
  /** Records a call to a server as requested, before it is executed, and gives the place for the rest of its story. */
  readonly record: (call: ToolCall) => Promise<CallRecorder>;
  /** Around a call to a server: it ends with the own tool's, and can be cancelled by itself (F-62). */
  readonly cancellable: (call: ToolCall, signal: AbortSignal, work: (either: AbortSignal) => Promise<ToolOutcome>) => Promise<ToolOutcome>;
  /** What this chat may use; everything, where there is no chat. */
  readonly mayUse: (tool: ToolName) => boolean;
  /** From the next model answer on these are offered (F-99). Resolves to those that cannot be, with the reason; without a chat that is all of them. */
  readonly load: (tools: readonly ToolName[]) => Promise<readonly NotLoaded[]>;
  /** The run whose model asks; absent where none is under way. */
  readonly run?: RunConnections;
}
export interface RunConnections {
  /** Connects a server that exists until the run ends. A person said yes to this address. Throws `server/exists` for a name that is taken, and why it did not connect. */
  connect(server: { readonly name: string; readonly url: string }, signal: AbortSignal): Promise<{ readonly serverName: string; readonly tools: readonly CatalogTool[] }>;
}
export interface NotLoaded {
  readonly tool: ToolName;
  readonly why: string;
}

/** A tool of Gatehouse's own, as a model and a person see it. */
export interface OwnTool {
  readonly name: string;
  /** For a person who is asked about it. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Every ending is an outcome; a refusal is a `tool-error` whose structured content is `{ error: { code, message } }` with a code of F-96. */
  run(args: JsonObject, context: OwnToolContext, signal: AbortSignal): Promise<ToolOutcome>;
  /** For a tool that is not run before a person said so, each time anew. Through the gateway it is a call of its own. */
  readonly asksFirst?: AsksFirst;
  /** For a tool that stands still for a person and can go on in another process. */
  readonly later?: LaterTool;
}
export interface AsksFirst {
  /** Why, for the person. */
  readonly because: string;
  /** Where a call leads, for the person to judge; or why it is worth no question. Nothing is touched or looked up. */
  about(args: JsonObject, context: OwnToolContext): { readonly ok: true; readonly target: string } | Extract<ActionAnswer, { ok: false }>;
}
/** A call that an earlier process made, and how it ended. */
export interface EarlierCall {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  /** It was sent, whatever its outcome says. */
  readonly started: boolean;
}
export interface LaterTool {
  /** Whether this call stands still and can go on. */
  waits(callId: ToolCallId, signal: AbortSignal): Promise<boolean>;
  /** Goes on with it. Calls that only asked a person ask again; `earlier` tells how the others ended. */
  resume(context: OwnToolContext, earlier: (callId: ToolCallId) => EarlierCall | undefined, signal: AbortSignal): Promise<ToolOutcome>;
}

/** What an action of the gateway, or a script's `tools.…`, gives back. `result` is there for a call that reached its server. */
export type ActionAnswer =
  | { readonly ok: true; readonly data: unknown; readonly text: string; readonly outcome?: ToolOutcome }
  | { readonly ok: false; readonly error: { readonly code: ActionErrorCode; readonly message: string; readonly data?: JsonObject }; readonly outcome?: ToolOutcome; /** The raw result, where a tool answered with an error of its own. */ readonly data?: unknown };

/** Stable codes (F-96), for models and scripts. */
export const actionErrorCodes = [
  'invalid_arguments', 'server_not_found', 'server_disabled', 'not_found', 'not_connected', 'tool_not_found', 'ambiguous_tool', 'native_tool', 'approval_required',
  'approval_denied', 'auth_required', 'oauth_not_supported', 'auth_start_failed', 'auth_complete_failed', 'not_authenticated', 'connect_failed', 'server_unavailable',
  'server_backoff', 'call_failed', 'tool_error', 'aborted', 'ambiguous_outcome', 'call_capture_failed', 'url_elicitation_required', 'empty_query', 'offset_out_of_range',
  'no_instructions', 'result_read_failed', 'init_failed', 'init_timeout', 'not_initialized', 'result_too_large',
] as const;
export type ActionErrorCode = (typeof actionErrorCodes)[number];

/**
 * What the gateway and scripts do alike, one method an action. Nothing here throws for an expected ending; `params` come from a model and are parsed. Discovery
 * activates nothing.
 */
export interface Actions {
  search(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  list(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  describe(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  /** `data` is the raw MCP result, secrets masked. */
  call(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  /** What `call` would do with these parameters, without doing it: whether a person would be asked first. */
  wouldAsk(params: unknown, context: OwnToolContext): boolean;
  connect(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  status(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  instructions(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  resources(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  readResource(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
  readResult(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer>;
}
