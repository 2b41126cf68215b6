import { constants } from 'node:fs';
import { open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptFile, TranscriptStore } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { ChatId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { privateFolder } from '../home/private-folder.ts';
import { syncFolder } from './atomic-write.ts';
import { errno, storageProblem, unlessMissing } from './storage-problem.ts';

const ending = '.jsonl';
const newline = 0x0a;

/** Chats as `folder`/<chat id>.jsonl, one JSON record a line. */
export function createTranscriptStore(folder: string): TranscriptStore {
  const inUse = new Set<ChatId>();
  const fileOf = (chatId: ChatId): string => {
    if (!ChatId.safeParse(chatId).success) throw new AppError('request/invalid', 'Not a chat id');
    return join(folder, `${chatId}${ending}`);
  };

  return {
    async list(signal) {
      signal.throwIfAborted();
      const entries = await guarded('Cannot list the chats', unlessMissing(readdir(folder, { withFileTypes: true })));
      return (entries ?? [])
        .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
        .flatMap((entry) => ChatId.safeParse(entry.name.slice(0, -ending.length)).data ?? [])
        .toSorted();
    },
    async open(chatId, signal) {
      signal.throwIfAborted();
      const file = fileOf(chatId);
      if (inUse.has(chatId)) throw new AppError('chat/busy', 'This chat is open already');
      inUse.add(chatId);
      try {
        await privateFolder(folder);
        return await openTranscript(file, folder, () => inUse.delete(chatId));
      } catch (error) {
        inUse.delete(chatId);
        throw storageProblem('Cannot open the chat', error);
      }
    },
    async remove(chatId, signal) {
      signal.throwIfAborted();
      const file = fileOf(chatId);
      if (inUse.has(chatId)) throw new AppError('chat/busy', 'This chat is open');
      const removed = await guarded('Cannot remove the chat', unlessMissing(unlink(file).then(() => true)));
      if (removed) await guarded('Cannot remove the chat', syncFolder(folder));
    },
  };
}

async function guarded<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storageProblem(doing, error);
  }
}

async function openTranscript(file: string, folder: string, onClose: () => void): Promise<TranscriptFile> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
  try {
    await handle.chmod(0o600);
    const bytes = await handle.readFile();
    const size = bytes.lastIndexOf(newline) + 1;
    if (size < bytes.length) {
      await handle.truncate(size);
      await handle.datasync();
    }
    if (bytes.length === 0) await syncFolder(folder);
    const { records, skipped } = parseLines(bytes.subarray(0, size));
    return new OpenTranscript(handle, size, records, skipped, onClose);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function parseLines(bytes: Uint8Array): { readonly records: readonly unknown[]; readonly skipped: number } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const records: unknown[] = [];
  let skipped = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start);
    try {
      records.push(JSON.parse(decoder.decode(bytes.subarray(start, end))));
    } catch {
      skipped += 1;
    }
    start = end + 1;
  }
  return { records, skipped };
}

interface Waiting {
  readonly text: string;
  readonly durable: boolean;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

class OpenTranscript implements TranscriptFile {
  readonly records: readonly unknown[];
  readonly skipped: number;
  readonly #handle: FileHandle;
  readonly #onClose: () => void;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Bytes of whole, written records. */
  #size: number;
  /** Set when what the file holds is no longer known; only opening it again helps. */
  #broken: Error | undefined;

  constructor(handle: FileHandle, size: number, records: readonly unknown[], skipped: number, onClose: () => void) {
    this.#handle = handle;
    this.#size = size;
    this.records = records;
    this.skipped = skipped;
    this.#onClose = onClose;
  }

  async append(records: readonly JsonObject[], durable: boolean): Promise<void> {
    if (this.#closing) throw new AppError('storage/failed', 'The chat is closed');
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    await new Promise<void>((done, failed) => {
      this.#waiting.push({ text, durable, done, failed });
      this.#writing ??= this.#writeAll();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
    this.#onClose();
  }

  /** Whatever came while one batch was on its way makes up the next: one write and at most one sync for all of it. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#write(batch);
        for (const one of batch) one.done();
      } catch (error) {
        const problem = storageProblem('Cannot save the chat', error);
        for (const one of batch) one.failed(problem);
      }
    }
    this.#writing = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    if (this.#broken) throw this.#broken;
    const bytes = Buffer.from(batch.map((one) => one.text).join(''));
    try {
      await this.#handle.appendFile(bytes);
    } catch (error) {
      await this.#takeBack(error);
      throw error;
    }
    this.#size += bytes.length;
    if (batch.some((one) => one.durable)) await this.#sync();
  }

  /** A full disk may have taken half of a batch; the next record must not be glued to it. */
  async #takeBack(cause: unknown): Promise<void> {
    try {
      await this.#handle.truncate(this.#size);
    } catch (error) {
      this.#broken = storageProblem('Cannot save the chat', errno(cause) === undefined ? error : cause);
    }
  }

  /** After a failed sync the system may have dropped the data and forgotten the failure: a second try would lie. */
  async #sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#broken = storageProblem('Cannot save the chat', error);
      throw this.#broken;
    }
  }
}
