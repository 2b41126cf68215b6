import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { buildProgram } from '../support/build-worker.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** Starts in a moment, for the many starts below. */
const plainServer = join(import.meta.dirname, '../servers/stdio/calls.mjs');

/** Two steps with two calls, then an answer. */
async function twoSteps(options?: Parameters<typeof startModelServer>[0]): Promise<ModelServer> {
  const server = await startModelServer(options);
  server.on(
    { hasToolResult: false },
    {
      text: 'First I say a, then I look.',
      calls: [
        { name: 'mcp_plain_echo', args: { text: 'a' }, id: 'a1' },
        { name: 'mcp_plain_seen', args: {}, id: 'a2' },
      ],
    },
  );
  server.on({ toolCallId: 'a2' }, { text: 'Now I say b.', calls: [{ name: 'mcp_plain_echo', args: { text: 'b' }, id: 'b1' }] });
  server.on({}, { text: 'All is done.' });
  return server;
}
interface WireMessage {
  readonly role: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}
/** Every call that a request tells of has its result right behind it: providers refuse anything else. */
function unanswered(server: ModelServer): readonly string[] {
  const messages = (server.requests().at(-1)?.body as { messages?: readonly WireMessage[] } | null)?.messages ?? [];
  return messages.flatMap((message, at) => {
    const wanted = message.tool_calls?.map((call) => call.id) ?? [];
    const following = messages.slice(at + 1, at + 1 + wanted.length).map((next) => next.tool_call_id);
    return wanted.filter((id) => !following.includes(id));
  });
}
const settled = ({ calls, run }: ChatState) => run.phase !== 'running' && Object.values(calls).every((call) => call.phase === 'settled');

describe('a run that was cut', () => {
  it('opens after a kill at any record, settles honestly and goes on to its end', { timeout: 240_000 }, async () => {
    await using server = await twoSteps();
    const [home, keyring] = [tempFolder(), new MemoryKeyring()];
    const first = await TestApp.open(parts, { home, keyring });
    await first.addServer('Plain', plainServer);
    await first.ask('servers.set-enabled', { serverId: first.server('Notes'), enabled: false });
    const { providerId } = await first.ask('models.save-provider', {
      kind: 'openai-compatible',
      name: 'Test',
      baseUrl: server.baseUrl('openai-compatible'),
      models: [],
    });
    await first.ask('settings.update', { model: { providerId, model: 'm' }, approvals: 'unrestricted', directTools: true });
    const chatId = await first.newChat();
    await first.ask('chats.send', { chatId, text: 'go' });
    await first.untilChat(chatId, (chat) => chat.run.phase === 'idle' && chat.items.length > 3);
    await first[Symbol.asyncDispose]();
    const whole = readFileSync(join(home, 'chats', `${chatId}.jsonl`));
    const ends = [...whole].flatMap((byte, at) => (byte === 0x0a ? [at + 1] : []));
    const begun = ends.findIndex((end, index) => whole.subarray(ends[index - 1] ?? 0, end).includes('"user-message"'));
    const cuts = [...ends.slice(begun), ...ends.slice(begun, begun + 3).map((end) => end + 9)];
    const kinds = new Set<string>();
    for (const cut of cuts) {
      const copy = tempFolder();
      cpSync(home, copy, { recursive: true, filter: (path) => !path.includes('home.lock') && !path.endsWith('chats.json') });
      writeFileSync(join(copy, 'chats', `${chatId}.jsonl`), whole.subarray(0, cut));
      server.forget();
      await using test = await TestApp.open(parts, { home: copy, keyring });
      expect(test.state.approvals).toEqual([]);
      const opened = await test.chat(chatId);
      expect(settled(opened)).toBe(true);
      for (const call of Object.values(opened.calls))
        if (call.phase === 'settled') kinds.add(call.outcome.kind === 'failed' ? call.outcome.code : call.outcome.kind);
      if (opened.run.phase !== 'idle' || opened.items.length < 2) {
        await test.ask('chats.continue', { chatId });
        const after = await test.untilChat(chatId, (chat) => chat.run.phase === 'idle' && chat.items.length > 1);
        expect(after.items.findLast((item) => item.kind === 'assistant')).toMatchObject({ text: 'All is done.', finish: 'stop' });
        expect(unanswered(server)).toEqual([]);
      }
    }
    // The cuts have met a call that was only asked for, one that ran, and one that had ended.
    expect(kinds).toEqual(new Set(['cancelled', 'tool/outcome-unknown', 'succeeded']));
  });
});

describe('a chat whose first word never reached the disk', () => {
  it('is no chat, and its empty file goes; one that cannot be read stays', async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'chats'), { recursive: true, mode: 0o700 });
    const [empty, odd] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    writeFileSync(join(home, 'chats', `${empty}.jsonl`), '');
    writeFileSync(join(home, 'chats', `${odd}.jsonl`), 'no json\n');
    await using test = await TestApp.open(parts, { home });
    expect(test.state.chats).toEqual([]);
    expect(readdirSync(join(home, 'chats'))).toEqual([`${odd}.jsonl`]);
  });
});

describe('kill −9', () => {
  it('in 25 rounds during runs loses nothing that was acknowledged', { timeout: 240_000 }, async () => {
    await using server = await twoSteps({ latency: 5, chunkSize: 8 });
    await using program = await buildProgram(join(import.meta.dirname, '../support/programs/busy-app.ts'));
    const home = tempFolder();
    const published = new Map<string, Set<string>>();
    const sent = new Map<string, string>();
    for (let round = 0; round < 25; round += 1) {
      const child = spawn(
        process.execPath,
        [program.file, server.baseUrl('openai-compatible'), parts.scriptsFolder, parts.worker.href, plainServer],
        { env: { ...process.env, GATEHOUSE_HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await killedAfter(child, (round % 13) * 3, (words) => {
        const [what = '', chatId = '', ...rest] = words;
        if (what === 'published') published.set(chatId, (published.get(chatId) ?? new Set()).add(rest[0] ?? ''));
        if (what === 'sent') sent.set(chatId, rest.join(' '));
      });
    }
    expect(sent.size).toBeGreaterThanOrEqual(25);
    const lost: string[] = [];
    for (const [chatId, ids] of published) {
      const written = new Set(readRecords(home, chatId).map((record) => record.id));
      lost.push(...[...ids].filter((id) => !written.has(id)));
    }
    expect(lost).toEqual([]);
    await using test = await TestApp.open(parts, { home });
    expect(new Set(test.state.chats.map((chat) => chat.id))).toEqual(
      new Set(
        readdirSync(join(home, 'chats'))
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => name.slice(0, -6)),
      ),
    );
    for (const [chatId, text] of sent) {
      const chat = await test.chat(chatId as ChatId); // as the app itself said it
      expect(chat.items.filter((item) => item.kind === 'user')).toMatchObject([{ text }]);
      expect(settled(chat)).toBe(true);
    }
  });
});

/** Reads lines until so many were published, then kills: at another place of the run in every round. */
async function killedAfter(child: ChildProcess, lines: number, onLine: (words: readonly string[]) => void): Promise<void> {
  if (!child.stdout) throw new Error('no stdout');
  let left = lines + 3;
  const reader = createInterface({ input: child.stdout });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  reader.on('line', (line) => {
    onLine(line.split(' '));
    left -= 1;
    if (left === 0) child.kill('SIGKILL');
  });
  await ended;
}

function readRecords(home: string, chatId: string): readonly { readonly id: string }[] {
  const lines = readFileSync(join(home, 'chats', `${chatId}.jsonl`), 'utf8').split('\n');
  // What follows the last newline was never acknowledged.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as { id: string });
}
