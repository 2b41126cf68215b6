import { existsSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { silentAfterMs, tryLock, withLock } from './file-lock.ts';
import { livenessOf, ownMark } from './process-mark.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram('test/support/programs/storage-child.ts');
});
afterAll(() => program[Symbol.asyncDispose]());

const signal = new AbortController().signal;
const nonce = '0123456789abcdef';
const old = new Date(Date.now() - silentAfterMs - 1_000);

it('a lock held by a living process is busy, and says by which; once released it is free', async () => {
  const path = join(tempFolder(), '.lock');
  const holder = ChildProgram.node(program.file, 'hold-lock', path);
  await holder.line((line) => line === 'held');
  expect(await tryLock(path)).toEqual({ kind: 'busy', pid: holder.child.pid });
  await holder.kill();
  const attempt = await tryLock(path);
  if (attempt.kind !== 'held') expect.unreachable();
  expect(await tryLock(path)).toEqual({ kind: 'busy', pid: process.pid });
  await attempt.lock[Symbol.asyncDispose]();
  expect(existsSync(path)).toBe(false);
});

it('a later process under the number of the dead owner does not count as the owner', async () => {
  const path = join(tempFolder(), '.lock');
  writeFileSync(path, JSON.stringify({ ...(await ownMark()), started: '1', nonce }));
  expect((await tryLock(path)).kind).toBe('held');
});

it('an ended process that its parent has not waited for yet is gone', async () => {
  // The shell starts a child that ends with its input, and then becomes a program that never waits for it.
  await using shell = new ChildProgram('/bin/sh', ['-c', 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec 3<&- </dev/null sleep 600']);
  const pid = Number(await shell.line(() => true));
  await expect.poll(() => readFileSync(`/proc/${shell.child.pid}/comm`, 'latin1').trim(), { timeout: 15_000 }).toBe('sleep');
  expect(await livenessOf({ ...(await ownMark()), pid, started: '' })).toBe('alive');
  shell.child.stdin.end();
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), { timeout: 15_000 }).toContain(') Z ');
  expect(await livenessOf({ ...(await ownMark()), pid, started: '' })).toBe('gone');
});

it('an owner in another container counts as alive only while it touches its lock', async () => {
  const path = join(tempFolder(), '.lock');
  const { space } = await ownMark();
  writeFileSync(path, JSON.stringify({ pid: 1, started: '7', space: `${space.split(' ')[0] ?? ''} pid:[1]`, nonce }));
  expect(await tryLock(path)).toEqual({ kind: 'busy', pid: 1 });
  utimesSync(path, old, old);
  expect((await tryLock(path)).kind).toBe('held');
});

it('a lock from before the last start of the machine is stale', async () => {
  const path = join(tempFolder(), '.lock');
  writeFileSync(path, JSON.stringify({ ...(await ownMark()), space: 'another-boot pid:[1]', nonce }));
  expect((await tryLock(path)).kind).toBe('held');
});

it.each(['', 'rubbish', '{"pid":-1}'])('a lock file that holds %j is respected while it may still be written, and taken over later', async (text) => {
  const path = join(tempFolder(), '.lock');
  writeFileSync(path, text);
  expect(await tryLock(path)).toEqual({ kind: 'busy', pid: undefined });
  utimesSync(path, old, old);
  expect((await tryLock(path)).kind).toBe('held');
});

it('of twenty that find the same stale lock at once, exactly one gets it', async () => {
  for (let round = 0; round < 10; round++) {
    const folder = tempFolder();
    const path = join(folder, '.lock');
    writeFileSync(path, JSON.stringify({ ...(await ownMark()), started: '1', nonce }));
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryLock(path)));
    expect(attempts.filter((attempt) => attempt.kind === 'held').length).toBe(1);
    expect(readdirSync(folder)).toEqual(['.lock']);
  }
});

it('a stale takeover by a process that died in the middle of it is itself taken over', async () => {
  const folder = tempFolder();
  const path = join(folder, '.lock');
  const dead = { ...(await ownMark()), started: '1' };
  writeFileSync(path, JSON.stringify({ ...dead, nonce }));
  writeFileSync(`${path}.${nonce}`, JSON.stringify({ ...dead, nonce: 'fedcba9876543210' }));
  expect((await tryLock(path)).kind).toBe('held');
  expect(readdirSync(folder)).toEqual(['.lock']);
});

it('releasing leaves a lock alone that another process has taken meanwhile', async () => {
  const path = join(tempFolder(), '.lock');
  const attempt = await tryLock(path);
  if (attempt.kind !== 'held') expect.unreachable();
  writeFileSync(path, JSON.stringify({ ...(await ownMark()), nonce }));
  await attempt.lock[Symbol.asyncDispose]();
  expect(existsSync(path)).toBe(true);
});

it('waiting for a lock ends when the signal aborts', async () => {
  const path = join(tempFolder(), '.lock');
  await tryLock(path);
  await expect(withLock(path, async () => undefined, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'AbortError' });
});

it('work under the lock never overlaps', async () => {
  const path = join(tempFolder(), '.lock');
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work, signal)));
  expect(most).toBe(1);
  expect(existsSync(path)).toBe(false);
});

it('a takeover that comes late leaves the lock of the one that was faster', async () => {
  const path = join(tempFolder(), '.lock');
  const dead = { ...(await ownMark()), started: '1' };
  // Takeovers that were all cut short: they keep the late one busy after it has seen that the lock is stale.
  const chain = [path];
  for (let n = 0; n < 9; n++) {
    const next = `${n}`.repeat(16);
    writeFileSync(chain[n] ?? '', JSON.stringify({ ...dead, nonce: next }));
    chain.push(`${chain[n]}.${next}`);
  }
  const late = tryLock(path);
  await expect.poll(() => existsSync(chain[8] ?? ''), { interval: 0 }).toBe(false);
  writeFileSync(`${path}.faster`, JSON.stringify({ ...(await ownMark()), nonce }));
  renameSync(`${path}.faster`, path);
  expect(await late).toEqual({ kind: 'busy', pid: process.pid });
  expect(readFileSync(path, 'utf8')).toContain(nonce);
});
