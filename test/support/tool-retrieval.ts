import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Revision, ServerId } from '../../src/shared/ids.ts';
import type { CatalogTool } from '../../src/shared/model/catalog.ts';

/** A set for measuring tool search: servers with their tools as they list them, and labelled queries (test/fixtures/tool-retrieval/README.md). */
const ListedServer = z.object({
  server: z.string(),
  tools: z.array(z.object({ name: z.string(), title: z.string().optional(), description: z.string().default(''), inputSchema: z.record(z.string(), z.unknown()) })),
});
const LabelledQuery = z.object({ kind: z.enum(['step', 'ask', 'task']), query: z.string(), gold: z.array(z.string()).min(1) });
export type LabelledQuery = z.infer<typeof LabelledQuery>;

export interface ToolServer {
  readonly serverId: ServerId;
  readonly tools: readonly CatalogTool[];
}

export function readServers(file: string): readonly ToolServer[] {
  return z.array(ListedServer).parse(JSON.parse(readFileSync(file, 'utf8'))).map(({ server, tools }) => {
    const serverId = ServerId.parse(`global:${server}`);
    return {
      serverId,
      tools: tools.map(({ name, title, description, inputSchema }): CatalogTool => ({
        ref: { serverId, tool: name, revision: Revision.parse('r') }, serverName: server, ...(title === undefined ? {} : { title }), description, inputSchema, annotations: {}, modelName: `mcp_${server}_${name}`,
      })),
    };
  });
}

export const readQueries = (file: string): readonly LabelledQuery[] =>
  readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => LabelledQuery.parse(JSON.parse(line)));

/** Shares between 0 and 1: wishes whose tool is the first, or among the first five; and of the tools that a task needs, those among the first twenty. */
export interface Retrieval {
  readonly first: number;
  readonly firstFive: number;
  readonly taskRecall: number;
}

/** Names found, best first, at most twenty. A hit is by name. */
export function measureRetrieval(queries: readonly LabelledQuery[], find: (query: string) => readonly string[]): Retrieval {
  const mean = (values: readonly number[]): number => (values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length);
  const wishes = queries.filter(({ kind }) => kind !== 'task');
  const places = wishes.map(({ query, gold }) => find(query).findIndex((name) => gold.includes(name)));
  const recalls = queries.filter(({ kind }) => kind === 'task').map(({ query, gold }) => {
    const found = new Set(find(query).slice(0, 20));
    return gold.filter((name) => found.has(name)).length / gold.length;
  });
  return { first: mean(places.map((place) => Number(place === 0))), firstFive: mean(places.map((place) => Number(place >= 0 && place < 5))), taskRecall: mean(recalls) };
}
