import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errno } from './storage-problem.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}
export interface Replacing {
  /** Kept where this process may. */
  readonly owner?: Owner;
  /** Asked when nothing is left to do but the renaming; `false` leaves the file as it is. */
  readonly proceed?: () => Promise<boolean>;
}

/**
 * Replaces a file in one step: after a crash or power cut it holds the old bytes or the new ones, whole. `mode` counts whatever the umask.
 * Answers `false` when `proceed` did.
 */
export async function atomicWrite(file: string, bytes: string | Uint8Array, mode: number, { owner, proceed }: Replacing = {}): Promise<boolean> {
  const folder = dirname(file);
  const temp = join(folder, `${tempStart(file)}${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeDurably(temp, bytes, mode, owner);
    if (proceed && !(await proceed())) {
      await rm(temp, { force: true });
      return false;
    }
    await renameOver(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/** A new file, on the disk when this resolves; its name is only once the folder is synced. */
export async function writeDurably(file: string, bytes: string | Uint8Array, mode: number, owner?: Owner): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(owner && !(await gaveTo(handle, owner)) ? mode & 0o707 : mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether the file now has that group: what a group may do is not for another one. */
async function gaveTo(handle: FileHandle, { uid, gid }: Owner): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const made = await handle.stat();
  if (made.uid === uid && made.gid === gid) return true;
  try {
    await handle.chown(uid, gid);
    return true;
  } catch {
    // Only root gives files away; the group is ours to choose if we are in it.
    return await handle.chown(made.uid, gid).then(() => true, () => made.gid === gid);
  }
}

/** Makes new, renamed and removed names of a folder survive a power cut. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what killed writers left. Only for the holder of the lock `.<name>.lock`: a living writer's file looks the same. */
export async function removeLeftTemps(file: string): Promise<void> {
  const folder = dirname(file);
  const left = (await readdir(folder)).filter((name) => name.startsWith(tempStart(file)) && name.endsWith('.tmp'));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

const tempStart = (file: string): string => `.${basename(file)}.`;

/** On Windows a virus scanner or an editor may hold the file for a moment. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const busy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errno(error) ?? '');
      if (!busy || attempt === 10) throw error;
      await sleep(20 * attempt);
    }
  }
}
