import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process that cannot be mistaken for a later one with the same number. `startTime` is compared, never read. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}
export interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
}

let nextList: Promise<readonly ProcessRow[]> | undefined;

/**
 * Every process that still runs; one that has ended and only waits to be collected is left out. No list is older than the question: those who ask before it is read share
 * it, so that fifty servers that stop together look once.
 */
export function listProcesses(): Promise<readonly ProcessRow[]> {
  nextList ??= nextTurn().then(() => {
    nextList = undefined;
    return process.platform === 'linux' ? readProc() : listByPs();
  });
  return nextList;
}

/** For systems without /proc. */
export async function listByPs(): Promise<readonly ProcessRow[]> {
  const stdout = await ps('-axo', 'pid=,ppid=,pgid=,state=,lstart=');
  return stdout.split('\n').flatMap((line) => parsePsLine(line) ?? []);
}

/** Times always in the same words: they are compared with what was written down on another day. */
async function ps(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('ps', [...args], { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

function readProc(): readonly ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcRow(Number(name)) ?? []) : []));
}

function readProcRow(pid: number): ProcessRow | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // Gone since the folder was listed.
    return undefined;
  }
  // The name stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const startTime = fields[19];
  if (state === undefined || state === 'Z' || state === 'X' || startTime === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTime };
}

export function parsePsLine(line: string): ProcessRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (!match || match[4]?.startsWith('Z')) return undefined;
  return { pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), session: 0, startTime: match[5] ?? '' };
}

/** `undefined` when there is no such process. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readProcRow(pid)?.startTime;
  try {
    if (process.platform === 'win32') {
      const command = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command], { windowsHide: true });
      return stdout.trim() || undefined;
    }
    return (await ps('-o', 'lstart=', '-p', String(pid))).trim() || undefined;
  } catch {
    // Both commands fail when the process is gone.
    return undefined;
  }
}

/** What belongs to a server: its group, its session (a shell with job control makes groups of its own) and all that descends from it. */
export function membersOf(rows: readonly ProcessRow[], root: number): readonly ProcessRow[] {
  const descendants = new Set([root]);
  for (let size = 0; size !== descendants.size; ) {
    size = descendants.size;
    for (const row of rows) if (descendants.has(row.parent)) descendants.add(row.pid);
  }
  return rows.filter((row) => row.group === root || row.session === root || descendants.has(row.pid));
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  signalPid(-group, signal);
}

export function signalPid(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or no longer ours: either way there is nothing left to signal.
  }
}

/** Whether a signal would reach anyone; a negative number asks for a group. Ended but not yet collected counts as running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** For the moment when the app itself ends, and nothing can be waited for. */
export function killGroupsNow(...roots: readonly number[]): void {
  if (process.platform === 'win32') {
    for (const root of roots) spawnSync('taskkill', taskkillArguments(root), { windowsHide: true, timeout: 2_000 });
    return;
  }
  const rows = process.platform === 'linux' ? readProc() : [];
  for (const root of roots) {
    signalGroup(root, 'SIGKILL');
    for (const { pid } of membersOf(rows, root)) signalPid(pid, 'SIGKILL');
  }
}

export function taskkillArguments(pid: number): readonly string[] {
  return ['/pid', String(pid), '/T', '/F'];
}
