import { basename, dirname, join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { atomicWrite, removeLeftTemps } from './atomic-write.ts';
import type { KeepBackup } from './backups.ts';
import { withLock } from './file-lock.ts';
import { storageProblem } from './storage-problem.ts';
import { currentStamp, readTextFile, type TextFile } from './text-file.ts';

export type TextEdit = (current: string | undefined) => string;
export interface FileEditing {
  /** In bytes. */
  readonly largest: number;
  /** Of a file that is made. */
  readonly mode: number;
  readonly keep: KeepBackup;
}
const mostTries = 5;

/** Alone among Gatehouse's processes, by a lock file beside `file`, which is no link. */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return await withLock(join(dirname(file), `.${basename(file)}.lock`), async () => {
    await removeLeftTemps(file);
    return await work();
  }, signal);
}

/** Reads, edits and replaces, for the holder of the file's lock. Other programs know no lock: what they write meanwhile is read and edited anew. */
export async function editFile(file: string, edit: TextEdit, { largest, mode, keep }: FileEditing): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const current = await readTextFile(file, largest);
    const next = edit(current?.text);
    if ((current?.text ?? '') === next) return;
    if (current) await keepFirst(file, current, keep);
    const replacing = { ...(current ? { owner: current.owner } : {}), proceed: async () => (await currentStamp(file)) === current?.stamp };
    if (await atomicWrite(file, (current?.mark ?? '') + next, current?.mode ?? mode, replacing)) return;
  }
  throw new AppError('storage/failed', 'Another program keeps writing the file', { data: { reason: 'changing' } });
}

async function keepFirst(file: string, { mode, mark, text }: TextFile, keep: KeepBackup): Promise<void> {
  // Renaming would go over it all the same.
  if ((mode & 0o200) === 0) throw new AppError('storage/failed', 'The file is read-only', { data: { reason: 'read-only' } });
  await keep(file, mark + text);
}

/** An edit's own error comes through untouched; all others as `storage/failed`. */
export async function throughEdit(doing: string, edit: TextEdit, work: (edit: TextEdit) => Promise<void>): Promise<void> {
  let thrown: { readonly error: unknown } | undefined;
  try {
    await work((current) => {
      try {
        return edit(current);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
  } catch (error) {
    throw thrown ? thrown.error : storageProblem(doing, error);
  }
}
