import { expect, it } from 'vitest';
import type { ToolRef } from '../../shared/model/catalog.ts';
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
  const transcripts: TranscriptStore = {
    list: async () => [],
    open: async () => ({ records: [], skipped: 0, append: async () => undefined, [Symbol.asyncDispose]: async () => undefined }),
    remove: async () => undefined,
  };
  let ids = 0;
  let time = 0;
  const chats = new Chats({
    clock: { now: () => (time += 1), sleep: async () => undefined },
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    log: { error: (message: string, error: unknown) => { throw new AppError('internal/bug', message, { cause: error }); } },
    documents, transcripts,
    onSummary: () => undefined,
    onRemoved: () => undefined,
    chat: { newId: () => `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, '0')}`, serverName: () => 'Notes', execute: async (_call: unknown, recorder: CallRecorder) => execute(recorder) },
  } as unknown as ChatsDeps); // Direct calls use no other part
  return { chats, lists };
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
