import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const OUT = 'out';
const scriptsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?js$/.test(file))
    .map((file) => join(folder, file));
/** A scan, not a parse, which would take long for a megabyte on one line. */
const importsOf = (file: string): string[] =>
  ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);
const isNode = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);

beforeAll(() => {
  if (!existsSync(join(OUT, 'main/index.js'))) throw new Error('nothing is built: `npm run build` first');
});

describe('the preload', () => {
  const file = join(OUT, 'preload/app.cjs');

  it('loads Electron and nothing else', () => {
    expect([...new Set(importsOf(file))]).toEqual(['electron']);
  });

  it('holds no schema library', () => {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/node:|\bZod\w+|\bzod\b/);
    expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024);
  });
});

describe('the window', () => {
  it('loads nothing of Node or Electron', () => {
    const files = scriptsIn(join(OUT, 'renderer'));
    expect(files.length).toBeGreaterThan(0);
    const refused = (name: string): boolean => isNode(name) || name === 'electron';
    const loaded = files.flatMap((file) => importsOf(file).filter(refused).map((name) => `${file}: ${name}`));
    expect(loaded).toEqual([]);
  });

  it('loads nothing from elsewhere', () => {
    const html = readFileSync(join(OUT, 'renderer/index.html'), 'utf8');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('begins with one script of its own, without a schema library', () => {
    const html = readFileSync(join(OUT, 'renderer/index.html'), 'utf8');
    const first = [...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="\.\/([^"]+\.js)"/g)].flatMap(([, file]) => file ?? []);
    expect(first.length).toBeGreaterThan(0);
    // The other one is the bundler's own, of a few lines.
    expect(first.filter((file) => readFileSync(join(OUT, 'renderer', file), 'utf8').length > 2_000)).toHaveLength(1);
    for (const file of first) expect(readFileSync(join(OUT, 'renderer', file), 'utf8')).not.toMatch(/ZodError|\$ZodType/);
  });

  it('has a size to be looked at', () => {
    const files = readdirSync(join(OUT, 'renderer'), { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css|html)$/.test(file));
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(OUT, 'renderer', file))).length, 0);
    console.log(`the window's scripts and styles: ${(bytes / 1024).toFixed(0)} kB compressed, ${files.length} files`);
    expect(bytes).toBeGreaterThan(0);
  });
});

describe('the shell', () => {
  it('makes the window before any schema library or the core is loaded', () => {
    const texts = loadedWith([join(OUT, 'main/index.js')]).map((file) => readFileSync(file, 'utf8'));
    expect(texts.filter((text) => /ZodError|\$ZodType/.test(text))).toEqual([]);
    expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(100_000);
  });

  it('opens the core without the MCP client library and the reader of YAML, which come with what needs them', () => {
    const files = scriptsIn(join(OUT, 'main'));
    const holders = ['mcp.sdk.errorBrands', 'tag:yaml.org,2002:'].map((mark) => files.filter((file) => readFileSync(file, 'utf8').includes(mark)));
    expect(holders.map(({ length }) => length)).toEqual([1, 1]);
    const index = join(OUT, 'main/index.js');
    const lateOf = (file: string): string[] => [...readFileSync(file, 'utf8').matchAll(/\bimport\(["'`](\.[^"'`]+)["'`]\)/g)].map(([, name]) => join(file, '..', name ?? ''));
    const opened = [index, ...loadedWith([index]).flatMap(lateOf)];
    expect(opened.filter((file) => /[\\/](?:app|node-ports)-[^\\/]+\.js$/.test(file))).toHaveLength(2);
    const loaded = loadedWith(opened);
    console.log(`what the app starts with: ${(loaded.reduce((sum, file) => sum + readFileSync(file).length, 0) / 1024).toFixed(0)} kB`);
    expect(loaded.filter((file) => holders.flat().includes(file))).toEqual([]);
  });
});

describe('what runs under Node', () => {
  it.each(['main', 'chunks'])('brings up the way out over HTTP with the first request, and not before: %s', (folder) => {
    const files = scriptsIn(join(OUT, folder));
    const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
    const holders = files.filter((file) => texts.get(file)?.includes('undici.globalDispatcher.1'));
    expect(holders).not.toEqual([]);
    const early = files.filter((file) => !holders.includes(file) && staticImportsOf(file).some((name) => holders.includes(join(file, '..', name))));
    expect(early).toEqual([]);
  });

  it('finds everything in the bundle but Electron, the keyring and Node itself', () => {
    const folders = ['main', 'servers', 'cli', 'chunks'].map((name) => join(OUT, name)).filter((folder) => existsSync(folder));
    const files = folders.flatMap((folder) => scriptsIn(folder));
    const loaded = files.flatMap((file) => staticImportsOf(file).map((name) => `${file}: ${name}`));
    const allowed = /: (?:\.|node:|electron$|@napi-rs\/keyring$)/;
    expect(loaded.filter((line) => !allowed.test(line) && !isNode(line.slice(line.lastIndexOf(': ') + 2)))).toEqual([]);
  });

  it('the command line that works on the running app loads neither the core nor the keyring', () => {
    const texts = loadedWith([join(OUT, 'cli/main.js')]).map((file) => readFileSync(file, 'utf8'));
    expect(texts.filter((text) => text.includes('@napi-rs/keyring'))).toEqual([]);
    expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(700_000);
  });

  it.each(['cli/main.js', 'servers/notes.js', 'servers/files.js'])('%s is there', (file) => {
    expect(existsSync(join(OUT, file))).toBe(true);
  });
});

it('no bundle names a path of the machine that built it', () => {
  const places = [resolve('.'), homedir()].map((place) => `${place}/`).filter((place) => place !== '//');
  const naming = scriptsIn(OUT).filter((file) => {
    const text = readFileSync(file, 'utf8');
    return places.some((place) => text.includes(place));
  });
  expect(naming).toEqual([]);
});

/** These, and every file of ours that their `import` statements bring along. */
function loadedWith(files: readonly string[]): string[] {
  const loaded = new Set(files);
  for (const file of loaded) for (const name of staticImportsOf(file)) if (name.startsWith('.')) loaded.add(join(file, '..', name));
  return [...loaded];
}

/** `import` statements, many on one line where the bundle is small: packages also hold `require` and `import()` for what they may do without. */
function staticImportsOf(file: string): string[] {
  const statements = readFileSync(file, 'utf8').matchAll(/(?:^|;)(?:import\b[^'"\n;(]*?|export\b[^'"\n;(=]*?from ?)["']([^"']+)["'](?=;|$)/gm);
  return [...statements].map((match) => match[1] ?? '');
}
