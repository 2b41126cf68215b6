import { lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { atomicWrite, syncFolder } from '../../records/atomic-write.ts';
import { storageProblem, unlessMissing } from '../../records/storage-problem.ts';
import { isArchived } from './archive-format.ts';

/** In the home: what is being laid ready, and what is ready. */
export const staging = { building: '.restore-new', ready: '.restore', done: '.restore-done', failed: '.restore-failed', files: 'files' } as const;

const Progress = z.object({ phase: z.enum(['out', 'in']), before: z.string().min(1) });
type Progress = z.infer<typeof Progress>;

export type Restored =
  | { readonly kind: 'none' }
  | { readonly kind: 'restored'; readonly before: string }
  /** The home is the old one, whole; what lay ready was put aside. */
  | { readonly kind: 'given-up'; readonly error: unknown };

/**
 * Puts a restored home that lies ready in the place of this one, whose old files are kept. For the holder of the home's lock, before anything of the
 * home is read. Killed at any point, the next start goes on where it stopped: the home is the old one or the new one for everybody who begins with this.
 */
export async function applyStagedRestore(home: string, now: number): Promise<Restored> {
  for (const name of [staging.building, staging.done]) await rm(join(home, name), { recursive: true, force: true });
  const ready = join(home, staging.ready);
  if (!(await isOwnFolder(ready))) return { kind: 'none' };
  try {
    const begun = await progressOf(ready);
    const { phase, before } = begun ?? { phase: 'out', before: await beforeFolder(home, now) };
    if (!begun) await note(ready, { phase, before });
    if (phase === 'out') {
      const error = await moveOut(home, before, ready);
      if (error !== undefined) return { kind: 'given-up', error };
    }
    await note(ready, { phase: 'in', before });
    await moveIn(join(ready, staging.files), home, before);
    await rename(ready, join(home, staging.done));
    await syncFolder(home);
    await rm(join(home, staging.done), { recursive: true, force: true });
    return { kind: 'restored', before };
  } catch (error) {
    throw storageProblem('Cannot put the restored home in place', error);
  }
}

/** What the old home held goes out of the way; when that is not possible, everything is put back, and why is answered. */
async function moveOut(home: string, before: string, ready: string): Promise<unknown> {
  try {
    for (const name of (await readdir(home)).filter(isReplaced)) await rename(join(home, name), await freeName(before, name));
    await syncFolder(before);
    await syncFolder(home);
    return undefined;
  } catch (error) {
    for (const name of await readdir(before)) if (!(await isThere(join(home, name)))) await rename(join(before, name), join(home, name));
    await rm(join(home, staging.failed), { recursive: true, force: true });
    await rename(ready, join(home, staging.failed));
    await syncFolder(home);
    return error;
  }
}

async function moveIn(files: string, home: string, before: string): Promise<void> {
  for (const name of await readdir(files)) {
    // A start in between that did not know of this made it.
    if (await isThere(join(home, name))) await rename(join(home, name), await freeName(before, name));
    await rename(join(files, name), join(home, name));
  }
  await syncFolder(home);
  await syncFolder(files);
}

async function freeName(folder: string, name: string): Promise<string> {
  for (let path = join(folder, name), n = 2; ; path = join(folder, `${name}.${String(n++)}`)) if (!(await isThere(path))) return path;
}

const isThere = async (path: string): Promise<boolean> => (await unlessMissing(lstat(path))) !== undefined;
const isReplaced = (name: string): boolean => isArchived(name) || name === 'vault';

const progressFile = 'progress.json';
const note = async (ready: string, progress: Progress): Promise<void> => void (await atomicWrite(join(ready, progressFile), JSON.stringify(progress), 0o600));

async function progressOf(ready: string): Promise<Progress | undefined> {
  const text = await unlessMissing(readFile(join(ready, progressFile), 'utf8'));
  return text === undefined ? undefined : Progress.parse(JSON.parse(text));
}

/** Beside the home; within it where nothing can be made beside, such as for a home that is a disk of its own. */
async function beforeFolder(home: string, now: number): Promise<string> {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const within = join(home, `before-restore-${time}`);
  const beside = join(home, '..', `${basename(home)}.before-restore-${time}`);
  try {
    await mkdir(beside, { mode: 0o700 });
    if ((await stat(beside)).dev === (await stat(home)).dev) return beside;
    await rm(beside, { recursive: true });
  } catch {
    // Within, then.
  }
  await mkdir(within, { mode: 0o700 });
  return within;
}

async function isOwnFolder(folder: string): Promise<boolean> {
  const facts = await unlessMissing(lstat(folder));
  if (!facts) return false;
  if (!facts.isDirectory() || (process.platform !== 'win32' && facts.uid !== process.getuid?.())) {
    throw new AppError('storage/failed', `${folder} cannot be trusted`, { data: { reason: 'foreign-owner' } });
  }
  return true;
}
