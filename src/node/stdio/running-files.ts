import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { removeContainer, type ContainerRecord } from './containers.ts';
import type { Environment } from './environment.ts';
import { listProcesses, membersOf, startTimeOf, type ProcessIdentity } from './process-tree.ts';
import { stopPolitely, type StopWaits } from './stop-politely.ts';

const Identity = z.object({ pid: z.number().int().positive(), startTime: z.string().min(1) });
const RunningFile = Identity.extend({
  pgid: z.number().int().positive(),
  command: z.string(),
  owner: Identity,
  /** Start times on Linux count from the start of the machine. */
  boot: z.string(),
  launchId: z.string(),
  container: z.object({ program: z.string(), cidFile: z.string() }).optional(),
});
export interface RunningServer extends ProcessIdentity {
  /** Without its arguments: they may hold secrets. */
  readonly command: string;
  readonly owner: ProcessIdentity;
  /** The value of `launchVariable` in the environment of the server and of what it starts. */
  readonly launchId: string;
  readonly container?: ContainerRecord;
}

/** Tells a server's processes from all others once their parents are gone. */
export const launchVariable = 'MCP_LAUNCH_ID';

export function runningFolder(home: string): string {
  return join(home, 'running');
}

/** Private to the person: it names what runs for them. Throws `storage/failed`. */
export function makeRunningFolder(home: string): void {
  const folder = runningFolder(home);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  } catch (cause) {
    throw new AppError('storage/failed', `${folder} cannot be used, and nothing is started that could not be found again`, { cause });
  }
}

/** Written at once after the start, so that not even a kill of the app loses sight of a server. [O3] */
export function writeRunningFile(home: string, server: RunningServer): void {
  writeFileSync(fileOf(home, server.pid), JSON.stringify({ pgid: server.pid, boot: bootId(), ...server }), { mode: 0o600 });
}

export function removeRunningFile(home: string, pid: number): void {
  rmSync(fileOf(home, pid), { force: true });
}

function fileOf(home: string, pid: number): string {
  return join(runningFolder(home), `${pid}.json`);
}

/** Their input has long ended. */
const leftoverWaits: StopWaits = { stdinMs: 0, termMs: 500, killMs: 2_000 };

export interface ReapOptions {
  /** For `docker rm`. */
  readonly env: Environment;
  readonly waits?: StopWaits;
}

/**
 * Ends what an app that was killed left running; call it at start, before any server. A process is touched only if its pid and its start
 * time are those recorded and the app that recorded them is gone. Returns the pids of the servers ended.
 */
export async function reapLeftovers(home: string, { env, waits = leftoverWaits }: ReapOptions): Promise<readonly number[]> {
  const ended = await Promise.all(recordedServers(home).map((record) => reap(home, record, env, waits)));
  return ended.flatMap((pid) => pid ?? []);
}

async function reap(home: string, record: z.infer<typeof RunningFile>, env: Environment, waits: StopWaits): Promise<number | undefined> {
  const sameBoot = record.boot === bootId();
  if (sameBoot && (await isStill(record.owner))) return undefined;
  const found = sameBoot && ((await isStill(record)) || (await leaderlessGroup(record)));
  if (found) {
    const { pid, startTime } = record;
    if (!(await stopPolitely({ pid, startTime, endStdin: () => {}, platform: process.platform }, waits))) return undefined;
  }
  if (record.container) await removeContainer(record.container, env);
  removeRunningFile(home, record.pid);
  return found ? record.pid : undefined;
}

async function isStill({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  return (await startTimeOf(pid)) === startTime;
}

/** The wrapper has ended, what it started has not: its group is known by the mark in its environment. Told on Linux only. */
async function leaderlessGroup({ pid, launchId }: z.infer<typeof RunningFile>): Promise<boolean> {
  if (process.platform !== 'linux' || (await startTimeOf(pid)) !== undefined) return false;
  return membersOf(await listProcesses(), pid).some((row) => hasMark(row.pid, `${launchVariable}=${launchId}`));
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
  } catch {
    // Gone, or of another account.
    return false;
  }
}

function bootId(): string {
  return process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
}

function recordedServers(home: string): readonly z.infer<typeof RunningFile>[] {
  let names: readonly string[];
  try {
    names = readdirSync(runningFolder(home));
  } catch {
    // Nothing was ever started from this home.
    return [];
  }
  return names.filter((name) => /^\d+\.json$/.test(name)).flatMap((name) => readRecord(join(runningFolder(home), name)) ?? []);
}

function readRecord(file: string): z.infer<typeof RunningFile> | undefined {
  try {
    return RunningFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Half-written when the power went: it names nobody who could still run.
    rmSync(file, { force: true });
    return undefined;
  }
}
