import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ContentStore } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { ChatId, ContentId } from '../../shared/ids.ts';
import { privateFolder, unsafe } from '../home/private-folder.ts';
import { syncFolder } from '../records/atomic-write.ts';
import { storageProblem, unlessMissing } from '../records/storage-problem.ts';
import { isSpare, writeContent } from './write-content.ts';

export interface FolderContentStore extends ContentStore {
  /** Bytes on disk, per chat. */
  sizes(signal: AbortSignal): Promise<ReadonlyMap<ChatId, number>>;
}

const unknownType = 'application/octet-stream';
const partial = '.part';

/** Contents as `folder`/<chat id>/<content id>~<media type>. A file there is whole: it gets its name when it is on the disk. */
export function createContentStore(folder: string): FolderContentStore {
  const known = new Map<ContentId, string>();
  /** Half written right now, by us: not what a crash left. */
  const writing = new Set<string>();

  async function chatFolders(): Promise<readonly ChatId[]> {
    const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
    return entries.filter((entry) => entry.isDirectory()).flatMap((entry) => ChatId.safeParse(entry.name).data ?? []);
  }

  async function find(id: ContentId): Promise<string | undefined> {
    const file = known.get(id);
    if (file !== undefined) return file;
    for (const chatId of await chatFolders()) {
      for (const name of await namesIn(join(folder, chatId))) {
        const found = idOf(name);
        if (found) known.set(found, join(folder, chatId, name));
      }
    }
    return known.get(id);
  }

  async function tidyFolder(chat: string, isOver: (id: ContentId, keptAt: number) => boolean, signal: AbortSignal): Promise<void> {
    for (const name of (await unlessMissing(readdir(chat))) ?? []) {
      signal.throwIfAborted();
      const file = join(chat, name);
      const id = idOf(name);
      if (name.endsWith(partial) || id === undefined) {
        if (!writing.has(file)) await rm(file, { force: true });
        continue;
      }
      const facts = await unlessMissing(lstat(file));
      if (!facts || !isOver(id, facts.mtimeMs)) continue;
      known.delete(id);
      await rm(file, { force: true });
    }
  }

  return {
    async put(keeper, source, mimeType, signal) {
      signal.throwIfAborted();
      const chat = chatFolder(folder, keeper);
      const id = ContentId.parse(randomUUID());
      const type = mediaType(mimeType);
      const file = join(chat, `${id}~${encodeType(type)}`);
      const part = `${file}${partial}`;
      writing.add(part);
      try {
        await privateFolder(folder);
        await privateFolder(chat);
        const bytes = await writeContent(part, source, signal);
        await rename(part, file);
        if (!isSpare(source)) await syncFolder(chat);
        known.set(id, file);
        return { id, mimeType: type, bytes };
      } catch (error) {
        // The first failure is the one to tell; a part that stays is cleared away later.
        await rm(part, { force: true }).catch(() => undefined);
        throw storageProblem('Cannot keep the content', error);
      } finally {
        writing.delete(part);
      }
    },

    async keeperOf(id, signal) {
      signal.throwIfAborted();
      const file = ContentId.safeParse(id).success ? await find(id) : undefined;
      return file === undefined ? undefined : ChatId.parse(basename(dirname(file)));
    },

    async tidy(over, signal) {
      for (const keeper of await chatFolders()) {
        const fate = over.keeper(keeper);
        if (fate === 'gone') await this.removeChat(keeper, signal);
        else await tidyFolder(join(folder, keeper), (id, keptAt) => fate === 'look' && over.content({ id, keeper, keptAt }), signal);
      }
    },

    async read(id, offset, limit, signal) {
      signal.throwIfAborted();
      if (!ContentId.safeParse(id).success || !(offset >= 0) || !(limit >= 0)) throw new AppError('request/invalid', 'Not a content id or range');
      try {
        const file = await find(id);
        if (file === undefined) throw new AppError('request/invalid', 'No such content');
        await using handle = await openInside(folder, file);
        const { size: total } = await handle.stat();
        const from = Math.min(Math.trunc(offset), total);
        const bytes = await readRange(handle, from, Math.min(Math.trunc(limit), total - from));
        return { bytes, total, mimeType: typeOf(file) };
      } catch (error) {
        known.delete(id);
        throw storageProblem('Cannot read the content', error);
      }
    },

    async removeChat(chatId, signal) {
      signal.throwIfAborted();
      const chat = chatFolder(folder, chatId);
      for (const [id, file] of known) if (file.startsWith(join(chat, '/'))) known.delete(id);
      try {
        // A symlink is removed, not followed.
        await rm(chat, { recursive: true, force: true });
      } catch (error) {
        throw storageProblem('Cannot remove the contents', error);
      }
    },

    async sizes(signal) {
      const sizes = new Map<ChatId, number>();
      for (const chatId of await chatFolders()) {
        signal.throwIfAborted();
        let total = 0;
        for (const name of await namesIn(join(folder, chatId))) total += (await unlessMissing(stat(join(folder, chatId, name))))?.size ?? 0;
        sizes.set(chatId, total);
      }
      return sizes;
    },
  };
}

function chatFolder(folder: string, chatId: ChatId): string {
  if (!ChatId.safeParse(chatId).success) throw new AppError('request/invalid', 'Not a chat id');
  return join(folder, chatId);
}

async function namesIn(chat: string): Promise<readonly string[]> {
  const entries = (await unlessMissing(readdir(chat, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isFile() && !entry.name.endsWith(partial)).map((entry) => entry.name);
}

const idOf = (name: string): ContentId | undefined => ContentId.safeParse(name.split('~')[0]).data;
const typeOf = (file: string): string => decodeURIComponent(file.slice(file.lastIndexOf('~') + 1));

/** A server named the type. It becomes a header and part of a file's name, so only plain ones pass. */
function mediaType(claimed: string): string {
  const plain = claimed.trim();
  const wellFormed = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(\s*;\s*[\w.+-]+=("[\w .+/-]*"|[\w.+/-]+))*$/.test(plain.slice(0, 201));
  return wellFormed && encodeType(plain).length <= 160 ? plain : unknownType;
}
const encodeType = (type: string): string => encodeURIComponent(type).replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** No link on the way may lead out of the store. */
async function openInside(folder: string, file: string): Promise<FileHandle> {
  const chat = join(file, '..');
  if (join(chat, '..') !== join(folder)) throw unsafe(file, 'symlink');
  if (!(await lstat(chat)).isDirectory()) throw unsafe(chat, 'symlink');
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
}

async function readRange(handle: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
