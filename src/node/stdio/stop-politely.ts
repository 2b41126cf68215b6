import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning, listProcesses, membersOf, signalGroup, signalPid, taskkillArguments, type ProcessRow } from './process-tree.ts';

/** How long each step of stopping may take. */
export interface StopWaits {
  readonly stdinMs: number;
  readonly termMs: number;
  readonly killMs: number;
}
export const defaultStopWaits: StopWaits = { stdinMs: 1_500, termMs: 1_000, killMs: 3_000 };

export interface Stoppable {
  readonly pid: number;
  /** Of the process when it was started; what has the same pid and another time is a stranger. */
  readonly startTime: string | undefined;
  /** Closes the stream that the server reads: most take it as the end. */
  readonly endStdin: () => void;
  readonly platform: NodeJS.Platform;
}

/**
 * Ends a server and all that it started: end of input, then TERM, then KILL, each with its time. Resolves once none is left; `false` when
 * one outlived even KILL for `killMs` (stuck in the kernel).
 */
export async function stopPolitely({ pid, startTime, endStdin, platform }: Stoppable, waits: StopWaits): Promise<boolean> {
  if (platform === 'win32') return stopOnWindows(pid, endStdin, waits);
  const tree = new Tree(pid, startTime);
  await tree.look();
  endStdin();
  if (await tree.goneWithin(waits.stdinMs)) return true;
  signalAll(await tree.look(), pid, 'SIGTERM');
  if (await tree.goneWithin(waits.termMs)) return true;
  const deadline = Date.now() + waits.killMs;
  do {
    // Again each round: a process that forks while it is being killed leaves a child that no list had.
    signalAll(await tree.look(), pid, 'SIGKILL');
    if (await tree.goneWithin(50)) return true;
  } while (Date.now() < deadline);
  return false;
}

function signalAll(members: readonly ProcessRow[], group: number, signal: NodeJS.Signals): void {
  if (members.some((member) => member.group === group)) signalGroup(group, signal);
  for (const member of members) if (member.group !== group) signalPid(member.pid, signal);
}

async function stopOnWindows(pid: number, endStdin: () => void, waits: StopWaits): Promise<boolean> {
  const goneWithin = async (ms: number): Promise<boolean> => {
    for (const deadline = Date.now() + ms; isRunning(pid); await wait(20)) if (Date.now() > deadline) return false;
    return true;
  };
  endStdin();
  if (await goneWithin(waits.stdinMs)) return true;
  const options = { windowsHide: true, timeout: waits.killMs };
  await new Promise<void>((resolve) => execFile('taskkill', taskkillArguments(pid), options, () => resolve()));
  return goneWithin(waits.killMs);
}

const lookEveryMs = 150;

/** Remembers everyone that it ever saw: a process whose parent has died can no longer be found by descent. */
class Tree {
  readonly #root: number;
  readonly #startTime: string | undefined;
  readonly #seen = new Map<number, ProcessRow>();
  #lookedAt = 0;

  constructor(root: number, startTime: string | undefined) {
    this.#root = root;
    this.#startTime = startTime;
  }

  /** The members that run now. */
  async look(): Promise<readonly ProcessRow[]> {
    const rows = await listProcesses();
    this.#lookedAt = Date.now();
    const lives = (seen: ProcessRow): boolean => rows.some((row) => row.pid === seen.pid && row.startTime === seen.startTime);
    // A number is given out again only once its group is empty: then nothing of the tree hangs on it.
    const inPlace = rows.find((row) => row.pid === this.#root);
    const isStranger = inPlace !== undefined && this.#startTime !== undefined && inPlace.startTime !== this.#startTime;
    if (!isStranger) for (const row of membersOf(rows, this.#root)) this.#seen.set(row.pid, row);
    for (const seen of this.#seen.values()) {
      if (!lives(seen)) this.#seen.delete(seen.pid);
      else if (seen.pid !== this.#root) for (const row of membersOf(rows, seen.pid)) this.#seen.set(row.pid, row);
    }
    return [...this.#seen.values()];
  }

  async goneWithin(ms: number): Promise<boolean> {
    const deadline = Date.now() + ms;
    for (let pause = 5; ; pause = Math.min(pause * 2, 40)) {
      // Reading every process is dear; asking the known ones is not. But only the list tells the ended from the running.
      const someoneAnswers = isRunning(-this.#root) || [...this.#seen.keys()].some((pid) => isRunning(pid));
      if ((!someoneAnswers || Date.now() - this.#lookedAt > lookEveryMs) && (await this.look()).length === 0) return true;
      const left = deadline - Date.now();
      if (left <= 0) return (await this.look()).length === 0;
      await wait(Math.min(pause, left));
    }
  }
}
