import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { Lanes } from '../../../core/kernel/lanes.ts';
import { Secret } from '../../../core/kernel/secret.ts';
import type { Clock, HomeArchive } from '../../../core/ports.ts';
import { AppError } from '../../../shared/errors.ts';
import type { BackupReport } from '../../../shared/ipc/contract/home.ts';
import { syncFolder } from '../../records/atomic-write.ts';
import { errno, storageProblem, unlessMissing } from '../../records/storage-problem.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { createVault, type FileVault } from '../../vault/vault.ts';
import { checkVersion } from '../home.ts';
import { openValues, type Manifest, type Names, type Values } from './archive-format.ts';
import { readArchive, type ReadArchive } from './read-archive.ts';
import { staging } from './staged-restore.ts';
import { writeArchive } from './write-archive.ts';

export interface HomeArchiveOptions {
  readonly home: string;
  readonly vault: FileVault;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** The app's version, for people who look into a backup. */
  readonly app: string;
}

/** One at a time. */
export function createHomeArchive(options: HomeArchiveOptions): HomeArchive {
  const lane = new Lanes<'archive'>();
  return {
    backup: (path, passphrase, signal) => lane.run('archive', () => backup(options, path, passphrase, signal)),
    stageRestore: (path, passphrase, signal) => lane.run('archive', () => stageRestore(options, path, passphrase, signal)),
  };
}

async function backup({ home, vault, clock, app }: HomeArchiveOptions, path: string, passphrase: Secret | undefined, signal: AbortSignal): Promise<BackupReport> {
  signal.throwIfAborted();
  if (!isAbsolute(path)) throw new AppError('request/invalid', 'Not an absolute path');
  const way = relative(home, path);
  if (way === '' || (way.split(/[\\/]/)[0] !== '..' && !isAbsolute(way))) throw new AppError('request/invalid', 'A backup of the home cannot be within it');
  if (await unlessMissing(lstat(path))) throw exists(path);
  const { names, values } = await secretsOf(vault, passphrase, signal);
  const temp = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await rm(temp, { force: true });
    const sealed = passphrase === undefined ? {} : { values: { values, passphrase } };
    const files = await writeArchive(temp, { home, app, createdAt: clock.now(), names, ...sealed }, signal);
    const { size } = await stat(temp);
    await appear(temp, path);
    return report(path, size, files, values.length);
  } catch (error) {
    throw storageProblem('Cannot write the backup', error);
  } finally {
    await rm(temp, { force: true });
  }
}

/** Under its name when it is whole, and never over another file. */
async function appear(temp: string, path: string): Promise<void> {
  try {
    await link(temp, path);
  } catch (error) {
    if (errno(error) === 'EEXIST') throw exists(path);
    // A file system without hard links, such as a memory stick's.
    await copyFile(temp, path, constants.COPYFILE_EXCL).catch((failure: unknown) => {
      throw errno(failure) === 'EEXIST' ? exists(path) : failure;
    });
  }
  await syncFolder(dirname(path));
}

const exists = (path: string): AppError => new AppError('storage/failed', `There is a file at ${path} already`, { data: { reason: 'exists' } });

/** Values only for a passphrase: without one the vault need not even open. */
async function secretsOf(vault: FileVault, passphrase: Secret | undefined, signal: AbortSignal): Promise<{ readonly names: Names; readonly values: Values }> {
  if (passphrase !== undefined && vault.status.phase === 'unopened') await vault.open(signal);
  const listed = await vault.list(signal).catch((error: unknown) => {
    // The names stand in the files that use them too.
    if (passphrase === undefined && error instanceof AppError && error.code.startsWith('vault/')) return [];
    throw error;
  });
  const values: { readonly id: Names[number]['id']; readonly scope: string; readonly value: string }[] = [];
  if (passphrase !== undefined) {
    for (const { id, scope } of listed) {
      const secret = await vault.get(id, 'backup', signal);
      if (secret) values.push({ id, scope, value: secret.reveal() });
    }
  }
  return { names: listed.map(({ id, scope }) => ({ id, scope })), values };
}

async function stageRestore(options: HomeArchiveOptions, path: string, passphrase: Secret | undefined, signal: AbortSignal): Promise<BackupReport> {
  const { home } = options;
  signal.throwIfAborted();
  if (!isAbsolute(path)) throw new AppError('request/invalid', 'Not an absolute path');
  const building = join(home, staging.building);
  try {
    await rm(building, { recursive: true, force: true });
    const files = join(building, staging.files);
    await mkdir(files, { recursive: true, mode: 0o700 });
    const archive = await readArchive(path, files, signal);
    await checkVersion(files);
    const values = passphrase && archive.secrets ? await openValues(archive.secrets, passphrase, archive.manifest) : [];
    await fillVault(options, join(files, 'vault'), archive, values, signal);
    await syncTree(building);
    await makeReady(home, building);
    return report(path, (await stat(path)).size, archive.files, values.length);
  } catch (error) {
    throw storageProblem('Cannot read the backup', error);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** A vault of its own, under a key of this machine. Names without values stay as places to fill. */
async function fillVault({ keyring, clock }: HomeArchiveOptions, folder: string, { names }: ReadArchive, values: Values, signal: AbortSignal): Promise<void> {
  if (names.length === 0 && values.length === 0) return;
  const vault = createVault({ folder, keyring, clock });
  try {
    const status = await vault.open(signal);
    // Without a keyring there is nothing to keep values under; the names stand in the files that use them too.
    if (status.phase !== 'ready' && values.length === 0) return;
    const filled = new Set(values.map(({ id }) => id));
    for (const { id, scope, value } of values) await vault.put(id, new Secret(value), scope, signal);
    for (const { id, scope } of names) if (!filled.has(id)) await vault.keepName(id, scope, signal);
  } finally {
    await vault[Symbol.asyncDispose]();
  }
}

async function makeReady(home: string, building: string): Promise<void> {
  const ready = join(home, staging.ready);
  // One that lay ready and was never put in place.
  await rm(ready, { recursive: true, force: true });
  await rename(building, ready);
  await syncFolder(home);
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await syncTree(join(folder, entry.name));
  await syncFolder(folder);
}

function report(path: string, bytes: number, files: Manifest, secrets: number): BackupReport {
  return { path, bytes, files: files.length, chats: files.filter((file) => /^chats\/[^/]+\.jsonl$/.test(file.path)).length, secrets };
}
