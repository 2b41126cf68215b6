import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { KeptContents } from '../../../test/support/kept-contents.ts';
import { ChatId } from '../../shared/ids.ts';
import { tidyContents, tidyDaily } from './tidy-contents.ts';

const { signal } = new AbortController();
const day = 86_400_000;
const names = ['chat-1', 'chat-2', 'chat-new', 'gone', 'cli', 'app-window'].map((name) => ChatId.parse(name));
const [one, two, fresh, gone, cli, app] = names as [ChatId, ChatId, ChatId, ChatId, ChatId, ChatId]; // six were made

async function setup(days: number | undefined) {
  const contents = new KeptContents();
  const clock = new FakeClock();
  clock.advance(1_000 * day);
  const put = async (keeper: ChatId, ageDays: number) => {
    const { id } = await contents.store.put(keeper, new Uint8Array([1]), 'image/png', signal);
    const at = (clock.now() - ageDays * day) / 1000;
    utimesSync(join(contents.folder, keeper, `${id}~image%2Fpng`), at, at);
    return id;
  };
  const deps = { contents: contents.store, clock, days: () => days, chats: async () => [one, two], isChat: (keeper: ChatId) => keeper === fresh };
  const isThere = async (id: Awaited<ReturnType<typeof put>>) => (await contents.store.keeperOf(id, signal)) !== undefined;
  return { contents, clock, put, deps, isThere };
}

it('contents live as long as their chat; those of a chat that is gone go, and half of one too', async () => {
  const { contents, put, deps, isThere } = await setup(undefined);
  const [old, young, orphan] = [await put(one, 400), await put(fresh, 0), await put(gone, 0)];
  writeFileSync(join(contents.folder, one, 'abc~image%2Fpng.part'), 'half');
  mkdirSync(join(contents.folder, 'chat-2'));
  writeFileSync(join(contents.folder, 'chat-2', 'def~image%2Fpng.part'), 'half');
  await tidyContents(deps, signal);
  expect([await isThere(old), await isThere(young), await isThere(orphan)]).toEqual([true, true, false]);
  expect(existsSync(join(contents.folder, gone))).toBe(false);
  expect([...readdirSync(join(contents.folder, one)), ...readdirSync(join(contents.folder, two))].filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('contents of calls without a chat are kept for a day', async () => {
  const { put, deps, isThere } = await setup(30);
  const ids = [await put(cli, 0.9), await put(cli, 1.1), await put(app, 2)];
  await tidyContents(deps, signal);
  expect(await Promise.all(ids.map(isThere))).toEqual([true, false, false]);
});

it('a time for contents is kept to at the start and every day, and what failed once is tried again', async () => {
  const { put, deps, isThere, clock } = await setup(7);
  const ids = [await put(one, 6.5), await put(one, 7.5)];
  const ending = new AbortController();
  const failures: unknown[] = [];
  let fail = false;
  const daily = tidyDaily({ ...deps, chats: async () => (fail ? Promise.reject(new Error('no disk')) : [one, two]) }, (error) => failures.push(error), ending.signal);
  await expect.poll(() => Promise.all(ids.map(isThere))).toEqual([true, false]);
  fail = true;
  await expect.poll(() => clock.waits.length).toBe(1);
  clock.advance(day);
  await expect.poll(() => failures.length).toBe(1);
  fail = false;
  await expect.poll(() => clock.waits.length).toBe(1);
  clock.advance(day);
  await expect.poll(() => isThere(ids[0] ?? never())).toBe(false);
  ending.abort();
  await daily;
});

function never(): never {
  throw new Error('it was put');
}
