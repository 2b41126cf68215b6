import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { PackageCommand } from './package-command.ts';

/** A package's program on the disk. */
export interface InstalledPackage {
  readonly file: string;
  readonly name: string;
  readonly version: string;
}

/** `latest` may have become another; an installation counts for a day. Milliseconds. */
const latestForMs = 24 * 3_600_000;

const Manifest = z.object({ name: z.string(), version: z.string(), bin: z.union([z.string(), z.record(z.string(), z.string())]).optional() });
/** What npm writes of an installation of its own: which packages were asked for. */
const Installation = z.object({ dependencies: z.record(z.string(), z.string()).optional(), _npx: z.object({ packages: z.array(z.string()) }).optional() });

/**
 * The program of a package that `npx` has installed before, newest first (F-177). `afterFill`: npm has just seen to it, so its age says nothing. `undefined` whenever
 * anything is in doubt: no fitting version, no program that Node runs, one that lies outside of its package.
 */
export async function findInstalled(cache: string, command: PackageCommand, now: number, afterFill: boolean): Promise<InstalledPackage | undefined> {
  for (const { folder, modifiedAt } of await installations(join(cache, '_npx'))) {
    const made = Installation.safeParse(await readJson(join(folder, 'package.json'))).data;
    if (!made || !isAskedFor(command, made)) continue;
    const packageFolder = join(folder, 'node_modules', command.name);
    const manifest = Manifest.safeParse(await readJson(join(packageFolder, 'package.json'))).data;
    if (!manifest || manifest.name !== command.name) continue;
    if (command.wanted.kind === 'exact' && manifest.version !== command.wanted.version) continue;
    if (command.wanted.kind === 'latest' && !afterFill && now - modifiedAt > latestForMs) continue;
    const file = await programOf(packageFolder, manifest, command.bin);
    if (file !== undefined) return { file, name: manifest.name, version: manifest.version };
  }
  return undefined;
}

/** A package of the project itself comes before what `npx` keeps: it is npm's to choose then. */
export async function isInProject(cwd: string, name: string): Promise<boolean> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (await isThere(join(folder, 'node_modules', name, 'package.json'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

export const isThere = async (path: string): Promise<boolean> => stat(path).then((found) => found.isFile(), () => false);

async function installations(root: string): Promise<readonly { readonly folder: string; readonly modifiedAt: number }[]> {
  const names = await readdir(root).catch((): string[] => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = join(root, name);
      const about = await stat(join(folder, 'package.json')).catch(() => undefined);
      return about ? [{ folder, modifiedAt: about.mtimeMs }] : [];
    }),
  );
  return found.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
}

/** Not one that only came along with another. A range or a tag is npm's to judge: only what was asked for in the same words. */
function isAskedFor({ name, spec, wanted }: PackageCommand, { dependencies, _npx: npx }: z.infer<typeof Installation>): boolean {
  if (wanted.kind === 'range') return npx?.packages.includes(spec) === true;
  return dependencies !== undefined && Object.hasOwn(dependencies, name);
}

async function programOf(folder: string, { name, bin }: z.infer<typeof Manifest>, wanted: string | undefined): Promise<string | undefined> {
  const path = binOf(name, bin, wanted);
  if (path === undefined) return undefined;
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    const within = relative(root, file);
    if (within === '' || within.startsWith('..') || isAbsolute(within) || !(await isThere(file))) return undefined;
    return (await isForNode(file)) ? file : undefined;
  } catch {
    return undefined; // It is not there.
  }
}

/** The one that is named; else the package's own name, its scope with its name, the first. */
function binOf(name: string, bin: string | Readonly<Record<string, string>> | undefined, wanted: string | undefined): string | undefined {
  if (bin === undefined) return undefined;
  const [scope = '', bare = name] = name.startsWith('@') ? name.slice(1).split('/') : ['', name];
  const bins = typeof bin === 'string' ? { [bare]: bin } : bin;
  const of = (key: string): string | undefined => (Object.hasOwn(bins, key) ? bins[key] : undefined);
  if (wanted !== undefined) return of(wanted);
  return of(bare) ?? of(`${scope}-${bare}`) ?? Object.values(bins)[0];
}

/** By its ending, or by a first line that names Node and nothing else. */
async function isForNode(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(128), position: 0 });
  const first = /^#!([^\n]*)/.exec(buffer.toString('utf8', 0, bytesRead))?.[1]?.trim();
  if (first === undefined) return ['.js', '.mjs', '.cjs'].includes(extname(file));
  return /^(\S*\/env\s+(-S\s+)?node|\S*\/node)$/.test(first);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined; // Absent, or not npm's.
  }
}
