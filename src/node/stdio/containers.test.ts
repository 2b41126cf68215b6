import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { connected, serverFile } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { reapLeftovers } from './running-files.ts';

const id = 'c0ffee'.repeat(10);

/** A docker that writes down how it was called, keeps the id where it is told to, and runs our server in place of a container. */
function fakeDocker(): { readonly bin: string; readonly calls: () => readonly string[] } {
  const bin = join(tempFolder(), 'bin');
  mkdirSync(bin);
  const calls = join(bin, 'calls');
  const text = `#!/bin/sh
echo "$* host=$DOCKER_HOST" >> "${calls}"
[ "$1" = run ] || exit 0
while [ $# -gt 0 ]; do
  case "$1" in --cidfile) printf %s ${id} > "$2";; esac
  shift
done
exec "${process.execPath}" "${serverFile('versatile.mjs')}"
`;
  for (const name of ['docker', 'podman']) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return { bin, calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []) };
}
function launch(bin: string, command: string, args: readonly string[]) {
  return { command, args, env: { PATH: `${bin}:${process.env['PATH']}`, DOCKER_HOST: 'tcp://d' }, ownRuntime: false };
}

it.each(['docker', 'podman'])('[O3] keeps track of the container that %s run starts, and removes it on close', async (command) => {
  const home = tempFolder();
  const docker = fakeDocker();
  const link = await connected(launch(docker.bin, command, ['run', '-i', '--rm', 'image']), { home });
  const cidFile = readdirSync(join(home, 'running')).find((name) => name.endsWith('.cid')) ?? '';
  expect(docker.calls()).toEqual([`run --cidfile ${join(home, 'running', cidFile)} -i --rm image host=tcp://d`]);
  await link.transport.close();
  expect(docker.calls().slice(1)).toEqual([`rm -f ${id} host=tcp://d`]);
  expect(readdirSync(join(home, 'running'))).toEqual([]);
});

it('[O3] removes at the next start the container of an app that was killed', async () => {
  const home = tempFolder();
  const docker = fakeDocker();
  await using app = await buildProgram('test/support/programs/stdio-app.ts');
  await using child = ChildProgram.node(app.file, home, 'live', join(docker.bin, 'docker'), 'run', '-i', 'image');
  await child.line((line) => line === 'connected');
  await child.kill();
  await reapLeftovers(home, { env: { PATH: process.env['PATH'] ?? '', DOCKER_HOST: 'tcp://later' } });
  expect(docker.calls().slice(1)).toEqual([`rm -f ${id} host=tcp://later`]);
  expect(readdirSync(join(home, 'running'))).toEqual([]);
});

it('leaves every other use of docker alone', async () => {
  const docker = fakeDocker();
  const own = join(tempFolder(), 'own.cid');
  for (const args of [['run', '--cidfile', own, 'image'], ['run', `--cidfile=${own}`, 'image']]) {
    const link = await connected(launch(docker.bin, 'docker', args));
    await link.transport.close();
    expect(docker.calls().at(-1)).toBe(`${args.join(' ')} host=tcp://d`);
  }
});
