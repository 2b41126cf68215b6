import { randomBytes } from 'node:crypto';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { livenessOf, ownMark } from './process-mark.ts';
import { errno, storageProblem, unlessMissing } from './storage-problem.ts';

export interface HeldLock extends AsyncDisposable {
  /** Shows a holder in another container, whose process cannot be seen from here, that this one lives. */
  touch(): Promise<void>;
}
export type LockAttempt = { readonly kind: 'held'; readonly lock: HeldLock } | { readonly kind: 'busy'; readonly pid: number | undefined };

const Owner = z.object({ pid: z.number().int().positive(), started: z.string(), space: z.string(), nonce: z.string().regex(/^[0-9a-f]{16}$/) });
/** What a lock file says; `age` in milliseconds. A file without an owner was cut short by a crash or is being written. */
interface Found {
  readonly owner: z.infer<typeof Owner> | undefined;
  readonly nonce: string;
  readonly age: number;
}

/** An owner that cannot be seen must touch its lock more often than this. */
export const silentAfterMs = 40_000;
const unwrittenAfterMs = 5_000;
const waitMs = 15_000;

/**
 * Takes the lock file at `path`, or says who has it. A lock whose process is gone is taken over: the lock of one stale owner
 * may be removed only under a lock of its own, named after that owner, so that two who notice at once never remove a fresh one.
 */
export async function tryLock(path: string): Promise<LockAttempt> {
  const nonce = randomBytes(8).toString('hex');
  for (;;) {
    if (await place(path, nonce)) return { kind: 'held', lock: held(path, nonce) };
    const found = await look(path);
    if (!found) continue;
    if (await inUse(found)) return { kind: 'busy', pid: found.owner?.pid };
    const attempt = await tryLock(`${path}.${found.nonce}`);
    if (attempt.kind === 'busy') return { kind: 'busy', pid: attempt.pid };
    await using _guard = attempt.lock;
    if ((await look(path))?.nonce === found.nonce) await rm(path, { force: true });
  }
}

/** Runs `work` alone among all processes; waits for the lock for 15 s at most. */
export async function withLock<T>(path: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  await using _lock = await waitFor(path, signal);
  return await work();
}

async function waitFor(path: string, signal: AbortSignal): Promise<HeldLock> {
  const until = performance.now() + waitMs;
  for (let pause = 2; ; pause = Math.min(pause * 1.5, 40)) {
    signal.throwIfAborted();
    const attempt = await tryLock(path);
    if (attempt.kind === 'held') return attempt.lock;
    if (performance.now() > until) throw new AppError('storage/failed', `Another process keeps ${path} locked`, { data: { pid: attempt.pid } });
    await sleep(pause * (0.5 + Math.random()), undefined, { signal });
  }
}

/** Appears with its content or not at all. */
async function place(path: string, nonce: string): Promise<boolean> {
  const text = JSON.stringify({ ...(await ownMark()), nonce });
  const temp = `${path}.${nonce}.tmp`;
  try {
    await writeFile(temp, text, { mode: 0o600 });
    await link(temp, path);
    return true;
  } catch (error) {
    const code = errno(error);
    if (code === 'EEXIST') return false;
    // The holder of the lock may have swept the temporary file away; were the folder gone, writing it would fail too.
    if (code === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'link') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS') return await placeWithoutLinks(path, text);
    throw storageProblem('Cannot lock', error);
  } finally {
    await rm(temp, { force: true });
  }
}

/** For file systems that know no hard links. */
async function placeWithoutLinks(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw storageProblem('Cannot lock', error);
  }
}

async function look(path: string): Promise<Found | undefined> {
  const facts = await unlessMissing(stat(path));
  const text = facts && (await unlessMissing(readFile(path, 'utf8')));
  if (!facts || text === undefined) return undefined;
  const age = Date.now() - facts.mtimeMs;
  const owner = Owner.safeParse(parsed(text)).data;
  return { owner, nonce: owner?.nonce ?? `${facts.ino}-${Math.trunc(facts.mtimeMs)}`, age };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function inUse({ owner, age }: Found): Promise<boolean> {
  if (!owner) return age < unwrittenAfterMs;
  const liveness = await livenessOf(owner);
  return liveness === 'cannot-tell' ? age < silentAfterMs : liveness === 'alive';
}

function held(path: string, nonce: string): HeldLock {
  return {
    async touch() {
      const now = new Date();
      await unlessMissing(utimes(path, now, now));
    },
    async [Symbol.asyncDispose]() {
      // Somebody may have deleted the file by hand, and another process taken the lock.
      if ((await look(path))?.nonce === nonce) await rm(path, { force: true });
    },
  };
}
