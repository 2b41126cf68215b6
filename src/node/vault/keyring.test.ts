import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { DesktopKeyring } from '../../../test/support/desktop-keyring.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { Secret } from '../../core/kernel/secret.ts';
import { SecretId } from '../../shared/ids.ts';
import { systemClock } from '../clock.ts';
import { bounded, keyringProblem, systemKeyring } from './keyring.ts';
import { createVault } from './vault.ts';

let program: BuiltProgram;
let desktop: DesktopKeyring;
beforeAll(async () => {
  [program, desktop] = await Promise.all([buildProgram('test/support/programs/vault-child.ts'), DesktopKeyring.start()]);
  desktop.use();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});
beforeEach(async () => desktop.unlock());

const signal = new AbortController().signal;
const id = SecretId.parse('github.token');
const open = (folder: string) => createVault({ folder, keyring: systemKeyring(), clock: systemClock });

it('a real keyring keeps an entry, gives it back to another start, and forgets it', async () => {
  const keyring = systemKeyring();
  expect(await keyring.read('master.test', signal)).toBeUndefined();
  await keyring.write('master.test', 'dmFsdWU=', signal);
  await desktop.unlock();
  expect(await systemKeyring().read('master.test', signal)).toBe('dmFsdWU=');
  await keyring.remove('master.test', signal);
  await keyring.remove('master.test', signal);
  expect(await keyring.read('master.test', signal)).toBeUndefined();
});

it('a secret put into the vault is there after a new start, and its value is nowhere on disk', async () => {
  const folder = join(tempFolder(), 'vault');
  const value = 'sk-live-ABCDEFG "quoted" é\n';
  {
    await using vault = open(folder);
    expect(await vault.open(signal)).toEqual({ phase: 'ready', secrets: 0 });
    await vault.put(id, new Secret(value), 'server-github', signal);
  }
  await desktop.unlock();
  await using again = open(folder);
  expect(await again.open(signal)).toEqual({ phase: 'ready', secrets: 1 });
  expect((await again.get(id, 'test', signal))?.reveal()).toBe(value);
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  for (const form of ['sk-live', Buffer.from('sk-live-ABC').toString('base64').slice(0, 12), Buffer.from('sk-live').toString('hex')]) expect(written).not.toContain(form);
});

it('two other processes and this one writing at once, into a vault that none of them has opened before, lose nothing', async () => {
  const folder = join(tempFolder(), 'vault');
  const children = ['a', 'b'].map((prefix) => ChildProgram.node(program.file, folder, prefix, '8'));
  await using vault = open(folder);
  await vault.open(signal);
  await Promise.all(Array.from({ length: 8 }, (_, n) => vault.put(SecretId.parse(`c-${n}`), new Secret(`c value ${n}`), 'c', signal)));
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
  expect((await vault.list(signal)).length).toBe(24);
  for (const prefix of ['a', 'b', 'c']) {
    for (let n = 0; n < 8; n++) expect((await vault.get(SecretId.parse(`${prefix}-${n}`), 'test', signal))?.reveal()).toBe(`${prefix} value ${n}`);
  }
});

it('with a locked keyring the vault says so, stores nothing, and works once it is unlocked and opened again', async () => {
  const folder = join(tempFolder(), 'vault');
  await using vault = open(folder);
  await vault.open(signal);
  await vault.put(id, new Secret('a value'), 's', signal);
  await desktop.lock();
  await using later = open(folder);
  expect(await later.open(signal)).toMatchObject({ phase: 'unavailable', why: 'locked' });
  await expect(later.get(id, 'test', signal)).rejects.toMatchObject({ code: 'vault/locked' });
  await expect(later.put(id, new Secret('b value'), 's', signal)).rejects.toMatchObject({ code: 'vault/locked' });
  await desktop.unlock();
  expect(await later.open(signal)).toEqual({ phase: 'ready', secrets: 1 });
  expect((await later.get(id, 'test', signal))?.reveal()).toBe('a value');
});

it('a keyring that is locked when the first secret comes stores nothing and leaves no file', async () => {
  await desktop.lock();
  const folder = join(tempFolder(), 'vault');
  await using vault = open(folder);
  const status = await vault.open(signal);
  if (status.phase === 'ready') await expect(vault.put(id, new Secret('a value'), 's', signal)).rejects.toMatchObject({ code: 'vault/locked' });
  expect(vault.status).toMatchObject({ phase: 'unavailable', why: 'locked' });
  expect(existsSync(join(folder, 'vault.json'))).toBe(false);
});

it.each([
  ['no session bus at all', { DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined }],
  ['a session bus that nobody answers on', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', XDG_RUNTIME_DIR: undefined }],
])('with %s the vault says that there is no keyring, and stores nothing', async (_, without) => {
  const folder = join(tempFolder(), 'vault');
  const child = new ChildProgram(process.execPath, [program.file, folder, 'a', '1'], { ...process.env, ...without, HOME: tempFolder() });
  expect(await child.ended()).toBe(0);
  expect(child.lines).toEqual(['no-keyring', 'vault/unavailable']);
  expect(readdirSync(folder)).toEqual([]);
});

it('waits no longer than its own time for a keyring, and an abort ends the wait at once', async () => {
  // A keyring that asks the person something answers when it is answered.
  const unanswered = () => new Promise<never>(() => undefined);
  await expect(bounded(unanswered, 1, signal)).rejects.toMatchObject({ code: 'vault/locked' });
  const stop = new AbortController();
  const waiting = bounded(unanswered, 60_000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await expect(systemKeyring().read('master.test', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

it.each([
  ['Secret Service: unlock prompt was dismissed', 'vault/locked'],
  ['Secret Service: object locked', 'vault/locked'],
  ['Platform failure: User interaction is not allowed. (-25308)', 'vault/locked'],
  ['Platform failure: DBus error: Failed to connect', 'vault/unavailable'],
  ['Secret Service: no result found', 'vault/unavailable'],
])('the keyring error %j is %s', (text, code) => {
  expect(keyringProblem(new Error(text)).code).toBe(code);
});
