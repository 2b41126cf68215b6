import * as z from 'zod';
import { parsedParams } from './action-params.ts';
import { outcomeOf } from './own-result.ts';
import type { Actions, OwnTool } from './own-tool.ts';

const Server = z.string().trim().min(1).max(1000);
const ListParams = z.strictObject({ mcp_name: Server });
const ReadParams = z.strictObject({ mcp_name: Server, uri: z.string().trim().min(1).max(8192) });

/** `list_mcp_resources` and `read_mcp_resource` (H-53): found by searching, never offered at the start unless asked for. */
export const resourceTools = (actions: Actions): readonly OwnTool[] => [
  {
    name: 'list_mcp_resources',
    description: 'List the resources that one MCP server offers to read.',
    inputSchema: { type: 'object', properties: { mcp_name: { type: 'string', description: 'the server' } }, required: ['mcp_name'] },
    run: async (args, context, signal) => {
      const parsed = parsedParams(ListParams, args);
      return outcomeOf(parsed.ok ? await actions.resources({ server: parsed.value.mcp_name, limit: 100 }, context, signal) : parsed);
    },
  },
  {
    name: 'read_mcp_resource',
    description: 'Read one resource of an MCP server by its exact URI.',
    inputSchema: { type: 'object', properties: { mcp_name: { type: 'string', description: 'the server' }, uri: { type: 'string' } }, required: ['mcp_name', 'uri'] },
    run: async (args, context, signal) => {
      const parsed = parsedParams(ReadParams, args);
      return outcomeOf(parsed.ok ? await actions.readResource({ server: parsed.value.mcp_name, uri: parsed.value.uri }, context, signal) : parsed);
    },
  },
];
