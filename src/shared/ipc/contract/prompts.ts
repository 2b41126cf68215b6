import * as z from 'zod';
import { ChatId, ServerId } from '../../ids.ts';
import type { PromptAnswer, PromptCommand } from '../../model/prompt-command.ts';
import { request } from '../define.ts';

const chatId = ChatId.optional();
const values = z.record(z.string().max(1000), z.string().max(100_000));
export const prompts = {
  /** Every prompt as a command of the composer, of connected servers and of those that were seen before. Connects nothing. */
  'prompts.commands': request<readonly PromptCommand[]>()(z.strictObject({})),
  /** A command with its arguments, as a person typed it. Connects its server. Content that comes with it is kept with the chat. */
  'prompts.run': request<PromptAnswer>()(z.strictObject({ text: z.string().min(1).max(500_000), chatId })),
  /** One prompt with arguments from a form. */
  'prompts.get': request<PromptAnswer>()(z.strictObject({ serverId: ServerId, prompt: z.string().min(1).max(1000), args: values, chatId })),
  /** Values that a server suggests for an argument of a prompt or a variable of a template, at most 100; `others` are those that are filled in. */
  'prompts.complete': request<{ readonly values: readonly string[]; readonly more: boolean }>()(
    z.strictObject({
      serverId: ServerId,
      of: z.union([z.strictObject({ prompt: z.string().min(1).max(1000) }), z.strictObject({ template: z.string().min(1).max(8192) })]),
      argument: z.string().min(1).max(1000), value: z.string().max(2000), others: values.default({}),
    }),
  ),
};
