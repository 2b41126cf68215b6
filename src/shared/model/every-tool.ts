import type { ChatTools, ToolName } from './chat-tools.ts';

// Apart from its schema: the window folds chats too, and is to load no schema library.
export const everyTool: ChatTools = { serversOff: [], toolsOff: [] };

export const mayUse = (allowed: ChatTools, { serverId, tool }: ToolName): boolean =>
  !allowed.serversOff.includes(serverId) && !allowed.toolsOff.some((off) => off.serverId === serverId && off.tool === tool);
