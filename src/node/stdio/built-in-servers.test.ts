import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connected, serverFile } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createBuiltInServers } from './built-in-servers.ts';

const servers = createBuiltInServers({ runtime: '/opt/app', scriptsFolder: '/opt/servers', home: '/home/p' });

it('runs Notes by the app’s own runtime on the home’s notes', () => {
  expect(servers.launch('notes', undefined)).toEqual({
    command: '/opt/app', args: [join('/opt/servers', 'notes.js')], env: { GATEHOUSE_NOTES_FOLDER: join('/home/p', 'notes') }, ownRuntime: true,
  });
});

it('runs Files on the project folder, and says that it needs one', () => {
  expect(servers.launch('files', '/project')).toEqual({
    command: '/opt/app', args: [join('/opt/servers', 'files.js'), '/project'], cwd: '/project', env: {}, ownRuntime: true,
  });
  expect(() => servers.launch('files', undefined)).toThrow(expect.objectContaining({ code: 'project/needed' }));
});

it('starts one through the transport, its own variables with it', async () => {
  const [scriptsFolder, home] = [tempFolder(), tempFolder()];
  writeFileSync(join(scriptsFolder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(scriptsFolder, 'notes.js'), `await import(${JSON.stringify(serverFile('versatile.mjs'))});`);
  const link = await connected(createBuiltInServers({ runtime: process.execPath, scriptsFolder, home }).launch('notes', undefined));
  expect(JSON.parse(await link.call('environment'))).toMatchObject({ GATEHOUSE_NOTES_FOLDER: join(home, 'notes') });
});
