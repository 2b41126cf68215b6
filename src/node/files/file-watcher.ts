import { watch } from 'node:fs';
import type { FileWatch } from '../../core/ports.ts';
import { errno } from '../records/storage-problem.ts';
import { foldersOf, markNow, markOf, spelled, type Interest } from './watched-paths.ts';

interface Subscription {
  readonly marks: Map<string, string>;
  readonly onChange: (path: string) => void;
}
interface Watched {
  readonly end: () => void;
  /** The folder that was at this path when watching began. */
  readonly mark: string;
}
/** After the last sign of writing; at most `longestMs` after the first. */
const settledMs = 100;
const longestMs = 1000;

/**
 * Watches the folders in which files stand, never what is below them, and compares the files when something of interest happens there. So a
 * rename over a file, a link led elsewhere, a file or folder that comes or goes are all the same: the file differs from what was seen.
 */
export class FileWatcher {
  readonly #onProblem: (error: unknown) => void;
  readonly #subscriptions = new Set<Subscription>();
  readonly #folders = new Map<string, Watched>();
  #interest: Interest = new Map();
  #timer: NodeJS.Timeout | undefined;
  #firstSign = 0;
  #looking = false;
  #again = false;

  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  watch(paths: readonly string[], onChange: (path: string) => void): FileWatch {
    const marksNow = () => paths.map((path) => [path, markNow(path)] as const);
    const subscription: Subscription = { marks: new Map(marksNow()), onChange };
    this.#subscriptions.add(subscription);
    void this.#look();
    return {
      reading: async (read) => {
        const before = marksNow();
        const result = await read();
        for (const [path, mark] of before) subscription.marks.set(path, mark);
        this.#soon();
        return result;
      },
      [Symbol.dispose]: () => {
        this.#subscriptions.delete(subscription);
        if (this.#subscriptions.size === 0) this.#close();
        else void this.#look();
      },
    };
  }

  #sign(folder: string, name: string | undefined): void {
    if (name === undefined || this.#interest.get(folder)?.has(spelled(name)) !== false) this.#soon();
  }

  /** A look once writing has settled. */
  #soon(): void {
    if (this.#subscriptions.size === 0) return;
    const now = performance.now();
    if (this.#timer === undefined) this.#firstSign = now;
    else clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, Math.max(0, Math.min(settledMs, this.#firstSign + longestMs - now)));
    this.#timer.unref();
  }

  /** One at a time; never rejects. */
  async #look(): Promise<void> {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    try {
      do {
        this.#again = false;
        await this.#follow();
        await this.#compare();
      } while (this.#again);
    } catch (error) {
      this.#onProblem(error);
    } finally {
      this.#looking = false;
    }
  }

  /** Watches the folders that matter now. Whatever changed before all of them were watched is seen by the comparison that comes after. */
  async #follow(): Promise<void> {
    for (let more = true; more && this.#subscriptions.size > 0; ) {
      const interest = await foldersOf([...new Set([...this.#subscriptions].flatMap(({ marks }) => [...marks.keys()]))]);
      const identities = new Map(await Promise.all([...interest.keys()].map(async (folder) => [folder, await identityOf(folder)] as const)));
      if (this.#subscriptions.size === 0) return;
      this.#interest = interest;
      for (const [folder, { end, mark }] of this.#folders) {
        if (identities.get(folder) === mark) continue;
        this.#folders.delete(folder);
        end();
      }
      more = false;
      for (const [folder, mark] of identities) {
        if (mark === undefined || this.#folders.has(folder)) continue;
        const end = this.#open(folder);
        if (!end) continue;
        this.#folders.set(folder, { end, mark });
        more = true;
      }
    }
  }

  /** The system tells of a folder's entries by itself: none of them is looked at, however many there are. Absent where there is nothing to watch, or it may not be. */
  #open(folder: string): (() => void) | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#sign(folder, name === null || name === '' ? undefined : name));
      watcher.on('error', (error) => {
        // Windows tells so of a folder that goes.
        watcher.close();
        this.#folders.delete(folder);
        if (!isWithoutAccess(error)) this.#onProblem(error);
        this.#sign(folder, undefined);
      });
      return () => watcher.close();
    } catch (error) {
      if (!isWithoutAccess(error)) this.#onProblem(error);
      return undefined;
    }
  }

  async #compare(): Promise<void> {
    for (const { marks, onChange } of this.#subscriptions) {
      for (const [path, seen] of marks) {
        const mark = await markOf(path);
        if (mark === seen) continue;
        marks.set(path, mark);
        if ([...this.#subscriptions].some((subscription) => subscription.marks === marks)) onChange(path);
      }
    }
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { end } of this.#folders.values()) end();
    this.#folders.clear();
  }
}

/** A folder that was made anew under the same name is another one. */
async function identityOf(folder: string): Promise<string | undefined> {
  const mark = await markOf(folder);
  const [dev, ino, size] = mark.split(':');
  return size === undefined ? undefined : `${dev}:${ino}`;
}

const isWithoutAccess = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errno(error) ?? '');
