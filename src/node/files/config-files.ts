import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Lanes } from '../../core/kernel/lanes.ts';
import type { ConfigFiles } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { syncFolder } from '../records/atomic-write.ts';
import { createBackups } from '../records/backups.ts';
import { editFile, throughEdit, withFileLock } from '../records/edit-file.ts';
import { errno, storageProblem } from '../records/storage-problem.ts';
import { readTextFile, targetOf, unlessAbsent } from '../records/text-file.ts';
import { FileWatcher } from './file-watcher.ts';

export interface ConfigFilesOptions {
  /** In the home, whose own files and folders are for their owner alone. */
  readonly backups: string;
  /** Takes known secrets out of what is kept in the backups. */
  readonly mask: (text: string) => string;
  /** Watching that is not possible, for the log. */
  readonly onProblem: (error: unknown) => void;
}
const largest = 8 * 1024 * 1024;

export function createConfigFiles({ backups, mask, onProblem }: ConfigFilesOptions): ConfigFiles {
  const home = dirname(backups);
  const lanes = new Lanes<string>();
  const keep = createBackups(backups, mask);
  const watcher = new FileWatcher(onProblem);

  /** The file that a path means, with its folder made. */
  async function prepared(path: string): Promise<string> {
    const file = await targetOf(path);
    await makeFolder(dirname(file), isWithin(home, file) ? 0o700 : 0o755);
    return file;
  }

  return {
    async read(path, signal) {
      signal.throwIfAborted();
      try {
        return (await readTextFile(absolute(path), largest))?.text;
      } catch (error) {
        throw storageProblem(`Cannot read ${path}`, error);
      }
    },
    update: (path, edit, signal) =>
      lanes.run(path, async () => {
        signal.throwIfAborted();
        await throughEdit(`Cannot write ${path}`, edit, async (guarded) => {
          const file = await prepared(absolute(path));
          const editing = { largest, mode: isWithin(home, file) ? 0o600 : 0o644, keep };
          await withFileLock(file, () => editFile(file, guarded, editing), signal);
        });
      }),
    remove: (path, signal) =>
      lanes.run(path, async () => {
        signal.throwIfAborted();
        try {
          const file = await targetOf(absolute(path));
          if (!(await readTextFile(file, largest))) return;
          await withFileLock(file, async () => {
            const current = await readTextFile(file, largest);
            if (current) await keep(file, current.mark + current.text);
            await rm(path, { force: true });
            await syncFolder(dirname(path));
          }, signal);
        } catch (error) {
          throw storageProblem(`Cannot remove ${path}`, error);
        }
      }),
    async list(path, signal) {
      signal.throwIfAborted();
      try {
        const entries = (await unlessAbsent(readdir(absolute(path), { withFileTypes: true }))) ?? [];
        return entries.filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !isOurs(entry.name)).map(({ name }) => name).toSorted();
      } catch (error) {
        throw storageProblem(`Cannot list ${path}`, error);
      }
    },
    watch: (paths, onChange) => watcher.watch(paths.map(absolute), onChange),
  };
}

/** Level by level: asked for all at once, Node never ends where the system allows no folder, such as in /proc. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  if (await unlessAbsent(stat(folder))) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder), mode);
  await mkdir(folder, { mode }).catch((error: unknown) => {
    if (errno(error) !== 'EEXIST') throw error;
  });
  await syncFolder(dirname(folder));
}

/** Locks and files being written. */
const isOurs = (name: string): boolean => /^\..+\.(?:lock(?:\..*)?|tmp)$/.test(name);

function absolute(path: string): string {
  if (!isAbsolute(path) || path.includes('\0')) throw new AppError('request/invalid', 'Not an absolute path');
  return join(path);
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(/[\\/]/)[0] !== '..' && !isAbsolute(way);
}
