import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar, type TarEntry } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../../test/support/child-program.ts';
import { MemoryKeyring } from '../../../../test/support/memory-keyring.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { Secret } from '../../../core/kernel/secret.ts';
import type { HomeArchive } from '../../../core/ports.ts';
import { Redactor } from '../../../core/secrets/redactor.ts';
import { AppError } from '../../../shared/errors.ts';
import { SecretId } from '../../../shared/ids.ts';
import { systemClock } from '../../clock.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { createVault, type FileVault } from '../../vault/vault.ts';
import { lockHome } from '../home-lock.ts';
import { openHome } from '../home.ts';
import { createHomeArchive } from './home-archive.ts';
import { readArchive } from './read-archive.ts';
import { applyStagedRestore, staging } from './staged-restore.ts';

const signal = new AbortController().signal;
const canary = 'canary-Tr0ub4dor&3-value';
const passphrase = new Secret('correct horse battery');
const key = SecretId.parse('mcp.docs.env.API_KEY');

interface TestHome {
  readonly home: string;
  readonly folder: string;
  readonly vault: FileVault;
  readonly archive: HomeArchive;
}
/** A home of its own, with a keyring of its own, and a folder beside it. */
async function madeHome(keyring: Keyring = new MemoryKeyring(), files: Readonly<Record<string, string>> = {}): Promise<TestHome> {
  const folder = tempFolder();
  const home = (await openHome({ GATEHOUSE_HOME: join(folder, 'home') })).folder;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const vault = createVault({ folder: join(home, 'vault'), keyring, clock: systemClock });
  return { home, folder, vault, archive: createHomeArchive({ home, vault, keyring, clock: systemClock, app: '1.2.3' }) };
}
const content = {
  'mcp.json': '{ // mine\n  "mcpServers": {} }\n', 'settings.json': '{}', 'secrets.json': '{"policies":1}', 'config.toml': '',
  'chats/0c0c.jsonl': '{"n":1}\n{"n":2}\n', 'chats/1d1d.jsonl': '', 'contents/0c0c/aa~image%2Fpng': 'P'.repeat(300_000), 'profiles/ü deep/a.toml': 'x = 1', 'notes/todo.md': 'milk',
};
const passing = {
  'logs/gatehouse.log': 'log', 'electron/Cookies': 'cookie', 'door/owner.sock.json': '{}', 'running/1.json': '{}', 'backups/mcp.json.1': 'old', '.mcp.json.lock': 'lock', '.home.lock': 'lock',
  'contents/0c0c/bb.part': 'half', 'vault/vault-before-reset-1.json': '{}', 'before-restore-1/mcp.json': '{}',
};

/** What is archived of a home, by path. */
function filesIn(home: string, folder = ''): Readonly<Record<string, string>> {
  const entries = readdirSync(join(home, folder), { withFileTypes: true });
  return Object.assign({}, ...entries.map((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(home, path) : { [path]: readFileSync(join(home, path), 'utf8') };
  }));
}
const unpacked = async (file: string): Promise<readonly string[]> => (await unpackTar(gunzipSync(readFileSync(file)))).map(({ header }) => header.name);
const apply = async (home: string): Promise<string> => {
  await using _lock = await lockHome(home);
  const restored = await applyStagedRestore(home, Date.now());
  if (restored.kind !== 'restored') throw new Error(restored.kind);
  return restored.before;
};

describe('a backup', () => {
  it('and its restore on another machine give the home back, with the values under the keyring there', async () => {
    const one = await madeHome(undefined, { ...content, ...passing });
    await one.vault.open(signal);
    await one.vault.put(key, new Secret(canary), 'global', signal);
    const file = join(one.folder, 'a.gatehouse-backup');
    const report = await one.archive.backup(file, passphrase, signal);
    expect(report).toEqual({ path: file, bytes: statSync(file).size, files: 10, chats: 2, secrets: 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(one.folder).toSorted()).toEqual(['a.gatehouse-backup', 'home']);
    const [head] = await unpackTar(gunzipSync(readFileSync(file)));
    expect(JSON.parse(Buffer.from(head?.data ?? []).toString())).toMatchObject({ format: 1, app: '1.2.3' });

    const keyring = new MemoryKeyring();
    const two = await madeHome(keyring, { 'mcp.json': '{"old":1}', 'chats/9e9e.jsonl': 'old', 'logs/gatehouse.log': 'mine', 'electron/Cookies': 'mine' });
    expect(await two.archive.stageRestore(file, passphrase, signal)).toMatchObject({ path: file, files: 10, chats: 2, secrets: 1 });
    expect(readFileSync(join(two.home, 'mcp.json'), 'utf8')).toBe('{"old":1}');
    const before = await apply(two.home);
    const { ['vault/vault.json']: vaultFile, ...files } = filesIn(two.home);
    expect(files).toEqual({ ...content, 'version.json': '{"format":1}\n', 'logs/gatehouse.log': 'mine', 'electron/Cookies': 'mine' });
    expect(vaultFile).not.toContain(canary);
    expect(dirname(before)).toBe(two.folder);
    expect(before).toMatch(/home\.before-restore-/);
    expect(filesIn(before)).toEqual({ 'mcp.json': '{"old":1}', 'chats/9e9e.jsonl': 'old', 'version.json': '{"format":1}\n' });
    expect([two.home, join(two.home, 'chats'), before].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);

    const vault = createVault({ folder: join(two.home, 'vault'), keyring, clock: systemClock });
    expect(await vault.open(signal)).toEqual({ phase: 'ready', secrets: 1 });
    expect((await vault.get(key, 'test', signal))?.reveal()).toBe(canary);
    expect(await vault.list(signal)).toMatchObject([{ id: key, scope: 'global' }]);
    await vault[Symbol.asyncDispose]();
    expect(await applyStagedRestore(two.home, Date.now())).toEqual({ kind: 'none' });
  });

  it.each([['without a passphrase', undefined], ['with one', passphrase]])('%s shows no value, in no encoding', async (_, chosen) => {
    const { folder, vault, archive, home } = await madeHome(undefined, content);
    await vault.open(signal);
    const secret = new Secret(canary);
    await vault.put(key, secret, 'global', signal);
    const file = join(folder, 'a.backup');
    expect(await archive.backup(file, chosen, signal)).toMatchObject({ secrets: chosen ? 1 : 0 });
    const redactor = new Redactor();
    redactor.register(secret);
    for (const bytes of [readFileSync(file), gunzipSync(readFileSync(file))]) {
      for (const encoding of ['utf8', 'latin1', 'utf16le'] as const) expect(redactor.mask(bytes.toString(encoding)) === bytes.toString(encoding)).toBe(true);
    }
    expect(filesIn(home)).not.toContain(canary);
    expect((await unpacked(file)).includes('secrets.json')).toBe(chosen !== undefined);
  });

  it('without a passphrase keeps the names of secrets as places to fill', async () => {
    const one = await madeHome();
    await one.vault.open(signal);
    await one.vault.put(key, new Secret(canary), 'global', signal);
    const file = join(one.folder, 'a.backup');
    await one.archive.backup(file, undefined, signal);
    const keyring = new MemoryKeyring();
    const two = await madeHome(keyring);
    await two.archive.stageRestore(file, undefined, signal);
    await apply(two.home);
    const vault = createVault({ folder: join(two.home, 'vault'), keyring, clock: systemClock });
    expect(await vault.open(signal)).toEqual({ phase: 'ready', secrets: 0 });
    expect(await vault.list(signal)).toMatchObject([{ id: key, scope: 'global', empty: true }]);
    expect(await vault.get(key, 'test', signal)).toBeUndefined();
    await vault.put(key, new Secret('new'), 'global', signal);
    expect((await vault.get(key, 'test', signal))?.reveal()).toBe('new');
    await vault[Symbol.asyncDispose]();
  });

  it('of a home whose vault does not open needs no keyring, unless its values are asked for', async () => {
    const keyring = new MemoryKeyring();
    keyring.fault = new AppError('vault/unavailable', 'none');
    const { archive, folder } = await madeHome(keyring, content);
    await archive.backup(join(folder, 'a.backup'), undefined, signal);
    await archive.stageRestore(join(folder, 'a.backup'), undefined, signal);
    const other = await madeHome();
    await other.vault.open(signal);
    await other.vault.put(key, new Secret(canary), 'global', signal);
    await other.archive.backup(join(folder, 'b.backup'), passphrase, signal);
    await archive.stageRestore(join(folder, 'b.backup'), undefined, signal);
    await expect(archive.stageRestore(join(folder, 'b.backup'), passphrase, signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
  });

  it('never goes over a file that is there, into the home, or into a folder that is not there', async () => {
    const { archive, folder, home } = await madeHome(undefined, content);
    writeFileSync(join(folder, 'taken'), 'mine');
    symlinkSync('nowhere', join(folder, 'link'));
    for (const name of ['taken', 'link']) await expect(archive.backup(join(folder, name), undefined, signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'exists' } });
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('mine');
    for (const path of [home, join(home, 'a.backup'), 'a.backup']) await expect(archive.backup(path, undefined, signal)).rejects.toMatchObject({ code: 'request/invalid' });
    await expect(archive.backup(join(folder, 'none', 'a'), undefined, signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'ENOENT' } });
    await expect(archive.backup(join(folder, 'a'), undefined, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'link', 'taken']);
  });

  it.skipIf(process.platform === 'win32')('follows a link only from the top of the home to a file, and waits for no pipe', async () => {
    const { archive, folder, home } = await madeHome(undefined, { 'notes/a.md': 'a' });
    writeFileSync(join(folder, 'dotfile.json'), '{"mine":1}');
    mkdirSync(join(folder, 'private'));
    writeFileSync(join(folder, 'private', 'key'), 'not this');
    symlinkSync(join(folder, 'dotfile.json'), join(home, 'mcp.json'));
    symlinkSync(join(folder, 'private'), join(home, 'linked'));
    symlinkSync(join(folder, 'private', 'key'), join(home, 'notes', 'key'));
    execFileSync('mkfifo', [join(home, 'pipe'), join(home, 'notes', 'pipe')]);
    await archive.backup(join(folder, 'a.backup'), undefined, signal);
    expect(await unpacked(join(folder, 'a.backup'))).toEqual([
      'gatehouse-backup.json', 'files/mcp.json', 'files/notes/a.md', 'files/version.json', 'vault-names.json', 'manifest.json',
    ]);
  });
});

describe('a restore', () => {
  /** Nothing of it was laid ready or written anywhere. */
  function expectUntouched({ home, folder }: TestHome, before: unknown): void {
    expect(filesIn(home)).toEqual(before);
    expect(existsSync(join(home, staging.ready)) || existsSync(join(home, staging.building))).toBe(false);
    expect(readdirSync(folder).filter((name) => name !== 'home' && !name.endsWith('.backup'))).toEqual([]);
  }

  it('with the wrong passphrase, or of a file whose files were changed, opens no value', async () => {
    const made = await madeHome(undefined, content);
    const { archive, folder, home, vault } = made;
    await vault.open(signal);
    await vault.put(key, new Secret(canary), 'global', signal);
    const file = join(folder, 'a.backup');
    await archive.backup(file, passphrase, signal);
    const before = filesIn(home);
    await expect(archive.stageRestore(file, new Secret('wrong passphrase'), signal)).rejects.toMatchObject({ code: 'secret/missing', data: { reason: 'passphrase' } });
    expectUntouched(made, before);

    const entries = await unpackTar(gunzipSync(readFileSync(file)));
    const evil = Buffer.from('{"mcpServers":{"evil":{"command":"steal"}}}');
    const swapped = entries.map(({ header, data }) => (header.name === 'files/mcp.json' ? { header: { ...header, size: evil.length }, data: evil } : { header, ...(data ? { data } : {}) }));
    writeFileSync(join(folder, 'swapped.backup'), gzipSync(await packTar(swapped)));
    await expect(archive.stageRestore(join(folder, 'swapped.backup'), passphrase, signal)).rejects.toMatchObject({ code: 'config/invalid', data: { reason: 'damaged' } });
    // Also when the manifest was made to fit.
    const sha256 = createHash('sha256').update(evil).digest('hex');
    const manifest = entries.find(({ header }) => header.name === 'manifest.json');
    const fitted = Buffer.from(JSON.stringify((JSON.parse(Buffer.from(manifest?.data ?? []).toString()) as { path: string }[]).map((line) => (line.path === 'mcp.json' ? { path: 'mcp.json', bytes: evil.length, sha256 } : line)))); // our own file
    const forged = swapped.map((entry) => (entry.header.name === 'manifest.json' ? { header: { ...entry.header, size: fitted.length }, data: fitted } : entry));
    writeFileSync(join(folder, 'forged.backup'), gzipSync(await packTar(forged)));
    await expect(archive.stageRestore(join(folder, 'forged.backup'), passphrase, signal)).rejects.toMatchObject({ code: 'secret/missing', data: { reason: 'passphrase' } });
    expectUntouched(made, before);
  });

  const text = (name: string, body: string, more: Partial<TarEntry['header']> = {}): TarEntry => ({ header: { name, size: Buffer.byteLength(body), type: 'file', ...more }, body });
  const head = (format = 1): TarEntry => text('gatehouse-backup.json', JSON.stringify({ format, app: '', createdAt: 0 }));
  const link = (name: string, type: 'symlink' | 'link', linkname: string): TarEntry => ({ header: { name, size: 0, type, linkname } });

  it.each<readonly [string, readonly TarEntry[], string]>([
    ['a path up and out', [head(), text('files/../../evil', 'x')], 'unsafe-path'],
    ['a path up inside', [head(), text('files/notes/../evil', 'x')], 'unsafe-path'],
    ['an absolute path', [head(), text('files//tmp/evil', 'x')], 'unsafe-path'],
    ['an absolute path beside the files', [head(), text('/tmp/evil', 'x')], 'unsafe-path'],
    ['a Windows path', [head(), text('files/a\\..\\..\\evil', 'x')], 'unsafe-path'],
    ['a drive', [head(), text('files/C:/evil', 'x')], 'unsafe-path'],
    ['another stream of a file', [head(), text('files/a.json:evil', 'x')], 'unsafe-path'],
    ['a device name', [head(), text('files/notes/NUL.txt', 'x')], 'unsafe-path'],
    ['a control character', [head(), text('files/a\nb', 'x')], 'unsafe-path'],
    ['no name', [head(), text('files/', 'x')], 'unsafe-path'],
    ['a symlink', [head(), link('files/notes', 'symlink', '/etc'), text('files/notes/evil', 'x')], 'unsafe-path'],
    ['a hard link', [head(), link('files/a', 'link', '/etc/passwd')], 'unsafe-path'],
    ['a pipe', [head(), { header: { name: 'files/a', size: 0, type: 'fifo' } }], 'unsafe-path'],
    ['a folder', [head(), { header: { name: 'files/a/', size: 0, type: 'directory' } }], 'unsafe-path'],
    ['a name twice', [head(), text('files/a.json', '1'), text('files/a.json', '2')], 'unsafe-path'],
    ['a name twice in other letters', [head(), text('files/a.json', '1'), text('files/A.json', '2')], 'unsafe-path'],
    ["a vault's file", [head(), text('files/vault/vault.json', '{}')], 'unsafe-path'],
    ["Electron's files", [head(), text('files/Electron/Preferences', '{}')], 'unsafe-path'],
    ['a lock', [head(), text('files/.home.lock', '{}')], 'unsafe-path'],
    ['what is laid ready', [head(), text('files/.restore/progress.json', '{}')], 'unsafe-path'],
    ['a record of a running server', [head(), text('files/running/1.json', '{}')], 'unsafe-path'],
    ['an unknown entry', [head(), text('more.json', '{}')], 'unsafe-path'],
    ['no manifest', [head(), text('files/a.json', '{}'), text('vault-names.json', '[]')], 'damaged'],
    ['a manifest that says less', [head(), text('files/a.json', '{}'), text('vault-names.json', '[]'), text('manifest.json', '[]')], 'damaged'],
    ['a manifest of another form', [head(), text('vault-names.json', '[]'), text('manifest.json', '{}')], 'damaged'],
    ['a head of another form', [text('gatehouse-backup.json', '{}')], 'damaged'],
    ['no head', [text('files/a.json', '{}')], 'not-a-backup'],
    ['nothing', [], 'not-a-backup'],
  ])('of an archive with %s is refused, and writes nothing', async (_, entries, reason) => {
    const made = await madeHome(undefined, content);
    const before = filesIn(made.home);
    const file = join(made.folder, 'a.backup');
    writeFileSync(file, gzipSync(await packTar(entries)));
    await expect(made.archive.stageRestore(file, undefined, signal)).rejects.toMatchObject({ code: 'config/invalid', data: { reason } });
    expectUntouched(made, before);
    expect(existsSync('/tmp/evil')).toBe(false);
  });

  it('of a file that is cut, changed, no archive, no regular file or not there is refused', async () => {
    const made = await madeHome(undefined, content);
    const { archive, folder, home } = made;
    await archive.backup(join(folder, 'whole.backup'), undefined, signal);
    const before = filesIn(home);
    const whole = readFileSync(join(folder, 'whole.backup'));
    const file = join(folder, 'bad.backup');
    for (const cut of [whole.length - 1, whole.length - 9, whole.length >> 1, 30, 0]) {
      writeFileSync(file, whole.subarray(0, cut));
      await expect(archive.stageRestore(file, undefined, signal)).rejects.toMatchObject({ code: 'config/invalid' });
    }
    const plain = gunzipSync(whole);
    writeFileSync(file, gzipSync(Buffer.from(plain.toString('latin1').replace('milk', 'soup'), 'latin1')));
    await expect(archive.stageRestore(file, undefined, signal)).rejects.toMatchObject({ code: 'config/invalid', data: { reason: 'damaged' } });
    for (const junk of ['no archive', gzipSync('no tar'), gzipSync(Buffer.alloc(4096))]) {
      writeFileSync(file, junk);
      await expect(archive.stageRestore(file, undefined, signal)).rejects.toMatchObject({ code: 'config/invalid', data: { reason: 'not-a-backup' } });
    }
    execFileSync('mkfifo', [join(folder, 'pipe.backup')]);
    await expect(archive.stageRestore(join(folder, 'pipe.backup'), undefined, signal)).rejects.toMatchObject({ code: 'config/invalid' });
    await expect(archive.stageRestore(join(folder, 'none'), undefined, signal)).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'ENOENT' } });
    expectUntouched(made, before);
  });

  it('of an archive that unpacks to too much stops early', async () => {
    const folder = tempFolder();
    const file = join(folder, 'a.backup');
    const most = { files: 3, total: 1_000_000, held: 1_000_000 };
    const read = async (entries: readonly TarEntry[]) => {
      writeFileSync(file, gzipSync(await packTar(entries)));
      mkdirSync(join(folder, 'target'), { recursive: true });
      return readArchive(file, join(folder, 'target'), signal, most);
    };
    const large = { code: 'config/invalid', data: { reason: 'too-large' } };
    await expect(read([head(), text('files/a', 'x'.repeat(1_000_001))])).rejects.toMatchObject(large);
    expect(existsSync(join(folder, 'target', 'a'))).toBe(false);
    await expect(read([head(), ...['b', 'c', 'd', 'e'].map((name) => text(`files/${name}`, 'x'))])).rejects.toMatchObject(large);
    await expect(read([head(), text('vault-names.json', ' '.repeat(1_000_001))])).rejects.toMatchObject(large);
    // What comes after the end is collected by the tar reader, too.
    writeFileSync(file, gzipSync(Buffer.concat([await packTar([head()]), Buffer.alloc(3_000_000)])));
    await expect(readArchive(file, join(folder, 'target'), signal, most)).rejects.toMatchObject(large);
    await expect(read([head(), text('PaxHeader/a', ' '.repeat(3_000_000), { type: 'pax-header' })])).rejects.toMatchObject({ code: 'config/invalid' });
  });

  it('of a later format, or of a later home, is refused with words, and the home stays', async () => {
    const made = await madeHome(undefined, content);
    const before = filesIn(made.home);
    const file = join(made.folder, 'a.backup');
    writeFileSync(file, gzipSync(await packTar([head(2), text('later', 'x')])));
    await expect(made.archive.stageRestore(file, undefined, signal)).rejects.toMatchObject({ code: 'home/newer', data: { found: 2, known: 1 } });
    const other = await madeHome(undefined, { 'version.json': '{"format":7}' });
    await other.archive.backup(join(other.folder, 'b.backup'), undefined, signal);
    await expect(made.archive.stageRestore(join(other.folder, 'b.backup'), undefined, signal)).rejects.toMatchObject({ code: 'home/newer', data: { found: 7 } });
    expectUntouched(made, before);
  });

  it('that was laid ready and not put in place gives way to the next one', async () => {
    const { archive, folder, home } = await madeHome(undefined, { 'mcp.json': 'first' });
    await archive.backup(join(folder, 'a.backup'), undefined, signal);
    writeFileSync(join(home, 'mcp.json'), 'second');
    await archive.backup(join(folder, 'b.backup'), undefined, signal);
    writeFileSync(join(home, 'mcp.json'), 'third');
    for (const name of ['a.backup', 'b.backup']) await archive.stageRestore(join(folder, name), undefined, signal);
    await apply(home);
    expect(readFileSync(join(home, 'mcp.json'), 'utf8')).toBe('second');
    expect(readdirSync(home).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('that cannot move the old home out of the way leaves it as it was', async () => {
    const { archive, folder, home } = await madeHome(undefined, content);
    await archive.backup(join(folder, 'a.backup'), undefined, signal);
    await archive.stageRestore(join(folder, 'a.backup'), undefined, signal);
    const before = filesIn(home);
    // A folder on another disk: nothing can be renamed into it.
    const elsewhere = execFileSync('mktemp', ['-d', '-p', '/dev/shm'], { encoding: 'utf8' }).trim();
    writeFileSync(join(home, staging.ready, 'progress.json'), JSON.stringify({ phase: 'out', before: elsewhere }));
    const restored = await applyStagedRestore(home, Date.now());
    execFileSync('rmdir', [elsewhere]);
    expect(restored).toMatchObject({ kind: 'given-up', error: { code: 'EXDEV' } });
    const ofOld = (files: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('.')));
    expect(ofOld(filesIn(home))).toEqual(ofOld(before));
    expect(await applyStagedRestore(home, Date.now())).toEqual({ kind: 'none' });
  });

  it('is not put in place by a folder that somebody else laid there', async () => {
    const { home } = await madeHome();
    symlinkSync('/tmp', join(home, staging.ready));
    await expect(applyStagedRestore(home, Date.now())).rejects.toMatchObject({ code: 'storage/failed', data: { reason: 'foreign-owner' } });
    expect(lstatSync(join(home, staging.ready)).isSymbolicLink()).toBe(true);
  });
});

describe('a start that is killed', () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram('test/support/programs/storage-child.ts');
  });
  afterAll(() => program[Symbol.asyncDispose]());

  it('while it puts a restored home in place, at any moment, is gone on with: the home is the new one, whole, and so is the old one', async () => {
    const many = (mark: string) => Object.fromEntries(Array.from({ length: 60 }, (_, n) => [n % 3 === 0 ? `f${String(n)}/x` : `f${String(n)}`, `${mark} ${String(n)}`]));
    const made = await madeHome(undefined, many('new'));
    const file = join(made.folder, 'a.backup');
    await made.archive.backup(file, undefined, signal);
    let killed = 0;
    for (let round = 0; round < 8; round++) {
      const two = await madeHome(undefined, { ...many('old'), 'more.json': 'old' });
      await two.archive.stageRestore(file, undefined, signal);
      const starts = ChildProgram.node(program.file, 'apply-restore', two.home);
      // A different moment each time: the first signs of moving, later ones, and before any.
      let signs = 0;
      const stop = new AbortController();
      const ended = starts.ended().then(() => stop.abort());
      try {
        for await (const { filename } of watch(two.home, { signal: stop.signal })) if (filename?.startsWith('f') === true && ++signs >= 1 + round * 12) break;
      } catch {
        // It was done before that many signs came.
      }
      await starts.kill();
      await ended;
      if (!starts.lines.includes('restored')) killed += 1;
      await using _lock = await lockHome(two.home);
      const restored = await applyStagedRestore(two.home, Date.now());
      expect(restored.kind).toBe(starts.lines.includes('restored') ? 'none' : 'restored');
      expect(filesIn(two.home)).toEqual({ ...many('new'), 'version.json': '{"format":1}\n', '.home.lock': expect.any(String) });
      const before = readdirSync(two.folder).filter((name) => name.startsWith('home.before-restore-'));
      expect(before).toHaveLength(1);
      expect(filesIn(join(two.folder, before[0] ?? ''))).toEqual({ ...many('old'), 'more.json': 'old', 'version.json': '{"format":1}\n' });
    }
    expect(killed).toBeGreaterThan(2);
  }, 120_000);
});
