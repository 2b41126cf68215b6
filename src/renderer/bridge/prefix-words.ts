import type { ToolPrefix } from '../../shared/model/server-options.ts';

/** The forms of the names that models see, each shown by a name. `server`: as such a name has it. */
export const prefixExamples: readonly { readonly value: ToolPrefix; readonly example: (server: string) => string }[] = [
  { value: 'gatehouse', example: (server) => `mcp_${server}_tool` },
  { value: 'fusion', example: (server) => `mcp__${server}__tool` },
  { value: 'mcp', example: (server) => `mcp__${server}_tool` },
  { value: 'server', example: (server) => `${server}_tool` },
  { value: 'short', example: (server) => `${server.replace(/_?mcp$/, '') || 'mcp'}_tool` },
  { value: 'none', example: () => 'tool' },
];
