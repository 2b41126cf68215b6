import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { listByPs, listProcesses, membersOf, parsePsLine, startTimeOf, type ProcessRow } from './process-tree.ts';

const row = (pid: number, parent: number, group: number, session = group): ProcessRow => ({ pid, parent, group, session, startTime: '1' });

it('counts to a server its group, its session and all that descends from it, and nobody else', () => {
  const rows = [row(1, 0, 1), row(10, 1, 10), row(11, 10, 10), row(12, 1, 10), row(13, 1, 13, 10), row(14, 11, 14), row(15, 14, 15), row(20, 1, 20), row(21, 20, 20)];
  expect(membersOf(rows, 10).map(({ pid }) => pid)).toEqual([10, 11, 12, 13, 14, 15]);
});

it('reads the table of ps, and leaves out what has ended', () => {
  expect(parsePsLine('  501     1   501 Ss   Thu Nov 26 09:00:01 2026    ')).toEqual({ pid: 501, parent: 1, group: 501, session: 0, startTime: 'Thu Nov 26 09:00:01 2026' });
  expect(parsePsLine('  501     1   501 Z+   Thu Nov 26 09:00:01 2026')).toBeUndefined();
  expect(parsePsLine('')).toBeUndefined();
});

it('sees the same processes with ps and without', async () => {
  const own = (rows: readonly ProcessRow[]): object | undefined => rows.filter(({ pid }) => pid === process.pid).map(({ pid, parent, group }) => ({ pid, parent, group }))[0];
  expect(own(await listByPs())).toEqual(own(await listProcesses()));
  expect(own(await listProcesses())).toMatchObject({ pid: process.pid, parent: process.ppid });
});

it('tells when a process started, and nothing of one that is not there', async () => {
  expect(await startTimeOf(process.pid)).toMatch(/^\d+$/);
  expect(await startTimeOf(2 ** 22 + 1)).toBeUndefined();
});

it('reads the list once for all that ask before it is read, and anew for who asks later', async () => {
  const [one, other] = await Promise.all([listProcesses(), listProcesses()]);
  expect(one).toBe(other);
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  expect((await listProcesses()).map(({ pid }) => pid)).toContain(child.pid);
  child.stdin.end();
  await once(child, 'exit');
  expect((await listProcesses()).map(({ pid }) => pid)).not.toContain(child.pid);
});
