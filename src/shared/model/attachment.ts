import * as z from 'zod';
import { ServerId } from '../ids.ts';
import { ToolResult } from './content.ts';

const base = {
  serverId: ServerId,
  serverName: z.string().max(1000),
  /** For people. */
  name: z.string().max(1000),
  mimeType: z.string().max(200).optional(),
  /** What the server gave, through the guard: as it was when it was attached. */
  result: ToolResult,
};
/** What a person put beside a message: a resource that was read, or a part of a prompt that is no text. Data of a server, never words of the person. */
export const Attachment = z.discriminatedUnion('kind', [
  z.strictObject({ ...base, kind: z.literal('resource'), uri: z.string().min(1).max(8192) }),
  z.strictObject({ ...base, kind: z.literal('prompt'), prompt: z.string().min(1).max(1000) }),
]);
export type Attachment = z.infer<typeof Attachment>;
