import { expect, it } from 'vitest';
import { measureRetrieval, readQueries, readServers } from '../../../test/support/tool-retrieval.ts';
import { ToolIndex } from './tool-index.ts';

const finderOf = (...files: readonly string[]) => {
  const index = new ToolIndex();
  for (const { serverId, tools } of files.flatMap(readServers)) index.setServer(serverId, tools);
  return (query: string) => index.find(query, { limit: 20 }).hits.map(({ tool }) => tool.ref.tool);
};
const real = 'test/fixtures/tool-retrieval';
const written = 'test/fixtures/tool-search';

// Ninety queries each, on a machine that may be busy.
const limit = { timeout: 60_000 };

it('finds the tools of real servers for wishes and for tasks that people wrote', limit, () => {
  const reached = measureRetrieval(readQueries(`${real}/queries.jsonl`), finderOf(`${real}/servers.json`));
  expect(reached.first).toBeGreaterThanOrEqual(0.7);
  expect(reached.firstFive).toBeGreaterThanOrEqual(0.93);
  expect(reached.taskRecall).toBeGreaterThanOrEqual(0.7);
});
it('finds them for short wishes of our own that the weights were not tuned on', limit, () => {
  const reached = measureRetrieval(readQueries(`${written}/queries-for-real-tools.jsonl`), finderOf(`${real}/servers.json`));
  expect(reached.first).toBeGreaterThanOrEqual(0.8);
  expect(reached.firstFive).toBeGreaterThanOrEqual(0.95);
});
it('finds the tools of other servers as well, alone and among hundreds that were not asked for', limit, () => {
  const queries = readQueries(`${written}/queries.jsonl`);
  const alone = measureRetrieval(queries, finderOf(`${written}/catalogs.json`));
  expect(alone.first).toBeGreaterThanOrEqual(0.7);
  expect(alone.firstFive).toBeGreaterThanOrEqual(0.93);
  expect(alone.taskRecall).toBeGreaterThanOrEqual(0.85);
  const among = measureRetrieval(queries, finderOf(`${written}/catalogs.json`, `${real}/servers.json`));
  expect(among.firstFive).toBeGreaterThanOrEqual(0.85);
  expect(among.taskRecall).toBeGreaterThanOrEqual(0.8);
});
