import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { privateFolder, unsafe } from '../node/home/private-folder.ts';
import { writeDurably } from '../node/records/atomic-write.ts';
import { unlessMissing } from '../node/records/storage-problem.ts';
import { AppError } from '../shared/errors.ts';

/** The shortest limit of all systems for a socket's path, in bytes. */
const longestPath = 103;
const elsewhere = 'gatehouse-door-';
const Address = z.object({ version: z.literal(1), socket: z.string().min(1).max(200) });

/** What a client needs to come in. */
export interface DoorKey {
  /** A Unix socket's path, or a named pipe. */
  readonly socket: string;
  readonly token: string;
}
export interface DoorPlaceOptions {
  readonly platform?: NodeJS.Platform;
  /** Where the socket goes when the home's path is too long for one. */
  readonly env?: NodeJS.ProcessEnv;
}
/** A place for one door, with a fresh token. Nobody can find it before `announce`. */
export interface DoorPlace extends DoorKey, AsyncDisposable {
  /** To be called once it listens. */
  announce(): Promise<void>;
}

const filesOf = (home: string) => {
  const folder = join(home, 'door');
  return { folder, socket: join(folder, 'socket'), token: join(folder, 'token'), address: join(folder, 'address') };
};

/** For the home's one writer: what an earlier door left is taken away. Throws `storage/failed`. */
export async function makeDoorPlace(home: string, { platform = process.platform, env = process.env }: DoorPlaceOptions = {}): Promise<DoorPlace> {
  const files = filesOf(home);
  await privateFolder(files.folder);
  const clear = async () => {
    const left = await addressIn(files.address).catch(() => undefined);
    if (left !== undefined) await removeElsewhere(left);
    await Promise.all([files.socket, files.token, files.address].map((file) => rm(file, { force: true })));
  };
  await clear();
  const socket = await socketFor(files.socket, platform, env);
  const token = randomBytes(32).toString('base64url');
  return {
    socket, token,
    async announce() {
      // The folder lets nobody in, so there is no moment in which somebody else could connect.
      if (platform !== 'win32') await chmod(socket, 0o600);
      await writeDurably(files.token, token, 0o600);
      await writeDurably(files.address, `${JSON.stringify({ version: 1, socket })}\n`, 0o600);
    },
    async [Symbol.asyncDispose]() {
      await removeElsewhere(socket);
      await clear();
    },
  };
}

/** The door of the Gatehouse that uses this home; `undefined` when none does. Throws `storage/failed` for one that somebody else could have put there. */
export async function findDoor(home: string, platform: NodeJS.Platform = process.platform): Promise<DoorKey | undefined> {
  // Any part of it may go while it is looked at.
  return unlessMissing(keyOf(filesOf(home), platform));
}

async function keyOf(files: ReturnType<typeof filesOf>, platform: NodeJS.Platform): Promise<DoorKey | undefined> {
  const check = platform === 'win32' ? async () => undefined : ownOnly;
  await check(files.folder, 'folder');
  const socket = await addressIn(files.address, check);
  if (socket === undefined) return undefined;
  const token = await checked(files.token, check);
  if (platform !== 'win32') {
    await check(dirname(socket), 'folder');
    await check(socket, 'socket');
  }
  return { socket, token };
}

/** Takes the same time however much of it is right. */
export const sameToken = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token));
const digest = (text: string) => createHash('sha256').update(text).digest();

async function socketFor(inHome: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<string> {
  if (platform === 'win32') return `\\\\.\\pipe\\gatehouse-${randomBytes(16).toString('hex')}`;
  if (Buffer.byteLength(inHome) <= longestPath) return inHome;
  const runtime = env['XDG_RUNTIME_DIR'];
  for (const parent of [runtime, tmpdir(), '/tmp']) {
    if (parent === undefined || !isAbsolute(parent) || Buffer.byteLength(join(parent, `${elsewhere}XXXXXX`, 'socket')) > longestPath) continue;
    const folder = await mkdtemp(join(parent, elsewhere)).catch(() => undefined);
    if (folder !== undefined) return join(folder, 'socket');
  }
  throw new AppError('storage/failed', 'There is no folder with a path that is short enough for a socket', { data: { reason: 'path-too-long' } });
}

/** Only a folder that a door of ours made: an address is a file, and files can be edited. */
async function removeElsewhere(socket: string): Promise<void> {
  const folder = dirname(socket);
  if (!basename(folder).startsWith(elsewhere)) return;
  const facts = await unlessMissing(lstat(folder));
  if (facts?.isDirectory() && facts.uid === process.getuid?.()) await rm(folder, { recursive: true, force: true });
}

type Check = (path: string, kind: 'folder' | 'file' | 'socket') => Promise<void>;

async function ownOnly(path: string, kind: 'folder' | 'file' | 'socket'): Promise<void> {
  const facts = await lstat(path);
  const fits = kind === 'folder' ? facts.isDirectory() : kind === 'socket' ? facts.isSocket() : facts.isFile();
  if (!fits) throw new AppError('storage/failed', `${path} is not the door's`, { data: { reason: 'not-the-door' } });
  if (facts.uid !== process.getuid?.()) throw unsafe(path, 'foreign-owner');
  if ((facts.mode & 0o077) !== 0) throw new AppError('storage/failed', `${path} is open to others`, { data: { reason: 'open-to-others' } });
}

async function checked(file: string, check: Check): Promise<string> {
  await check(file, 'file');
  return readFile(file, 'utf8');
}

async function addressIn(file: string, check: Check = async () => undefined): Promise<string | undefined> {
  const text = await unlessMissing(checked(file, check));
  if (text === undefined) return undefined;
  const address = Address.safeParse(parsed(text));
  if (!address.success) throw new AppError('storage/failed', `${file} names no door of this version`, { data: { reason: 'unknown-door' } });
  return address.data.socket;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
