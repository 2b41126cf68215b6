import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { connected, eventually, nodeLaunch, processesMarked, processMark, serverFile, stdioLink } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { reapLeftovers } from './running-files.ts';

const env = { PATH: process.env['PATH'] ?? '' };
let app: BuiltProgram;
beforeAll(async () => {
  app = await buildProgram('test/support/programs/stdio-app.ts');
});
afterAll(() => app[Symbol.asyncDispose]());

/** A wrapper script whose child ignores TERM, HUP and the end of its input. */
function stubborn(mark: string) {
  return { command: serverFile('stubborn.sh'), args: [process.execPath, serverFile('stubborn.mjs'), mark], env: {}, ownRuntime: false };
}
const running = (home: string): readonly string[] => (existsSync(join(home, 'running')) ? readdirSync(join(home, 'running')) : []);

it('[O3] leaves no process behind after 50 connects and disconnects with a stubborn server', async () => {
  const home = tempFolder();
  const mark = processMark();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const link = await connected(stubborn(mark), { home, waits: { stdinMs: 20, termMs: 20 } });
        await link.client.close();
      }),
    );
    expect(processesMarked(mark)).toEqual([]);
  }
  expect(running(home)).toEqual([]);
}, 60_000);

it('[O3] waits for each step of a polite stop before the next', async () => {
  const mark = processMark();
  const link = await connected(stubborn(mark), { waits: { stdinMs: 300, termMs: 300 } });
  const started = performance.now();
  await link.transport.close();
  expect(performance.now() - started).toBeGreaterThanOrEqual(590);
  expect(processesMarked(mark)).toEqual([]);
});

it('[O3] ends helpers too that left the group, started a session of their own or lost their parent', async () => {
  const mark = processMark();
  const link = await connected(nodeLaunch('spawner.mjs', [mark]));
  await eventually(() => expect(processesMarked(mark).length).toBeGreaterThanOrEqual(4));
  await link.transport.close();
  expect(processesMarked(mark)).toEqual([]);
});

it('[O3] ends what a server left behind that exited by itself', async () => {
  const mark = processMark();
  const link = await connected(stubborn(mark));
  // The wrapper dies, its child stays.
  process.kill(link.transport.pid ?? 0, 'SIGKILL');
  await eventually(() => expect(processesMarked(mark)).toEqual([]));
  expect(link.closes()).toBe(1);
});

it('[O3] leaves nothing behind when the handshake fails', async () => {
  const home = tempFolder();
  const mark = processMark();
  const link = stdioLink(nodeLaunch('versatile.mjs', ['--never-answer', mark]), { home });
  await expect(link.client.connect(link.transport, { timeout: 300 })).rejects.toThrow(/timed out/i);
  await link.transport.close();
  expect(processesMarked(mark)).toEqual([]);
  expect(running(home)).toEqual([]);
});

it('leaves nothing behind when it is closed while it starts', async () => {
  const home = tempFolder();
  const mark = processMark();
  const link = stdioLink(nodeLaunch('versatile.mjs', [mark]), { home });
  const starting = expect(link.client.connect(link.transport)).rejects.toThrow();
  await link.transport.close();
  await starting;
  expect(processesMarked(mark)).toEqual([]);
  expect(running(home)).toEqual([]);
});

it('starts nothing that it could not record', async () => {
  const home = join(tempFolder(), 'a file');
  writeFileSync(home, '');
  const mark = processMark();
  const link = stdioLink(nodeLaunch('versatile.mjs', [mark]), { home });
  await expect(link.client.connect(link.transport)).rejects.toMatchObject({ code: 'storage/failed' });
  expect(processesMarked(mark)).toEqual([]);
});

it('fails what a server did not take from its input, and ends it, though it does not run at all', async () => {
  const mark = processMark();
  const link = await connected(nodeLaunch('versatile.mjs', [mark]));
  process.kill(link.transport.pid ?? 0, 'SIGSTOP');
  const unsent = expect(link.transport.send({ jsonrpc: '2.0', method: 'notifications/x', params: { text: 'x'.repeat(8_000_000) } })).rejects.toMatchObject({ code: 'connection/closed' });
  await link.transport.close();
  await unsent;
  expect(processesMarked(mark)).toEqual([]);
});

it('records a running server privately, without its arguments, until it has ended', async () => {
  const home = tempFolder();
  const link = await connected(nodeLaunch('versatile.mjs', ['--token=sk-secret']), { home });
  const file = join(home, 'running', `${link.transport.pid}.json`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'running')).mode & 0o777).toBe(0o700);
  const stat = readFileSync(`/proc/${link.transport.pid}/stat`, 'utf8');
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: link.transport.pid, pgid: link.transport.pid, startTime, command: process.execPath, owner: { pid: process.pid } });
  expect(readFileSync(file, 'utf8')).not.toContain('sk-secret');
  await link.transport.close();
  expect(running(home)).toEqual([]);
});

it('[O3] kills its servers when the app leaves without having closed them', async () => {
  const mark = processMark();
  await using child = ChildProgram.node(app.file, tempFolder(), 'leave', serverFile('stubborn.sh'), process.execPath, serverFile('stubborn.mjs'), mark);
  await child.line((line) => line === 'connected');
  expect(await child.ended()).toBe(0);
  await eventually(() => expect(processesMarked(mark)).toEqual([]));
});

it('[O3] ends at the next start what an app left running that was killed', async () => {
  const home = tempFolder();
  const mark = processMark();
  await using child = ChildProgram.node(app.file, home, 'live', serverFile('stubborn.sh'), process.execPath, serverFile('stubborn.mjs'), mark);
  await child.line((line) => line === 'connected');
  // Another app looks while the first one still runs: none of its business.
  expect(await reapLeftovers(home, { env })).toEqual([]);
  expect(processesMarked(mark)).toHaveLength(2 + 1);
  await child.kill();
  await eventually(() => expect(processesMarked(mark)).toHaveLength(2));
  const [wrapper] = running(home).map((name) => Number.parseInt(name, 10));
  expect(await reapLeftovers(home, { env })).toEqual([wrapper]);
  expect(processesMarked(mark)).toEqual([]);
  expect(running(home)).toEqual([]);
});

it('[O3] finds the server too when the wrapper that started it has ended meanwhile', async () => {
  const home = tempFolder();
  const mark = processMark();
  await using child = ChildProgram.node(app.file, home, 'live', serverFile('stubborn.sh'), process.execPath, serverFile('stubborn.mjs'), mark);
  await child.line((line) => line === 'connected');
  child.child.kill('SIGSTOP');
  const [wrapper = 0] = running(home).map((name) => Number.parseInt(name, 10));
  process.kill(wrapper, 'SIGKILL');
  await child.kill();
  await eventually(() => expect(processesMarked(mark)).toHaveLength(1));
  expect(await reapLeftovers(home, { env })).toEqual([wrapper]);
  expect(processesMarked(mark)).toEqual([]);
});

it('[O3] spares a process that has the recorded pid but another start time', async () => {
  const home = tempFolder();
  const mark = processMark();
  await using child = ChildProgram.node(app.file, home, 'live', serverFile('stubborn.sh'), process.execPath, serverFile('stubborn.mjs'), mark);
  await child.line((line) => line === 'connected');
  await child.kill();
  const [name = ''] = running(home);
  const file = join(home, 'running', name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(text) as object), startTime: '1' })); // an object: written by the app itself
  expect(await reapLeftovers(home, { env })).toEqual([]);
  expect(processesMarked(mark)).toHaveLength(2);
  expect(running(home)).toEqual([]);
  writeFileSync(file, text);
  await reapLeftovers(home, { env });
  expect(processesMarked(mark)).toEqual([]);
});

it('starts anew over records that cannot be read', async () => {
  const home = tempFolder();
  const link = await connected(nodeLaunch('versatile.mjs'), { home });
  writeFileSync(join(home, 'running', '999999.json'), '{"pid": 9999');
  expect(await reapLeftovers(home, { env })).toEqual([]);
  expect(await link.call('echo', { value: 'spared' })).toBe('spared');
  expect(running(home)).toEqual([`${link.transport.pid}.json`]);
});
