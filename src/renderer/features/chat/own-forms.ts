import type { CatalogTool } from '../../../shared/model/catalog.ts';
import { api } from '../../bridge/api.ts';
import { useAsked } from '../../bridge/request-state.ts';
import type { ToolSearch } from './use-tool-search.ts';

interface ForPerson {
  readonly title: string;
  readonly summary: string;
  /** Beside those of the title, words that somebody may look for it by. */
  readonly words: string;
}
const forPerson: Readonly<Record<string, ForPerson>> = {
  mcp_script: { title: 'Run a script', summary: 'JavaScript in a sandbox that finds and calls your tools: chains, loops, joins. Each call is asked about like any other.', words: 'javascript js code sandbox loop mcp_script gatehouse' },
  mcp: { title: 'MCP gateway', summary: 'One action on your servers, as a model asks for it: search, describe, call, connect, read.', words: 'mcp gatehouse' },
  mcp_search: { title: 'Search as a model does', summary: 'The tools that a model would be told of for these words, and what it would be told.', words: 'find tools mcp_search gatehouse' },
};

/** Gatehouse's own tools in words for a person; what a model is told of them comes after. Nothing while they are not known. */
export function useOwnTools(wanted: boolean): readonly CatalogTool[] {
  const asked = useAsked(String(wanted), (signal) => (wanted ? api.ownTools.list({}, signal) : Promise.resolve({ tools: [] })));
  return asked.phase === 'ready' ? asked.value.tools.map(inWords) : [];
}

function inWords(tool: CatalogTool): CatalogTool {
  const words = forPerson[tool.ref.tool];
  return words ? { ...tool, title: words.title, description: `${words.summary}\n\nA model is told: ${tool.description}` } : tool;
}

/** Those for which every word that is typed begins one of theirs. */
export function ownToolsFor(text: string, tools: readonly CatalogTool[]): readonly CatalogTool[] {
  const typed = wordsOf(text);
  if (typed.join('').length < 2) return [];
  return tools.filter(({ ref, title = '' }) => {
    const known = wordsOf(`${title} ${forPerson[ref.tool]?.words ?? ''}`);
    return typed.every((word) => known.some((one) => one.startsWith(word)));
  });
}

/** Below those of servers. */
export function withOwnTools<T extends ToolSearch>(search: T, own: readonly CatalogTool[]): T {
  if (own.length === 0 || !('page' in search) || !search.page) return search;
  return { ...search, page: { ...search.page, tools: [...search.page.tools, ...own] } };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
