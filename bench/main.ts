import { cpus, loadavg } from 'node:os';
import { bigResult } from './big-result.ts';
import { callPathHttp, callPathStdio } from './call-path.ts';
import { figureJson, figureTable, type Figure } from './figure.ts';
import { initialRequest } from './initial-request.ts';
import { launch } from './launch.ts';
import { memory } from './memory.ts';
import { merge } from './merge.ts';
import { serversPage } from './servers-page.ts';
import { startUp } from './start-up.ts';
import { streaming } from './streaming.ts';

/** `npm run bench [-- NAME… --json --runs=N]`. A benchmark may give more than one figure; a goal that is missed fails nothing. */
const benchmarks: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  launch,
  memory,
  'call-path': callPathHttp,
  'call-path-stdio': callPathStdio,
  streaming,
  merge,
  'servers-page': serversPage,
  'big-result': bigResult,
  'initial-request': initialRequest,
  'start-up': startUp,
};

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  const names = args.filter((arg) => arg !== '--json' && !arg.startsWith('--runs='));
  const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}\n`);
    return 2;
  }
  const [load = 0] = loadavg();
  const busy = load > cpus().length;
  if (busy) process.stderr.write(`This machine is busy (load ${load.toFixed(1)} on ${cpus().length} cores): ratios will be less exact\n`);
  const all: Figure[] = [];
  for (const [name, measure] of Object.entries(benchmarks)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stderr.write(`${name} `);
    const figures = await measure();
    process.stderr.write('\n');
    all.push(...figures);
    if (json) process.stdout.write(figures.map((figure) => `${figureJson(figure)}\n`).join(''));
  }
  if (!json) process.stdout.write(`${figureTable(all)}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
