import * as z from 'zod';
import type { ChatId, ElicitationId, ServerId, ToolCallId } from '../ids.ts';
import type { JsonObject } from './catalog.ts';

/** The call on whose behalf a server asks, as far as it can be told. */
export interface AskingCall {
  readonly id: ToolCallId;
  readonly tool: string;
  /** The chat that made it. */
  readonly chatId?: ChatId;
}

/** What a server asks the person while it works (MCP, "Elicitation"). All of its words are the server's, and can be seen whole. */
export interface Elicitation {
  readonly id: ElicitationId;
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Absent for a question beside any call, and where several calls could be meant. */
  readonly call?: AskingCall;
  /** The chat that it belongs to: also where several calls of one chat could be meant. */
  readonly chatId?: ChatId;
  readonly ask: ElicitationAsk;
}
export type ElicitationAsk =
  /** A flat form; `schema` is JSON Schema, made anew from what the server sent. */
  | { readonly kind: 'form'; readonly schema: JsonObject }
  /** A page to open in the person's browser, for what must not pass through the app. */
  | {
      readonly kind: 'url';
      /** As it is opened. */
      readonly url: string;
      /** Its host, other scripts as punycode, and its port where one is said. */
      readonly host: string;
      /** `asked`: nothing was opened. `opened`: the person opened it, and it is not known to be over. */
      readonly phase: 'asked' | 'opened';
      /** Its call has failed for want of it, and is to be made again afterwards (−32042). */
      readonly retry: boolean;
    };

/** What the kinds of fields can hold. */
export const ElicitationContent = z.record(z.string().max(100), z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(1_000)).max(1_000)]));
export type ElicitationContent = z.infer<typeof ElicitationContent>;
/** `decline` is the person's no. `cancel` is no answer: it was put away, or there is nobody left to ask. */
export const ElicitationAction = z.enum(['accept', 'decline', 'cancel']);
export type ElicitationAction = z.infer<typeof ElicitationAction>;
