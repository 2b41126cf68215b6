import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connected, nodeLaunch, serverFile, stdioLink } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { splitCommand } from './split-command.ts';

const bare = { args: [], env: {}, ownRuntime: false };

/** A folder with a space in its name that holds a server as a program. */
function spacedServer(): { readonly folder: string; readonly program: string; readonly script: string } {
  const folder = join(tempFolder(), 'my  tools');
  mkdirSync(folder);
  const script = join(folder, 'server.mjs');
  writeFileSync(script, `await import(${JSON.stringify(serverFile('versatile.mjs'))});\n`);
  const program = join(folder, 'run it');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(program, 0o755);
  return { folder, program, script };
}
async function argsOf(command: string, args: readonly string[] = [], cwd?: string): Promise<unknown> {
  const link = await connected({ ...bare, command, args, ...(cwd === undefined ? {} : { cwd }) });
  const { args: seen } = JSON.parse(await link.call('args')) as { args: unknown }; // our own server writes it
  return seen;
}

it('[S16] runs a command whose path holds spaces as it stands', async () => {
  const { program } = spacedServer();
  expect(await argsOf(program, ['one two'])).toEqual(['one two']);
});

it('[S16] splits a whole command line typed as one string, and keeps a path with spaces whole, quoted or not', async () => {
  const { folder, program, script } = spacedServer();
  expect(await argsOf(`${process.execPath} ${script} --flag 'a b' "c d"`, ['last'])).toEqual(['--flag', 'a b', 'c d', 'last']);
  expect(await argsOf(`"${process.execPath}" '${script}' x`)).toEqual(['x']);
  expect(await argsOf(`${program} --port 80`)).toEqual(['--port', '80']);
  expect(await argsOf(`${process.execPath} ./server.mjs x`, [], folder)).toEqual(['x']);
});

it('[S16] says what was looked for when neither the whole nor its first word is a command', async () => {
  const link = stdioLink({ ...bare, command: '/no such/place/server --flag' });
  await expect(link.client.connect(link.transport)).rejects.toMatchObject({
    code: 'launch/command-not-found',
    message: expect.stringContaining('must be the whole command or stand in quotes') as string,
    data: { command: '/no such/place/server --flag' },
  });
});

it('[S16] takes a backslash for part of a path on Windows', async () => {
  const isFile = (path: string): Promise<boolean> => Promise.resolve(path === 'C:\\my tools\\server.js');
  expect(await splitCommand('node C:\\my tools\\server.js "x y"', isFile, 'win32')).toEqual({ command: 'node', args: ['C:\\my tools\\server.js', 'x y'] });
  expect(await splitCommand(' C:\\my tools\\server.js ', isFile, 'win32')).toEqual({ command: 'C:\\my tools\\server.js', args: [] });
});

it('says that a file may not be run', async () => {
  const file = join(tempFolder(), 'server');
  writeFileSync(file, '#!/bin/sh\n');
  await expect(stdioLink({ ...bare, command: file }).transport.start()).rejects.toMatchObject({ code: 'launch/not-permitted', data: { command: file, file } });
});

it('says that the program named in the first line of a script is missing', async () => {
  const file = join(tempFolder(), 'server');
  writeFileSync(file, '#!/no/such/interpreter\n');
  chmodSync(file, 0o755);
  await expect(stdioLink({ ...bare, command: file }).transport.start()).rejects.toMatchObject({ code: 'launch/command-not-found', message: expect.stringContaining('first line') as string });
});

it('says that the folder to start in is missing', async () => {
  const { transport } = stdioLink(nodeLaunch('versatile.mjs', [], { cwd: '/no/such/folder' }));
  await expect(transport.start()).rejects.toMatchObject({ code: 'launch/command-not-found', data: { cwd: '/no/such/folder' } });
});

it('starts the app’s own runtime as it is, never looked for along PATH', async () => {
  const { transport } = stdioLink({ ...bare, command: 'node', ownRuntime: true });
  await expect(transport.start()).rejects.toMatchObject({ code: 'launch/command-not-found' });
  const link = await connected(nodeLaunch('versatile.mjs', ['with space'], { ownRuntime: true }));
  expect(JSON.parse(await link.call('args'))).toMatchObject({ args: ['with space'] });
});
