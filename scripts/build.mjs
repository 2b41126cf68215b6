/**
 * Builds the app and the programs that come with it into out/.
 *   node scripts/build.mjs              always
 *   node scripts/build.mjs --if-stale   only when a source is newer than the last build
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, SetupError, bin, ensureDependencies, program, run } from './setup.mjs';

const STAMP = path.join(ROOT, '.cache', 'built');
const SOURCES = ['src', 'resources', 'package.json', 'package-lock.json', 'electron.vite.config.ts', 'vite.node.config.ts'];

/** Folders count too: their time changes when a file is removed. */
function newest(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs.readdirSync(file).reduce((time, name) => Math.max(time, newest(path.join(file, name))), stat.mtimeMs);
}

export function isStale() {
  const stamp = fs.statSync(STAMP, { throwIfNoEntry: false });
  if (!stamp || !fs.existsSync(path.join(ROOT, 'out', 'main', 'index.js'))) return true;
  return SOURCES.some((source) => newest(path.join(ROOT, source)) > stamp.mtimeMs);
}

/** Says that out/ no longer holds a whole build of the sources. */
export const forgetBuild = () => fs.rmSync(STAMP, { force: true });

export function buildPrograms() {
  if (run(bin('vite'), ['build', '--config', 'vite.node.config.ts', '--logLevel', 'warn']).status !== 0) {
    throw new SetupError('the bundled servers could not be built');
  }
}

export function build() {
  const started = new Date();
  forgetBuild();
  fs.rmSync(path.join(ROOT, 'out'), { recursive: true, force: true });
  const app = run(bin('electron-vite'), ['build', '--logLevel', 'warn']);
  if (app.status !== 0) throw new SetupError('the app could not be built');
  buildPrograms();
  fs.mkdirSync(path.dirname(STAMP), { recursive: true });
  fs.writeFileSync(STAMP, '');
  // What was saved while building counts as newer.
  fs.utimesSync(STAMP, started, started);
}

export function buildIfStale() {
  if (!isStale()) return;
  process.stderr.write('building\n');
  build();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await program((args) => {
    ensureDependencies();
    if (args.includes('--if-stale')) buildIfStale();
    else build();
  });
}
