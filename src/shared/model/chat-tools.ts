import * as z from 'zod';
import { ServerId } from '../ids.ts';

/** A tool without its revision: what a person or a search chose, whatever the tool looks like next. `tool` is the server's own name. */
export const ToolName = z.strictObject({ serverId: ServerId, tool: z.string().max(1000) });
export type ToolName = z.infer<typeof ToolName>;

/** What a chat may not use. Everything else is allowed, servers that are added later included. Binds search, typed tools, gateway, scripts and resources alike. */
export const ChatTools = z.strictObject({
  serversOff: z.array(ServerId).max(1000),
  toolsOff: z.array(ToolName).max(5000),
});
export type ChatTools = z.infer<typeof ChatTools>;
