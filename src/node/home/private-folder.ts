import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { syncFolder } from '../records/atomic-write.ts';
import { unlessMissing } from '../records/storage-problem.ts';

/** Makes a folder that only its owner can enter, or makes sure that it is one. No symlink and nobody else's folder will do. */
export async function privateFolder(path: string): Promise<void> {
  const facts = (await unlessMissing(lstat(path))) ?? (await makeFolder(path));
  if (!facts.isDirectory()) throw unsafe(path, 'not-a-folder');
  if (process.platform === 'win32') return;
  if (facts.uid !== process.getuid?.()) throw unsafe(path, 'foreign-owner');
  if ((facts.mode & 0o077) !== 0) await chmod(path, 0o700);
}

async function makeFolder(path: string): Promise<Stats> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(made));
  return lstat(path);
}

export function unsafe(path: string, reason: 'not-a-folder' | 'foreign-owner' | 'world-writable' | 'symlink'): AppError {
  return new AppError('storage/failed', `${path} cannot be trusted: ${reason}`, { data: { reason } });
}
