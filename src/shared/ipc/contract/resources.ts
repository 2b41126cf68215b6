import * as z from 'zod';
import { ChatId, ServerId } from '../../ids.ts';
import type { Attachment } from '../../model/attachment.ts';
import type { ContentRef } from '../../model/content.ts';
import type { ResourceLine } from '../../model/resource-line.ts';
import type { ToolOutcome } from '../../model/tool-call.ts';
import { request } from '../define.ts';

const one = z.strictObject({ serverId: ServerId, uri: z.string().min(1).max(8192), chatId: ChatId.optional() });
export const resources = {
  /** What the servers that are switched on list, or listed when last seen; with text, what fits it, best first. Connects nothing. */
  'resources.find': request<{ readonly lines: readonly ResourceLine[]; readonly total: number }>()(
    z.strictObject({ text: z.string().max(500).default(''), limit: z.number().int().min(1).max(200).default(50) }),
  ),
  /**
   * One resource by its address: a listed one, one that fits a listed template, or one that the server linked to in the chat. In a window the press of the button that shows server and
   * address is the approval; from elsewhere policy is asked. Answers when it has ended. `files` are its contents whole, as they can be saved, in their order.
   */
  'resources.read': request<{ readonly outcome: ToolOutcome; readonly files: readonly (ContentRef | null)[] }>()(one),
  /** The same, to be sent beside a message. `failed`: how the reading ended instead. */
  'resources.attach': request<{ readonly kind: 'attached'; readonly attachment: Attachment } | { readonly kind: 'failed'; readonly outcome: Exclude<ToolOutcome, { readonly kind: 'succeeded' }> }>()(one),
};
