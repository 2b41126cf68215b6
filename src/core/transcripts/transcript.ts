import { AppError } from '../../shared/errors.ts';
import { EntryId } from '../../shared/ids.ts';
import { TranscriptEntry, type NewEntry } from '../../shared/model/transcript-entry.ts';
import { emptyChatState, reduceChat, type ChatAction, type ChatState } from '../../shared/state/chat-state.ts';
import type { Clock, TranscriptFile } from '../ports.ts';
import { TopicStore } from '../state/topic-store.ts';

export interface TranscriptDeps {
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The append-only record of one chat: the truth that everything shown is folded from. An entry is on disk before it is published. */
export class Transcript implements AsyncDisposable {
  readonly store: TopicStore<ChatState, ChatAction>;
  readonly #file: TranscriptFile;
  readonly #deps: TranscriptDeps;
  readonly #entries: TranscriptEntry[];
  #tail: Promise<unknown> = Promise.resolve();
  #head: EntryId | null;

  constructor(file: TranscriptFile, deps: TranscriptDeps) {
    this.#file = file;
    this.#deps = deps;
    // Kinds of entry that a later version wrote stay in the file; this version passes over them.
    this.#entries = file.records.flatMap((record) => {
      const parsed = TranscriptEntry.safeParse(record);
      return parsed.success ? [parsed.data] : [];
    });
    const state = this.#entries.reduce((folded, entry) => reduceChat(folded, { type: 'entry', entry }), emptyChatState);
    this.#head = state.head;
    this.store = new TopicStore(state, reduceChat);
  }

  /** Not a record in its file, not one that cannot be read either. */
  get isEmpty(): boolean {
    return this.#file.records.length === 0 && this.#file.skipped === 0 && this.#entries.length === 0;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /**
   * Writes, then publishes, in the order of the calls. `durable` entries have reached the disk when this resolves: use it for all that
   * must not be forgotten (questions, starts, outcomes, run states). Throws `storage/failed`; then nothing was published.
   */
  append(entry: NewEntry, durable: boolean): Promise<EntryId> {
    const id = EntryId.parse(this.#deps.newId());
    const full = { ...entry, id, parent: this.#head, at: this.#deps.clock.now() } as TranscriptEntry; // NewEntry is TranscriptEntry without these three
    this.#head = id;
    const written = this.#tail.then(async () => {
      await this.#file.append([full], durable).catch((error: unknown) => {
        throw error instanceof AppError ? error : new AppError('storage/failed', 'The chat could not be saved', { cause: error });
      });
      this.#entries.push(full);
      this.store.apply({ type: 'entry', entry: full });
      return id;
    });
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** What is shown but not recorded. */
  show(action: Exclude<ChatAction, { type: 'entry' }>): void {
    this.store.apply(action);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tail;
    await this.#file[Symbol.asyncDispose]();
  }
}
