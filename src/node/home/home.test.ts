import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { lockHome } from './home-lock.ts';
import { homeFolder } from './home-folder.ts';
import { openHome } from './home.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const asRoot = process.getuid?.() === 0;

describe('the home', () => {
  it('is where GATEHOUSE_HOME says, or .gatehouse in the own folder', () => {
    expect(homeFolder({})).toBe(join(homedir(), '.gatehouse'));
    expect(homeFolder({ GATEHOUSE_HOME: ' ' })).toBe(join(homedir(), '.gatehouse'));
    expect(homeFolder({ GATEHOUSE_HOME: '/data/gh' })).toBe('/data/gh');
    expect(homeFolder({ GATEHOUSE_HOME: '~/gh' })).toBe(join(homedir(), 'gh'));
    expect(homeFolder({ GATEHOUSE_HOME: 'gh' })).toBe(join(process.cwd(), 'gh'));
  });

  it('is made with mode 700 and a version, whatever the umask, and opened again as it is', async () => {
    const folder = join(tempFolder(), 'deep', 'home');
    const before = process.umask(0);
    const home = await openHome({ GATEHOUSE_HOME: folder }).finally(() => process.umask(before));
    expect(home).toEqual({ folder, chats: join(folder, 'chats'), contents: join(folder, 'contents'), vault: join(folder, 'vault'), logs: join(folder, 'logs') });
    expect(modeOf(folder)).toBe(0o700);
    expect(JSON.parse(readFileSync(join(folder, 'version.json'), 'utf8'))).toEqual({ format: 1 });
    await openHome({ GATEHOUSE_HOME: folder });
    expect(readdirSync(folder)).toEqual(['version.json']);
  });

  it('may be a link of the same person', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'real'), { mode: 0o700 });
    symlinkSync('real', join(folder, 'link'));
    expect((await openHome({ GATEHOUSE_HOME: join(folder, 'link') })).folder).toBe(join(folder, 'real'));
  });

  it('of a later version is left untouched', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'version.json'), '{"format":2}');
    await expect(openHome({ GATEHOUSE_HOME: folder })).rejects.toMatchObject({ code: 'home/newer', data: { found: 2, known: 1 } });
    expect(readdirSync(folder)).toEqual(['version.json']);
    expect(readFileSync(join(folder, 'version.json'), 'utf8')).toBe('{"format":2}');
  });

  it('whose version cannot be read is not guessed at', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'version.json'), 'x');
    await expect(openHome({ GATEHOUSE_HOME: folder })).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'no-version' } });
  });

  it('that everybody can write to is refused, and one that a group can write to no longer is', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o1777);
    await expect(openHome({ GATEHOUSE_HOME: folder })).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'world-writable' } });
    expect(readdirSync(folder)).toEqual([]);
    chmodSync(folder, 0o775);
    await openHome({ GATEHOUSE_HOME: folder });
    expect(modeOf(folder)).toBe(0o755);
  });

  it('that is a file is refused', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    await expect(openHome({ GATEHOUSE_HOME: file })).rejects.toMatchObject({ code: 'storage/failed' });
  });

  it.runIf(asRoot)('that belongs to somebody else, or is somebody else’s link, is refused', async () => {
    const folder = tempFolder();
    const foreign = { code: 'storage/failed', data: { reason: 'foreign-owner' } };
    mkdirSync(join(folder, 'mine'));
    symlinkSync('mine', join(folder, 'link'));
    lchownSync(join(folder, 'link'), 12_345, 12_345);
    await expect(openHome({ GATEHOUSE_HOME: join(folder, 'link') })).rejects.toMatchObject(foreign);
    mkdirSync(join(folder, 'theirs'));
    chownSync(join(folder, 'theirs'), 12_345, 12_345);
    await expect(openHome({ GATEHOUSE_HOME: join(folder, 'theirs') })).rejects.toMatchObject(foreign);
    symlinkSync('theirs', join(folder, 'mine-to-theirs'));
    await expect(openHome({ GATEHOUSE_HOME: join(folder, 'mine-to-theirs') })).rejects.toMatchObject(foreign);
  });
});

describe('the lock of the home', () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram('test/support/programs/storage-child.ts');
  });
  afterAll(() => program[Symbol.asyncDispose]());

  it('lets one process write, tells the other by which, and is free when that one ends, however it ends', async () => {
    const folder = tempFolder();
    const other = ChildProgram.node(program.file, 'hold-home', folder);
    await other.line((line) => line === 'held');
    await expect(lockHome(folder)).rejects.toMatchObject({ code: 'home/in-use', data: { pid: other.child.pid } });
    await other.kill();
    await using _lock = await lockHome(folder);
    const late = ChildProgram.node(program.file, 'hold-home', folder);
    expect(await late.line(() => true)).toBe(`home/in-use ${process.pid}`);
    expect(await late.ended()).toBe(0);
  });

  it('is given back when it is no longer needed, and leaves nothing behind', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, '.home.lock.0123456789abcdef.tmp'), 'left by a crash');
    const lock = await lockHome(folder);
    await expect(lockHome(folder)).rejects.toMatchObject({ code: 'home/in-use', data: { pid: process.pid } });
    await lock[Symbol.asyncDispose]();
    expect(readdirSync(folder)).toEqual([]);
    await (await lockHome(folder))[Symbol.asyncDispose]();
  });

  it('an empty lock that a power cut left is taken over', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, '.home.lock'), '');
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(folder, '.home.lock'), old, old);
    await using _lock = await lockHome(folder);
    await expect(lockHome(folder)).rejects.toMatchObject({ code: 'home/in-use' });
  });
});
