import { join } from 'node:path';
import { Lanes } from '../../core/kernel/lanes.ts';
import type { Documents } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { createBackups } from './backups.ts';
import { editFile, throughEdit, withFileLock } from './edit-file.ts';
import { storageProblem } from './storage-problem.ts';
import { readTextFile, targetOf } from './text-file.ts';

/** What the app remembers of others; losing it costs a look. */
const remade: ReadonlySet<string> = new Set(['eras.json', 'mcp-cache.json', 'npx-cache.json']);

/**
 * The text files of `folder`. A file that is a symlink stays one: its target is replaced. A byte order mark and the file's mode are kept.
 * What a file held before its last changes is in `folder`/backups, unless the app can make it anew at any time.
 */
export function createDocuments(folder: string): Documents {
  const lanes = new Lanes<string>();
  const keep = createBackups(join(folder, 'backups'));
  const editing = (name: string) => ({ largest: Infinity, mode: 0o600, keep: remade.has(name) ? async () => undefined : keep });
  return {
    async read(name, signal) {
      signal.throwIfAborted();
      try {
        return (await readTextFile(place(folder, name), Infinity))?.text;
      } catch (error) {
        throw storageProblem(`Cannot read ${name}`, error);
      }
    },
    update: (name, edit, signal) =>
      lanes.run(name, async () => {
        signal.throwIfAborted();
        await throughEdit(`Cannot write ${name}`, edit, async (guarded) => {
          const file = await targetOf(place(folder, name));
          await withFileLock(file, () => editFile(file, guarded, editing(name)), signal);
        });
      }),
  };
}

function place(folder: string, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) throw new AppError('request/invalid', 'Not a document name');
  return join(folder, name);
}
