import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { storageProblem } from '../../records/storage-problem.ts';
import { archiveFormat, Head, isSafePath, Manifest, Names, places, Sealed } from './archive-format.ts';

export interface ReadArchive {
  readonly head: z.infer<typeof Head>;
  readonly names: Names;
  readonly files: Manifest;
  /** The manifest's own text, which the secrets are bound to. */
  readonly manifest: string;
  readonly secrets?: z.infer<typeof Sealed>;
}
export interface ArchiveLimits {
  readonly files: number;
  /** In bytes, unpacked. */
  readonly total: number;
  /** In bytes, of what is kept in memory: each of the archive's own entries, and what the tar reader holds back between two entries. */
  readonly held: number;
}
const limits: ArchiveLimits = { files: 500_000, total: 64 * 1024 ** 3, held: 128 * 1024 ** 2 };

/**
 * Checks an archive and unpacks its files into `target`, a new folder of ours. The archive is not trusted: nothing but regular files under safe
 * names, each once, is written, and the manifest must say the same. Throws `config/invalid` with `data.reason`, `home/newer`.
 */
export async function readArchive(path: string, target: string, signal: AbortSignal, most = limits): Promise<ReadArchive> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  await using _handle = handle;
  if (!(await handle.stat()).isFile()) throw refused('not-a-backup', 'It is not a regular file');
  const reading = new Reading(target, most);
  try {
    for await (const entry of entriesOf(handle, reading, most.held, signal)) {
      signal.throwIfAborted();
      await reading.take(entry);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw isDamage(error) ? refused(reading.begun ? 'damaged' : 'not-a-backup', 'The file is no whole backup', error) : storageProblem(`Cannot read ${path}`, error);
  }
  return reading.end();
}

/** Errors of the unpackers; those of the disk have an `errno`. */
const isDamage = (error: unknown): boolean => !(error instanceof AppError) && !(error instanceof Error && 'syscall' in error);

function entriesOf(handle: FileHandle, reading: Reading, held: number, signal: AbortSignal): AsyncIterable<ParsedTarEntry> {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      reading.unpacked += chunk.length;
      done(reading.unpacked - reading.used > held ? refused('too-large', 'It holds too much beside its files') : null, chunk);
    },
  });
  // What goes wrong here ends the last of them, which is read below.
  const plain = pipeline(handle.createReadStream({ start: 0, autoClose: false, signal }), createGunzip(), counted, () => undefined);
  return Readable.toWeb(plain).pipeThrough(createTarDecoder({ strict: true }));
}

class Reading {
  /** Bytes that came out of the compression, and those of them that entries were made of. */
  unpacked = 0;
  used = 0;
  readonly #target: string;
  readonly #most: ArchiveLimits;
  readonly #files: Manifest = [];
  readonly #taken = new Set<string>();
  readonly #folders = new Set<string>();
  #head: z.infer<typeof Head> | undefined;
  #names: { readonly text: string; readonly names: Names } | undefined;
  #manifest: { readonly text: string; readonly manifest: Manifest } | undefined;
  #secrets: z.infer<typeof Sealed> | undefined;

  constructor(target: string, most: ArchiveLimits) {
    this.#target = target;
    this.#most = most;
  }

  get begun(): boolean {
    return this.#head !== undefined;
  }

  async take({ header, body }: ParsedTarEntry): Promise<void> {
    const { name, size, type } = header;
    if (type !== 'file' || (header.linkname ?? '') !== '') throw refused('unsafe-path', 'It holds something else than regular files');
    if (!this.#head) {
      if (name !== places.head) throw refused('not-a-backup', 'It is no backup of Gatehouse');
      this.#head = parsed(Head, await this.#text(body));
      if (this.#head.format > archiveFormat) {
        throw new AppError('home/newer', 'A later version of Gatehouse made this backup', { data: { found: this.#head.format, known: archiveFormat } });
      }
      return;
    }
    if (this.#taken.has(name.normalize('NFC').toLowerCase())) throw refused('unsafe-path', 'It holds a name twice');
    this.#taken.add(name.normalize('NFC').toLowerCase());
    switch (name) {
      case places.names: {
        const text = await this.#text(body);
        this.#names = { text, names: parsed(Names, text) };
        return;
      }
      case places.manifest: {
        const text = await this.#text(body);
        this.#manifest = { text, manifest: parsed(Manifest, text) };
        return;
      }
      case places.secrets: {
        this.#secrets = parsed(Sealed, await this.#text(body));
        return;
      }
      default:
        if (!name.startsWith(places.files) || this.#manifest) throw refused('unsafe-path', 'It holds what no backup holds');
        await this.#file(name.slice(places.files.length), size, body);
    }
  }

  end(): ReadArchive {
    if (!this.#head || !this.#names || !this.#manifest) throw refused(this.#head ? 'damaged' : 'not-a-backup', 'The file is no whole backup');
    const { text, names } = this.#names;
    const found = [...this.#files, { path: places.names, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }];
    const line = ({ path, bytes, sha256 }: Manifest[number]): string => JSON.stringify([path, bytes, sha256]);
    const said = new Set(this.#manifest.manifest.map(line));
    if (said.size !== found.length || !found.every((file) => said.has(line(file)))) throw refused('damaged', 'Its files are not those that it was made of');
    const secrets = this.#secrets === undefined ? {} : { secrets: this.#secrets };
    return { head: this.#head, names, files: this.#files, manifest: this.#manifest.text, ...secrets };
  }

  async #file(path: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    if (!isSafePath(path)) throw refused('unsafe-path', 'It holds a path that leads out of the home or into what is not backed up');
    if (this.#files.length >= this.#most.files || this.used + size > this.#most.total) throw refused('too-large', 'It is too large');
    const file = join(this.#target, ...path.split('/'));
    await this.#folder(dirname(file));
    const hash = createHash('sha256');
    // A new file in a folder that nobody else writes: never through a link.
    const handle = await open(file, 'wx', 0o600);
    await using _handle = handle;
    for await (const chunk of body) {
      this.used += chunk.length;
      hash.update(chunk);
      for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
    }
    await handle.sync();
    this.#files.push({ path, bytes: size, sha256: hash.digest('hex') });
  }

  async #folder(folder: string): Promise<void> {
    if (folder === this.#target || this.#folders.has(folder)) return;
    await this.#folder(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
    this.#folders.add(folder);
  }

  async #text(body: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      this.used += chunk.length;
      size += chunk.length;
      if (size > this.#most.held) throw refused('too-large', 'It is too large');
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw refused('damaged', 'A part of it does not have the expected form', error);
  }
}

function refused(reason: 'not-a-backup' | 'damaged' | 'unsafe-path' | 'too-large', message: string, cause?: unknown): AppError {
  return new AppError('config/invalid', message, { data: { reason }, cause });
}
