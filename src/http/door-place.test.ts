import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { findDoor, makeDoorPlace, sameToken, type DoorPlaceOptions } from './door-place.ts';

const mode = (path: string) => lstatSync(path).mode & 0o777;

/** A place on which something listens. */
async function standing(home: string, options?: DoorPlaceOptions) {
  const place = await makeDoorPlace(home, options);
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(place.socket, resolve));
  await place.announce();
  const end = async () => {
    await new Promise((resolve) => server.close(resolve));
    await place[Symbol.asyncDispose]();
  };
  onTestFinished(end);
  return { ...place, end };
}
/** A home whose path leaves no room for a socket's. */
function longHome(): string {
  const home = join(tempFolder(), 'x'.repeat(100));
  mkdirSync(home, { mode: 0o700 });
  return home;
}

it('lies in the home, where only its owner gets in, and is gone at the end', async () => {
  const home = tempFolder();
  const door = await standing(home);
  expect(door.socket).toBe(join(home, 'door', 'socket'));
  expect(mode(join(home, 'door'))).toBe(0o700);
  for (const file of ['socket', 'token', 'address']) expect(mode(join(home, 'door', file))).toBe(0o600);
  expect(await findDoor(home)).toEqual({ socket: door.socket, token: door.token });
  await door.end();
  expect(readdirSync(join(home, 'door'))).toEqual([]);
  expect(await findDoor(home)).toBeUndefined();
});

it('has another token at every start, and takes away what a crash left', async () => {
  const home = tempFolder();
  const { token } = await makeDoorPlace(home);
  for (const file of ['socket', 'token', 'address']) writeFileSync(join(home, 'door', file), 'left behind');
  const door = await standing(home);
  expect(door.token).not.toBe(token);
  expect(door.token.length).toBeGreaterThanOrEqual(43);
  expect(readFileSync(join(home, 'door', 'token'), 'utf8')).toBe(door.token);
});

it('goes to a folder of its own when the home has too long a path for a socket', async () => {
  const home = longHome();
  const runtime = tempFolder();
  const door = await standing(home, { env: { XDG_RUNTIME_DIR: runtime } });
  expect(door.socket.startsWith(join(runtime, 'gatehouse-door-'))).toBe(true);
  expect(Buffer.byteLength(door.socket)).toBeLessThanOrEqual(103);
  expect(mode(join(door.socket, '..'))).toBe(0o700);
  expect(await findDoor(home)).toEqual({ socket: door.socket, token: door.token });
  await door.end();
  expect(readdirSync(runtime)).toEqual([]);
});

it('takes away the folder of a door that crashed, and no folder that is not a door’s', async () => {
  const home = longHome();
  const runtime = tempFolder();
  const env = { XDG_RUNTIME_DIR: runtime };
  const crashed = await makeDoorPlace(home, { env });
  writeFileSync(crashed.socket, '');
  await crashed.announce();
  await standing(home, { env });
  expect(existsSync(crashed.socket)).toBe(false);

  const other = tempFolder();
  const precious = join(tempFolder(), 'precious');
  mkdirSync(precious);
  mkdirSync(join(other, 'door'), { mode: 0o700 });
  writeFileSync(join(other, 'door', 'address'), JSON.stringify({ version: 1, socket: join(precious, 'socket') }));
  await makeDoorPlace(other);
  expect(existsSync(precious)).toBe(true);
});

it.each([
  ['the folder', 'door', 0o750], ['the token', 'door/token', 0o640], ['the address', 'door/address', 0o604], ['the socket', 'door/socket', 0o660],
])('is not trusted by a client when others can reach %s', async (_, part, bits) => {
  const home = tempFolder();
  await standing(home);
  chmodSync(join(home, part), bits);
  await expect(findDoor(home)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'open-to-others' } });
});

it.runIf(process.getuid?.() === 0).each(['door', 'door/token', 'door/address', 'door/socket'])('is not trusted by a client when %s is somebody else’s', async (part) => {
  const home = tempFolder();
  await standing(home);
  chownSync(join(home, part), 12_345, 12_345);
  await expect(findDoor(home)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'foreign-owner' } });
  chownSync(join(home, part), 0, 0);
});

it('is not trusted by a client when its socket lies where others can put one', async () => {
  const home = tempFolder();
  const open = tempFolder();
  await standing(home);
  const server = createServer();
  const socket = join(open, 'socket');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  chmodSync(socket, 0o600);
  chmodSync(open, 0o777);
  writeFileSync(join(home, 'door', 'address'), JSON.stringify({ version: 1, socket }));
  await expect(findDoor(home)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'open-to-others' } });
});

it('is not looked for behind a link, and not made behind one', async () => {
  const home = tempFolder();
  const elsewhere = tempFolder();
  symlinkSync(elsewhere, join(home, 'door'));
  await expect(findDoor(home)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'not-the-door' } });
  await expect(makeDoorPlace(home)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'not-a-folder' } });
});

it('is refused when it is of another version', async () => {
  const home = tempFolder();
  await standing(home);
  writeFileSync(join(home, 'door', 'address'), '{"version":2}');
  await expect(findDoor(home)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'unknown-door' } });
});

it('is a named pipe on Windows that cannot be guessed', async () => {
  const pipes = await Promise.all([tempFolder(), tempFolder()].map((home) => makeDoorPlace(home, { platform: 'win32' })));
  for (const { socket } of pipes) expect(socket).toMatch(/^\\\\\.\\pipe\\gatehouse-[0-9a-f]{32}$/);
  expect(pipes[0]?.socket).not.toBe(pipes[1]?.socket);
});

it('compares tokens whole', () => {
  expect(sameToken('abc', 'abc')).toBe(true);
  for (const other of ['', 'ab', 'abcd', 'abd']) expect(sameToken(other, 'abc')).toBe(false);
});
