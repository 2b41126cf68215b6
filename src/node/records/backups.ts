import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '../home/private-folder.ts';
import { unlessMissing } from './storage-problem.ts';

/** Keeps what a file held. */
export type KeepBackup = (file: string, text: string) => Promise<void>;
const most = 10;

/**
 * The last ten states of each file, in one folder of mode 0700, under names that begin with the file's own path. `mask` takes secrets out:
 * of what is kept, and of what was kept before they were known as such.
 */
export function createBackups(folder: string, mask?: (text: string) => string): KeepBackup {
  return async (file, text) => {
    await privateFolder(folder);
    const start = startOf(file);
    const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
    await writeFile(join(folder, `${start}${time}-${randomBytes(2).toString('hex')}`), mask?.(text) ?? text, { flag: 'wx', mode: 0o600 });
    const kept = (await readdir(folder)).filter((name) => name.startsWith(start)).toSorted();
    for (const name of kept.slice(0, -most)) await rm(join(folder, name), { force: true });
    if (mask) for (const name of kept.slice(-most, -1)) await maskAgain(join(folder, name), mask);
  };
}

async function maskAgain(backup: string, mask: (text: string) => string): Promise<void> {
  const text = await unlessMissing(readFile(backup, 'utf8'));
  if (text === undefined || mask(text) === text) return;
  await rm(backup, { force: true });
  await writeFile(backup, mask(text), { flag: 'wx', mode: 0o600 });
}

/** Readable, and different for paths that read the same. */
const startOf = (file: string): string =>
  `${file.replaceAll(/[^A-Za-z0-9._-]+/g, '_').replace(/^[_.]+/, '').slice(-120)}.${createHash('sha256').update(file).digest('hex').slice(0, 8)}.`;
