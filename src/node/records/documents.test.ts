import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createDocuments } from './documents.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram('test/support/programs/storage-child.ts');
});
afterAll(() => program[Symbol.asyncDispose]());

const signal = new AbortController().signal;
async function changeIn(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename !== null && !filename.includes('.lock') && filename !== 'backups') return;
}
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

it('a document that is not there reads as nothing, and is made with mode 600 by the first update', async () => {
  const folder = tempFolder();
  const documents = createDocuments(folder);
  expect(await documents.read('mcp.json', signal)).toBeUndefined();
  await documents.update('mcp.json', (current) => `${current ?? 'new'}!`, signal);
  expect(await documents.read('mcp.json', signal)).toBe('new!');
  expect(modeOf(join(folder, 'mcp.json'))).toBe('600');
  expect(readdirSync(folder)).toEqual(['mcp.json']);
});

it('an update keeps the mode that the person gave the file', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mcp.json'), 'a');
  chmodSync(join(folder, 'mcp.json'), 0o664);
  await createDocuments(folder).update('mcp.json', () => 'b', signal);
  expect(modeOf(join(folder, 'mcp.json'))).toBe('664');
});

it.each([
  ['that exists', true],
  ['that does not exist yet', false],
])('an update writes through a symlink to the file %s and leaves the link', async (_, exists) => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'dotfiles'));
  if (exists) writeFileSync(join(folder, 'dotfiles', 'mine.json'), 'a');
  symlinkSync('dotfiles/mine.json', join(folder, 'mcp.json'));
  await createDocuments(folder).update('mcp.json', (current) => `${current ?? ''}b`, signal);
  expect(readFileSync(join(folder, 'dotfiles', 'mine.json'), 'utf8')).toBe(exists ? 'ab' : 'b');
  expect(lstatSync(join(folder, 'mcp.json')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(folder, 'mcp.json'))).toBe('dotfiles/mine.json');
  expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['mine.json']);
});

it('a byte order mark is kept and not shown', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mcp.json'), '\uFEFF{}');
  const documents = createDocuments(folder);
  expect(await documents.read('mcp.json', signal)).toBe('{}');
  await documents.update('mcp.json', (current) => `${current ?? ''} `, signal);
  expect(readFileSync(join(folder, 'mcp.json'), 'utf8')).toBe('\uFEFF{} ');
});

it('a file in another encoding is reported and left alone', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mcp.json'), Buffer.from('{"name":"café"}', 'latin1'));
  const documents = createDocuments(folder);
  await expect(documents.read('mcp.json', signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'not-utf-8' } });
  await expect(documents.update('mcp.json', () => 'x', signal)).rejects.toMatchObject({ code: 'storage/failed' });
  expect(readFileSync(join(folder, 'mcp.json'), 'latin1')).toBe('{"name":"café"}');
});

it('an edit that throws leaves the file as it is, and its error comes through untouched', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mcp.json'), 'old');
  const documents = createDocuments(folder);
  const refusal = new RangeError('no');
  const refused = documents.update('mcp.json', () => { throw refusal; }, signal);
  await expect(refused).rejects.toBe(refusal);
  expect(readFileSync(join(folder, 'mcp.json'), 'utf8')).toBe('old');
  await documents.update('mcp.json', () => 'new', signal);
  expect(readFileSync(join(folder, 'mcp.json'), 'utf8')).toBe('new');
});

it('an edit that changes nothing does not touch the file', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mcp.json'), 'same');
  const before = statSync(join(folder, 'mcp.json')).ino;
  await createDocuments(folder).update('mcp.json', (current) => current ?? '', signal);
  expect(statSync(join(folder, 'mcp.json')).ino).toBe(before);
});

it('what a file held before its last changes is kept in the folder of backups', async () => {
  const folder = tempFolder();
  const documents = createDocuments(folder);
  for (const text of ['one', 'two', 'three']) await documents.update('mcp.json', () => text, signal);
  const kept = readdirSync(join(folder, 'backups')).toSorted();
  expect(kept.map((name) => readFileSync(join(folder, 'backups', name), 'utf8'))).toEqual(['one', 'two']);
  expect(modeOf(join(folder, 'backups'))).toBe('700');
});

it.each(['../mcp.json', 'a/b', 'a\\b', '..', '', '.hidden', '/etc/passwd', 'a\0b', 'x'.repeat(101)])('the name %j is refused', async (name) => {
  const documents = createDocuments(tempFolder());
  await expect(documents.read(name, signal)).rejects.toMatchObject({ code: 'request/invalid' });
  await expect(documents.update(name, () => 'x', signal)).rejects.toMatchObject({ code: 'request/invalid' });
});

it('an aborted update does nothing', async () => {
  const folder = tempFolder();
  await expect(createDocuments(folder).update('mcp.json', () => 'x', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(folder)).toEqual([]);
});

it('a folder that cannot be written is storage/failed with the reason', async () => {
  await expect(createDocuments('/proc/1').update('mcp.json', () => 'x', signal)).rejects.toMatchObject({ code: 'storage/failed' });
});

it('updates at once in one process and from three processes lose nothing', async () => {
  const folder = tempFolder();
  const children = [1, 2].map(() => ChildProgram.node(program.file, 'count-up', folder, 'n.json', '40'));
  const documents = createDocuments(folder);
  await Promise.all(Array.from({ length: 40 }, () => documents.update('n.json', (current) => String(Number(current ?? '0') + 1), signal)));
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
  expect(readFileSync(join(folder, 'n.json'), 'utf8')).toBe('120');
});

it('a writer killed while it holds the lock does not keep the next one waiting', async () => {
  const folder = tempFolder();
  const holder = ChildProgram.node(program.file, 'hold-document', folder, 'mcp.json');
  await holder.line((line) => line === 'inside');
  expect(existsSync(join(folder, '.mcp.json.lock'))).toBe(true);
  await holder.kill();
  await createDocuments(folder).update('mcp.json', () => 'mine', signal);
  expect(readdirSync(folder)).toEqual(['mcp.json']);
});

it('a writer killed at any moment, 16 times, leaves the old or the new document, never a mix, and nothing reported as saved is lost', async () => {
  const folder = tempFolder();
  let last = 0;
  for (let round = 0; round < 16; round++) {
    const writer = ChildProgram.node(program.file, 'write-documents', folder, 'mcp.json', String(last + 1));
    await writer.line((_, index) => index === round % 3);
    // Every other time in the middle of writing: as soon as a file that is no lock begins to change.
    if (round % 2 === 0) await changeIn(folder);
    await writer.kill();
    const { n, part, again } = JSON.parse(readFileSync(join(folder, 'mcp.json'), 'utf8')) as { n: number; part: string; again: number }; // fails below if not
    expect(again).toBe(n);
    expect(part).toBe(String(n).repeat(800_000));
    expect(n).toBeGreaterThanOrEqual(Number(writer.lines.at(-1)));
    last = n;
  }
  await createDocuments(folder).update('mcp.json', () => 'end', signal);
  expect(readdirSync(folder).toSorted()).toEqual(['backups', 'mcp.json']);
}, 60_000);
