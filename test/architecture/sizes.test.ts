import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDERS = ['src', 'test', 'scripts', 'resources', 'bench', 'conformance'];
const CODE = new Set(['.ts', '.tsx', '.mjs', '.js', '.cjs', '.css', '.sh', '.html']);
const WARN = 250;
const LIMIT = 400;

const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const sizes = FOLDERS.filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => CODE.has(extname(file)))
  .map((file) => ({ file, lines: lineCount(readFileSync(file, 'utf8')) }));

it(`no file is longer than ${LIMIT} lines`, () => {
  expect(sizes.length).toBeGreaterThan(0);
  const long = sizes.filter(({ lines }) => lines > WARN).map(({ file, lines }) => `${file}: ${lines} lines`);
  if (long.length > 0) console.warn(`Longer than ${WARN} lines, soon to be split:\n  ${long.join('\n  ')}`);
  expect(sizes.filter(({ lines }) => lines > LIMIT)).toEqual([]);
});
