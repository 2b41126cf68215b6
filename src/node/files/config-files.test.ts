import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { editSource, type FileEdit } from '../../core/formats/edit-source.ts';
import { readSource } from '../../core/formats/read-source.ts';
import type { ConfigFiles } from '../../core/ports.ts';
import { createConfigFiles } from './config-files.ts';

const signal = new AbortController().signal;
const asRoot = process.getuid?.() === 0;
const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

/** A home and, apart from it, a folder of the person's. */
function places(mask = (text: string): string => text): { readonly files: ConfigFiles; readonly home: string; readonly folder: string; readonly backups: string } {
  const root = tempFolder();
  const home = join(root, 'home');
  const folder = join(root, 'person');
  for (const path of [home, folder]) mkdirSync(path);
  const backups = join(home, 'backups');
  const onProblem = (error: unknown): void => expect.fail(String(error));
  return { files: createConfigFiles({ backups, mask, onProblem }), home, folder, backups };
}
const textsIn = (folder: string): readonly string[] => readdirSync(folder).toSorted().map((name) => readFileSync(join(folder, name), 'utf8'));

describe('reading', () => {
  it('gives the text without its byte-order mark, and nothing for what is not there', async () => {
    const { files, folder } = places();
    writeFileSync(join(folder, 'a.json'), '\uFEFF{}');
    expect(await files.read(join(folder, 'a.json'), signal)).toBe('{}');
    expect(await files.read(join(folder, 'b.json'), signal)).toBeUndefined();
    expect(await files.read(join(folder, 'a.json', 'b.json'), signal)).toBeUndefined();
    symlinkSync('gone', join(folder, 'link'));
    expect(await files.read(join(folder, 'link'), signal)).toBeUndefined();
  });

  it('refuses what is too large or no UTF-8 text', async () => {
    const { files, folder } = places();
    const path = join(folder, 'a.json');
    writeFileSync(path, Buffer.alloc(8 * 1024 * 1024, ' '));
    expect(await files.read(path, signal)).toHaveLength(8 * 1024 * 1024);
    writeFileSync(path, Buffer.alloc(8 * 1024 * 1024 + 1, ' '));
    await expect(files.read(path, signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'too-large' } });
    writeFileSync(path, Buffer.from('{"name":"café"}', 'latin1'));
    await expect(files.read(path, signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'not-utf-8' } });
    await expect(files.update(path, () => '{}', signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'not-utf-8' } });
    expect(readFileSync(path, 'latin1')).toBe('{"name":"café"}');
  });

  it.skipIf(process.platform === 'win32')('answers at once for a pipe, a device and a folder, and touches none of them', async () => {
    const { files, folder } = places();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/zero', join(folder, 'device'));
    for (const name of ['pipe', 'folder', 'device']) {
      const refused = { code: 'storage/failed', data: { reason: name === 'folder' ? /EISDIR|not-a-file/ : 'not-a-file' } };
      const expected = name === 'folder' ? { code: 'storage/failed' } : refused;
      await expect(files.read(join(folder, name), signal)).rejects.toMatchObject(expected);
      await expect(files.remove(join(folder, name), signal)).rejects.toMatchObject(expected);
    }
    await expect(files.update(join(folder, 'pipe'), () => 'x', signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'not-a-file' } });
    expect(lstatSync(join(folder, 'pipe')).isFIFO()).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['device', 'folder', 'pipe']);
  });

  it('takes whole paths only', async () => {
    const { files } = places();
    for (const path of ['a.json', './a.json', '', '/tmp/a\0b']) await expect(files.read(path, signal)).rejects.toMatchObject({ code: 'request/invalid' });
  });
});

describe('saving', () => {
  it('keeps byte-order mark, line ends, mode and symlink, and what the file held before', async () => {
    const { files, folder, backups } = places();
    mkdirSync(join(folder, 'dotfiles'));
    const target = join(folder, 'dotfiles', 'mcp.json');
    writeFileSync(target, '\uFEFF{\r\n}\r\n');
    chmodSync(target, 0o640);
    symlinkSync('dotfiles/mcp.json', join(folder, 'mcp.json'));
    await files.update(join(folder, 'mcp.json'), (current) => (current ?? '').replace('{', '{ // mine'), signal);
    expect(readFileSync(target, 'utf8')).toBe('\uFEFF{ // mine\r\n}\r\n');
    expect(readlinkSync(join(folder, 'mcp.json'))).toBe('dotfiles/mcp.json');
    expect(modeOf(target)).toBe('640');
    expect(textsIn(backups)).toEqual(['\uFEFF{\r\n}\r\n']);
    expect([modeOf(backups), ...readdirSync(backups).map((name) => modeOf(join(backups, name)))]).toEqual(['700', '600']);
    expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['mcp.json']);
  });

  it.runIf(asRoot)("keeps the owner of another person's file where it may", async () => {
    const { files, folder } = places();
    const path = join(folder, 'a.json');
    writeFileSync(path, '{}');
    chownSync(path, 12_345, 12_346);
    await files.update(path, () => '[]', signal);
    expect(statSync(path)).toMatchObject({ uid: 12_345, gid: 12_346 });
  });

  it('makes the folders of a new file: private ones in the home, ordinary ones elsewhere', async () => {
    const { files, home, folder } = places();
    const before = process.umask(0o022);
    try {
      await files.update(join(home, 'profiles', 'deep', 'a.toml'), () => 'x', signal);
      await files.update(join(folder, '.gatehouse', 'mcp.json'), () => '{}', signal);
    } finally {
      process.umask(before);
    }
    expect([join(home, 'profiles'), join(home, 'profiles', 'deep'), join(home, 'profiles', 'deep', 'a.toml')].map(modeOf)).toEqual(['700', '700', '600']);
    expect([join(folder, '.gatehouse'), join(folder, '.gatehouse', 'mcp.json')].map(modeOf)).toEqual(['755', '644']);
  });

  it('that changes nothing writes nothing and makes nothing', async () => {
    const { files, folder } = places();
    writeFileSync(join(folder, 'a.json'), '{}');
    const before = statSync(join(folder, 'a.json')).ino;
    await files.update(join(folder, 'a.json'), (current) => current ?? '', signal);
    await files.update(join(folder, 'b.json'), (current) => current ?? '', signal);
    expect(statSync(join(folder, 'a.json')).ino).toBe(before);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('an edit that throws leaves the file as it is, and its error comes through', async () => {
    const { files, folder } = places();
    writeFileSync(join(folder, 'a.json'), 'old');
    const refusal = new RangeError('no');
    await expect(files.update(join(folder, 'a.json'), () => { throw refusal; }, signal)).rejects.toBe(refusal);
    expect(textsIn(folder)).toEqual(['old']);
  });

  it('what another program writes meanwhile is never overwritten: it is read and edited anew', async () => {
    const { files, folder } = places();
    const path = join(folder, 'a.json');
    writeFileSync(path, 'mine');
    const seen: (string | undefined)[] = [];
    await files.update(path, (current) => {
      seen.push(current);
      if (seen.length === 1) writeFileSync(path, 'theirs');
      return `${current ?? ''} edited`;
    }, signal);
    expect(seen).toEqual(['mine', 'theirs']);
    expect(readFileSync(path, 'utf8')).toBe('theirs edited');
    const made = join(folder, 'b.json');
    await files.update(made, (current) => {
      if (current === undefined) writeFileSync(made, 'first');
      return `${current ?? ''} edited`;
    }, signal);
    expect(readFileSync(made, 'utf8')).toBe('first edited');
    let writes = 0;
    const never = files.update(path, (current) => {
      writeFileSync(path, `theirs ${String((writes += 1))}`);
      return `${current ?? ''} edited`;
    }, signal);
    await expect(never).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'changing' } });
    expect(readFileSync(path, 'utf8')).toBe(`theirs ${String(writes)}`);
    expect(readdirSync(folder)).toEqual(['a.json', 'b.json']);
  });

  it('a read-only file stays as it is', async () => {
    const { files, folder } = places();
    writeFileSync(join(folder, 'a.json'), 'old');
    chmodSync(join(folder, 'a.json'), 0o444);
    await expect(files.update(join(folder, 'a.json'), () => 'new', signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'read-only' } });
    expect(textsIn(folder)).toEqual(['old']);
  });

  it('a folder in which nothing can be made is storage/failed with the reason, and the file stays', async () => {
    const { files } = places();
    await expect(files.update('/proc/self/status', () => 'x', signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: expect.any(String) } });
    await expect(files.update('/proc/self/none/mcp.json', () => 'x', signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: expect.any(String) } });
  });

  it('keeps the last ten states of each file, under a name that says which', async () => {
    const { files, folder, backups } = places();
    for (let n = 0; n <= 12; n++) await files.update(join(folder, 'a.json'), () => String(n), signal);
    await files.update(join(folder, 'b.json'), () => 'one', signal);
    await files.update(join(folder, 'b.json'), () => 'two', signal);
    const names = readdirSync(backups).toSorted();
    expect(names.filter((name) => name.includes('person_a.json.')).map((name) => readFileSync(join(backups, name), 'utf8'))).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 2)));
    expect(names.filter((name) => name.includes('person_b.json.'))).toHaveLength(1);
  });

  it('a secret that went to the vault is in no backup, not even in one from before', async () => {
    const known = new Set<string>();
    const { files, folder, backups } = places((text) => [...known].reduce((masked, value) => masked.replaceAll(value, '•••'), text));
    const path = join(folder, 'a.json');
    writeFileSync(path, '{"key":"canary-1"}');
    await files.update(path, () => '{"key":"canary-1","more":1}', signal);
    expect(textsIn(backups)).toEqual(['{"key":"canary-1"}']);
    known.add('canary-1');
    await files.update(path, () => '{"key":{"secretRef":"k"}}', signal);
    expect(textsIn(backups)).toEqual(['{"key":"•••"}', '{"key":"•••","more":1}']);
    expect(readdirSync(backups).map((name) => modeOf(join(backups, name)))).toEqual(['600', '600']);
  });
});

describe('removing and listing', () => {
  it('a removed file is kept in the backups; of a link only the link goes', async () => {
    const { files, folder, backups } = places();
    writeFileSync(join(folder, 'real'), 'text');
    symlinkSync('real', join(folder, 'link'));
    await files.remove(join(folder, 'link'), signal);
    expect(readdirSync(folder)).toEqual(['real']);
    await files.remove(join(folder, 'real'), signal);
    await files.remove(join(folder, 'real'), signal);
    await files.remove(join(folder, 'none', 'real'), signal);
    expect(readdirSync(folder)).toEqual([]);
    expect(textsIn(backups)).toEqual(['text', 'text']);
  });

  it('lists files by name, without folders, locks and files being written', async () => {
    const { files, folder } = places();
    for (const name of ['b.toml', 'a.toml', '.hidden', '.a.toml.lock', '.a.toml.1-ff.tmp']) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, 'c'));
    expect(await files.list(folder, signal)).toEqual(['.hidden', 'a.toml', 'b.toml']);
    expect(await files.list(join(folder, 'none'), signal)).toEqual([]);
    expect(await files.list(join(folder, 'a.toml'), signal)).toEqual([]);
  });
});

it('[O25] a file with a byte-order mark, comments and trailing commas is read and edited in place with a backup; a broken one is said with line and column and never touched', async () => {
  const { files, folder, backups } = places();
  const path = join(folder, 'mcp.json');
  const bytes = '\uFEFF{ // mine\n "mcpServers": { "a": {"command":"x",}, /* "b": {"command":"y"} */ }, "other": 1, }';
  writeFileSync(path, bytes);
  const read = async (file: string) => readSource((await files.read(file, signal)) ?? '', { file, shape: 'gatehouse' });
  expect(await read(path)).toMatchObject({ broken: false, issues: [], entries: [{ name: 'a', fields: { command: 'x' } }] });
  const edits: readonly FileEdit[] = [{ op: 'put', name: 'a', fields: { command: 'z' } }, { op: 'put', name: 'c', fields: { url: 'https://c/mcp' } }];
  await files.update(path, (current) => editSource(current, edits), signal);
  expect(readFileSync(path, 'utf8')).toBe(
    '\uFEFF{ // mine\n "mcpServers": { "a": {"command":"z",}, /* "b": {"command":"y"} */ "c": { "url": "https://c/mcp" }, }, "other": 1, }',
  );
  expect(textsIn(backups)).toEqual([bytes]);
  expect(await read(path)).toMatchObject({ broken: false, issues: [], entries: [{ name: 'a' }, { name: 'c' }] });
  for (const [text, shape] of [['{"servers":{"a":{"command":"x"}}}', 'servers'], ['{"a":{"command":"x"}}', 'bare map']]) {
    writeFileSync(join(folder, 'other.json'), text ?? '');
    expect((await read(join(folder, 'other.json'))).entries, shape).toMatchObject([{ name: 'a', fields: { command: 'x' } }]);
  }

  const bad = join(folder, 'broken.json');
  writeFileSync(bad, '{\n  "mcpServers": { "a" {} }\n}');
  expect(await read(bad)).toMatchObject({ broken: true, entries: [], issues: [{ code: 'unparsable', file: bad, line: 2, column: expect.any(Number) }] });
  await expect(files.update(bad, (current) => editSource(current, edits), signal)).rejects.toMatchObject({ code: 'config/invalid', data: { line: 2, column: expect.any(Number) } });
  expect(readFileSync(bad, 'utf8')).toBe('{\n  "mcpServers": { "a" {} }\n}');
  expect(await read(path)).toMatchObject({ broken: false, entries: [{ name: 'a' }, { name: 'c' }] });
  expect(readdirSync(folder).toSorted()).toEqual(['broken.json', 'mcp.json', 'other.json']);
});

describe('with other processes', () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram('test/support/programs/storage-child.ts');
  });
  afterAll(() => program[Symbol.asyncDispose]());

  it('three that save at once lose nothing', async () => {
    const { files, folder, backups } = places();
    const path = join(folder, 'mcp.json');
    const children = [1, 2].map(() => ChildProgram.node(program.file, 'edit-config', backups, path, '15'));
    const mine = (n: number): readonly FileEdit[] => [{ op: 'put', name: `mine-${String(n)}`, fields: { command: 'x' } }];
    await Promise.all(Array.from({ length: 15 }, (_, n) => files.update(path, (current) => editSource(current, mine(n)), signal)));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
    expect(readSource(readFileSync(path, 'utf8'), { file: path, shape: 'gatehouse' }).entries).toHaveLength(45);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it('one that is killed while it saves leaves the old or the new file, whole', async () => {
    const { files, folder, backups } = places();
    const path = join(folder, 'mcp.json');
    const entries = (): number => {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const parsed = readSource(text, { file: path, shape: 'gatehouse' });
      expect(parsed.issues).toEqual([]);
      return parsed.entries.length;
    };
    const large: FileEdit = { op: 'set', path: ['large'], value: 'x'.repeat(1_000_000) };
    await files.update(path, (current) => editSource(current, [large]), signal);
    for (let round = 0; round < 4; round++) {
      const before = entries();
      const writer = ChildProgram.node(program.file, 'edit-config', backups, path, '1000');
      await writer.line((_, index) => index === round % 2);
      for await (const { filename } of watch(folder)) if (filename !== null && !filename.includes('.lock')) break;
      await writer.kill();
      expect(entries()).toBeGreaterThanOrEqual(before + writer.lines.length);
    }
    await files.update(path, (current) => editSource(current, [{ op: 'remove', name: 'none' }, { op: 'switch', enabled: true }]), signal);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  }, 60_000);
});
