import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually, nodeLaunch, processesMarked, processMark, serverFile, stdioLink, type StdioLink } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createPersonEnvironment, loginShellEnvironment, startedFromTerminal } from './shell-path.ts';

/** A home whose rc file puts `node` and a fake `npx` on PATH, as version managers do. */
function desktopHome(rcBefore = '', rcAfter = ''): { readonly home: string; readonly bin: string; readonly env: NodeJS.ProcessEnv } {
  const home = tempFolder();
  const bin = join(home, '.nvm/versions/node/v22.0.0/bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  writeProgram(join(bin, 'npx'), `#!/usr/bin/env node\nimport(${JSON.stringify(serverFile('versatile.mjs'))});\n`);
  // Bash reads the first for a login; the line of Debian's own that leaves early unless interactive is in the second.
  writeFileSync(join(home, '.bash_profile'), '. "$HOME/.bashrc"\n');
  writeFileSync(join(home, '.bashrc'), `case $- in *i*) ;; *) return;; esac\n${rcBefore}\nexport PATH="$HOME/.nvm/versions/node/v22.0.0/bin:$PATH"\nexport FROM_RC='two\nlines'\n${rcAfter}\n`);
  return { home, bin, env: { HOME: home, SHELL: '/bin/bash', PATH: '/usr/sbin:/sbin', DISPLAY: ':7' } };
}
function writeProgram(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}
/** With what a start from the desktop has: no terminal. */
function desktopLink(launch: Parameters<typeof stdioLink>[0], env: NodeJS.ProcessEnv): StdioLink {
  return stdioLink(launch, { env, personEnvironment: createPersonEnvironment({ env, platform: 'linux', fromTerminal: false }) });
}
const npx = { command: 'npx', args: ['-y', 'srv-a'], env: {}, ownRuntime: false };

it('[O1] finds a command on the PATH of the login shell and passes that PATH on to the server', async () => {
  const { bin, env } = desktopHome();
  const link = desktopLink(npx, env);
  await link.client.connect(link.transport);
  expect(JSON.parse(await link.call('args'))).toMatchObject({ args: ['-y', 'srv-a'] });
  const seen = JSON.parse(await link.call('environment')) as Record<string, string>; // our own server writes its environment
  expect(seen['PATH']?.split(':')[0]).toBe(bin);
  expect(seen['PATH']?.split(':')).toEqual(expect.arrayContaining(['/usr/sbin', '/sbin']));
  expect(seen).toMatchObject({ DISPLAY: ':7', FROM_RC: 'two\nlines' });
});

it('[O1] is not confused by rc files that talk, ask, fail and leave things running', async () => {
  const mark = processMark();
  const { env } = desktopHome('echo Welcome; printf "\\033]0;title\\007"; cat; echo warn >&2; set -x', `${process.execPath} -e 'setInterval(() => {}, 1000)' -- ${mark} &\nfalse`);
  const link = desktopLink(npx, env);
  await link.client.connect(link.transport);
  expect(JSON.parse(await link.call('environment'))).toMatchObject({ FROM_RC: 'two\nlines' });
  await eventually(() => expect(processesMarked(mark)).toEqual([]));
});

it('[O1] names the folders that were searched when the command is in none of them', async () => {
  const { bin, env } = desktopHome();
  const link = desktopLink({ ...npx, command: 'no-such-command' }, env);
  await expect(link.client.connect(link.transport)).rejects.toMatchObject({
    code: 'launch/command-not-found',
    data: { command: 'no-such-command', searched: expect.arrayContaining([bin, '/usr/sbin', '/sbin']) as string[] },
    message: expect.stringContaining(`searched ${bin}, `) as string,
  });
});

it("[O1] lets the definition's own PATH win", async () => {
  const { env } = desktopHome();
  const own = join(tempFolder(), 'own');
  writeProgram(join(own, 'npx'), `#!${process.execPath}\nimport(${JSON.stringify(serverFile('versatile.mjs'))});\n`);
  const link = desktopLink({ ...npx, env: { PATH: own } }, env);
  await link.client.connect(link.transport);
  expect(JSON.parse(await link.call('environment'))).toMatchObject({ PATH: own });
  expect(JSON.parse(await link.call('args'))).toMatchObject({ exec: join(own, 'npx') });
});

it('gives up on a shell that does not finish in time, and uses the environment of the process', async () => {
  const mark = processMark();
  const { env } = desktopHome(`exec ${process.execPath} -e 'setInterval(() => {}, 1000)' -- ${mark}`);
  const ask = createPersonEnvironment({ env, platform: 'linux', fromTerminal: false, timeLimitMs: 300 });
  expect(await ask()).toEqual(env);
  await eventually(() => expect(processesMarked(mark)).toEqual([]));
});

it('asks the shell once, and not at all for a start from a terminal, on Windows or for the app’s own runtime', async () => {
  const { home, env } = desktopHome('echo asked >> "$HOME/count"');
  expect(await createPersonEnvironment({ env, platform: 'linux', fromTerminal: true })()).toEqual(env);
  expect(await createPersonEnvironment({ env, platform: 'win32', fromTerminal: false })()).toEqual(env);
  const ask = createPersonEnvironment({ env, platform: 'linux', fromTerminal: false });
  const own = stdioLink(nodeLaunch('versatile.mjs', [], { ownRuntime: true }), { env, personEnvironment: ask });
  await own.client.connect(own.transport);
  expect(existsSync(join(home, 'count'))).toBe(false);
  await Promise.all([ask(), ask()]);
  await ask();
  expect(readFileSync(join(home, 'count'), 'utf8')).toBe('asked\n');
});

it.each(['/no/such/shell', '/usr/sbin/nologin', '/bin/false'])('has no login shell environment with %s for a shell', async (shell) => {
  expect(await loginShellEnvironment({ env: { PATH: '/bin' }, shell })).toBeUndefined();
});

it('knows a start from a terminal by its streams or by the name of the terminal', () => {
  expect(startedFromTerminal({}, [{}, { isTTY: true }])).toBe(true);
  expect(startedFromTerminal({ TERM: 'xterm-256color' }, [{}])).toBe(true);
  expect(startedFromTerminal({ TERM: 'dumb' }, [{ isTTY: false }])).toBe(false);
  expect(startedFromTerminal({}, [])).toBe(false);
});
