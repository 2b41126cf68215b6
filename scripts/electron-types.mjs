/**
 * The types of the oldest Electron that the app must run on, for `tsconfig.electron33.json`. As a
 * dependency that Electron would want to download its binary; its archive holds the types alone.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT, SetupError, run } from './setup.mjs';

const SPEC = 'electron@33.2.1';
const INTEGRITY =
  'sha512-SG/nmSsK9Qg1p6wAW+ZfqU+AV8cmXMTIklUL18NnOKfZLlum4ZsDoVdmmmlL39ZmeCaq27dr7CgslRPahfoVJg==';
const FOLDER = path.join(ROOT, '.cache', 'electron-33.2.1');

export function ensureElectronTypes() {
  if (fs.existsSync(path.join(FOLDER, 'electron.d.ts'))) return;
  fs.mkdirSync(path.dirname(FOLDER), { recursive: true });
  const work = fs.mkdtempSync(`${FOLDER}.tmp-`);
  try {
    const packed = run('npm', ['pack', SPEC, '--silent', '--pack-destination', work], { stdio: ['ignore', 'ignore', 'inherit'] });
    const name = fs.readdirSync(work).find((file) => file.endsWith('.tgz'));
    if (packed.status !== 0 || !name) throw new SetupError(`\`npm pack ${SPEC}\` failed, see above`);
    const sum = `sha512-${createHash('sha512').update(fs.readFileSync(path.join(work, name))).digest('base64')}`;
    if (sum !== INTEGRITY) throw new SetupError(`${SPEC} is not what was pinned: ${sum}`);
    const untar = run('tar', ['-xzf', name, '--strip-components=1', 'package/electron.d.ts', 'package/LICENSE'], { cwd: work });
    if (untar.status !== 0) throw new SetupError('`tar` failed, see above');
    fs.rmSync(path.join(work, name));
    fs.rmSync(FOLDER, { recursive: true, force: true });
    fs.renameSync(work, FOLDER);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}
