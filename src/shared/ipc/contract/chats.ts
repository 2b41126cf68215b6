import * as z from 'zod';
import { ChatId, Revision, ServerId, ToolCallId } from '../../ids.ts';
import { Attachment } from '../../model/attachment.ts';
import { attachmentsLimit } from '../../model/attachment-size.ts';
import { ChatTools } from '../../model/chat-tools.ts';
import { ModelChoice } from '../../model/settings.ts';
import { request } from '../define.ts';

const profileName = z.string().max(200);
const one = z.strictObject({ chatId: ChatId });
export const chats = {
  'chats.create': request<{ readonly chatId: ChatId }>()(z.strictObject({ model: ModelChoice.nullable().optional(), profile: profileName.optional() })),
  'chats.rename': request<void>()(one.extend({ title: z.string().trim().min(1).max(200) })),
  'chats.delete': request<void>()(one),
  /** `null` is Direct mode; without a model the chat has none of its own, and follows its profile and the settings. */
  'chats.choose-model': request<void>()(one.extend({ model: ModelChoice.nullable().optional() })),
  /** `null`: none. A run that is under way keeps the one that it began with. A name that no profile has is taken: its runs say that it is missing (H-15). `request/invalid` for what is no name (H-16). */
  'chats.choose-profile': request<void>()(one.extend({ profile: profileName.nullable() })),
  /** Starts a run. Answers once the message is on disk; the run itself is followed. `chat/busy` while one runs. */
  'chats.send': request<void>()(
    one.extend({ text: z.string().max(500_000), attachments: z.array(Attachment).max(attachmentsLimit).optional() }).refine(({ text, attachments = [] }) => text !== '' || attachments.length > 0, 'Nothing to send'),
  ),
  /** Goes on after a stop, a failure, the step limit or an interruption. */
  'chats.continue': request<void>()(one),
  /** Ends the run, its model request and its tool calls. */
  'chats.stop': request<void>()(one),
  /** Direct mode: the press of Run on a form that shows server, tool and all arguments is the approval. */
  'chats.call-tool': request<{ readonly callId: ToolCallId }>()(
    one.extend({ ref: z.strictObject({ serverId: ServerId, tool: z.string().max(1000), revision: Revision }), args: z.record(z.string(), z.unknown()) }),
  ),
  /** What this chat may not use; it holds at once, for what is under way too. */
  'chats.set-tools': request<void>()(one.extend({ tools: ChatTools })),
  'chats.cancel-call': request<void>()(one.extend({ callId: ToolCallId })),
};
