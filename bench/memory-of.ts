import { readFile } from 'node:fs/promises';
import { listProcesses, membersOf } from '../src/node/stdio/process-tree.ts';
import { poll } from './poll.ts';

/** MiB. A page that several processes share counts for each in part, so a sum over processes counts it once. Linux only. */
async function pssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}

export async function treeMemory(root: number): Promise<number> {
  const rows = membersOf(await listProcesses(), root);
  return (await Promise.all(rows.map(({ pid }) => pssOf(pid)))).reduce((sum, pss) => sum + pss, 0);
}

/** The process below `root` whose command line names `script`. */
export async function memoryOf(root: number, script: string): Promise<number> {
  for (const { pid } of membersOf(await listProcesses(), root)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(script)) return pssOf(pid);
  }
  throw new Error(`no process runs ${script}`);
}

const windowSamples = 6;
const sampleEveryMs = 500;

/** What `measure` gives once it has stayed within 1 % for three seconds; after half a minute, what it gives then. */
export async function settled(measure: () => Promise<number>): Promise<number> {
  const seen: number[] = [];
  const look = async () => {
    seen.push(await measure());
    const last = seen.slice(-windowSamples);
    const still = last.length === windowSamples && Math.max(...last) <= Math.min(...last) * 1.01;
    return still || seen.length >= 60 ? last.at(-1) : undefined;
  };
  return poll(look, 60_000, 'memory could not be measured', sampleEveryMs);
}
