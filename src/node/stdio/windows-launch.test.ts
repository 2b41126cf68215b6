import { expect, it } from 'vitest';
import type { ReadyStdioLaunch } from '../../core/ports.ts';
import { prepareLaunch, type LaunchFiles, type PreparedLaunch } from './prepare-launch.ts';
import { taskkillArguments } from './process-tree.ts';
import { spawnOptions } from './server-process.ts';
import { windowsCommandLine } from './windows-command-line.ts';

const windows = { Path: 'C:\\Windows\\System32;C:\\Program Files\\nodejs', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\Windows\\System32\\cmd.exe' };
const npxCmd = '"%NODE_EXE%" "%NPX_CLI_JS%" %*';

/** A Windows disk of these files. Names there differ by case alone. */
function disk(files: Readonly<Record<string, string>>): LaunchFiles {
  const find = (path: string): string | undefined => Object.entries(files).find(([name]) => name.toLowerCase() === path.toLowerCase())?.[1];
  return {
    look: (path) => Promise.resolve(find(path) !== undefined ? 'program' : /^C:\\work$/i.test(path) ? 'folder' : 'none'),
    read: (path) => Promise.resolve(find(path) ?? ''),
  };
}
function prepared(command: string, args: readonly string[], files: Readonly<Record<string, string>>, env: ReadyStdioLaunch['env'] = {}): Promise<PreparedLaunch> {
  return prepareLaunch({ command, args, env, cwd: 'C:\\work', ownRuntime: false }, windows, 'win32', disk(files));
}

it('[O2] finds npx.cmd by PATHEXT on a Path in any spelling and starts it through cmd.exe, each argument quoted, with no window', async () => {
  const launch = await prepared('npx', ['-y', 'srv-a', 'a b&c'], { 'C:\\Program Files\\nodejs\\npx.cmd': npxCmd });
  expect(launch).toMatchObject({ file: 'C:\\Windows\\System32\\cmd.exe', verbatim: true, program: 'C:\\Program Files\\nodejs\\npx.CMD' });
  expect(launch.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
  expect(launch.args[3]).toBe('"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"-y^^^" ^^^"srv-a^^^" ^^^"a^^^ b^^^&c^^^""');
  expect(spawnOptions(launch, 'win32')).toMatchObject({ shell: false, windowsHide: true, windowsVerbatimArguments: true, detached: false });
});

it('[O2] starts a program as it is, before a batch file of the same name', async () => {
  const files = { 'C:\\Program Files\\nodejs\\node.exe': '', 'C:\\Program Files\\nodejs\\node.cmd': '' };
  expect(await prepared('node', ['a "b"'], files)).toMatchObject({ file: 'C:\\Program Files\\nodejs\\node.EXE', args: ['a "b"'], verbatim: false });
  expect(await prepared('node.exe', [], files)).toMatchObject({ file: 'C:\\Program Files\\nodejs\\node.exe' });
  expect(await prepared('C:\\Program Files\\nodejs\\node', [], files)).toMatchObject({ file: 'C:\\Program Files\\nodejs\\node.EXE' });
});

it('[O2] names the folders searched, and searches the definition’s own path when it has one', async () => {
  const files = { 'C:\\Program Files\\nodejs\\npx.cmd': npxCmd };
  await expect(prepared('uvx', [], files)).rejects.toMatchObject({ code: 'launch/command-not-found', data: { searched: ['C:\\Windows\\System32', 'C:\\Program Files\\nodejs'] } });
  await expect(prepared('npx', [], files, { PATH: 'D:\\own' })).rejects.toMatchObject({ data: { searched: ['D:\\own'] } });
});

it('refuses an argument with a line break for a batch file: cmd.exe would take the rest for a command', async () => {
  await expect(prepared('npx', ['a\r\ndel *'], { 'C:\\Program Files\\nodejs\\npx.cmd': npxCmd })).rejects.toMatchObject({ code: 'launch/not-permitted' });
});

/** What cmd.exe makes of a command line: carets taken away outside quotes. A bare operator would be another command. */
function readByCmd(line: string): string {
  let out = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (!quoted && character === '^') out += line[(at += 1)] ?? '';
    else {
      if (character === '"') quoted = !quoted;
      else if (!quoted && /[&|<>]/.test(character)) throw new Error(`cmd.exe would run ${line.slice(at)}`);
      out += character;
    }
  }
  return out;
}
/** What a program written in C makes of its command line. */
function readByProgram(line: string): readonly string[] {
  const args: string[] = [];
  for (let at = 0; at < line.length; ) {
    if (line[at] === ' ') {
      at += 1;
      continue;
    }
    let arg = '';
    for (let quoted = false; at < line.length && (quoted || line[at] !== ' '); ) {
      const [slashes = ''] = /^\\*/.exec(line.slice(at)) ?? [];
      at += slashes.length;
      if (line[at] !== '"') arg += slashes || line[at++]!;
      else {
        arg += '\\'.repeat(Math.floor(slashes.length / 2));
        if (slashes.length % 2 === 1) arg += '"';
        else quoted = !quoted;
        at += 1;
      }
    }
    args.push(arg);
  }
  return args;
}

it.each([false, true])('[O2] brings every argument through cmd.exe unchanged (handed on by a batch file: %s)', (passThrough) => {
  const pieces = ['"', '\\', '\\\\', '&', '|', '<', '>', '^', ' ', '(', ')', '!', ',', ';', '*', '?', 'a', 'ü', '=', "'", '`', '[', ']'];
  let seed = 1;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 3_000; round += 1) {
    const args = Array.from({ length: 1 + next(3) }, () => Array.from({ length: next(8) }, () => pieces[next(pieces.length)]).join(''));
    const { args: cmd } = windowsCommandLine('C:\\x.cmd', args, { comspec: 'cmd.exe', passThrough });
    // `/s` takes the outer quotes away.
    const once = readByCmd(cmd[3]!.slice(1, -1)).slice('C:\\x.cmd'.length);
    expect(readByProgram(passThrough ? readByCmd(once) : once)).toEqual(args);
  }
});

it('[O3] starts a server in a group of its own on other systems', () => {
  expect(spawnOptions({ file: '/x', args: [], verbatim: false, program: '/x', cwd: '/' }, 'darwin')).toMatchObject({ detached: true, shell: false });
});

it('ends a whole tree on Windows by force', () => {
  expect(taskkillArguments(4711)).toEqual(['/pid', '4711', '/T', '/F']);
});
