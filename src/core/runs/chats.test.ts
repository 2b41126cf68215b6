import { expect, it } from 'vitest';
import type { JsonObject, ToolRef } from '../../shared/model/catalog.ts';
import { AppError } from '../../shared/errors.ts';
import type { Documents, TranscriptStore } from '../ports.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';
import { Chats, type ChatsDeps } from './chats.ts';

const signal = new AbortController().signal;
const ref = { serverId: 'notes', tool: 'list_notes', revision: 'r1' } as ToolRef; // nobody looks it up here

/** Chats over files in memory. What a call does is told by `execute`. */
function setup(execute: (recorder: CallRecorder) => Promise<void>) {
  const lists: { readonly activity: string }[][] = [];
  let list: string | undefined;
  const documents: Documents = {
    read: async () => list,
    update: async (_name, edit) => {
      list = edit(list);
      lists.push(JSON.parse(list).chats);
    },
  };
  const files = new Map<string, JsonObject[]>();
  const opened: string[] = [];
  const transcripts: TranscriptStore = {
    list: async () => [],
    open: async (id) => {
      if (opened.includes(id)) throw new Error('one writer for a chat');
      opened.push(id);
      const records = files.get(id) ?? [];
      files.set(id, records);
      const append = async (added: readonly object[]): Promise<void> => void records.push(...(added as JsonObject[])); // what it is given is JSON
      return { records: [...records], skipped: 0, append, [Symbol.asyncDispose]: () => new Promise((resolve) => setTimeout(() => resolve(void opened.splice(opened.indexOf(id), 1)), 5)) };
    },
    remove: async () => undefined,
  };
  let ids = 0;
  let time = 0;
  const pass = (ms: number): void => void (time += ms);
  const chats = new Chats({
    clock: { now: () => (time += 1), sleep: async () => undefined },
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    log: { error: (message: string, error: unknown) => { throw new AppError('internal/bug', message, { cause: error }); } },
    documents, transcripts,
    onSummary: () => undefined,
    onRemoved: () => undefined,
    chat: { newId: () => `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, '0')}`, serverName: () => 'Notes', execute: async (_call: unknown, recorder: CallRecorder) => execute(recorder) },
  } as unknown as ChatsDeps); // Direct calls use no other part
  return { chats, lists, opened, pass };
}

it('says on the disk that a chat is busy before a call is made, once for calls in a row, and that it rests when all is closed', async () => {
  const said: (string | undefined)[] = [];
  const { chats, lists } = setup(async (recorder) => {
    said.push(lists.at(-1)?.[0]?.activity);
    await recorder.settled({ kind: 'cancelled' });
  });
  const chat = await chats.get(await chats.create({}, signal), signal);
  const before = lists.length;
  for (let calls = 1; calls <= 20; calls += 1) {
    await chat.callTool(ref, {});
    while (chat.directCalls > 0) await Promise.resolve();
  }
  expect(said).toEqual(Array.from({ length: 20 }, () => 'running'));
  expect(lists.length - before).toBeLessThanOrEqual(3);
  await chats[Symbol.asyncDispose]();
  expect(lists.at(-1)).toMatchObject([{ activity: 'idle' }]);
});

it('keeps eight chats at rest open, and beside them those that are busy, followed or just used; what was closed comes back whole', async () => {
  let finish: (() => void) | undefined;
  const { chats, opened, pass } = setup(async (recorder) => {
    if (finish === undefined) await new Promise<void>((resolve) => void (finish = resolve));
    await recorder.settled({ kind: 'cancelled' });
  });
  const ids = [];
  for (let made = 0; made < 12; made += 1) ids.push(await chats.create({}, signal));
  expect(opened).toHaveLength(12);
  const [busy, followed, third] = ids;
  if (!busy || !followed || !third) throw new Error('Nothing was made');
  const calling = await chats.get(busy, signal);
  await calling.callTool(ref, {});
  using following = (await chats.get(followed, signal)).transcript.store.follow(() => undefined);
  expect(following.state.id).toBe(followed);
  pass(120_000);
  await chats.get(third, signal);
  await expect.poll(() => opened.length).toBe(10);
  expect(opened).toEqual(expect.arrayContaining([busy, followed, third]));
  const closed = ids.filter((id) => !opened.includes(id));
  expect(closed).toEqual(ids.slice(3, 5));

  finish?.();
  await expect.poll(() => calling.directCalls).toBe(0);
  const again = await chats.get(closed[0] ?? third, signal);
  expect(again.transcript.store.current).toMatchObject({ id: closed[0], title: 'New chat' });
  // Each that is asked for lets others close, which are asked for meanwhile.
  for (const id of [...ids, ...ids]) {
    pass(120_000);
    await chats.get(id, signal);
  }
  const [one, two] = await Promise.all([chats.get(busy, signal), chats.get(busy, signal)]);
  expect(one).toBe(two);
  expect(Object.values(one.transcript.store.current.calls)).toMatchObject([{ phase: 'settled' }]);
  await chats[Symbol.asyncDispose]();
  expect(opened).toEqual([]);
});
