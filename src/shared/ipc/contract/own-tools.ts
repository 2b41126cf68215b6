import * as z from 'zod';
import { ChatId } from '../../ids.ts';
import type { CatalogTool } from '../../model/catalog.ts';
import type { ToolOutcome } from '../../model/tool-call.ts';
import { request } from '../define.ts';

export const ownTools = {
  /** Those with which every chat of a model begins (`mcp_script` only while `scriptMode` is on); a person may use all of them, by `chats.call-tool`. */
  'own-tools.list': request<{ readonly tools: readonly CatalogTool[] }>()(z.strictObject({})),
  /**
   * One of Gatehouse's own tools (`mcp`, `mcp_search`, `find_tool`, …), as a model uses it: for a person, the command line and programs. With a chat it is recorded there, and the chat's
   * choice of tools holds; a window needs one. Answers when it has ended; calls that it makes to servers are asked about like any others. Expected endings are outcomes; the data of an
   * answer is its structured content.
   */
  'own-tools.run': request<{ readonly outcome: ToolOutcome }>()(
    z.strictObject({ name: z.string().min(1).max(200), args: z.record(z.string(), z.unknown()).default({}), chatId: ChatId.optional() }),
  ),
};
