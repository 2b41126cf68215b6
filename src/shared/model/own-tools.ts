import type { ServerId } from '../ids.ts';

/** Stands in a call's reference where a server's id would: the tools that are Gatehouse's own. No server has it, for every server's id holds a colon. */
export const ownToolsId = 'gatehouse' as ServerId; // a brand is a type alone, and windows load no schemas for it

/** What a model is given at the start of every chat, whatever servers there are. */
export const ownToolNames = ['mcp_search', 'mcp', 'mcp_script'] as const;
