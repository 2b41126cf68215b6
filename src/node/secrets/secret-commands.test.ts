import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { isRunning } from '../stdio/process-tree.ts';
import { createSecretCommands, shellLine } from './secret-commands.ts';

const never = new AbortController().signal;
const person = { PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh', MINE: 'of the person', GATEHOUSE_HOME: '/not-yours', NODE_OPTIONS: '--no-warnings' };
function commands(env: Readonly<Record<string, string>> = {}, timeLimitMs = 10_000) {
  const home = tempFolder();
  const port = createSecretCommands({ platform: process.platform, personEnvironment: async () => ({ ...person, ...env }), homeFolder: home, timeLimitMs });
  return { home, run: (command: string, signal: AbortSignal) => port.run(command, signal) };
}
const value = async (command: string, env?: Readonly<Record<string, string>>): Promise<string> => (await commands(env).run(command, never)).reveal();

describe('a secret command', () => {
  it('gives what it prints, without the space around it', async () => {
    expect(await value('printf "  s3cret value\\n\\n"')).toBe('s3cret value');
    expect(await value('printf "line 1\\nline 2\\n"')).toBe('line 1\nline 2');
    expect(await value('printf "%s|%s" "$MINE" "$(printf a | tr a b)"')).toBe('of the person|b');
  });

  it('runs in the person’s shell and folder, with their environment and without the app’s', async () => {
    const folder = tempFolder();
    const shell = join(folder, 'shell');
    writeFileSync(shell, '#!/bin/sh\nprintf "my shell got %s %s" "$1" "$2"\n', { mode: 0o755 });
    expect(await value('the command', { SHELL: shell })).toBe('my shell got -c the command');
    expect(await value('printf "%s%s." "$GATEHOUSE_HOME" "$NODE_OPTIONS"')).toBe('.');
    const { home, run } = commands();
    expect((await run('pwd -P', never)).reveal()).toBe(realpathSync(home));
  });

  it('reads nothing and its stderr goes nowhere', async () => {
    expect(await value('cat; echo noise >&2; echo ok')).toBe('ok');
  });

  it('an agent that it leaves behind, with the pipe still open, does not hold its answer up', async () => {
    const before = performance.now();
    const { home, run } = commands();
    expect((await run(`sleep 30 & echo $! > agent; echo ok`, never)).reveal()).toBe('ok');
    expect(performance.now() - before).toBeLessThan(5_000);
    const agent = Number(readFileSync(join(home, 'agent'), 'utf8'));
    expect(isRunning(agent)).toBe(true);
    process.kill(agent);
  });
});

describe('a secret command that gives no value says why', () => {
  it.each([
    ['printf s3cret; exit 3', { why: 'exit', exitCode: 3 }, /exit code 3/],
    ['no-such-program-at-all', { why: 'exit', exitCode: 127 }, /exit code 127/],
    ['kill -9 $$', { why: 'exit' }, /SIGKILL/],
    ['true', { why: 'empty' }, /empty output/],
    ['printf " \\n\\t "', { why: 'empty' }, /empty output/],
    ['head -c 1048577 /dev/zero', { why: 'too-large' }, /exceeded 1 MiB/],
  ])('%s', async (command, data, message) => {
    const failing = commands().run(command, never);
    await expect(failing).rejects.toMatchObject({ code: 'secret/command-failed', data, message: expect.stringMatching(message) });
    await expect(failing).rejects.toMatchObject({ message: expect.not.stringContaining('s3cret') });
  });

  it('exactly 1 MiB is not too much', async () => {
    expect(await value('head -c 1048576 /dev/zero | tr "\\0" x')).toHaveLength(1_048_576);
  });

  it('a shell that cannot be run', async () => {
    await expect(commands({ SHELL: '/no/such/shell' }).run('echo x', never)).rejects.toMatchObject({ code: 'secret/command-failed', data: { why: 'not-started' }, message: expect.stringMatching(/failed to start/) });
  });

  it('too slow a one is ended with everything that it started', async () => {
    const { home, run } = commands({}, 300);
    await expect(run('sleep 60 & echo $! > child; echo $$ > shell; wait', never)).rejects.toMatchObject({
      code: 'secret/command-failed', data: { why: 'timed-out' }, message: expect.stringMatching(/timed out after 0.3 seconds/),
    });
    await gone(join(home, 'child'), join(home, 'shell'));
  });

  it('one whose launch is given up is ended with everything that it started', async () => {
    const { home, run } = commands();
    const stop = new AbortController();
    const running = run('sleep 60 & echo $! > child; echo $$ > shell; wait', stop.signal);
    await vi.waitFor(() => expect(readFileSync(join(home, 'shell'), 'utf8')).toMatch(/\d\n/));
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await gone(join(home, 'child'), join(home, 'shell'));
  });
});

it('on Windows the command is handed to cmd as it is', () => {
  expect(shellLine('op read "op://x/y"', { comspec: 'C:\\cmd.exe' }, 'win32')).toEqual({ file: 'C:\\cmd.exe', args: ['/d', '/s', '/c', '"op read "op://x/y""'], verbatim: true });
  expect(shellLine('x', {}, 'win32').file).toBe('cmd.exe');
});

it('an account that may not log in gets the system’s shell', () => {
  expect(shellLine('x', { SHELL: '/usr/sbin/nologin' }, 'linux')).toEqual({ file: '/bin/sh', args: ['-c', 'x'], verbatim: false });
});

it('a home that is not there is not started in', async () => {
  const folder = join(tempFolder(), 'gone');
  const port = createSecretCommands({ platform: process.platform, personEnvironment: async () => person, homeFolder: folder });
  expect((await port.run('echo ok', never)).reveal()).toBe('ok');
  mkdirSync(folder);
  expect((await port.run('pwd', never)).reveal()).toBe(folder);
});

async function gone(...pidFiles: readonly string[]): Promise<void> {
  for (const file of pidFiles) {
    const pid = Number(readFileSync(file, 'utf8'));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 5_000 });
  }
}
