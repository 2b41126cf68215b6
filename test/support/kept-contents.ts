import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentSource, ContentStore } from '../../src/core/ports.ts';
import { createContentStore } from '../../src/node/contents/content-store.ts';
import { AppError } from '../../src/shared/errors.ts';
import { ChatId } from '../../src/shared/ids.ts';
import type { ContentRef } from '../../src/shared/model/content.ts';
import { tempFolder } from './temp-folder.ts';

export const chat = ChatId.parse('chat-1');
const signal = new AbortController().signal;

/** A real store in a folder of its own, and what was kept in it for one chat. */
export class KeptContents {
  readonly folder = join(tempFolder(), 'contents');
  readonly store: ContentStore = createContentStore(this.folder);
  /** Set: nothing can be kept, as the system says it. */
  broken: string | undefined;

  readonly keep = async (source: ContentSource, mimeType: string): Promise<ContentRef> => {
    if (this.broken !== undefined) throw new AppError('storage/failed', `Cannot keep the content: ${this.broken}`, { data: { reason: this.broken } });
    return this.store.put(chat, source, mimeType, signal);
  };

  async bytes(ref: ContentRef): Promise<Uint8Array> {
    return (await this.store.read(ref.id, 0, ref.bytes, signal)).bytes;
  }

  async text(ref: ContentRef): Promise<string> {
    return new TextDecoder().decode(await this.bytes(ref));
  }

  async json(ref: ContentRef): Promise<unknown> {
    return JSON.parse(await this.text(ref));
  }

  files(): number {
    try {
      return readdirSync(join(this.folder, chat)).length;
    } catch {
      return 0; // no folder, no file
    }
  }
}
