import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SecretId } from '../../src/shared/ids.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts?.[Symbol.asyncDispose]());

const key = SecretId.parse('API_KEY');
const canary = 'canary-home-4f9c2a';
const passphrase = 'correct horse battery';

/** With a server that needs a secret, and a chat. */
async function furnished(app: TestApp): Promise<void> {
  await app.ask('secrets.put', { scope: 'global', key, value: canary, policy: 'auto' });
  await app.ask('servers.add', { name: 'docs', enabled: false, transport: { type: 'stdio', command: 'docs-server', args: [], env: { K: { secretRef: key, scope: 'global' } } } });
  const { chatId } = await app.ask('chats.create', {});
  await app.ask('chats.rename', { chatId, title: 'Kept' });
}
const secrets = async (app: TestApp) => (await app.ask('secrets.list', undefined)).map(({ key: name, policy, missing }) => ({ name, policy, missing }));
const titles = (app: TestApp): readonly string[] => app.state.chats.map(({ title }) => title);

it.each([[passphrase, false], [undefined, true]])('a backup (passphrase: %s) taken to another machine is the home there after the next start', async (chosen, missing) => {
  const folder = tempFolder();
  const file = join(folder, 'gatehouse.backup');
  {
    await using one = await TestApp.open(parts, { home: join(folder, 'one') });
    await furnished(one);
    expect(await one.ask('home.backup', { path: file, ...(chosen === undefined ? {} : { passphrase: chosen }) })).toMatchObject({ path: file, chats: 1, secrets: chosen === undefined ? 0 : 1 });
  }
  expect(gunzipSync(readFileSync(file)).includes(canary)).toBe(false);

  const keyring = new MemoryKeyring();
  const home = join(folder, 'two');
  {
    await using two = await TestApp.open(parts, { home, keyring });
    await two.ask('chats.create', {});
    await two.ask('home.restore', { path: file, ...(chosen === undefined ? {} : { passphrase: chosen }) });
    expect(titles(two)).not.toContain('Kept');
  }
  await using again = await TestApp.open(parts, { home, keyring });
  expect(titles(again)).toEqual(['Kept']);
  expect(again.state.servers[again.server('docs')]?.definition).toMatchObject({ name: 'docs', enabled: false, transport: { command: 'docs-server', env: { K: { secretRef: key, scope: 'global' } } } });
  expect(await secrets(again)).toEqual([{ name: key, policy: 'auto', missing }]);
  expect(readdirSync(dirname(home)).filter((name) => name.startsWith('two.before-restore-'))).toHaveLength(1);
  expect(readdirSync(home).filter((name) => name.startsWith('.restore'))).toEqual([]);
  if (missing) await again.ask('secrets.put', { scope: 'global', key, value: 'typed anew' });
  expect((await secrets(again))[0]?.missing).toBe(false);
});

it('a lost master key is said, stores nothing in the open, and a reset keeps everything but the values', async () => {
  const folder = tempFolder();
  const home = join(folder, 'home');
  const keyring = new MemoryKeyring();
  {
    await using app = await TestApp.open(parts, { home, keyring });
    await furnished(app);
  }
  keyring.entries.clear();
  await using app = await TestApp.open(parts, { home, keyring });
  expect(await app.ask('vault.open', undefined)).toMatchObject({ phase: 'unavailable', why: 'key-missing' });
  await expect(app.ask('secrets.put', { scope: 'global', key, value: 'another-value' })).rejects.toMatchObject({ code: 'vault/key-missing' });
  expect(await app.ask('secrets.reset-vault', { confirm: 'forget all values' })).toBeUndefined();
  expect(app.state.vault.phase).toBe('ready');
  expect(await secrets(app)).toEqual([{ name: key, policy: 'auto', missing: true }]);
  expect(titles(app)).toEqual(['Kept']);
  expect(app.state.servers[app.server('docs')]?.definition.transport).toMatchObject({ env: { K: { secretRef: key, scope: 'global' } } });
  await app.ask('secrets.put', { scope: 'global', key, value: canary });
  expect(await secrets(app)).toEqual([{ name: key, policy: 'auto', missing: false }]);
  const texts = (at: string): readonly string[] => readdirSync(at, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? texts(join(at, entry.name)) : [readFileSync(join(at, entry.name), 'latin1')]));
  expect(texts(home).some((text) => text.includes(canary) || text.includes('another-value'))).toBe(false);
});

it('a home of a later version, found by a start, is refused with words and stays as it is', async () => {
  const folder = tempFolder();
  const home = join(folder, 'home');
  {
    await using app = await TestApp.open(parts, { home });
    await app.ask('chats.create', {});
    await app.ask('home.backup', { path: join(folder, 'a.backup') });
    await app.ask('home.restore', { path: join(folder, 'a.backup') });
  }
  writeFileSync(join(home, 'version.json'), '{"format":99}');
  const before = readdirSync(home).toSorted();
  await expect(TestApp.open(parts, { home })).rejects.toMatchObject({ code: 'home/newer', data: { found: 99 } });
  expect(readdirSync(home).toSorted()).toEqual(before);
  expect(existsSync(join(home, '.restore'))).toBe(true);
});
