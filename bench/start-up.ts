import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { ConnectionState } from '../src/shared/model/connection-state.ts';
import { openWindow, type ElectronProgram, type OpenWindow } from './electron-window.ts';
import type { Figure } from './figure.ts';
import { interleave, numberOf, type Sample } from './interleave.ts';
import { connectionsOf } from './page-bridge.ts';
import { poll } from './poll.ts';
import { appProgram, temporaryFolder } from './programs.ts';

const many = 50;
/** As many as once brought 74 time-outs with them (O7). */
const storm = 99;
const idleMinutes = 0.05;
/** Looks come this far apart at most (F-37). Milliseconds. */
const lookMs = 30_000;

/** Servers over stdio that run from the start: what the window loses by them, and how long until they are all there; and when one that nobody uses stops. */
export async function startUp(): Promise<readonly Figure[]> {
  await using none = await temporaryFolder();
  await using some = await temporaryFolder();
  const without = await programWith(none.path, 0);
  const withMany = await programWith(some.path, many);
  const { subject, baseline } = await interleave(
    async (): Promise<Sample> => {
      await using open = await openWindow(withMany);
      return { ms: open.interactiveMs, ...(await allConnected(open, many)) };
    },
    async (): Promise<Sample> => {
      await using open = await openWindow(without);
      return { ms: open.interactiveMs };
    },
  );
  return [
    { name: 'start-up', value: numberOf(subject, 'ms'), baseline: numberOf(baseline, 'ms'), unit: 'ms', goal: 1.15 },
    { name: 'start-up-connected', value: numberOf(subject, 'connectedMs'), baseline: numberOf(subject, 'idealMs'), unit: 'ms', goal: 1.5 },
    await stormed(),
    await idled(),
  ];
}

async function stormed(): Promise<Figure> {
  await using home = await temporaryFolder();
  await using open = await openWindow(await programWith(home.path, storm));
  const { failed } = await allConnected(open, storm);
  return { name: 'start-up-failed', value: failed, baseline: storm, unit: 'servers', goal: 0 };
}

/** How long after its last use a server is there, beside its own time and the longest wait for a look. */
async function idled(): Promise<Figure> {
  await using home = await temporaryFolder();
  await using open = await openWindow(await programWith(home.path, 1, { idleTimeout: idleMinutes }));
  const since = await poll(async () => (await connections(open)).flatMap((one) => (one.phase === 'ready' ? [one.since] : []))[0], 60_000, 'the server did not connect');
  await poll(async () => ((await connections(open)).some(({ phase }) => phase === 'stopped') ? true : undefined), 120_000, 'the server was not stopped', 200);
  return { name: 'start-up-idle', value: Date.now() - since, baseline: idleMinutes * 60_000 + lookMs, unit: 'ms', goal: 1 };
}

async function programWith(folder: string, count: number, more: object = {}): Promise<ElectronProgram> {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const script = join(process.cwd(), 'test', 'servers', 'stdio', 'calls.mjs');
  const entries = Array.from({ length: count }, (_, at) => [`server-${at}`, { command: process.execPath, args: [script, String(at)], lifecycle: 'eager', ...more }]);
  await writeFile(join(home, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }), { mode: 0o600 });
  return appProgram(folder);
}

/** The servers of this benchmark, without those that come with the app. */
const connections = ({ page }: OpenWindow): Promise<readonly ConnectionState[]> => connectionsOf(page, 'server-');

/**
 * From when the window answers to keys to when the last server is connected, by the app's own record of it. Ideal: what the servers themselves worked, over all cores. Looked
 * at every two seconds: each look makes a copy of the app's whole state.
 */
async function allConnected(open: OpenWindow, count: number): Promise<{ readonly connectedMs: number; readonly idealMs: number; readonly failed: number }> {
  const all = await poll(
    async () => {
      const now = await connections(open);
      return now.length === count && now.every(({ phase }) => phase === 'ready' || phase === 'failed') ? now : undefined;
    },
    180_000,
    'the servers did not all connect',
    2_000,
  );
  const ready = all.flatMap((one) => (one.phase === 'ready' ? [one] : []));
  const worked = await Promise.all(ready.map(({ pid }) => workedMs(pid ?? 0)));
  return {
    connectedMs: Math.max(...ready.map(({ since }) => since)) - open.interactiveAt,
    idealMs: worked.reduce((sum, ms) => sum + ms, 0) / cpus().length,
    failed: all.length - ready.length,
  };
}

/**
 * What a process has worked, by the scheduler's own count in nanoseconds, thread by thread. The sums that `/proc/PID/stat` gives are cut off to whole hundredths of a second
 * twice, which is a tenth of what such a server works until it is connected.
 */
async function workedMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const all = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')));
  return all.reduce((sum, one) => sum + Number(one.split(' ')[0]), 0) / 1_000_000;
}
