/**
 * Sets up what a clone lacks. Runs before `npm ci`, so it uses nothing but Node's own modules.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Not `import.meta.dirname`: a Node too old for it should still get to the words that say so.
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What Electron links or opens. Where a Debian release renamed a package, both names are given. */
const RUN_PACKAGES = [
  ['libgtk-3-0', 'libgtk-3-0t64'],
  ['libnss3'],
  ['libasound2', 'libasound2t64'],
  ['libgbm1'],
  ['libnotify4'],
  ['libsecret-1-0'],
];
/** What the tests need besides: a display, a session bus, a keyring and one font. */
const TEST_PACKAGES = [...RUN_PACKAGES, ['xvfb'], ['xauth'], ['dbus'], ['gnome-keyring'], ['fonts-dejavu-core']];

/** A reason to stop that is the person's to resolve; printed without a stack. */
export class SetupError extends Error {}

const say = (text) => process.stderr.write(`setup: ${text}\n`);

/** A program that an npm package brings. */
export const bin = (name) => path.join('node_modules', '.bin', name);

/** Starts a program in the project's folder. On Windows npm's programs are scripts, which only a shell can start. */
export const run = (command, args, options = {}) =>
  spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command !== process.execPath,
    ...options,
  });

const readJson = (file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));

/** Compares content, not times: a checkout or a copy changes times, and never needs an install for it. */
function dependenciesAreCurrent() {
  let installed;
  try {
    installed = readJson('node_modules/.package-lock.json').packages;
  } catch {
    return false;
  }
  return Object.entries(readJson('package-lock.json').packages).every(([place, wanted]) => {
    if (place === '' || wanted.link) return true;
    const there = installed[place];
    if (!there) return Boolean(wanted.optional || wanted.devOptional || wanted.peer);
    return there.version === wanted.version && there.integrity === wanted.integrity;
  });
}

export function ensureDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) throw new SetupError(`Node 20.19 or later is needed; this is ${process.versions.node}`);
  if (!dependenciesAreCurrent()) {
    say('installing npm packages');
    if (run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']).status !== 0) throw new SetupError('`npm ci` failed, see above');
  }
  // The Node of the conformance suite is for that suite: what npm and its programs find as `node` stays the machine's.
  fs.rmSync(path.join(ROOT, bin('node')), { force: true });
}

const debianHas = (name) =>
  run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { stdio: 'pipe', encoding: 'utf8' }).stdout === 'installed';
const debianKnows = (name) => run('apt-cache', ['show', '--no-all-versions', name], { stdio: 'ignore' }).status === 0;

/** `purpose` is 'run' or 'test'. Other systems than Debian and its relatives are left alone. */
export function ensureSystemPackages(purpose) {
  if (process.platform !== 'linux' || run('dpkg-query', ['--version'], { stdio: 'ignore' }).status !== 0) return;
  const missing = (purpose === 'test' ? TEST_PACKAGES : RUN_PACKAGES).filter((names) => !names.some(debianHas));
  if (missing.length === 0) return;
  const asRoot = process.getuid() === 0;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (asRoot) {
    say(`installing ${missing.map(([name]) => name).join(' ')}`);
    run('apt-get', ['update', '-qq'], { env });
  }
  const names = missing.map((either) => either.find(debianKnows) ?? either[0]);
  const install = ['install', '-y', '--no-install-recommends', ...names];
  if (!asRoot) throw new SetupError(`system packages are missing. Please run:\n\n  sudo apt-get ${install.join(' ')}\n`);
  const apt = run('apt-get', [...install, '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (apt.status !== 0) throw new SetupError('`apt-get` failed, see above');
}

/** Runs `main`; a `SetupError` ends the process with its words alone. */
export async function program(main) {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

// `node scripts/setup.mjs [run|test]`: only the setting up.
if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) {
  await program(([purpose = 'run']) => {
    ensureDependencies();
    ensureSystemPackages(purpose);
  });
}
