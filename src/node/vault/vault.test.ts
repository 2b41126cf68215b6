import { createDecipheriv } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { MemoryKeyring } from '../../../test/support/memory-keyring.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { Secret } from '../../core/kernel/secret.ts';
import { AppError } from '../../shared/errors.ts';
import { SecretId } from '../../shared/ids.ts';
import type { VaultStatus } from '../../shared/model/settings.ts';
import { createVault } from './vault.ts';

const signal = new AbortController().signal;
const [a, b] = [SecretId.parse('a'), SecretId.parse('b')];

function setUp() {
  const folder = join(tempFolder(), 'vault');
  const file = join(folder, 'vault.json');
  const keyring = new MemoryKeyring();
  const clock = new FakeClock();
  const start = () => createVault({ folder, keyring, clock });
  const opened = async () => {
    const vault = start();
    await vault.open(signal);
    return vault;
  };
  const withTwo = async () => {
    const vault = await opened();
    await vault.put(a, new Secret('value of a'), 'scope a', signal);
    await vault.put(b, new Secret('value of b'), 'scope b', signal);
    await vault[Symbol.asyncDispose]();
  };
  const edit = (change: (content: any) => unknown): void => writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8'))) ?? null)); // oxlint-disable-line typescript/no-explicit-any -- the file as an attacker sees it
  return { folder, file, keyring, clock, start, opened, withTwo, edit };
}
const revealed = async (value: Promise<Secret | undefined>): Promise<string | undefined> => (await value)?.reveal();

describe('keeping', () => {
  it('gives back what was put, replaces it, and forgets what was removed', async () => {
    const { withTwo, opened } = setUp();
    await withTwo();
    const vault = await opened();
    expect(vault.status).toEqual({ phase: 'ready', secrets: 2 });
    expect(await revealed(vault.get(a, 'test', signal))).toBe('value of a');
    await vault.put(a, new Secret('another'), 'scope a', signal);
    expect(await revealed(vault.get(a, 'test', signal))).toBe('another');
    await vault.remove(a, signal);
    await vault.remove(a, signal);
    expect(await vault.get(a, 'test', signal)).toBeUndefined();
    expect(vault.status).toEqual({ phase: 'ready', secrets: 1 });
    expect((await vault.list(signal)).map(({ id, scope }) => [id, scope])).toEqual([['b', 'scope b']]);
  });

  it('ids that mean something to the language are ids like any other', async () => {
    const { opened } = setUp();
    const vault = await opened();
    const odd = SecretId.parse('__proto__');
    expect(await vault.get(odd, 'test', signal)).toBeUndefined();
    await vault.put(odd, new Secret('value'), 's', signal);
    const again = await opened();
    expect(await revealed(again.get(odd, 'test', signal))).toBe('value');
    expect(await again.get(SecretId.parse('constructor'), 'test', signal)).toBeUndefined();
  });

  it('an id that is none is refused', async () => {
    const vault = await setUp().opened();
    await expect(vault.put('../x' as SecretId, new Secret('v'), 's', signal)).rejects.toMatchObject({ code: 'request/invalid' }); // wrong on purpose
  });

  it('the file has mode 600 in a folder of mode 700, is mended when it was looser, and holds no value', async () => {
    const { folder, file, withTwo, opened } = setUp();
    await withTwo();
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    chmodSync(file, 0o644);
    chmodSync(folder, 0o755);
    await opened();
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    const text = readFileSync(file, 'utf8');
    for (const form of ['value of', Buffer.from('value of a').toString('base64url').slice(0, 10)]) expect(text).not.toContain(form);
    expect(readdirSync(folder)).toEqual(['vault.json']);
  });

  it('[U-14] a value is at rest as AES-256-GCM has it: 12 bytes of nonce, 16 of tag, as many of ciphertext as the value has, under a key of 32', async () => {
    const { file, keyring, withTwo } = setUp();
    await withTwo();
    const { kid, secrets } = JSON.parse(readFileSync(file, 'utf8'));
    const bytes = (text: string) => Buffer.from(text, 'base64url');
    expect([bytes(secrets.a.iv).length, bytes(secrets.a.tag).length, bytes(secrets.a.ct).length]).toEqual([12, 16, 'value of a'.length]);
    const [key] = keyring.entries.values();
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key ?? '', 'base64'), bytes(secrets.a.iv), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(JSON.stringify(['gatehouse-vault', 1, 'secret', 'a', 'scope a', kid])));
    decipher.setAuthTag(bytes(secrets.a.tag));
    expect(Buffer.concat([decipher.update(bytes(secrets.a.ct)), decipher.final()]).toString()).toBe('value of a');
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
  });

  it('the same value is sealed differently each time', async () => {
    const { file, opened } = setUp();
    const vault = await opened();
    const seen = new Set<string>();
    for (let n = 0; n < 3; n++) {
      await vault.put(a, new Secret('same'), 's', signal);
      const { iv, ct } = JSON.parse(readFileSync(file, 'utf8')).secrets.a;
      seen.add(iv).add(ct);
    }
    expect(seen.size).toBe(6);
  });

  it('thirty at once are all kept, and two vaults of one folder see each other', async () => {
    const { opened } = setUp();
    const [one, two] = [await opened(), await opened()];
    await Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? one : two).put(SecretId.parse(`s${n}`), new Secret(`v${n}`), 's', signal)));
    expect((await one.list(signal)).length).toBe(30);
    expect(await revealed(two.get(SecretId.parse('s0'), 'test', signal))).toBe('v0');
  });
});

describe('the keyring', () => {
  it('is not touched before the vault is opened, and gets a key only with the first secret', async () => {
    const { keyring, start } = setUp();
    const vault = start();
    expect(vault.status).toEqual({ phase: 'unopened' });
    await expect(vault.get(a, 'test', signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
    await expect(vault.put(a, new Secret('v'), 's', signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
    expect(await vault.list(signal)).toEqual([]);
    await vault.remove(a, signal);
    expect(keyring.asked).toEqual([]);
    await vault.open(signal);
    expect(keyring.entries.size).toBe(0);
    await vault.put(a, new Secret('v'), 's', signal);
    expect([...keyring.entries.keys()]).toEqual([expect.stringMatching(/^master\.[0-9a-f]{16}$/)]);
  });

  it('one that does not keep what it is given gets no secrets', async () => {
    const { file, keyring, opened } = setUp();
    const vault = await opened();
    keyring.entries.set = () => keyring.entries;
    await expect(vault.put(a, new Secret('v'), 's', signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
    expect(vault.status).toMatchObject({ phase: 'unavailable', why: 'no-keyring' });
    expect(existsSync(file)).toBe(false);
  });

  it.each(['gone', 'another'])('a key that is %s is said to be missing; the file is not touched and no new key is made', async (how) => {
    const { file, keyring, withTwo, start } = setUp();
    await withTwo();
    const [account = ''] = keyring.entries.keys();
    keyring.entries.delete(account);
    if (how === 'another') keyring.entries.set(account, Buffer.alloc(32, 7).toString('base64'));
    const before = readFileSync(file, 'utf8');
    const entries = new Map(keyring.entries);
    const vault = start();
    expect(await vault.open(signal)).toMatchObject({ phase: 'unavailable', why: 'key-missing' });
    await expect(vault.get(a, 'test', signal)).rejects.toMatchObject({ code: 'vault/key-missing' });
    await expect(vault.put(a, new Secret('new'), 's', signal)).rejects.toMatchObject({ code: 'vault/key-missing' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(keyring.entries).toEqual(entries);
    expect((await vault.list(signal)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('what cannot be read for want of a key can still be removed', async () => {
    const { keyring, withTwo, start } = setUp();
    await withTwo();
    keyring.fault = new AppError('vault/unavailable', 'no bus');
    const vault = start();
    expect(await vault.open(signal)).toMatchObject({ why: 'no-keyring' });
    await vault.remove(a, signal);
    expect((await vault.list(signal)).map(({ id }) => id)).toEqual(['b']);
  });
});

describe('a file that somebody changed', () => {
  it.each<[string, (content: any) => unknown]>([ // oxlint-disable-line typescript/no-explicit-any -- the file as an attacker sees it
    ['the scope was edited', (content) => ({ ...content, secrets: { a: { ...content.secrets.a, scope: 'scope evil' } } })],
    ['the record of another id was put in its place', (content) => ({ ...content, secrets: { a: content.secrets.b, b: content.secrets.a } })],
    ['the record of another id was put there under its own scope', (content) => ({ ...content, secrets: { a: { ...content.secrets.b, scope: 'scope a' } } })],
    ['a bit of the value was turned', (content) => ({ ...content, secrets: { a: { ...content.secrets.a, ct: turned(content.secrets.a.ct) } } })],
    ['the tag was replaced', (content) => ({ ...content, secrets: { a: { ...content.secrets.a, tag: Buffer.alloc(16).toString('base64url') } } })],
    ['the record claims another key', (content) => ({ ...content, secrets: { a: { ...content.secrets.a, kid: '0123456789abcdef' } } })],
  ])('a secret is not given out when %s', async (_, change) => {
    const { withTwo, opened, edit } = setUp();
    await withTwo();
    edit(change);
    const vault = await opened();
    await expect(vault.get(a, 'test', signal)).rejects.toMatchObject({ code: 'vault/damaged', data: { id: 'a' } });
    expect(vault.status.phase).toBe('ready');
  });

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['no JSON', () => 'rubbish'],
    ['of an older format', (text) => text.replace('"v":1', '"v":0')],
    ['of a newer format', (text) => text.replace('"v":1', '"v":2')],
    ['without its version', (text) => text.replace('"v":1,', '')],
    ['holding a value in the open', (text) => text.replace(/"secrets":\{.*/, '"secrets":{"a":{"scope":"s","value":"open","updatedAt":1}}}')],
    ['holding a shortened tag', (text) => text.replaceAll(/"tag":"[^"]{6}/g, '"tag":"')],
    ['holding an id that is none', (text) => text.replace('"a":{', '"../a":{')],
  ])('a file that is %s is reported as damaged and never overwritten', async (_, change) => {
    const { file, keyring, withTwo, start } = setUp();
    await withTwo();
    const text = change(readFileSync(file, 'utf8'));
    writeFileSync(file, text);
    const vault = start();
    expect(await vault.open(signal)).toMatchObject({ phase: 'unavailable', why: 'damaged' });
    await expect(vault.put(a, new Secret('v'), 's', signal)).rejects.toMatchObject({ code: 'vault/damaged' });
    await expect(vault.get(a, 'test', signal)).rejects.toMatchObject({ code: 'vault/damaged' });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(keyring.entries.size).toBe(1);
  });

  it('damage that comes while the vault is open is noticed at the next use', async () => {
    const { file, withTwo, opened } = setUp();
    await withTwo();
    const vault = await opened();
    writeFileSync(file, 'rubbish');
    await expect(vault.put(a, new Secret('v'), 's', signal)).rejects.toMatchObject({ code: 'vault/damaged' });
    expect(vault.status).toMatchObject({ phase: 'unavailable', why: 'damaged' });
    expect(readFileSync(file, 'utf8')).toBe('rubbish');
  });

  it('a link in place of the file, or of its folder, is refused and not followed', async () => {
    const { folder, file, withTwo, start } = setUp();
    await withTwo();
    renameSync(file, `${file}.real`);
    symlinkSync(`${file}.real`, file);
    const before = readFileSync(`${file}.real`, 'utf8');
    const vault = start();
    expect(await vault.open(signal)).toMatchObject({ phase: 'unavailable', why: 'refused' });
    await expect(vault.put(a, new Secret('v'), 's', signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
    expect(readFileSync(`${file}.real`, 'utf8')).toBe(before);
    rmSync(file);
    renameSync(`${file}.real`, file);
    renameSync(folder, `${folder}.real`);
    symlinkSync(`${folder}.real`, folder);
    expect(await start().open(signal)).toMatchObject({ phase: 'unavailable', why: 'refused' });
  });

  it('a folder in place of the file is refused', async () => {
    const { file, folder, start } = setUp();
    mkdirSync(folder, { mode: 0o700 });
    mkdirSync(file);
    expect(await start().open(signal)).toMatchObject({ phase: 'unavailable', why: 'refused' });
  });

  it.runIf(process.getuid?.() === 0)('a file or folder that belongs to somebody else is refused', async () => {
    const { folder, file, withTwo, start } = setUp();
    await withTwo();
    chownSync(file, 12_345, 12_345);
    expect(await start().open(signal)).toMatchObject({ phase: 'unavailable', why: 'refused' });
    chownSync(file, 0, 0);
    chownSync(folder, 12_345, 12_345);
    expect(await start().open(signal)).toMatchObject({ phase: 'unavailable', why: 'refused' });
  });
});

describe('memory only', () => {
  it('by choice, secrets live until the app ends and are never written', async () => {
    const { folder, keyring, start } = setUp();
    keyring.fault = new AppError('vault/unavailable', 'no bus');
    const vault = start();
    const seen: VaultStatus[] = [];
    using _listening = vault.onStatus((status) => seen.push(status));
    await vault.open(signal);
    expect(vault.useMemoryOnly()).toEqual({ phase: 'memory-only', secrets: 0 });
    await vault.put(a, new Secret('v'), 's', signal);
    expect(await revealed(vault.get(a, 'test', signal))).toBe('v');
    expect((await vault.list(signal)).map(({ id, scope, lastReadBy }) => [id, scope, lastReadBy])).toEqual([['a', 's', 'test']]);
    expect(seen).toEqual([{ phase: 'unavailable', why: 'no-keyring', message: 'no bus' }, { phase: 'memory-only', secrets: 0 }, { phase: 'memory-only', secrets: 1 }]);
    await vault.remove(a, signal);
    expect(await vault.get(a, 'test', signal)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a vault that works is not given up for it', async () => {
    const { withTwo, opened } = setUp();
    await withTwo();
    const vault = await opened();
    expect(vault.useMemoryOnly()).toEqual({ phase: 'ready', secrets: 2 });
    expect(await revealed(vault.get(a, 'test', signal))).toBe('value of a');
  });

  it('once the keyring is back, opening finds the stored secrets, keeps those in memory in memory, and stores new ones', async () => {
    const { file, keyring, withTwo, start } = setUp();
    await withTwo();
    keyring.fault = new AppError('vault/locked', 'locked');
    const vault = start();
    await vault.open(signal);
    vault.useMemoryOnly();
    const c = SecretId.parse('c');
    await vault.put(c, new Secret('only here'), 's', signal);
    expect(await vault.get(a, 'test', signal)).toBeUndefined();
    expect(await vault.open(signal)).toEqual({ phase: 'memory-only', secrets: 1 });
    keyring.fault = undefined;
    expect(await vault.open(signal)).toEqual({ phase: 'ready', secrets: 2 });
    expect([await revealed(vault.get(a, 'test', signal)), await revealed(vault.get(c, 'test', signal))]).toEqual(['value of a', 'only here']);
    expect(JSON.parse(readFileSync(file, 'utf8')).secrets.c).toBeUndefined();
    await vault.put(c, new Secret('kept'), 's', signal);
    expect(JSON.parse(readFileSync(file, 'utf8')).secrets.c).toBeDefined();
  });
});

describe('reset', () => {
  it('gives up the values, keeps ids and scopes, begins anew with a new key, and leaves the old file beside it', async () => {
    const { folder, file, keyring, withTwo, opened } = setUp();
    await withTwo();
    const before = readFileSync(file, 'utf8');
    keyring.entries.clear();
    const vault = await opened();
    expect(vault.status).toMatchObject({ why: 'key-missing' });
    expect(await vault.reset(signal)).toEqual({ phase: 'ready', secrets: 0 });
    expect((await vault.list(signal)).map(({ id, scope }) => [id, scope])).toEqual([['a', 'scope a'], ['b', 'scope b']]);
    expect(await vault.get(a, 'test', signal)).toBeUndefined();
    await vault.put(a, new Secret('typed again'), 'scope a', signal);
    const again = await opened();
    expect(again.status).toEqual({ phase: 'ready', secrets: 1 });
    expect(await revealed(again.get(a, 'test', signal))).toBe('typed again');
    const kept = readdirSync(folder).find((name) => name.startsWith('vault-before-reset-')) ?? '';
    expect(readFileSync(join(folder, kept), 'utf8')).toBe(before);
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600);
  });

  it('a damaged file can be put aside the same way', async () => {
    const { file, withTwo, opened } = setUp();
    await withTwo();
    writeFileSync(file, 'rubbish', { mode: 0o600 });
    const vault = await opened();
    expect(await vault.reset(signal)).toEqual({ phase: 'ready', secrets: 0 });
    await vault.put(a, new Secret('v'), 's', signal);
    expect(await revealed(vault.get(a, 'test', signal))).toBe('v');
  });

  it('without a keyring nothing is reset', async () => {
    const { file, keyring, withTwo, start } = setUp();
    await withTwo();
    const before = readFileSync(file, 'utf8');
    keyring.fault = new AppError('vault/unavailable', 'no bus');
    await expect(start().reset(signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('last reads', () => {
  it('are known at once, written after a minute at most once, and when the vault is closed', async () => {
    const { file, clock, withTwo, opened } = setUp();
    await withTwo();
    const vault = await opened();
    const before = readFileSync(file, 'utf8');
    const first = clock.now();
    await vault.get(a, 'server one', signal);
    await vault.get(a, 'server two', signal);
    expect((await vault.list(signal))[0]).toMatchObject({ id: 'a', lastReadAt: first, lastReadBy: 'server two' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(clock.waits).toEqual([60_000]);
    clock.advance(60_000);
    await expect.poll(() => JSON.parse(readFileSync(file, 'utf8')).secrets.a.lastReadBy, { timeout: 10_000 }).toBe('server two');
    await vault.get(b, 'server three', signal);
    await vault[Symbol.asyncDispose]();
    const { secrets } = JSON.parse(readFileSync(file, 'utf8'));
    expect([secrets.a.lastReadAt, secrets.b.lastReadAt, secrets.b.lastReadBy]).toEqual([first, first + 60_000, 'server three']);
    expect(await revealed((await opened()).get(b, 'test', signal))).toBe('value of b');
  });
});

function turned(ct: string): string {
  const bytes = Buffer.from(ct, 'base64url');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString('base64url');
}
