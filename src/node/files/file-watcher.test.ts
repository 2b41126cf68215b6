import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { FileWatch } from '../../core/ports.ts';
import { FileWatcher } from './file-watcher.ts';

/** Watches until the test ends. Changes are told one by one: each `told` waits for the next. */
function watching(...paths: readonly string[]): { readonly told: () => Promise<string>; readonly all: readonly string[]; readonly stop: () => void; readonly subscription: FileWatch } {
  const all: string[] = [];
  let read = 0;
  const watcher = new FileWatcher((error) => expect.fail(String(error)));
  const subscription = watcher.watch(paths, (path) => void all.push(path));
  const stop = (): void => subscription[Symbol.dispose]();
  onTestFinished(stop);
  const told = async (): Promise<string> => {
    await vi.waitFor(() => expect(all.length).toBeGreaterThan(read), { timeout: 15_000, interval: 20 });
    return all[read++] ?? '';
  };
  return { told, all, stop, subscription };
}

it('a write in place, a rename over the file, its going and its coming back are told, each once', async () => {
  const folder = tempFolder();
  const path = join(folder, 'mcp.json');
  writeFileSync(path, '1');
  writeFileSync(join(folder, 'other.json'), '1');
  const { told, all } = watching(path, join(folder, 'other.json'));
  writeFileSync(path, '22');
  expect(await told()).toBe(path);
  writeFileSync(join(folder, '.new'), '333');
  renameSync(join(folder, '.new'), path);
  expect(await told()).toBe(path);
  writeFileSync(path, '4444');
  expect(await told()).toBe(path);
  unlinkSync(path);
  expect(await told()).toBe(path);
  writeFileSync(path, '55555');
  expect(await told()).toBe(path);
  writeFileSync(join(folder, 'nobody'), 'asked');
  writeFileSync(join(folder, 'other.json'), '22');
  expect(await told()).toBe(join(folder, 'other.json'));
  expect(all).toHaveLength(6);
});

it('a change right after watching began is not missed', async () => {
  const folder = tempFolder();
  const paths = Array.from({ length: 5 }, (_, at) => join(folder, `${String(at)}.json`));
  const { told } = watching(...paths);
  for (const path of paths) writeFileSync(path, 'x');
  expect((await Promise.all(paths.map(told))).toSorted()).toEqual(paths);
});

it('a file that came, was read and went again before anybody looked is told; what was read is not told again', async () => {
  const path = join(tempFolder(), 'mcp.json');
  const { told, all, subscription } = watching(path);
  writeFileSync(path, 'here for a moment');
  expect(await subscription.reading(async () => readFileSync(path, 'utf8'))).toBe('here for a moment');
  unlinkSync(path);
  await told();
  expect(all).toEqual([path]);
  writeFileSync(path, 'again');
  await expect(subscription.reading(() => Promise.reject(new Error('no reading')))).rejects.toThrow('no reading');
  await told();
  expect(all).toEqual([path, path]);
});

it('many writes in a row are told once they have settled', async () => {
  const path = join(tempFolder(), 'mcp.json');
  writeFileSync(path, '');
  const { told, all } = watching(path);
  writeFileSync(path, 'first');
  await told();
  for (let n = 0; n < 30; n++) writeFileSync(path, 'x'.repeat(n));
  await told();
  writeFileSync(path, 'last');
  await told();
  expect(all).toHaveLength(3);
});

it('a file in folders that come later, go and come again is told', async () => {
  const folder = tempFolder();
  const path = join(folder, 'project', '.gatehouse', 'mcp.json');
  const { told } = watching(path);
  for (let round = 0; round < 2; round++) {
    mkdirSync(join(folder, 'project'));
    mkdirSync(dirname(path));
    writeFileSync(path, '1');
    expect(await told()).toBe(path);
    writeFileSync(path, '22');
    expect(await told()).toBe(path);
    rmSync(join(folder, 'project'), { recursive: true });
    expect(await told()).toBe(path);
  }
});

it('a folder that is moved away and another put in its place is told', async () => {
  const folder = tempFolder();
  const path = join(folder, 'config', 'mcp.json');
  for (const name of ['config', 'other']) mkdirSync(join(folder, name));
  writeFileSync(path, '1');
  writeFileSync(join(folder, 'other', 'mcp.json'), '2');
  const { told } = watching(path);
  renameSync(join(folder, 'config'), join(folder, 'old'));
  expect(await told()).toBe(path);
  renameSync(join(folder, 'other'), join(folder, 'config'));
  expect(await told()).toBe(path);
  writeFileSync(path, 'three');
  expect(await told()).toBe(path);
});

it.skipIf(process.platform === 'win32')('a link is followed: to a changed file, to another file, and to one that comes later', async () => {
  const folder = tempFolder();
  for (const name of ['config', 'dotfiles', 'elsewhere']) mkdirSync(join(folder, name));
  const path = join(folder, 'config', 'mcp.json');
  writeFileSync(join(folder, 'dotfiles', 'a.json'), '1');
  writeFileSync(join(folder, 'elsewhere', 'b.json'), '1');
  symlinkSync('../dotfiles/a.json', path);
  const { told } = watching(path);
  writeFileSync(join(folder, 'dotfiles', 'a.json'), '22');
  expect(await told()).toBe(path);
  const retarget = (to: string): void => {
    symlinkSync(to, `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  retarget('../elsewhere/b.json');
  expect(await told()).toBe(path);
  writeFileSync(join(folder, 'elsewhere', 'b.json'), '22');
  expect(await told()).toBe(path);
  retarget('../elsewhere/later.json');
  expect(await told()).toBe(path);
  writeFileSync(join(folder, 'elsewhere', 'later.json'), '22');
  expect(await told()).toBe(path);
});

it.skipIf(process.platform === 'win32')('a folder that is a link is followed, also when it is led elsewhere', async () => {
  const folder = tempFolder();
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  symlinkSync('one', join(folder, 'config'));
  const path = join(folder, 'config', 'mcp.json');
  const { told } = watching(path);
  writeFileSync(join(folder, 'one', 'mcp.json'), '1');
  expect(await told()).toBe(path);
  symlinkSync('two', join(folder, 'next'));
  renameSync(join(folder, 'next'), join(folder, 'config'));
  expect(await told()).toBe(path);
  writeFileSync(join(folder, 'two', 'mcp.json'), '2');
  expect(await told()).toBe(path);
});

it('what is below the folder is not watched', async () => {
  const folder = tempFolder();
  const path = join(folder, 'mcp.json');
  for (let n = 0; n < 30; n++) mkdirSync(join(folder, 'node_modules', String(n), 'deep'), { recursive: true });
  const before = openWatches();
  const { told, stop } = watching(path);
  writeFileSync(path, '1');
  await told();
  // The folder and the one above it.
  expect(openWatches() - before).toBeLessThanOrEqual(2);
  stop();
  await vi.waitFor(() => expect(openWatches()).toBe(before));
});

it('nothing is told any more once watching ends, and nothing stays open', async () => {
  const folder = tempFolder();
  const path = join(folder, 'mcp.json');
  const before = openWatches();
  const ended = watching(path);
  ended.stop();
  const first = watching(path);
  writeFileSync(path, '1');
  await first.told();
  first.stop();
  const second = watching(path);
  writeFileSync(path, '22');
  await second.told();
  second.stop();
  expect([ended.all, first.all]).toEqual([[], [path]]);
  await vi.waitFor(() => expect(openWatches()).toBe(before));
});

it('two that watch the same file are both told, also after its folder was made anew, and one goes on when the other ends', async () => {
  const folder = join(tempFolder(), 'config');
  mkdirSync(folder);
  const path = join(folder, 'mcp.json');
  const told: string[] = [];
  const watcher = new FileWatcher((error) => expect.fail(String(error)));
  const [one, two] = ['one', 'two'].map((name) => watcher.watch([path], () => void told.push(name)));
  onTestFinished(() => two?.[Symbol.dispose]());
  writeFileSync(path, '1');
  await vi.waitFor(() => expect(told).toEqual(['one', 'two']), { timeout: 15_000 });
  rmSync(folder, { recursive: true });
  await vi.waitFor(() => expect(told).toHaveLength(4), { timeout: 15_000 });
  mkdirSync(folder);
  writeFileSync(path, '22');
  await vi.waitFor(() => expect(told).toHaveLength(6), { timeout: 15_000 });
  one?.[Symbol.dispose]();
  writeFileSync(path, '333');
  await vi.waitFor(() => expect(told.slice(6)).toEqual(['two']), { timeout: 15_000 });
});

const openWatches = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
