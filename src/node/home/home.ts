import { chmod, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { atomicWrite } from '../records/atomic-write.ts';
import { storageProblem, unlessMissing } from '../records/storage-problem.ts';
import { homeFolder } from './home-folder.ts';
import { unsafe } from './private-folder.ts';

/** What this version of the app reads and writes. A later one raises it when an older app would do harm. */
const format = 1;
const Version = z.object({ format: z.number().int().positive() });

/** One person's data folder, with the places in it. */
export interface Home {
  readonly folder: string;
  readonly chats: string;
  readonly contents: string;
  readonly vault: string;
  readonly logs: string;
}

/**
 * Makes the home with mode 700 when there is none, and makes sure that it can be trusted. Throws `home/newer` for the home of a later version,
 * which stays untouched, and `storage/failed` with `data.reason` for one that others could change.
 */
export async function openHome(env: Readonly<Record<string, string | undefined>>): Promise<Home> {
  const chosen = homeFolder(env);
  try {
    await mkdir(chosen, { recursive: true, mode: 0o700 });
    const folder = await trusted(chosen);
    await checkVersion(folder);
    return { folder, chats: join(folder, 'chats'), contents: join(folder, 'contents'), vault: join(folder, 'vault'), logs: join(folder, 'logs') };
  } catch (error) {
    throw storageProblem('Cannot open the home', error);
  }
}

/** The folder itself, or the one that a link of ours leads to. */
async function trusted(chosen: string): Promise<string> {
  const facts = await stat(chosen);
  if (!facts.isDirectory()) throw unsafe(chosen, 'not-a-folder');
  if (process.platform !== 'win32') {
    const own = process.getuid?.();
    // Whoever owns a link can lead it elsewhere later.
    if (facts.uid !== own || (await lstat(chosen)).uid !== own) throw unsafe(chosen, 'foreign-owner');
    if ((facts.mode & 0o002) !== 0) throw unsafe(chosen, 'world-writable');
    if ((facts.mode & 0o020) !== 0) await chmod(chosen, facts.mode & 0o755);
  }
  return realpath(chosen);
}

/** Of a home of this version or an earlier one; one that has no version yet gets this. */
export async function checkVersion(folder: string): Promise<void> {
  const file = join(folder, 'version.json');
  const text = await unlessMissing(readFile(file, 'utf8'));
  if (text === undefined) {
    await atomicWrite(file, `${JSON.stringify({ format })}\n`, 0o600);
    return;
  }
  const version = Version.safeParse(parsed(text));
  if (!version.success) throw new AppError('storage/failed', `${file} does not say which version of the home this is`, { data: { reason: 'no-version' } });
  if (version.data.format > format) throw new AppError('home/newer', 'A later version of Gatehouse made this home', { data: { found: version.data.format, known: format } });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
