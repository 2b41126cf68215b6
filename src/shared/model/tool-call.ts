import * as z from 'zod';
import { ErrorCode } from './error-code.ts';
import { ApprovalId, ChatId, EntryId, GrantId, Revision, ServerId, ToolCallId } from '../ids.ts';
import { ToolResult } from './content.ts';

/** Who wants the call. It comes from the door, never from the message. */
export const Caller = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('chat'), chatId: ChatId }),
  /** A person pressed Run on a form that shows server, tool and all arguments. */
  z.strictObject({ kind: z.literal('direct'), chatId: ChatId }),
  /** A person pressed Read beside a server's name and an address, outside of any chat. */
  z.strictObject({ kind: z.literal('person') }),
  z.strictObject({ kind: z.literal('cli') }),
  z.strictObject({ kind: z.literal('http-api') }),
  z.strictObject({ kind: z.literal('app-window'), serverId: ServerId }),
]);
export type Caller = z.infer<typeof Caller>;

export const ToolCall = z.strictObject({
  id: ToolCallId,
  ref: z.strictObject({ serverId: ServerId, tool: z.string(), revision: Revision }),
  serverName: z.string(),
  args: z.record(z.string(), z.unknown()),
  caller: Caller,
  /** The call that made this one: a gateway call or a script. Its own caller, its own approval, its own outcome. */
  parentId: ToolCallId.optional(),
  /** A resource is read rather than a tool called: its URI. `ref.tool` is then the alias by which rules name it (`read_<name>`). */
  resource: z.string().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** How a call ended. Expected endings are values, never exceptions. */
export const ToolOutcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('succeeded'), result: ToolResult }),
  /** The tool answered with `isError`: its own words. */
  z.strictObject({ kind: z.literal('tool-error'), result: ToolResult }),
  z.strictObject({ kind: z.literal('denied'), by: z.enum(['policy', 'user', 'guard']), reason: z.string() }),
  z.strictObject({ kind: z.literal('cancelled') }),
  z.strictObject({ kind: z.literal('failed'), code: ErrorCode, message: z.string() }),
]);
export type ToolOutcome = z.infer<typeof ToolOutcome>;

/** One question to a person about one call. */
export const Approval = z.strictObject({
  id: ApprovalId,
  call: ToolCall,
  toolTitle: z.string().optional(),
  toolDescription: z.string(),
  /** The rule that asks, for the card. */
  because: z.string(),
  askedAt: z.number(),
  /** How the person says where the server is: its command line or URL, secrets masked. */
  target: z.string(),
  annotations: z.strictObject({
    title: z.string().optional(), readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(), openWorldHint: z.boolean().optional(),
  }),
  /** Set when an earlier permission no longer holds because the tool or its server changed. */
  changed: z.strictObject({ what: z.enum(['tool', 'server']), before: z.string(), after: z.string() }).optional(),
  /** The tool's own input schema, so that edited arguments can be entered in a form. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** No lasting answer is offered or taken: a person says yes to this one call, or no. */
  onceOnly: z.literal(true).optional(),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalAnswer = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('allow'),
    /** `tool` and `server` are permanent grants, bound to this server's identity and, for `tool`, to the tool's revision. Only `once` where the question is `onceOnly`. */
    scope: z.enum(['once', 'chat', 'tool', 'server']),
    /** What the person made of the arguments; what runs is recorded. Only with `once`. */
    args: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ decision: z.literal('deny'), reason: z.string().max(2000).optional() }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** What a person allowed for longer than one call. */
export const Grant = z.strictObject({
  id: GrantId,
  serverId: ServerId,
  serverName: z.string(),
  /** Hash of what the server was when it was allowed. */
  serverRevision: Revision,
  /** What the server was then, in words: its command line or URL, secrets masked. */
  target: z.string(),
  /** The package that its command ran, with its version, where that was known. */
  package: z.string().optional(),
  /** Absent: every tool of the server. */
  tool: z.strictObject({ name: z.string(), revision: Revision, definition: z.string() }).optional(),
  grantedAt: z.number(),
});
export type Grant = z.infer<typeof Grant>;

export type ToolCallView = {
  readonly call: ToolCall;
  /** Where in the transcript it was asked for. */
  readonly entryId: EntryId;
  readonly requestedAt: number;
  /** The calls that this one made, in order: those of a script, or of the gateway. */
  readonly inner: readonly ToolCallId[];
} & (
  | { readonly phase: 'waiting'; readonly approvalId: ApprovalId }
  | { readonly phase: 'starting' }
  | { readonly phase: 'running'; readonly startedAt: number; readonly progress?: { readonly done: number; readonly total?: number; readonly message?: string } }
  | { readonly phase: 'settled'; readonly startedAt?: number; readonly settledAt: number; readonly outcome: ToolOutcome }
);
