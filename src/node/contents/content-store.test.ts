import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ChatId, ContentId } from '../../shared/ids.ts';
import { createContentStore } from './content-store.ts';

const signal = new AbortController().signal;
const chat = ChatId.parse('chat-1');
const bytes = new Uint8Array([0, 1, 2, 3, 250, 251, 252, 253, 254, 255]);

it('gives back what was put in, whole and in ranges, to the next start of the app too', async () => {
  const folder = join(tempFolder(), 'contents');
  const ref = await createContentStore(folder).put(chat, bytes, 'image/png', signal);
  expect(ref).toEqual({ id: ref.id, mimeType: 'image/png', bytes: 10 });
  const store = createContentStore(folder);
  expect(await store.read(ref.id, 0, 100, signal)).toEqual({ bytes, total: 10, mimeType: 'image/png' });
  expect(await store.read(ref.id, 4, 3, signal)).toEqual({ bytes: bytes.slice(4, 7), total: 10, mimeType: 'image/png' });
  expect((await store.read(ref.id, 50, 3, signal)).bytes.length).toBe(0);
});

it('files have mode 600 in folders of mode 700, and every id is new', async () => {
  const folder = join(tempFolder(), 'contents');
  const store = createContentStore(folder);
  const refs = await Promise.all([1, 2, 3].map(() => store.put(chat, bytes, 'image/png', signal)));
  expect(new Set(refs.map((ref) => ref.id)).size).toBe(3);
  expect([folder, join(folder, chat)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  for (const name of readdirSync(join(folder, chat))) expect(statSync(join(folder, chat, name)).mode & 0o777).toBe(0o600);
});

it.each([
  ['text/html; charset=utf-8', 'text/html; charset=utf-8'],
  ['application/vnd.a+json', 'application/vnd.a+json'],
  ['image/png\r\nX-Evil: 1', 'application/octet-stream'],
  ['../../etc/passwd', 'application/octet-stream'],
  ['', 'application/octet-stream'],
  [`a/${'b'.repeat(500)}`, 'application/octet-stream'],
])('the media type %j is kept as %j', async (claimed, kept) => {
  const store = createContentStore(join(tempFolder(), 'contents'));
  const ref = await store.put(chat, bytes, claimed, signal);
  expect(ref.mimeType).toBe(kept);
  expect((await store.read(ref.id, 0, 1, signal)).mimeType).toBe(kept);
});

it('removing a chat removes its contents and no others', async () => {
  const store = createContentStore(join(tempFolder(), 'contents'));
  const mine = await store.put(chat, bytes, 'image/png', signal);
  const other = await store.put(ChatId.parse('chat-10'), bytes, 'image/png', signal);
  await store.removeChat(chat, signal);
  await store.removeChat(chat, signal);
  await expect(store.read(mine.id, 0, 1, signal)).rejects.toMatchObject({ code: 'request/invalid' });
  expect((await store.read(other.id, 0, 99, signal)).bytes).toEqual(bytes);
});

it('knows how much each chat keeps', async () => {
  const store = createContentStore(join(tempFolder(), 'contents'));
  expect(await store.sizes(signal)).toEqual(new Map());
  await store.put(chat, bytes, 'image/png', signal);
  await store.put(chat, bytes, 'image/png', signal);
  await store.put(ChatId.parse('b'), new Uint8Array(7), 'image/png', signal);
  expect(await store.sizes(signal)).toEqual(new Map([[chat, 20], ['b', 7]]));
});

it('ids that would lead elsewhere and senseless ranges are refused', async () => {
  const store = createContentStore(join(tempFolder(), 'contents'));
  const { id } = await store.put(chat, bytes, 'image/png', signal);
  const invalid = { code: 'request/invalid' };
  await expect(store.read('../../etc/passwd' as ContentId, 0, 1, signal)).rejects.toMatchObject(invalid); // wrong on purpose, as below
  await expect(store.put('../evil' as ChatId, bytes, 'image/png', signal)).rejects.toMatchObject(invalid);
  await expect(store.removeChat('..' as ChatId, signal)).rejects.toMatchObject(invalid);
  await expect(store.read(id, -1, 5, signal)).rejects.toMatchObject(invalid);
  await expect(store.read(id, 0, Number.NaN, signal)).rejects.toMatchObject(invalid);
  await expect(store.read(ContentId.parse('none'), 0, 1, signal)).rejects.toMatchObject(invalid);
});

it('a link planted in place of a content or of a chat folder is not followed', async () => {
  const folder = tempFolder();
  const contents = join(folder, 'contents');
  const outside = join(folder, 'outside');
  const store = createContentStore(contents);
  const { id } = await store.put(chat, bytes, 'text/plain', signal);
  const [name = ''] = readdirSync(join(contents, chat));
  mkdirSync(outside);
  writeFileSync(join(outside, name), 'secret');

  rmSync(join(contents, chat, name));
  symlinkSync(join(outside, name), join(contents, chat, name));
  await expect(store.read(id, 0, 99, signal)).rejects.toMatchObject({ code: 'storage/failed' });

  rmSync(join(contents, chat), { recursive: true });
  const fresh = await store.put(chat, bytes, 'text/plain', signal);
  renameSync(join(contents, chat), join(folder, 'moved'));
  symlinkSync(join(folder, 'moved'), join(contents, chat));
  await expect(store.read(fresh.id, 0, 99, signal)).rejects.toMatchObject({ code: 'storage/failed' });
  await expect(store.put(chat, bytes, 'text/plain', signal)).rejects.toMatchObject({ code: 'storage/failed' });
  await expect(createContentStore(contents).read(fresh.id, 0, 99, signal)).rejects.toMatchObject({ code: 'request/invalid' });
  await store.removeChat(chat, signal);
  expect(existsSync(join(contents, chat))).toBe(false);
  expect(readdirSync(join(folder, 'moved')).length).toBe(1);
  expect(readFileSync(join(outside, name), 'utf8')).toBe('secret');
});

it('what a crash left half written is no content', async () => {
  const contents = join(tempFolder(), 'contents');
  mkdirSync(join(contents, chat), { recursive: true, mode: 0o700 });
  writeFileSync(join(contents, chat, 'abc~image%2Fpng.part'), 'half');
  await expect(createContentStore(contents).read(ContentId.parse('abc'), 0, 9, signal)).rejects.toMatchObject({ code: 'request/invalid' });
});
