import { parseArgs } from 'node:util';
import { ToolIndex } from '../../src/core/search/tool-index.ts';
import { measureRetrieval, readQueries, readServers, type LabelledQuery, type Retrieval, type ToolServer } from '../../test/support/tool-retrieval.ts';
import { figureJson, figureTable, type Figure } from '../figure.ts';
import { interleave, numberOf, type Sample } from '../interleave.ts';
import { changedServer, manyTools } from './many-tools.ts';
import { PlainMiniSearch } from './plain-mini-search.ts';

const set = 'test/fixtures/tool-retrieval';
const largeSet = 10_000;
const updates = 20;
/** Every third query is timed: all of them would take the baseline minutes. */
const timedQueries = 3;
/** What must be reached, on the project's own set. */
const least: Readonly<Record<keyof Retrieval, number>> = { first: 0.66, firstFive: 0.92, taskRecall: 0.6 };
const words: Readonly<Record<keyof Retrieval, string>> = { first: 'wish-first', firstFive: 'wish-first-five', taskRecall: 'task-recall-20' };

interface Searcher {
  setServer(server: ToolServer): void;
  find(query: string): readonly string[];
}
function gatehouse(): Searcher {
  const index = new ToolIndex();
  return {
    setServer: ({ serverId, tools }) => index.setServer(serverId, tools),
    find: (query) => index.find(query, { limit: 20 }).hits.map(({ tool }) => tool.ref.tool),
  };
}
const filled = (searcher: Searcher, servers: readonly ToolServer[]): Searcher => {
  for (const server of servers) searcher.setServer(server);
  return searcher;
};

/** Everything that is timed, on an index of its own: building it, the slowest twentieth of the queries, and new listings of some servers. */
async function timed(make: () => Searcher, servers: readonly ToolServer[], queries: readonly LabelledQuery[]): Promise<Sample> {
  const searcher = make();
  const before = performance.now();
  filled(searcher, servers);
  const build = performance.now() - before;
  const times = queries.map(({ query }) => clocked(() => searcher.find(query))).toSorted((a, b) => a - b);
  const changes = Array.from({ length: updates }, (_, at) => servers[Math.floor((at * servers.length) / updates)]).filter((server) => server !== undefined);
  const listings = changes.map((server) => ({ ...changedServer(server, 1), serverId: server.serverId }));
  const update = clocked(() => listings.forEach((listing) => searcher.setServer(listing))) / listings.length;
  return { build, p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN, update };
}

function clocked(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { servers: { type: 'string' }, queries: { type: 'string' }, json: { type: 'boolean', default: false } } });
  const servers = readServers(values.servers ?? `${set}/servers.json`);
  const queries = readQueries(values.queries ?? `${set}/queries.jsonl`);
  const retrieval = (searcher: Searcher) => measureRetrieval(queries, (query) => searcher.find(query));
  const ours = retrieval(filled(gatehouse(), servers));
  const theirs = retrieval(filled(new PlainMiniSearch(), servers));
  const own = values.servers === undefined && values.queries === undefined;
  const lines = (['first', 'firstFive', 'taskRecall'] as const).map((key) => ({ name: `search-${words[key]}`, value: ours[key], miniSearch: theirs[key], least: own ? least[key] : null }));
  for (const line of lines) {
    if (values.json) process.stdout.write(`${JSON.stringify(line)}\n`);
    else process.stdout.write(`${line.name.padEnd(24)} ${line.value.toFixed(3)}  MiniSearch ${line.miniSearch.toFixed(3)}${line.least === null ? '' : `  at least ${line.least.toFixed(2)} ${line.value >= line.least ? 'met' : 'missed'}`}\n`);
  }
  const many = manyTools(servers, largeSet);
  const some = queries.filter((_, at) => at % timedQueries === 0);
  const medians = await interleave(() => timed(gatehouse, many, some), () => timed(() => new PlainMiniSearch(), many, some));
  process.stderr.write('\n');
  const figures = ['build', 'p95', 'update'].map((name): Figure => ({ name: `search-10000-${name}`, value: numberOf(medians.subject, name), baseline: numberOf(medians.baseline, name), unit: 'ms', goal: 1 }));
  process.stdout.write(values.json ? figures.map((figure) => `${figureJson(figure)}\n`).join('') : `${figureTable(figures)}\n`);
}

await main();
