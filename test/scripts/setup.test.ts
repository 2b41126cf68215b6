import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A clone that holds only the scripts and a lockfile, and a PATH that begins with stand-ins for npm and Debian's tools. */
let clone = '';
const lock = (version: string): string =>
  JSON.stringify({ packages: { '': {}, 'node_modules/a': { version, integrity: `sha512-${version}` } } });

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  cpSync('scripts', join(clone, 'scripts'), { recursive: true });
  mkdirSync(join(clone, 'bin'));
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
  writeFileSync(join(clone, 'package-lock.json'), lock('1.0.0'));
  tool('npm', 'mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json');
  tool('dpkg-query', 'printf installed');
  tool('apt-cache', 'exit 0');
  tool('apt-get', 'exit 0');
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Each tool notes how it was called before it does its part. */
function tool(name: string, script: string): void {
  const file = join(clone, 'bin', name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${join(clone, 'calls')}"\n${script}\n`);
  chmodSync(file, 0o755);
}
const calls = (name: string): string[] => {
  const file = join(clone, 'calls');
  writeFileSync(file, '', { flag: 'a' });
  return readFileSync(file, 'utf8').split('\n').filter((line) => line.startsWith(`${name} `));
};
const node = (args: readonly string[]): { readonly status: number | null; readonly stderr: string } => {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _w, ...inherited } = process.env;
  const path = [join(clone, 'bin'), inherited['PATH']].join(delimiter);
  return spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8', env: { ...inherited, PATH: path } });
};
const setup = (purpose: string, uid = 0): ReturnType<typeof node> =>
  node([
    '--input-type=module',
    '-e',
    `process.getuid = () => ${uid};
     const { ensureDependencies, ensureSystemPackages, program } = await import('./scripts/setup.mjs');
     await program(() => { ensureDependencies(); ensureSystemPackages('${purpose}'); });`,
  ]);

describe.skipIf(process.platform === 'win32')('npm packages', () => {
  it('are installed in a fresh clone, and not a second time', () => {
    expect(setup('run').status).toBe(0);
    expect(calls('npm')).toHaveLength(1);
    expect(setup('run').status).toBe(0);
    expect(calls('npm')).toHaveLength(1);
  });

  it('are installed again when the lockfile asks for another version', () => {
    setup('run');
    writeFileSync(join(clone, 'package-lock.json'), lock('1.0.1'));
    setup('run');
    expect(calls('npm')).toHaveLength(2);
  });

  it('that cannot be installed are an error in words, without a stack', () => {
    tool('npm', 'exit 7');
    const { status, stderr } = setup('run');
    expect(status).toBe(1);
    expect(stderr).toContain('`npm ci` failed');
    expect(stderr).not.toContain('    at ');
  });
});

describe.runIf(process.platform === 'linux')('system packages', () => {
  const onlyMissing = (...names: string[]): void => {
    const patterns = names.map((name) => `*' ${name}'`).join('|');
    tool('dpkg-query', `case "$*" in *--version*) ;; ${patterns}) ;; *) printf installed;; esac`);
  };

  it('are left alone when all are there', () => {
    expect(setup('test').status).toBe(0);
    expect(calls('apt-get')).toEqual([]);
  });

  it('are installed as root, and only the missing ones', () => {
    onlyMissing('libnss3', 'xvfb');
    expect(setup('test').status).toBe(0);
    expect(calls('apt-get')).toEqual(['apt-get update -qq', 'apt-get install -y --no-install-recommends libnss3 xvfb -qq']);
  });

  it('that only the tests need are not asked for when the app is opened', () => {
    onlyMissing('xvfb');
    expect(setup('run').status).toBe(0);
    expect(calls('apt-get')).toEqual([]);
  });

  it('are named in a command that can be copied, for everyone else', () => {
    onlyMissing('libgtk-3-0', 'libgtk-3-0t64', 'xvfb');
    tool('apt-cache', 'case "$*" in *t64) exit 0;; *libgtk*) exit 100;; esac');
    const { status, stderr } = setup('test', 1000);
    expect(status).toBe(1);
    expect(stderr).toContain('sudo apt-get install -y --no-install-recommends libgtk-3-0t64 xvfb');
    expect(calls('apt-get')).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')('npm start says how to go on where there is no display', () => {
  const { status, stderr } = node(['scripts/start.mjs']);
  expect(status).toBe(1);
  expect(stderr).toContain("xvfb-run -a -s '-screen 0 1280x800x24' npm start");
  expect(calls('npm')).toEqual([]);
});
