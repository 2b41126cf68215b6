import type { ToolOutcome } from '../../../shared/model/tool-call.ts';

export interface FoundTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly server: string;
  /** Why it was not loaded; absent where it was. */
  readonly why?: string;
}
export interface SearchAnswer {
  readonly tools: readonly FoundTool[];
  /** How many fit in all. */
  readonly total: number;
  /** Servers that nobody has looked at yet. */
  readonly unseen: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a search found and loaded, from the data beside its words; `undefined` where there is none to read. */
export function searchAnswer(outcome: ToolOutcome | undefined): SearchAnswer | undefined {
  const structured = outcome?.kind === 'succeeded' ? outcome.result.structured : undefined;
  if (!structured || !('json' in structured)) return undefined;
  const data: unknown = JSON.parse(structured.json); // our own JSON.stringify
  if (!isFields(data) || !Array.isArray(data['items'])) return undefined;
  const tools = data['items'].flatMap((item: unknown) => (isFields(item) ? foundTool(item) : []));
  const coverage = isFields(data['coverage']) ? data['coverage']['unknownServers'] : undefined;
  return {
    tools, total: typeof data['total'] === 'number' ? data['total'] : tools.length,
    unseen: Array.isArray(coverage) ? coverage.filter((name: unknown) => typeof name === 'string') : [],
  };
}

function foundTool({ name, server, loaded, why }: Fields): readonly FoundTool[] {
  if (typeof name !== 'string' || typeof server !== 'string') return [];
  return [{ name, server, ...(loaded === true ? {} : { why: typeof why === 'string' ? why : 'not loaded' }) }];
}

/** Of a search's line: what came of it. */
export function searchRemark({ tools, total }: SearchAnswer): string {
  if (total === 0) return 'nothing fits';
  const loaded = tools.filter(({ why }) => why === undefined).length;
  const left = tools.length - loaded;
  return [loaded > 0 ? `${loaded} loaded` : '', left > 0 ? `${left} not loaded` : ''].filter((part) => part !== '').join(', ');
}
