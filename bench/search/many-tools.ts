import { ServerId } from '../../src/shared/ids.ts';
import type { CatalogTool } from '../../src/shared/model/catalog.ts';
import type { ToolServer } from '../../test/support/tool-retrieval.ts';

/** The share of different words that each copy says in its own way. */
const changed = 6;
const syllables = ['ka', 'mo', 'ri', 'te', 'su', 'no', 'va', 'le', 'pi', 'do'];

/** At least `least` tools out of a smaller set: copies of its servers in which every sixth word, by a hash, is another; the same at every run. */
export function manyTools(servers: readonly ToolServer[], least: number): readonly ToolServer[] {
  const size = servers.reduce((sum, { tools }) => sum + tools.length, 0);
  const copies = Math.ceil(least / size);
  return Array.from({ length: copies }, (_, copy) => servers.map((server) => (copy === 0 ? server : changedServer(server, copy)))).flat();
}

/** The same server with other words: what a new listing of it may look like. */
export function changedServer({ serverId, tools }: ToolServer, copy: number): ToolServer {
  const otherId = ServerId.parse(`${serverId}-${copy}`.slice(-200));
  return {
    serverId: otherId,
    tools: tools.map((tool): CatalogTool => {
      const name = changedText(tool.ref.tool, copy);
      return { ...tool, ref: { ...tool.ref, serverId: otherId, tool: name }, description: changedText(tool.description, copy), modelName: `mcp_${tool.serverName}_${copy}_${name}` };
    }),
  };
}

const changedText = (text: string, copy: number): string => text.replace(/\p{L}{3,}/gu, (word) => (hash(word, copy) % changed === 0 ? word + (syllables[hash(word, copy + 7) % syllables.length] ?? '') : word));

function hash(word: string, seed: number): number {
  let value = 2166136261 ^ seed;
  for (let at = 0; at < word.length; at += 1) value = Math.imul(value ^ word.charCodeAt(at), 16777619);
  return (value ^ (value >>> 13)) >>> 0;
}
