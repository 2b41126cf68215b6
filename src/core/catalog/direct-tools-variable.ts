import type { Pins } from './catalog-rules.ts';

/** What `MCP_DIRECT_TOOLS` says of pins, in place of every file and setting (F-103). */
export interface DirectToolsVariable {
  pinsOf(serverName: string): Pins;
}

/** A list of `server` or `server/tool`, separated by commas; `__none__` pins nothing. Absent or empty: the variable says nothing. */
export function readDirectTools(text: string | undefined): DirectToolsVariable | undefined {
  const items = (text ?? '').split(',').map((item) => item.trim()).filter((item) => item !== '');
  if (items.length === 0) return undefined;
  if (items.includes('__none__')) return { pinsOf: () => false };
  return {
    pinsOf(serverName) {
      if (items.includes(serverName)) return true;
      const tools = items.flatMap((item) => (item.startsWith(`${serverName}/`) ? [item.slice(serverName.length + 1)] : []));
      return tools.length > 0 ? tools : false;
    },
  };
}
