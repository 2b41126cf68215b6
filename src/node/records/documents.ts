import { copyFile, lstat, mkdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Lanes } from '../../core/kernel/lanes.ts';
import type { Documents } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { atomicWrite, removeLeftTemps } from './atomic-write.ts';
import { withLock } from './file-lock.ts';
import { storageProblem, unlessMissing } from './storage-problem.ts';

const byteOrderMark = '\uFEFF';

/**
 * The text files of `folder`. A file that is a symlink stays one: its target is replaced. A byte order mark and the file's mode are kept.
 * What a file held before its last change is in `folder`/backups.
 */
export function createDocuments(folder: string): Documents {
  const lanes = new Lanes<string>();

  async function update(file: string, edit: (current: string | undefined) => string): Promise<void> {
    await removeLeftTemps(file);
    const current = await textOf(file);
    const next = edit(current?.text);
    if (current && current.text === next) return;
    if (current) await keepBackup(file);
    await atomicWrite(file, (current?.mark ?? '') + next, current?.mode ?? 0o600);
  }

  async function keepBackup(file: string): Promise<void> {
    const backups = join(folder, 'backups');
    await mkdir(backups, { recursive: true, mode: 0o700 });
    const backup = join(backups, basename(file));
    // Removed first: never written through a link that lies there.
    await rm(backup, { force: true });
    await copyFile(file, backup);
  }

  return {
    async read(name, signal) {
      signal.throwIfAborted();
      try {
        return (await textOf(place(folder, name)))?.text;
      } catch (error) {
        throw storageProblem(`Cannot read ${name}`, error);
      }
    },
    update: (name, edit, signal) =>
      lanes.run(name, async () => {
        signal.throwIfAborted();
        let thrownByEdit: { readonly error: unknown } | undefined;
        const guarded = (current: string | undefined): string => {
          try {
            return edit(current);
          } catch (error) {
            thrownByEdit = { error };
            throw error;
          }
        };
        try {
          const file = await targetOf(place(folder, name));
          await withLock(join(dirname(file), `.${basename(file)}.lock`), () => update(file, guarded), signal);
        } catch (error) {
          throw thrownByEdit ? thrownByEdit.error : storageProblem(`Cannot write ${name}`, error);
        }
      }),
  };
}

function place(folder: string, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) throw new AppError('request/invalid', 'Not a document name');
  return join(folder, name);
}

/** Where a symlink leads, whether or not there is a file yet. */
async function targetOf(file: string): Promise<string> {
  const real = await unlessMissing(realpath(file));
  if (real !== undefined) return real;
  const link = (await unlessMissing(lstat(file)))?.isSymbolicLink();
  return link ? resolve(await realpath(dirname(file)), await readlink(file)) : file;
}

async function textOf(file: string): Promise<{ readonly text: string; readonly mark: string; readonly mode: number } | undefined> {
  const bytes = await unlessMissing(readFile(file));
  if (bytes === undefined) return undefined;
  const { mode } = await stat(file);
  const text = decoded(bytes);
  const marked = text.startsWith(byteOrderMark);
  return { text: marked ? text.slice(1) : text, mark: marked ? byteOrderMark : '', mode: mode & 0o777 };
}

/** A file in another encoding would lose its letters by being read loosely and written back. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('storage/failed', 'The file is not UTF-8 text', { data: { reason: 'not-utf-8' }, cause: error });
  }
}
