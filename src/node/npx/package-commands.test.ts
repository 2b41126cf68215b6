import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { PackageRegistry, type PackageFiles } from '../../../test/support/package-registry.ts';
import { connected } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Log, ReadyStdioLaunch } from '../../core/ports.ts';
import { createDocuments } from '../records/documents.ts';
import { listProcesses, membersOf } from '../stdio/process-tree.ts';
import { NpxPackages } from './package-commands.ts';

const never = new AbortController().signal;
const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const serverText = readFileSync(join(import.meta.dirname, '../../../test/servers/stdio/versatile.mjs'), 'utf8');
const tool = (more: Partial<PackageFiles> = {}): PackageFiles => ({ name: '@acme/tool', version: '1.0.0', bin: { tool: 'main.mjs', other: 'other.mjs' }, files: { 'main.mjs': `#!/usr/bin/env node\n${serverText}`, 'other.mjs': `#!/usr/bin/env node\n${serverText}` }, ...more });
const launchOf = (args: readonly string[], more: Partial<ReadyStdioLaunch> = {}): ReadyStdioLaunch => ({ command: 'npx', args, env: {}, ownRuntime: false, cwd: tempFolder(), ...more });

function packagesOf({ home }: PackageRegistry, folder = tempFolder()) {
  const clock = new FakeClock();
  clock.advance(Date.now() - clock.now());
  const packages = new NpxPackages({ documents: createDocuments(folder), clock, log: quiet, platform: process.platform, personEnvironment: async () => ({ PATH: process.env['PATH'] ?? '', HOME: home }), homeFolder: home });
  onTestFinished(() => packages[Symbol.asyncDispose]());
  return { packages, clock, folder };
}
async function registryWith(...all: readonly PackageFiles[]) {
  const registry = await PackageRegistry.start();
  onTestFinished(() => registry[Symbol.asyncDispose]());
  for (const one of all) await registry.publish(one);
  return registry;
}
/** As `npx` would have left it behind. */
function installed({ cache }: PackageRegistry, one: PackageFiles, { spec = one.name, at = Date.now(), name = `${one.version}-${at}` }: { readonly spec?: string; readonly at?: number; readonly name?: string } = {}): string {
  const root = join(cache, '_npx', name);
  const folder = join(root, 'node_modules', one.name);
  for (const [path, text] of Object.entries({ ...one.files, 'package.json': JSON.stringify({ name: one.name, version: one.version, bin: one.bin }) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ dependencies: { [one.name]: `^${one.version}` }, _npx: { packages: [spec] } }));
  utimesSync(join(root, 'package.json'), at / 1_000, at / 1_000);
  return folder;
}

it('[F-176] [F-178] a package that was never fetched is fetched once by npm, and its program is run by Node with nothing beside it; what npx would take is measured', async () => {
  const registry = await registryWith(tool());
  const { packages, folder } = packagesOf(registry);
  const launch = launchOf(['-y', '@acme/tool', '--flag']);
  const [resolved, same] = await Promise.all([packages.resolve(launch, never), packages.resolve(launch, never)]);
  expect(resolved).toMatchObject({ command: 'node', args: [expect.stringContaining(join('node_modules', '@acme', 'tool', 'main.mjs')), '--flag'], package: { name: '@acme/tool', version: '1.0.0' } });
  expect(same).toEqual(resolved);
  expect(registry.asked.filter((path) => path.endsWith('.tgz'))).toHaveLength(1);
  // npm with its shell: more than a bare Node, less than a tenth of this machine's.
  expect(packages.savedBytes).toBeGreaterThan(20_000_000);
  expect(packages.savedBytes).toBeLessThan(1_000_000_000);
  expect(packages.known(launch.command, launch.args)).toEqual({ name: '@acme/tool', version: '1.0.0' });

  const direct = await connected(resolved);
  const wrapped = await connected({ ...launch, env: { HOME: registry.home } });
  const rows = await listProcesses();
  const [one, several] = [direct, wrapped].map(({ transport }) => membersOf(rows, transport.pid ?? 0).length);
  expect(one).toBe(1);
  expect(several).toBeGreaterThan(1);
  // Another start of the app knows it, and asks nobody.
  const { packages: later } = packagesOf(registry, folder);
  registry.asked.length = 0;
  expect(await later.resolve(launch, never)).toEqual(resolved);
  expect([registry.asked, later.savedBytes]).toEqual([[], packages.savedBytes]);
}, 60_000);

it('[F-178] when npm fails, or does not end, the command stays as it is', async () => {
  const registry = await registryWith();
  const { packages } = packagesOf(registry);
  const launch = launchOf(['-y', 'not-there']);
  expect(await packages.resolve(launch, never)).toBe(launch);
  const npm = join(tempFolder(), 'npm');
  writeFileSync(npm, '#!/bin/sh\nsleep 60\n');
  chmodSync(npm, 0o755);
  const stop = new AbortController();
  const hanging = packages.resolve(launchOf(['-y', 'not-there'], { command: join(dirname(npm), 'npx') }), stop.signal);
  stop.abort(new Error('enough'));
  await expect(hanging).rejects.toThrow('enough');
}, 60_000);

it('[F-177] of several installations the newest counts, an exact version has to be that one, and a range only what was asked for in the same words', async () => {
  const registry = await registryWith();
  const now = Date.now();
  const version = (number: string) => tool({ version: number });
  installed(registry, version('1.0.0'), { at: now - 3_000 });
  installed(registry, version('3.0.0'), { at: now - 2_000 });
  installed(registry, version('2.0.0'), { at: now - 1_000, spec: '@acme/tool@^2' });
  const resolve = async (spec: string) => (await packagesOf(registry).packages.resolve(launchOf(['-y', spec]), never)).package?.version;
  expect(await resolve('@acme/tool')).toBe('2.0.0');
  expect(await resolve('@acme/tool@1.0.0')).toBe('1.0.0');
  expect(await resolve('@acme/tool@^2')).toBe('2.0.0');
  expect(await resolve('@acme/tool@^3')).toBeUndefined();
  expect(await resolve('@acme/tool@4.0.0')).toBeUndefined();
}, 60_000);

it('[F-177] which program: the one that is named, the package’s name, its scope with its name, the first', async () => {
  const registry = await registryWith();
  const bins = async (bin: PackageFiles['bin'], args: readonly string[]) => {
    rmSync(join(registry.cache, '_npx'), { recursive: true, force: true });
    const files = Object.fromEntries(['a.mjs', 'b.cjs', 'c.js'].map((name) => [name, '']));
    installed(registry, { name: '@acme/tool', version: '1.0.0', ...(bin === undefined ? {} : { bin }), files });
    const { args: found, package: known } = await packagesOf(registry).packages.resolve(launchOf(args), never);
    return known && found[0]?.split('/').at(-1);
  };
  const spec = ['-y', '@acme/tool@1.0.0'];
  expect(await bins('a.mjs', spec)).toBe('a.mjs');
  expect(await bins({ first: 'a.mjs', tool: 'b.cjs' }, spec)).toBe('b.cjs');
  expect(await bins({ first: 'a.mjs', 'acme-tool': 'c.js' }, spec)).toBe('c.js');
  expect(await bins({ first: 'a.mjs', second: 'b.cjs' }, spec)).toBe('a.mjs');
  expect(await bins({ first: 'a.mjs', second: 'b.cjs' }, ['-p', '@acme/tool@1.0.0', 'second'])).toBe('b.cjs');
  // In doubt it is npm's: no such program, none at all, one outside of its package.
  expect(await bins({ first: 'a.mjs' }, ['-p', '@acme/tool@1.0.0', 'node'])).toBeUndefined();
  expect(await bins(undefined, spec)).toBeUndefined();
  expect(await bins('../../../../outside.js', spec)).toBeUndefined();
}, 90_000);

it('[F-177] what Node does not run is left to npx; what says so in its first line is run by it', async () => {
  const registry = await registryWith();
  const first = async (line: string, name = 'run') => {
    rmSync(join(registry.cache, '_npx'), { recursive: true, force: true });
    installed(registry, { name: 'pkg', version: '1.0.0', bin: name, files: { [name]: `${line}\n` } });
    return (await packagesOf(registry).packages.resolve(launchOf(['-y', 'pkg@1.0.0']), never)).package !== undefined;
  };
  expect(await first('#!/usr/bin/env node')).toBe(true);
  expect(await first('#!/usr/local/bin/node')).toBe(true);
  expect(await first('#!/bin/sh')).toBe(false);
  expect(await first('#!/usr/bin/env bun', 'run.js')).toBe(false);
  expect(await first('#!/usr/bin/env -S node --experimental-x', 'run.js')).toBe(false);
}, 60_000);

it('[F-179] a resolution holds for a day, for its own command line, as long as its file is there', async () => {
  const registry = await registryWith();
  const old = installed(registry, tool(), { at: Date.now() - 10_000 });
  const { packages, clock, folder } = packagesOf(registry);
  const launch = launchOf(['-y', '@acme/tool', 'a']);
  const version = async (one = launch) => (await packages.resolve(one, never)).package?.version;
  expect(await version()).toBe('1.0.0');
  installed(registry, tool({ version: '2.0.0' }));
  expect(await version()).toBe('1.0.0');
  expect(await version(launchOf(['-y', '@acme/tool', 'b']))).toBe('2.0.0');
  expect(readFileSync(join(folder, 'npx-cache.json'), 'utf8')).not.toContain('"a"');
  clock.advance(24 * 3_600_000);
  expect(await version()).toBe('2.0.0');
  rmSync(join(old, '..', '..', '..', '..'), { recursive: true });
  expect(await version(launchOf(['-y', '@acme/tool', 'b']))).toBeUndefined();
}, 60_000);

it('a package of the project itself is npm’s to run', async () => {
  const registry = await registryWith();
  installed(registry, tool());
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'node_modules/@acme/tool'), { recursive: true });
  writeFileSync(join(cwd, 'node_modules/@acme/tool/package.json'), '{}');
  const launch = launchOf(['-y', '@acme/tool'], { cwd: join(cwd, 'node_modules') });
  expect(await packagesOf(registry).packages.resolve(launch, never)).toBe(launch);
});

it('what npx takes is measured once on this machine, when servers have long started', async () => {
  const registry = await registryWith(tool());
  await promisify(execFile)('npm', ['exec', '--yes', '--package=@acme/tool', '--', 'node', '-e', '1'], { env: { PATH: process.env['PATH'], HOME: registry.home }, cwd: tempFolder() });
  const { packages, clock } = packagesOf(registry);
  expect((await packages.resolve(launchOf(['@acme/tool']), never)).package).toBeDefined();
  expect(packages.savedBytes).toBeUndefined();
  clock.advance(60_000);
  await expect.poll(() => packages.savedBytes, { timeout: 20_000 }).toBeGreaterThan(20_000_000);
}, 60_000);
