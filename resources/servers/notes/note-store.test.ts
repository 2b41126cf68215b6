import { execFileSync } from 'node:child_process';
import {
  linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoteProblem } from './note-file.ts';
import { NoteStore } from './note-store.ts';

let root: string;
let folder: string;
let store: NoteStore;
const opened: NoteStore[] = [];

async function openStore(now?: () => number): Promise<NoteStore> {
  const one = new NoteStore(folder, now);
  await one.open();
  opened.push(one);
  return one;
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-notes-'));
  folder = join(root, 'deep', 'notes');
  store = await openStore();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  rmSync(root, { recursive: true, force: true });
});

const add = (title: string, text = '', tags: string[] = []): ReturnType<NoteStore['add']> => store.add({ title, text, tags });
const titles = (notes: readonly { readonly title: string }[]): string[] => notes.map(({ title }) => title);

describe('keeping notes', () => {
  it('keeps each note in one Markdown file that only its owner may read', async () => {
    const note = await add('Groceries', '- milk\n', ['home']);
    const file = join(folder, `${note.id}.md`);
    expect(readFileSync(file, 'utf8')).toMatch(/^---\ntitle: Groceries\ntags: \[home\]\ncreated: .*Z\nupdated: .*Z\n---\n\n- milk\n$/);
    if (process.platform !== 'win32') {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
    expect(readdirSync(folder)).toEqual([`${note.id}.md`]);
  });

  it('still has every note when it is opened again', async () => {
    const note = await add('Groceries', '- milk\n', ['home']);
    expect(await (await openStore()).read(note.id)).toEqual(note);
  });

  it('gives ids that sort in the order in which notes were added, even within one millisecond', async () => {
    const frozen = await openStore(() => 1_800_000_000_000);
    const notes = await Promise.all(Array.from({ length: 20 }, (_, n) => frozen.add({ title: `n${n}`, text: '', tags: [] })));
    const ids = notes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(20);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('changes what is given and leaves the rest', async () => {
    const { id, created } = await add('Groceries', 'milk', ['home']);
    expect(await store.edit(id, { append: 'eggs' })).toMatchObject({ id, created, title: 'Groceries', text: 'milk\neggs', tags: ['home'] });
    expect(await store.edit(id, { title: 'Shopping', tags: [] })).toMatchObject({ title: 'Shopping', text: 'milk\neggs', tags: [] });
  });

  it('loses nothing when many edits come at once', async () => {
    const { id } = await add('Log');
    await Promise.all(Array.from({ length: 25 }, (_, n) => store.edit(id, { append: `line ${n}` })));
    expect((await store.read(id)).text.split('\n')).toEqual(Array.from({ length: 25 }, (_, n) => `line ${n}`));
  });

  it('refuses more than 1 MiB of text and keeps what was there', async () => {
    const { id } = await add('Big', 'x'.repeat(1_048_576));
    await expect(store.edit(id, { append: 'y' })).rejects.toThrow('at most 1 MiB');
    expect((await store.read(id)).text).toHaveLength(1_048_576);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('deletes a note for good', async () => {
    const { id } = await add('Gone');
    await store.remove(id);
    expect(readdirSync(folder)).toEqual([]);
    await expect(store.read(id)).rejects.toThrow(NoteProblem);
    await expect(store.remove(id)).rejects.toThrow('There is no note');
  });

  it('removes what a write that was cut short left behind, but not one that another program is busy with', async () => {
    const [old, fresh] = ['.note-00000000-0000-0000-0000-000000000001.tmp', '.note-00000000-0000-0000-0000-000000000002.tmp'];
    for (const name of [old, fresh]) writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, old), new Date(0), new Date(0));
    await openStore();
    expect(readdirSync(folder)).toEqual([fresh]);
  });
});

describe('finding notes', () => {
  it('wants every word, in any order and letter case, and puts hits in the title first', async () => {
    await add('Old trip', 'Paris in SPRING, by train');
    await add('Paris', 'nothing about seasons', ['Spring']);
    await add('Spring in Paris', 'x');
    await add('Spring', 'cleaning');
    expect(titles(await store.find('spring PARIS'))).toEqual(['Spring in Paris', 'Paris', 'Old trip']);
    expect((await store.find('train'))[0]?.excerpt).toBe('Paris in SPRING, by train');
    expect(await store.find('nowhere')).toEqual([]);
  });

  it('looks through texts that are too long to be kept in memory', async () => {
    await add('Long', `${'filler '.repeat(5_000)}needle`);
    expect((await store.find('needle'))[0]?.excerpt).toContain('needle');
  });

  it('lists the last changed first, by tag if asked', async () => {
    let now = 1_800_000_000_000;
    store = await openStore(() => (now += 1_000));
    const first = await add('First', '', ['Work']);
    await add('Second');
    await store.edit(first.id, { append: 'more' });
    expect(titles(await store.list())).toEqual(['First', 'Second']);
    expect(titles(await store.list('work'))).toEqual(['First']);
  });

  it('lists 10,000 notes quickly, and quicker still when nothing changed', async () => {
    for (let n = 0; n < 10_000; n += 1) {
      const file = join(folder, `n${n}.md`);
      // Links are much faster to make than files; some systems allow a thousand to one file.
      if (n % 1_000 === 0) writeFileSync(file, `---\ntitle: Note ${n}\n---\n\n${'Text '.repeat(100)}`);
      else linkSync(join(folder, `n${n - (n % 1_000)}.md`), file);
    }
    // The process's own time, in seconds: what else the machine does is not counted.
    const time = async (): Promise<number> => {
      const start = process.cpuUsage();
      expect(await store.list()).toHaveLength(10_000);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1e6;
    };
    const first = await time();
    expect(first).toBeLessThan(5);
    expect(await time()).toBeLessThan(Math.min(first, 2));
  }, 60_000);
});

describe('a folder that a person opens in an editor', () => {
  it('shows files that were added, changed and removed by others', async () => {
    const { id } = await add('Mine', 'old');
    await store.list();
    writeFileSync(join(folder, 'Shopping list.md'), '# Things to buy\n\n- milk');
    writeFileSync(join(folder, `${id}.md`), '---\ntitle: Mine\nmood: good\n---\nnew');
    expect(titles(await store.list()).toSorted()).toEqual(['Mine', 'Things to buy']);
    expect((await store.read(id)).text).toBe('new');
    rmSync(join(folder, 'Shopping list.md'));
    expect(titles(await store.list())).toEqual(['Mine']);
    await store.edit(id, { append: 'more' });
    expect(readFileSync(join(folder, `${id}.md`), 'utf8')).toContain('mood: good');
  });

  it('tells of changes by others without being asked, and once for each of its own', async () => {
    const heard = vi.fn();
    await store.list();
    store.onChange(heard);
    await add('Mine');
    expect(heard).toHaveBeenCalledTimes(1);
    await store.list();
    expect(heard).toHaveBeenCalledTimes(1);
    writeFileSync(join(folder, 'theirs.md'), 'hello');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), 5_000);
  });

  it('goes on when the whole folder was removed', async () => {
    await add('Mine');
    rmSync(folder, { recursive: true });
    expect(await store.list()).toEqual([]);
    await add('Again');
    expect(titles(await store.list())).toEqual(['Again']);
  });

  it('reads a file that is no UTF-8 or too large, but refuses to damage it', async () => {
    const latin = Buffer.from('caf\u00e9', 'latin1');
    writeFileSync(join(folder, 'latin.md'), latin);
    writeFileSync(join(folder, 'large.md'), 'x'.repeat(3_000_000));
    expect(await store.list()).toHaveLength(2);
    await expect(store.edit('latin', { append: 'x' })).rejects.toThrow('not UTF-8');
    await expect(store.edit('large', { append: 'x' })).rejects.toThrow('larger than 1 MiB');
    expect(readFileSync(join(folder, 'latin.md'))).toEqual(latin);
    expect(statSync(join(folder, 'large.md')).size).toBe(3_000_000);
  });
});

describe('the edge of the folder', () => {
  it('reads, changes and deletes nothing outside, whatever the id', async () => {
    writeFileSync(join(root, 'secret.md'), 'secret');
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'x.md'), 'x');
    const ids = ['../../secret', '..\\..\\secret', join(root, 'secret'), 'sub/x', './sub/x', '', '.', '..', 'a\u0000b', 'x'.repeat(5_000)];
    for (const id of ids) {
      await expect(store.read(id), id).rejects.toThrow(NoteProblem);
      await expect(store.edit(id, { text: 'changed' }), id).rejects.toThrow(NoteProblem);
      await expect(store.remove(id), id).rejects.toThrow(NoteProblem);
    }
    expect(readFileSync(join(root, 'secret.md'), 'utf8')).toBe('secret');
    expect(readFileSync(join(folder, 'sub', 'x.md'), 'utf8')).toBe('x');
  });

  it.skipIf(process.platform === 'win32')('follows no link and waits for no pipe', async () => {
    writeFileSync(join(root, 'secret.md'), 'secret');
    symlinkSync(join(root, 'secret.md'), join(folder, 'link.md'));
    execFileSync('mkfifo', [join(folder, 'pipe.md')]);
    mkdirSync(join(folder, 'directory.md'));
    expect(await store.list()).toEqual([]);
    for (const id of ['link', 'pipe', 'directory']) await expect(store.read(id), id).rejects.toThrow('There is no note');
    expect(await store.find('secret')).toEqual([]);
  });
});
