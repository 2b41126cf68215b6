import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endProcesses, processesOf } from './left-processes.ts';

it.runIf(process.platform === 'linux')('a process that a test’s app left behind is found by its home, and ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'left-'));
  try {
    const left = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], HOME: join(folder, 'person') } });
    const other = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], HOME: `${tmpdir()}/another` } });
    await Promise.all([once(left, 'spawn'), once(other, 'spawn')]);
    expect(await processesOf(folder)).toEqual([{ pid: left.pid, command: 'sleep 600' }]);

    endProcesses(await processesOf(folder));
    expect(await once(left, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await processesOf(folder)).toEqual([]);
    expect(other.exitCode).toBeNull();
    other.kill();
    await once(other, 'exit');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
