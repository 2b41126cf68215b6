import { appendFileSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ChatId } from '../../shared/ids.ts';
import { createTranscriptStore } from './transcript-log.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram('test/support/programs/storage-child.ts');
});
afterAll(() => program[Symbol.asyncDispose]());

const signal = new AbortController().signal;
const chat = ChatId.parse('chat-1');

it('what was appended is there again when the chat is opened, in order', async () => {
  const folder = join(tempFolder(), 'chats');
  const store = createTranscriptStore(folder);
  const first = await store.open(chat, signal);
  expect(first.records).toEqual([]);
  await Promise.all([first.append([{ n: 1 }, { n: 2 }], false), first.append([{ n: 3, text: 'a\nb\u2028 é 😀' }], true), first.append([], true), first.append([{ n: 4 }], false)]);
  await first[Symbol.asyncDispose]();
  await using again = await store.open(chat, signal);
  expect(again.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3, text: 'a\nb\u2028 é 😀' }, { n: 4 }]);
  expect(again.skipped).toBe(0);
});

it('chats are files of mode 600 in a folder of mode 700, whatever they were before', async () => {
  const folder = join(tempFolder(), 'chats');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, 'chat-1.jsonl'), '', { mode: 0o644 });
  await using _file = await createTranscriptStore(folder).open(chat, signal);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'chat-1.jsonl')).mode & 0o777).toBe(0o600);
});

it('a half-written last line is cut off, and the next record begins on a line of its own', async () => {
  const folder = tempFolder();
  const file = join(folder, 'chat-1.jsonl');
  writeFileSync(file, '{"n":1}\n{"n":2}');
  const store = createTranscriptStore(folder);
  const opened = await store.open(chat, signal);
  expect([opened.records, opened.skipped]).toEqual([[{ n: 1 }], 0]);
  await opened.append([{ n: 3 }], true);
  await opened[Symbol.asyncDispose]();
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":3}\n');
});

it('lines that are no JSON are left out, counted and kept in the file', async () => {
  const folder = tempFolder();
  const file = join(folder, 'chat-1.jsonl');
  const bytes = Buffer.concat([Buffer.from('{"n":1}\n{"n":\n\0\0\0\n\n"'), Buffer.from([0xff]), Buffer.from('"\n{"n":2}\n')]);
  writeFileSync(file, bytes);
  await using opened = await createTranscriptStore(folder).open(chat, signal);
  expect([opened.records, opened.skipped]).toEqual([[{ n: 1 }, { n: 2 }], 4]);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

it('a chat has one writer at a time, and cannot be removed under it', async () => {
  const store = createTranscriptStore(tempFolder());
  const opened = await store.open(chat, signal);
  await expect(store.open(chat, signal)).rejects.toMatchObject({ code: 'chat/busy' });
  await expect(store.remove(chat, signal)).rejects.toMatchObject({ code: 'chat/busy' });
  await opened[Symbol.asyncDispose]();
  await (await store.open(chat, signal))[Symbol.asyncDispose]();
});

it('closing waits for what is on its way, and nothing can be appended afterwards', async () => {
  const store = createTranscriptStore(tempFolder());
  const opened = await store.open(chat, signal);
  const appended = opened.append([{ n: 1 }], true);
  await opened[Symbol.asyncDispose]();
  await appended;
  await expect(opened.append([{ n: 2 }], false)).rejects.toMatchObject({ code: 'storage/failed' });
  await using again = await store.open(chat, signal);
  expect(again.records).toEqual([{ n: 1 }]);
});

it('lists the chats and forgets a removed one; other files and removing twice do no harm', async () => {
  const folder = tempFolder();
  const store = createTranscriptStore(folder);
  for (const id of ['b', 'a']) await (await store.open(ChatId.parse(id), signal))[Symbol.asyncDispose]();
  appendFileSync(join(folder, 'Not A Chat.jsonl'), '');
  mkdirSync(join(folder, 'c.jsonl'));
  expect(await store.list(signal)).toEqual(['a', 'b']);
  await store.remove(ChatId.parse('a'), signal);
  await store.remove(ChatId.parse('a'), signal);
  expect(await store.list(signal)).toEqual(['b']);
  expect(await createTranscriptStore(join(folder, 'none')).list(signal)).toEqual([]);
});

it('a chat id that would lead elsewhere, and a chat that is a symlink, are refused', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'target'), 'precious');
  symlinkSync('target', join(folder, 'chat-1.jsonl'));
  const store = createTranscriptStore(folder);
  await expect(store.open('../x' as ChatId, signal)).rejects.toMatchObject({ code: 'request/invalid' }); // a wrong id on purpose
  await expect(store.remove('../target' as ChatId, signal)).rejects.toMatchObject({ code: 'request/invalid' }); // the same
  await expect(store.open(chat, signal)).rejects.toMatchObject({ code: 'storage/failed' });
  expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('precious');
  expect(lstatSync(join(folder, 'chat-1.jsonl')).isSymbolicLink()).toBe(true);
});

it('when the disk is full the append fails, what was saved stays whole, and the chat goes on once there is room', async () => {
  const folder = tempFolder();
  // 4 blocks of 512 or 1024 bytes, by shell: the write that crosses the limit is cut in its middle.
  const script = `ulimit -f 4; exec "${process.execPath}" "${program.file}" append-until-full "${folder}" chat-1`;
  const child = new ChildProgram('/bin/sh', ['-c', script]);
  expect(await child.ended()).toBe(0);
  expect(child.lines.slice(-2)).toEqual(['failed storage/failed', 'saved small']);
  const saved = child.lines.filter((line) => /^saved \d/.test(line)).length;
  expect(saved).toBeGreaterThan(3);
  await using opened = await createTranscriptStore(folder).open(chat, signal);
  expect(opened.skipped).toBe(0);
  expect(opened.records.length).toBe(saved + 1);
});

it('after 25 rounds of kill −9 during durable appends nothing that was acknowledged is lost', async () => {
  const folder = tempFolder();
  const store = createTranscriptStore(folder);
  let next = 0;
  let acknowledged = 0;
  for (let round = 0; round < 25; round++) {
    const writer = ChildProgram.node(program.file, 'append-durably', folder, chat, String(next));
    const enough = 3 + ((round * 7) % 40);
    await writer.line((_, index) => index >= enough);
    await writer.kill();
    acknowledged += writer.lines.length;
    await using opened = await store.open(chat, signal);
    const saved = opened.records.map((record) => (record as { n: number }).n); // what the child writes
    expect(opened.skipped).toBe(0);
    // Every number once, in order, up to the last: so each acknowledged one is among them.
    expect(saved).toEqual(saved.map((_, index) => index));
    expect(saved.length).toBeGreaterThan(Number(writer.lines.at(-1)));
    next = saved.length;
  }
  expect(acknowledged).toBeGreaterThan(25 * 3);
}, 60_000);
