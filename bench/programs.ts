import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interactiveMark, type ElectronProgram } from './electron-window.ts';

export interface Folder extends AsyncDisposable {
  readonly path: string;
}
export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The built app with a home of its own, in which it finds what an earlier start of the same home has left. */
export async function appProgram(folder: string): Promise<ElectronProgram> {
  const person = join(folder, 'person');
  const home = join(folder, 'home');
  await mkdir(person, { recursive: true });
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Otherwise it would begin with its set-up.
  await writeFile(join(home, 'settings.json'), JSON.stringify({ setUp: true }), { mode: 0o600 });
  return { args: [process.cwd()], env: { HOME: person, GATEHOUSE_HOME: home } };
}

const manifest = JSON.stringify({ name: 'bare', version: '1.0.0', main: 'main.cjs' });
const main = `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow({ width: 1280, height: 800 }).loadFile('index.html'));
process.on('SIGTERM', () => app.quit());
`;
/** The mark is set as the app sets it: after the frame that draws the field. */
const page = `<!doctype html>
<meta charset="utf-8" /><title>Bare</title>
<textarea autofocus></textarea>
<script>requestAnimationFrame(() => setTimeout(() => performance.mark('${interactiveMark}')));</script>
`;

/** The least that is a window: one main module, one page with one text field, no framework. */
export async function bareProgram(folder: string): Promise<ElectronProgram> {
  const files = { 'package.json': manifest, 'main.cjs': main, 'index.html': page };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return { args: [folder], switches: [`--user-data-dir=${join(folder, 'data')}`], env: { HOME: folder } };
}
