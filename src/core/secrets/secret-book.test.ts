import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryKeyring } from '../../../test/support/memory-keyring.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { systemClock } from '../../node/clock.ts';
import { createDocuments } from '../../node/records/documents.ts';
import { createVault, type FileVault } from '../../node/vault/vault.ts';
import { Revision, ServerId } from '../../shared/ids.ts';
import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import type { SecretPolicy } from '../../shared/model/secret-entry.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { Secret } from '../kernel/secret.ts';
import { Redactor } from './redactor.ts';
import { SecretBook, type NamedUse, type SecretBookDeps } from './secret-book.ts';
import { inputKeyOf, secretIdOf, secretNameOf } from './secret-id.ts';

const signal = new AbortController().signal;
const key = (text: string) => SecretKey.parse(text);
const shop = '/projects/shop';

class Bench {
  readonly folder = tempFolder();
  readonly redactor = new Redactor();
  readonly lines: { readonly message: string; readonly data: JsonObject | undefined }[] = [];
  readonly renamed: string[] = [];
  readonly vault: FileVault = createVault({ folder: join(this.folder, 'vault'), keyring: new MemoryKeyring(), clock: systemClock });
  project: string | undefined = shop;
  uses: readonly NamedUse[] = [];
  defaultPolicy: SecretPolicy = 'prompt';
  /** In place of rewriting files. */
  onRename: () => void = () => undefined;
  changes = 0;

  async book(over: Partial<SecretBookDeps> = {}): Promise<SecretBook> {
    const note = (message: string, data?: JsonObject): void => void this.lines.push({ message, data });
    const book = new SecretBook({
      vault: this.vault, documents: createDocuments(this.folder), clock: systemClock, redactor: this.redactor,
      log: { info: note, warn: note, error: (message) => note(message) },
      project: () => this.project, defaultPolicy: () => this.defaultPolicy, uses: () => this.uses,
      renameReferences: async (scope, from, to) => {
        this.renamed.push(`${scope} ${from} ${to}`);
        this.onRename();
        this.uses = this.uses.map((use) => (use.key === from && use.scope === scope ? { ...use, key: to } : use));
      },
      onChange: () => void (this.changes += 1),
      ...over,
    });
    await book.load(signal);
    return book;
  }

  get file(): string {
    return readFileSync(join(this.folder, 'secrets.json'), 'utf8');
  }
}

let bench: Bench;
let book: SecretBook;
beforeEach(async () => {
  const made = (bench = new Bench());
  onTestFinished(() => made.vault[Symbol.asyncDispose]());
  await bench.vault.open(signal);
  book = await bench.book();
});
const put = (scope: ConfigScope, name: string, value: string, policy?: SecretPolicy) =>
  book.put(scope, key(name), new Secret(value), policy === undefined ? {} : { policy }, signal);
const used = (name: string, scope: ConfigScope = 'global', field = 'env.K'): NamedUse => ({ key: key(name), scope, server: 'docs', source: 'mcp.json', field });
const subject = (id: string) => ({ secret: secretIdOf('global', key(id), undefined), serverId: ServerId.parse('global:docs'), server: 'docs', revision: Revision.parse('r1') });
const names = async () => (await book.list(signal)).map(({ key: name, scope }) => `${scope} ${name}`);
const valueOf = async (scope: ConfigScope, name: string) => (await bench.vault.get(book.idOf(scope, key(name)), 'test', signal))?.reveal();

describe('secrets by name', () => {
  it('of the home and of the open project are told apart, whatever their names', async () => {
    await put('global', 'TOKEN', 'global-value');
    await put('project', 'TOKEN', 'shop-value');
    bench.project = '/projects/blog';
    await put('project', 'TOKEN', 'blog-value');
    expect(await names()).toEqual(['global TOKEN', 'project TOKEN']);
    expect([await valueOf('global', 'TOKEN'), await valueOf('project', 'TOKEN')]).toEqual(['global-value', 'blog-value']);
    bench.project = shop;
    expect(await valueOf('project', 'TOKEN')).toBe('shop-value');
    bench.project = undefined;
    expect(await names()).toEqual(['global TOKEN']);
    await expect(put('project', 'TOKEN', 'x')).rejects.toMatchObject({ code: 'project/needed' });
  });

  it('a global name cannot reach into a project', async () => {
    const ofShop = secretIdOf('project', key('TOKEN'), shop);
    expect(() => secretIdOf('global', ofShop, undefined)).toThrow(expect.objectContaining({ code: 'request/invalid' }));
    expect(secretNameOf(ofShop, '/projects/blog')).toBeUndefined();
    expect(() => secretIdOf('project', key('x'.repeat(200)), shop)).toThrow(expect.objectContaining({ code: 'request/invalid' }));
  });

  it('keys of model providers are not among them', async () => {
    await bench.vault.put(key('model.anthropic.key'), new Secret('m'), 'global', signal);
    expect(await names()).toEqual([]);
    await expect(book.remove('global', 'model.anthropic.key', true, signal)).rejects.toMatchObject({ code: 'secret/missing' });
  });

  it('inputs of two files are not the same, whatever their ids', () => {
    expect(inputKeyOf('home', 'pat')).not.toBe(inputKeyOf('project', 'pat'));
    expect(inputKeyOf('home', 'a b')).not.toBe(inputKeyOf('home', 'a_b'));
    expect(SecretKey.safeParse(inputKeyOf('home', '日本語 '.repeat(80))).success).toBe(true);
  });

  it('say where they are used, what is missing and when they were read last, and nothing of their values', async () => {
    await put('global', 'A', 'value-of-a', 'auto');
    bench.uses = [used('A'), used('A', 'global', 'headers.X'), used('GONE', 'project')];
    await book.read(book.idOf('global', key('A')), { serverId: ServerId.parse('global:docs'), server: 'docs' }, signal);
    const list = await book.list(signal);
    expect(list).toEqual([
      {
        key: 'A', scope: 'global', policy: 'auto', updatedAt: expect.any(Number), lastReadAt: expect.any(Number), lastReadBy: 'docs', missing: false,
        usedBy: [{ server: 'docs', source: 'mcp.json', field: 'env.K' }, { server: 'docs', source: 'mcp.json', field: 'headers.X' }],
      },
      { key: 'GONE', scope: 'project', updatedAt: 0, missing: true, usedBy: [{ server: 'docs', source: 'mcp.json', field: 'env.K' }] },
    ]);
    expect(JSON.stringify(list)).not.toContain('value-of-a');
  });
});

it('[U-17] reading a secret stamps when and by whom, and says so in the log without its value', async () => {
  // Stored by an earlier process: this one has not seen the value yet.
  await bench.vault.put(key('A'), new Secret('value-of-a'), 'global', signal);
  expect(bench.redactor.mask('it is value-of-a')).toBe('it is value-of-a');
  const before = Date.now();
  const value = await book.read(book.idOf('global', key('A')), { serverId: ServerId.parse('global:docs'), server: 'docs' }, signal);
  expect(value?.reveal()).toBe('value-of-a');
  const [stored] = await bench.vault.list(signal);
  expect(stored).toMatchObject({ id: 'A', lastReadBy: 'docs' });
  expect(stored?.lastReadAt).toBeGreaterThanOrEqual(before);
  expect(bench.lines).toContainEqual({ message: 'A secret was read', data: { secret: 'A', server: 'global:docs' } });
  expect(JSON.stringify(bench.lines)).not.toContain('value-of-a');
  expect(bench.redactor.mask('it is value-of-a')).toBe('it is •••');
});

describe('policies', () => {
  it('[U-16] are the secret’s own, else the global default, which is prompt', async () => {
    await put('global', 'OWN', 'x1', 'deny');
    await put('global', 'BARE', 'x2');
    expect([book.policyOf(book.idOf('global', key('OWN'))), book.policyOf(book.idOf('global', key('BARE')))]).toEqual(['deny', 'prompt']);
    bench.defaultPolicy = 'auto';
    expect([book.policyOf(book.idOf('global', key('OWN'))), book.policyOf(book.idOf('global', key('BARE')))]).toEqual(['deny', 'auto']);
    await book.setPolicy('global', 'OWN', undefined, signal);
    expect(book.policyOf(book.idOf('global', key('OWN')))).toBe('auto');
  });

  it('and permissions outlive the app, a new value and a reset of the vault', async () => {
    await put('global', 'A', 'old', 'prompt');
    await book.allow(subject('A'), signal);
    await put('global', 'A', 'new');
    await book.reset(signal);
    const again = await bench.book();
    expect(again.permits(subject('A'))).toBe(true);
    expect(await again.list(signal)).toMatchObject([{ key: 'A', policy: 'prompt', missing: true }]);
    expect((await again.stored(signal)).size).toBe(0);
  });

  it('a permission is for this launch and this secret', async () => {
    await book.allow(subject('A'), signal);
    expect(book.permits(subject('A'))).toBe(true);
    expect(book.permits(subject('B'))).toBe(false);
    expect(book.permits({ ...subject('A'), revision: Revision.parse('r2') })).toBe(false);
    expect(book.permits({ ...subject('A'), serverId: ServerId.parse('global:other') })).toBe(false);
    await book.allow({ ...subject('A'), revision: Revision.parse('r2') }, signal);
    expect(book.permits(subject('A'))).toBe(false);
  });

  it('a grant is for one content of the project’s files, and goes along when the app itself changes them', async () => {
    await book.allow({ ...subject('A'), digest: 'd1' }, signal);
    expect(book.grants({ ...subject('A'), digest: 'd1' })).toBe(true);
    expect(book.grants({ ...subject('A'), digest: 'd2' })).toBe(false);
    expect(book.grants(subject('A'))).toBe(false);
    await book.renewGrants('d1', 'd2', signal);
    expect([book.grants({ ...subject('A'), digest: 'd1' }), book.grants({ ...subject('A'), digest: 'd2' })]).toEqual([false, true]);
  });

  it('a file of them that cannot be understood allows nothing and is left alone', async () => {
    await put('global', 'A', 'x1', 'auto');
    await book.allow(subject('A'), signal);
    const broken = bench.file.replace('"version": 1', '"version": 9');
    await createDocuments(bench.folder).update('secrets.json', () => broken, signal);
    const again = new Bench();
    await expect(again.book({ documents: createDocuments(bench.folder) })).rejects.toMatchObject({ code: 'config/invalid' });
    await expect(book.setPolicy('global', 'A', 'deny', signal)).rejects.toMatchObject({ code: 'config/invalid' });
    expect(bench.file).toBe(broken);
  });

  it('no value is in their file', async () => {
    await put('global', 'A', 'value-of-a', 'auto');
    await book.allow(subject('A'), signal);
    expect(bench.file).toContain('"A"');
    expect(bench.file).not.toContain('value-of-a');
  });
});

describe('a secret that is renamed', () => {
  it('keeps value, policy and permissions, and the files name it anew', async () => {
    await put('global', 'OLD', 'the-value', 'auto');
    await book.allow(subject('OLD'), signal);
    bench.uses = [used('OLD')];
    await book.rename('global', 'OLD', key('NEW'), signal);
    expect(bench.renamed).toEqual(['global OLD NEW']);
    expect(await book.list(signal)).toMatchObject([{ key: 'NEW', policy: 'auto', usedBy: [{ server: 'docs' }] }]);
    expect([await valueOf('global', 'NEW'), await valueOf('global', 'OLD')]).toEqual(['the-value', undefined]);
    expect([book.permits(subject('NEW')), book.permits(subject('OLD'))]).toEqual([true, false]);
  });

  it('is lost at no point, and a renaming that was cut short can be done again', async () => {
    await put('global', 'OLD', 'the-value');
    bench.uses = [used('OLD')];
    bench.onRename = () => {
      throw new Error('power cut');
    };
    await expect(book.rename('global', 'OLD', key('NEW'), signal)).rejects.toThrow('power cut');
    expect([await valueOf('global', 'NEW'), await valueOf('global', 'OLD')]).toEqual(['the-value', 'the-value']);
    bench.onRename = () => undefined;
    await book.rename('global', 'OLD', key('NEW'), signal);
    expect([await valueOf('global', 'NEW'), await valueOf('global', 'OLD')]).toEqual(['the-value', undefined]);
  });

  it('keeps its old name too while a file that the app does not write uses it', async () => {
    await put('global', 'OLD', 'the-value');
    bench.uses = [used('OLD')];
    await (await bench.book({ renameReferences: async () => undefined })).rename('global', 'OLD', key('NEW'), signal);
    expect([await valueOf('global', 'NEW'), await valueOf('global', 'OLD')]).toEqual(['the-value', 'the-value']);
  });

  it('never takes the place of another', async () => {
    await put('global', 'OLD', 'the-value');
    await put('global', 'NEW', 'another');
    await expect(book.rename('global', 'OLD', key('NEW'), signal)).rejects.toMatchObject({ code: 'secret/exists' });
    expect(await valueOf('global', 'NEW')).toBe('another');
    await expect(book.rename('global', 'NONE', key('X'), signal)).rejects.toMatchObject({ code: 'secret/missing' });
  });
});

describe('a secret that is removed', () => {
  it('while a file names it is refused, and says which; by force it goes', async () => {
    await put('global', 'A', 'x1', 'auto');
    await book.allow(subject('A'), signal);
    bench.uses = [used('A')];
    await expect(book.remove('global', 'A', false, signal)).rejects.toMatchObject({ code: 'secret/in-use', data: { usedBy: [{ server: 'docs', field: 'env.K' }] } });
    expect(await valueOf('global', 'A')).toBe('x1');
    await book.remove('global', 'A', true, signal);
    expect(await valueOf('global', 'A')).toBeUndefined();
    expect(book.permits(subject('A'))).toBe(false);
    expect(book.policyOf(book.idOf('global', key('A')))).toBe('prompt');
  });
});

it('is found by its id, then by its key in the given scope; else the error names both', async () => {
  await put('project', 'TOKEN', 'x1');
  await put('global', 'TOKEN', 'x2');
  const id = secretIdOf('project', key('TOKEN'), shop);
  expect(await book.find('project', id, signal)).toMatchObject({ key: 'TOKEN', scope: 'project' });
  expect(await book.find('project', 'TOKEN', signal)).toMatchObject({ key: 'TOKEN', scope: 'project' });
  expect(await book.find('global', 'TOKEN', signal)).toMatchObject({ key: 'TOKEN', scope: 'global' });
  await expect(book.find('global', id, signal)).rejects.toMatchObject({ code: 'secret/missing', message: expect.stringMatching(/global scope.* id “project\..*key “project\./) });
  await book.remove('project', id, false, signal);
  expect(await names()).toEqual(['global TOKEN']);
});
