import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { errno } from './storage-problem.ts';

/** A process, told apart from a later one that got the same number. `space` is the set of numbers that `pid` belongs to (a container has its own). */
export interface ProcessMark {
  readonly pid: number;
  readonly started: string;
  readonly space: string;
}
export type Liveness = 'alive' | 'gone' | 'cannot-tell';

/** Of this process. */
export function ownMark(): Promise<ProcessMark> {
  return (own ??= readOwn());
}
let own: Promise<ProcessMark> | undefined;

async function readOwn(): Promise<ProcessMark> {
  return { pid: process.pid, started: (await startOf(process.pid)) ?? '', space: await ownSpace() };
}

export async function livenessOf(mark: ProcessMark): Promise<Liveness> {
  if (mark.space !== (await ownMark()).space) return sameBoot(mark.space, (await ownMark()).space) ? 'cannot-tell' : 'gone';
  const started = await startOf(mark.pid);
  if (started === undefined) return 'gone';
  // An empty start means that the platform would not say: then the number alone counts.
  return started === '' || mark.started === '' || started === mark.started ? 'alive' : 'gone';
}

const sameBoot = (a: string, b: string): boolean => a.split(' ')[0] === b.split(' ')[0];

async function ownSpace(): Promise<string> {
  if (process.platform !== 'linux') return process.platform;
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch (error) {
    return `linux ${errno(error) ?? ''}`;
  }
}

/** When a process began, in the platform's own form; `undefined` when there is no such process, '' when it cannot be found out. */
async function startOf(pid: number): Promise<string | undefined> {
  if (!exists(pid)) return undefined;
  switch (process.platform) {
    case 'linux': return startOnLinux(pid);
    case 'win32': return imageOnWindows(pid);
    default: return output('ps', ['-o', 'lstart=', '-p', String(pid)]);
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) === 'EPERM';
  }
}

async function startOnLinux(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A process that has ended and waits for its parent holds nothing any more.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '');
  } catch (error) {
    return errno(error) === 'ENOENT' || errno(error) === 'ESRCH' ? undefined : '';
  }
}

/** Start times cost half a second there; another program under the number is the case that matters. */
async function imageOnWindows(pid: number): Promise<string> {
  if (pid === process.pid) return basename(process.execPath).toLowerCase();
  const row = await output('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
  return /^"([^"]+)"/.exec(row)?.[1]?.toLowerCase() ?? '';
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: 5_000, windowsHide: true, env: { ...process.env, LC_ALL: 'C' } };
    execFile(command, args, options, (error, stdout) => resolve(error ? '' : stdout.trim()));
  });
}
