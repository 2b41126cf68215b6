import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Owner } from './atomic-write.ts';
import { errno, unlessMissing } from './storage-problem.ts';

export const byteOrderMark = '\uFEFF';

export interface TextFile {
  readonly text: string;
  /** The byte-order mark, or nothing. */
  readonly mark: string;
  readonly mode: number;
  readonly owner: Owner;
  /** Changes when the file does. */
  readonly stamp: string;
}

/** `undefined` when there is no such file. Throws `storage/failed` with `data.reason`: `not-utf-8`, `too-large`, `not-a-file`. */
export async function readTextFile(file: string, largest: number): Promise<TextFile | undefined> {
  // A pipe or device in its place must not make us wait.
  const handle = await unlessAbsent(open(file, constants.O_RDONLY | constants.O_NONBLOCK));
  if (!handle) return undefined;
  await using _handle = handle;
  const facts = await handle.stat({ bigint: true });
  if (!facts.isFile()) throw new AppError('storage/failed', 'It is not a regular file', { data: { reason: 'not-a-file' } });
  const chunks: Buffer[] = [];
  let size = 0;
  // Not by the size that the file claims: it may be growing.
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size > largest) throw new AppError('storage/failed', `The file is larger than ${largest} bytes`, { data: { reason: 'too-large' } });
  }
  const text = decoded(Buffer.concat(chunks));
  const marked = text.startsWith(byteOrderMark);
  return {
    text: marked ? text.slice(1) : text,
    mark: marked ? byteOrderMark : '',
    mode: Number(facts.mode) & 0o777,
    owner: { uid: Number(facts.uid), gid: Number(facts.gid) },
    stamp: stampOf(facts),
  };
}

/** Of the file as it is now, through links; `undefined` when there is none. */
export async function currentStamp(file: string): Promise<string | undefined> {
  const facts = await unlessAbsent(stat(file, { bigint: true }));
  return facts && stampOf(facts);
}

export const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(':');

/** Where a symlink leads, whether or not there is a file yet. */
export async function targetOf(file: string): Promise<string> {
  const real = await unlessAbsent(realpath(file));
  if (real !== undefined) return real;
  const link = (await unlessAbsent(lstat(file)))?.isSymbolicLink();
  return link ? resolve(await realpath(dirname(file)), await readlink(file)) : file;
}

/** Something on the way that is no folder means that there is no such file either. */
export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await unlessMissing(work);
  } catch (error) {
    if (errno(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A file in another encoding would lose its letters by being read loosely and written back. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('storage/failed', 'The file is not UTF-8 text', { data: { reason: 'not-utf-8' }, cause: error });
  }
}
