import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatNote, LIMITS, parseNote, type Note } from './note.ts';

/** Something that a person can understand and act on; its message is shown as it is. */
export class NoteProblem extends Error {
  override readonly name = 'NoteProblem';
}

export interface NoteFile {
  readonly note: Note;
  readonly bytes: number;
  /** Differs when the file was changed. */
  readonly stamp: string;
}

const FRONT_MATTER_ROOM = 65_536;
const NOT_THERE: readonly unknown[] = ['ENOENT', 'ELOOP', 'ENXIO', 'ENAMETOOLONG', 'ENOTDIR'];

/** Names what a write that was cut short leaves behind. */
export const DRAFT = /^\.note-[0-9a-f-]+\.tmp$/;
export const stampOf = (stats: Stats): string => `${stats.mtimeMs}/${stats.size}/${stats.ino}`;
export const errorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** In plain words where the cause is one that people meet. */
export function inPlainWords(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new NoteProblem('The notes folder may not be used: permission was denied.');
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return new NoteProblem('The disk is full, so nothing was saved.');
  return error;
}

/**
 * `undefined` for what is gone, is a link, or is no plain file. Does not wait in between: for thousands of small files
 * that is several times faster, and nobody else is served here meanwhile.
 */
export function readNoteFile(file: string, id: string): NoteFile | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined;
    // The look above is for systems without these flags; with them there is no moment in between.
    const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(handle);
      return stats.isFile() ? readOpenFile(handle, stats, id) : undefined;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (NOT_THERE.includes(errorCode(error))) return undefined;
    throw inPlainWords(error);
  }
}

function readOpenFile(handle: number, stats: Stats, id: string): NoteFile {
  const most = LIMITS.textBytes + FRONT_MATTER_ROOM;
  const buffer = Buffer.alloc(Math.min(stats.size, most));
  const bytes = buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, 0));
  const source = bytes.toString('utf8');
  const note = parseNote(id, source, { created: stats.birthtime, modified: stats.mtime });
  const seen = { bytes: stats.size, stamp: stampOf(stats) };
  const tooLarge = stats.size > most || Buffer.byteLength(note.text) > LIMITS.textBytes;
  if (tooLarge) return { note: { ...note, readOnly: 'too-large' }, ...seen };
  return { note: Buffer.from(source).equals(bytes) ? note : { ...note, readOnly: 'not-utf8' }, ...seen };
}

/** The file is whole at every moment: written beside its place, made durable, then renamed. */
export async function writeNoteFile(folder: string, file: string, note: Note): Promise<void> {
  const draft = join(folder, `.note-${randomUUID()}.tmp`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(formatNote(note));
      // The file's time and the line that says it agree, so that a later edit by someone else can be told.
      await handle.utimes(new Date(note.updated), new Date(note.updated));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
