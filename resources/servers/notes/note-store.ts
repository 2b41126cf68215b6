import { lstatSync, watch, type FSWatcher } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DRAFT, errorCode, inPlainWords, NoteProblem, readNoteFile, stampOf, writeNoteFile, type NoteFile } from './note-file.ts';
import { createNoteId, excerptOf, isNoteId, LIMITS, type Note, type NoteHeader } from './note.ts';

export interface NewNote {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}
export interface NoteChanges {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Put after the text, on a line of its own. */
  readonly append?: string | undefined;
}
export interface FoundNote extends NoteHeader {
  readonly excerpt: string;
}

interface Entry {
  readonly stamp: string;
  readonly bytes: number;
  readonly header: NoteHeader;
  readonly opening: string;
  /** Long texts are read again when they are needed. */
  readonly text: string | undefined;
}

const ENDING = '.md';
const KEPT_TEXT = 16_384;
const OPENING = 400;
const READ_AT_ONCE = 256;
const SETTLE_MS = 150;
const LEFTOVER_MS = 3_600_000;

const missing = (id: string): NoteProblem => new NoteProblem(`There is no note with the id "${id.slice(0, 120)}".`);
const newestFirst = (a: NoteHeader, b: NoteHeader): number => {
  if (a.updated !== b.updated) return a.updated < b.updated ? 1 : -1;
  return a.id < b.id ? 1 : -1;
};
const headerOf = ({ id, title, tags, created, updated }: NoteHeader): NoteHeader => ({ id, title, tags, created, updated });

const entryOf = ({ note, bytes, stamp }: NoteFile): Entry => ({
  stamp,
  bytes,
  header: headerOf(note),
  opening: note.text.slice(0, OPENING),
  text: note.text.length <= KEPT_TEXT ? note.text : undefined,
});

/**
 * Notes as Markdown files in one folder, which other programs may change at any time: every question looks at the folder again
 * and reads only what changed. Nothing outside the folder is reached: an id is a file's name and links are not followed.
 */
export class NoteStore {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #entries = new Map<string, Entry>();
  #loaded = false;
  #refreshing: Promise<void> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Makes the folder, tidies up after a crash, and starts to notice what others change. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      const file = join(this.#folder, name);
      if (DRAFT.test(name) && this.#now() - (await lstat(file)).mtimeMs > LEFTOVER_MS) await rm(file, { force: true });
    }
    try {
      this.#watcher = watch(this.#folder, () => this.#settle()).unref();
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Some file systems cannot be watched. Changes are then seen at the next question.
      this.#watcher = undefined;
    }
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    this.#watcher?.close();
    clearTimeout(this.#settling);
    this.#listeners.clear();
    await this.#writing;
  }

  /** Called after notes came, went or changed, by whomever. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async list(tag?: string): Promise<readonly (FoundNote & { readonly bytes: number })[]> {
    await this.#refresh();
    const wanted = tag?.toLowerCase();
    return [...this.#entries.values()]
      .filter(({ header }) => wanted === undefined || header.tags.some((one) => one.toLowerCase() === wanted))
      .map(({ header, opening, bytes }) => ({ ...header, bytes, excerpt: excerptOf(opening, []) }))
      .toSorted(newestFirst);
  }

  /** Every word must be there, in title, tags or text. Notes with more of them in the title come first, then newer ones. */
  async find(query: string): Promise<readonly FoundNote[]> {
    await this.#refresh();
    const words = [...new Set(query.normalize().toLowerCase().trim().split(/\s+/))];
    const found: { readonly note: FoundNote; readonly inTitle: number }[] = [];
    for (const { header, text: kept } of this.#entries.values()) {
      const text = (kept ?? readNoteFile(this.#fileOf(header.id), header.id)?.note.text ?? '').normalize();
      const title = header.title.normalize().toLowerCase();
      const all = `${title}\n${header.tags.join('\n').normalize().toLowerCase()}\n${text.toLowerCase()}`;
      if (!words.every((word) => all.includes(word))) continue;
      found.push({ note: { ...header, excerpt: excerptOf(text, words) }, inTitle: words.filter((word) => title.includes(word)).length });
    }
    return found.toSorted((a, b) => b.inTitle - a.inTitle || newestFirst(a.note, b.note)).map(({ note }) => note);
  }

  /** Throws a `NoteProblem` when there is no such note. */
  async read(id: string): Promise<Note> {
    const found = isNoteId(id) ? readNoteFile(this.#fileOf(id), id) : undefined;
    if (!found) throw missing(id);
    return found.note;
  }

  async add(note: NewNote): Promise<Note> {
    return this.#alone(async () => {
      // Two notes of the same millisecond still sort in the order they came.
      this.#lastId = Math.max(this.#now(), this.#lastId + 1);
      const at = new Date(this.#now()).toISOString();
      return this.#write({ ...note, id: createNoteId(this.#lastId), created: at, updated: at, otherLines: [] });
    });
  }

  async edit(id: string, changes: NoteChanges): Promise<Note> {
    return this.#alone(async () => {
      const { readOnly, ...note } = await this.read(id);
      if (readOnly === 'not-utf8') {
        throw new NoteProblem('This note is not UTF-8 text, so changing it here would damage it. Open the file in an editor.');
      }
      if (readOnly === 'too-large') throw new NoteProblem('This note is larger than 1 MiB, so it can only be changed in an editor.');
      const before = changes.text ?? note.text;
      const joint = before === '' || before.endsWith('\n') ? '' : '\n';
      return this.#write({
        ...note,
        title: changes.title ?? note.title,
        tags: changes.tags ?? note.tags,
        text: changes.append === undefined ? before : `${before}${joint}${changes.append}`,
        updated: new Date(this.#now()).toISOString(),
      });
    });
  }

  /** What was deleted, without its text. */
  async remove(id: string): Promise<NoteHeader> {
    return this.#alone(async () => {
      const note = headerOf(await this.read(id));
      await rm(this.#fileOf(id));
      this.#entries.delete(id);
      this.#announce();
      return note;
    });
  }

  #fileOf(id: string): string {
    return join(this.#folder, id + ENDING);
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writing.then(work).catch((error: unknown) => Promise.reject(inPlainWords(error)));
    this.#writing = result.catch(() => undefined);
    return result;
  }

  async #write(note: Note): Promise<Note> {
    if (Buffer.byteLength(note.text) > LIMITS.textBytes) {
      throw new NoteProblem('A note holds at most 1 MiB of text. Split it into several notes.');
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeNoteFile(this.#folder, this.#fileOf(note.id), note);
    const saved = readNoteFile(this.#fileOf(note.id), note.id);
    if (!saved) throw missing(note.id);
    this.#entries.set(note.id, entryOf(saved));
    this.#announce();
    return saved.note;
  }

  /** Callers that come together share one look at the folder, and see what was written before they came. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#alone(() => this.#look()).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #look(): Promise<void> {
    const before = this.#entries;
    const ids = await this.#ids();
    const after = new Map<string, Entry>();
    let changed = false;
    for (const [index, id] of ids.entries()) {
      const entry = this.#current(id, before.get(id));
      if (entry) after.set(id, entry);
      if (entry !== before.get(id)) changed = true;
      if (index % READ_AT_ONCE === 0) await setImmediate();
    }
    this.#entries = after;
    if ((changed || after.size !== before.size) && this.#loaded) this.#announce();
    this.#loaded = true;
  }

  async #ids(): Promise<string[]> {
    try {
      const files = await readdir(this.#folder, { withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.name.endsWith(ENDING))
        .map((file) => file.name.slice(0, -ENDING.length))
        .filter(isNoteId);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw inPlainWords(error);
    }
  }

  #current(id: string, known: Entry | undefined): Entry | undefined {
    if (known) {
      const stats = lstatSync(this.#fileOf(id), { throwIfNoEntry: false });
      if (stats?.isFile() && stampOf(stats) === known.stamp) return known;
    }
    try {
      const found = readNoteFile(this.#fileOf(id), id);
      return found && entryOf(found);
    } catch (error) {
      // One file that may not be read does not hide the others.
      if (error instanceof NoteProblem) return undefined;
      throw error;
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Editors save in several steps: looks once, when it is quiet. */
  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      // What fails here fails again, visibly, at the next question.
      this.#refresh().catch(() => undefined);
    }, SETTLE_MS).unref();
  }
}
