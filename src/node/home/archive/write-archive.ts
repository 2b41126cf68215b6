import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import type { Secret } from '../../../core/kernel/secret.ts';
import { AppError } from '../../../shared/errors.ts';
import { unlessMissing } from '../../records/storage-problem.ts';
import { archiveFormat, isArchived, isPassing, places, sealValues, type Manifest, type Names, type Values } from './archive-format.ts';

export interface ArchiveContent {
  readonly home: string;
  readonly app: string;
  readonly createdAt: number;
  readonly names: Names;
  readonly values?: { readonly values: Values; readonly passphrase: Secret };
}
type Packer = ReturnType<typeof createTarPacker>['controller'];

/** Writes the archive into `target`, a new file. Answers what it holds. */
export async function writeArchive(target: string, content: ArchiveContent, signal: AbortSignal): Promise<Manifest> {
  const { readable, controller } = createTarPacker();
  const written = pipeline(Readable.fromWeb(readable), createGzip(), createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }), { signal });
  // Told below, whichever of the two fails first.
  written.catch(() => undefined);
  try {
    const manifest = await fill(controller, content, signal);
    controller.finalize();
    await written;
    return manifest;
  } catch (error) {
    controller.error(error);
    await written.catch(() => undefined);
    throw error;
  }
}

async function fill(packer: Packer, { home, app, createdAt, names, values }: ArchiveContent, signal: AbortSignal): Promise<Manifest> {
  await addText(packer, places.head, JSON.stringify({ format: archiveFormat, app, createdAt }));
  const manifest: Manifest = [];
  for await (const path of filesOf(home, '')) {
    signal.throwIfAborted();
    const added = await addFile(packer, join(home, path), path);
    if (added) manifest.push(added);
  }
  const text = JSON.stringify(names);
  await addText(packer, places.names, text);
  const all = JSON.stringify([...manifest, { path: places.names, bytes: Buffer.byteLength(text), sha256: sha256Of(text) }]);
  await addText(packer, places.manifest, all);
  if (values) await addText(packer, places.secrets, JSON.stringify(await sealValues(values.values, values.passphrase, all)));
  return manifest;
}

/** Relative to the home, with `/`. Of links only those at the top are followed, to regular files: a person may keep `mcp.json` elsewhere. */
async function* filesOf(home: string, folder: string): AsyncGenerator<string> {
  const entries = (await unlessMissing(readdir(join(home, folder), { withFileTypes: true }))) ?? [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (folder === '' ? !isArchived(entry.name) : isPassing(entry.name)) continue;
    if (entry.isDirectory()) yield* filesOf(home, path);
    else if (entry.isFile() || (folder === '' && (await leadsToFile(join(home, path))))) yield path;
  }
}

const leadsToFile = async (path: string): Promise<boolean> =>
  (await unlessMissing(lstat(path)))?.isSymbolicLink() === true && (await stat(path).catch(() => undefined))?.isFile() === true;

async function addFile(packer: Packer, file: string, path: string): Promise<Manifest[number] | undefined> {
  const handle = await unlessMissing(open(file, constants.O_RDONLY | constants.O_NONBLOCK));
  if (!handle) return undefined;
  await using _handle = handle;
  const facts = await handle.stat();
  if (!facts.isFile()) return undefined;
  const hash = createHash('sha256');
  let bytes = 0;
  const writer = packer.add({ name: `${places.files}${path}`, size: facts.size, type: 'file', mode: 0o600, mtime: facts.mtime }).getWriter();
  // What is appended meanwhile is not part of it.
  for await (const chunk of facts.size === 0 ? [] : handle.createReadStream({ start: 0, end: facts.size - 1, autoClose: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    bytes += chunk.length;
    await writer.write(chunk);
  }
  if (bytes !== facts.size) throw new AppError('storage/failed', `${file} is being changed`, { data: { reason: 'changing' } });
  await writer.close();
  return { path, bytes, sha256: hash.digest('hex') };
}

async function addText(packer: Packer, name: string, text: string): Promise<void> {
  const body = Buffer.from(text);
  const writer = packer.add({ name, size: body.length, type: 'file', mode: 0o600, mtime: new Date(0) }).getWriter();
  if (body.length > 0) await writer.write(body);
  await writer.close();
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
