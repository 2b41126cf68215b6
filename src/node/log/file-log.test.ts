import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createFileLog } from './file-log.ts';

const plain = (text: string): string => text;
const linesOf = (file: string): Record<string, unknown>[] => readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));

it('writes one JSON line each, with time, level, message and data, and an error with its causes', () => {
  const file = join(tempFolder(), 'logs', 'gatehouse.log');
  using log = createFileLog({ file, mask: plain, now: () => 0 });
  log.info('started', { servers: 2 });
  log.warn('slow');
  log.error('broke', new Error('outer\nline', { cause: Object.assign(new TypeError('inner'), { code: 'EX' }) }));
  const [info, warn, error] = linesOf(file);
  expect(info).toEqual({ at: '1970-01-01T00:00:00.000Z', level: 'info', message: 'started', data: { servers: 2 } });
  expect(warn).toEqual({ at: '1970-01-01T00:00:00.000Z', level: 'warn', message: 'slow' });
  expect(error).toMatchObject({ level: 'error', error: { name: 'Error', message: 'outer\nline', cause: { name: 'TypeError', message: 'inner', code: 'EX' } } });
});

it('only its owner can read it', () => {
  const file = join(tempFolder(), 'logs', 'gatehouse.log');
  mkdirSync(join(file, '..'));
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  using log = createFileLog({ file, mask: plain });
  log.info('x');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('every line goes through the mask, stacks and data too', () => {
  const file = join(tempFolder(), 'gatehouse.log');
  using log = createFileLog({ file, mask: (text) => text.replaceAll('hunter22', '•••') });
  log.info('hunter22', { deep: ['hunter22'] });
  log.error('hunter22', new Error('hunter22', { cause: 'hunter22' }));
  expect(readFileSync(file, 'utf8')).not.toContain('hunter22');
  expect(linesOf(file).length).toBe(2);
});

it('is cut into files of bounded size, of which the two before the last are kept', () => {
  const folder = tempFolder();
  const file = join(folder, 'gatehouse.log');
  using log = createFileLog({ file, mask: plain, maxBytes: 1_000 });
  for (let n = 0; n < 100; n++) log.info(`line ${n}`);
  expect(readdirSync(folder).toSorted()).toEqual(['gatehouse.log', 'gatehouse.log.1', 'gatehouse.log.2']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(1_100);
  const kept = ['.2', '.1', ''].flatMap((end) => linesOf(file + end)).map((line) => line.message);
  expect(kept.at(-1)).toBe('line 99');
  expect(kept).toEqual(kept.map((_, index) => `line ${100 - kept.length + index}`));
});

it('a log that is too long from an earlier start is rotated before the first line', () => {
  const file = join(tempFolder(), 'gatehouse.log');
  writeFileSync(file, 'x'.repeat(2_000));
  using log = createFileLog({ file, mask: plain, maxBytes: 1_000 });
  log.info('first');
  expect(linesOf(file).length).toBe(1);
  expect(statSync(`${file}.1`).size).toBe(2_000);
});

it('never throws: lines that cannot be written are dropped and counted, whatever they hold', () => {
  const folder = tempFolder();
  const file = join(folder, 'gatehouse.log');
  mkdirSync(file);
  const log = createFileLog({ file, mask: plain });
  log.info('lost');
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  log.info('lost too', circle);
  rmdirSync(file);
  log.info('kept', { n: 1 });
  log.info('after');
  expect(linesOf(file).map(({ message, dropped }) => [message, dropped])).toEqual([['kept', 2], ['after', undefined]]);
  log[Symbol.dispose]();
  log.info('too late');
  expect(linesOf(file).length).toBe(2);
});

it('a huge line is cut, and stays JSON', () => {
  const file = join(tempFolder(), 'gatehouse.log');
  using log = createFileLog({ file, mask: plain });
  log.info('x'.repeat(200_000));
  expect(linesOf(file)[0]).toMatchObject({ level: 'info' });
  expect(statSync(file).size).toBeLessThan(80_000);
});

it('does not write through a link', () => {
  const folder = tempFolder();
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'gatehouse.log'));
  using log = createFileLog({ file: join(folder, 'gatehouse.log'), mask: plain });
  log.info('x');
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
});
