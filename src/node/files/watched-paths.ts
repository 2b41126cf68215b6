import { statSync } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { errno } from '../records/storage-problem.ts';
import { stampOf, unlessAbsent } from '../records/text-file.ts';

/** Names of a folder's entries that matter. */
export type Interest = ReadonlyMap<string, ReadonlySet<string>>;
const mostLinks = 40;

/** What a file is like now, through links: changes when the file does. */
export function markNow(path: string): string {
  try {
    return stampOf(statSync(path, { bigint: true }));
  } catch (error) {
    return absence(error);
  }
}

export async function markOf(path: string): Promise<string> {
  try {
    return stampOf(await stat(path, { bigint: true }));
  } catch (error) {
    return absence(error);
  }
}

function absence(error: unknown): string {
  const code = errno(error) ?? 'none';
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : code;
}

/** The folders to watch to notice any change of these files: where each and each link on its way stands, and the folder above that. */
export async function foldersOf(paths: readonly string[]): Promise<Interest> {
  const interest = new Map<string, Set<string>>();
  const add = (folder: string, name: string): void => void (interest.get(folder) ?? interest.set(folder, new Set()).get(folder))?.add(spelled(name));
  for (const path of paths) {
    for (const step of await linksOf(path)) {
      const { folder, name } = await standing(step);
      add(folder, name);
      // Its own going is told under its own name.
      add(folder, basename(folder));
      if (dirname(dirname(folder)) !== dirname(folder)) add(dirname(folder), basename(folder));
      const linked = dirname(step);
      if (linked !== folder && (await isLink(linked))) add(await real(dirname(linked)), basename(linked));
    }
  }
  return interest;
}

/** File systems give names back in other letters than they were given. */
export const spelled = (name: string): string => name.normalize('NFC').toLowerCase();

async function linksOf(path: string): Promise<readonly string[]> {
  const steps = [path];
  for (let at = path; steps.length <= mostLinks; ) {
    if (!(await isLink(at))) break;
    at = resolve(await real(dirname(at)), await readlink(at).catch(() => basename(at)));
    steps.push(at);
  }
  return steps;
}

/** The nearest folder that exists, and the name in it that would lead to `path`. */
async function standing(path: string): Promise<{ readonly folder: string; readonly name: string }> {
  for (let at = path; ; at = dirname(at)) {
    const folder = await unlessAbsent(realpath(dirname(at))).catch(() => undefined);
    const there = folder !== undefined && (await isFolder(folder));
    if (there || dirname(at) === at) return { folder: folder ?? dirname(at), name: basename(at) };
  }
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
const isLink = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
const real = (path: string): Promise<string> => realpath(path).catch(() => path);
