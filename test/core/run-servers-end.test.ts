import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Models } from '../../src/core/ports.ts';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

const calls = join(import.meta.dirname, '../servers/stdio/calls.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** A home with the profile `research`, whose one server is `scratch`. */
async function open(server: ModelServer, models?: Models): Promise<TestApp> {
  const test = await TestApp.open(parts, models ? { models } : {});
  await useModel(test, server);
  await test.ask('settings.update', { approvals: 'unrestricted' });
  mkdirSync(join(test.home, 'profiles'), { recursive: true });
  writeFileSync(join(test.home, 'profiles', 'research.toml'), `[mcp_servers.scratch]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(calls)}]\n`);
  return test;
}
const newChat = async (test: TestApp): Promise<ChatId> => (await test.ask('chats.create', { profile: 'research' })).chatId;
const pidsOf = (chat: ChatState): readonly number[] =>
  Object.values(chat.calls).flatMap((call) => (call.call.ref.tool === 'pid' && call.phase === 'settled' && call.outcome.kind === 'succeeded' ? call.outcome.result.parts.flatMap((part) => (part.type === 'text' ? [Number(part.text)] : [])) : []));
const lastPid = (chat: ChatState): number => pidsOf(chat).at(-1) ?? expect.unreachable('the call brought no pid');
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
const gone = (one: number) => expect.poll(() => isAlive(one), { timeout: 10_000 }).toBe(false);
const pid = { name: 'mcp_scratch_pid', args: {} };
const wait = { name: 'mcp_scratch_wait', args: {} };

describe('the servers of a run end with it', () => {
  it('[H-25] when it is done, and the next run has the same name anew', async () => {
    await using server = await scriptedModel([pid]);
    await using test = await open(server);
    const chatId = await newChat(test);
    const first = lastPid(await runToRest(test, 'once', chatId));
    await gone(first);
    const chat = await runToRest(test, 'again', chatId);
    expect(pidsOf(chat)).toHaveLength(2);
    expect(lastPid(chat)).not.toBe(first);
    await gone(lastPid(chat));
  });

  it('[H-25] when it fails', async () => {
    await using server = await startModelServer();
    server.on({ hasToolResult: false }, { calls: [{ ...pid, id: 'call_0' }] });
    server.on({ hasToolResult: true }, { status: 400, message: 'no more' });
    await using test = await open(server);
    const chat = await runToRest(test, 'go', await newChat(test));
    expect(chat.run).toMatchObject({ phase: 'resting', ending: { how: 'failed' } });
    await gone(lastPid(chat));
  });

  it('[H-25] when it meets a bug of ours', async () => {
    await using server = await scriptedModel([]);
    const models: Models = {
      async *step({ messages }) {
        if (messages.some(({ role }) => role === 'tool')) throw new TypeError('a bug');
        yield { type: 'tool-call', id: 'call_0', ...pid };
        yield { type: 'finished', finish: 'tool-calls' };
      },
      prepare: () => Promise.resolve(),
      list: () => Promise.resolve([]),
      detect: () => Promise.resolve([]),
    };
    await using test = await open(server, models);
    const chat = await runToRest(test, 'go', await newChat(test));
    expect(chat.run).toMatchObject({ ending: { how: 'failed', code: 'internal/bug' } });
    await gone(lastPid(chat));
  });

  it('[H-25] when the person stops it in the middle of a call', async () => {
    await using server = await scriptedModel([pid], [wait]);
    await using test = await open(server);
    const chatId = await newChat(test);
    await test.ask('chats.send', { chatId, text: 'go' });
    const running = await test.untilChat(chatId, ({ calls: all }) => Object.values(all).some((call) => call.call.ref.tool === 'wait' && call.phase === 'running'));
    expect(isAlive(lastPid(running))).toBe(true);
    await test.ask('chats.stop', { chatId });
    const chat = await test.untilChat(chatId, ({ run }) => run.phase !== 'running');
    expect(chat.run).toMatchObject({ ending: { how: 'stopped' } });
    await gone(lastPid(chat));
  });

  it('when the app ends', async () => {
    await using server = await scriptedModel([pid], [wait]);
    const test = await open(server);
    const chatId = await newChat(test);
    await test.ask('chats.send', { chatId, text: 'go' });
    const running = await test.untilChat(chatId, ({ calls: all }) => Object.values(all).some((call) => call.call.ref.tool === 'wait' && call.phase === 'running'));
    await test[Symbol.asyncDispose]();
    expect(isAlive(lastPid(running))).toBe(false);
  });

  it('[H-44] what servers offer is absent from the first request, there once it was searched for, and what the run alone had is gone when it ends', async () => {
    await using server = await scriptedModel([{ name: 'mcp_search', args: { query: 'select:mcp_theirs_echo,mcp_scratch_seen' } }]);
    await using test = await open(server);
    await test.addServer('theirs', calls);
    const chatId = await newChat(test);
    await runToRest(test, 'go', chatId);
    expect([...offeredTo(server, 0).keys()]).not.toContain('mcp_theirs_echo');
    expect([...offeredTo(server, 1).keys()]).toEqual(expect.arrayContaining(['mcp_theirs_echo', 'mcp_scratch_seen']));
    await test.ask('chats.choose-profile', { chatId, profile: null });
    const before = server.requests().length;
    await runToRest(test, 'and now', chatId);
    // What a search found of the person's own stays with the chat (F-100).
    expect([...offeredTo(server, before).keys()]).toEqual(['mcp_search', 'mcp', 'mcp_script', 'mcp_theirs_echo']);
  });
});

describe('runs side by side', () => {
  it('[H-26] each have a server of that name, a process each, and end alone', async () => {
    await using server = await scriptedModel([pid], [wait]);
    await using test = await open(server);
    const chats = [await newChat(test), await newChat(test)];
    for (const chatId of chats) await test.ask('chats.send', { chatId, text: 'go' });
    const isWaiting = ({ calls: all }: ChatState) => Object.values(all).some((call) => call.call.ref.tool === 'wait' && call.phase === 'running');
    const [one, other] = await Promise.all(chats.map((chatId) => test.untilChat(chatId, isWaiting)));
    if (!one || !other || !chats[0] || !chats[1]) expect.unreachable();
    expect(lastPid(one)).not.toBe(lastPid(other));
    await test.ask('chats.stop', { chatId: chats[0] });
    await test.untilChat(chats[0], ({ run }) => run.phase !== 'running');
    await expect.poll(() => [isAlive(lastPid(one)), isAlive(lastPid(other))]).toEqual([false, true]);
    const [call] = Object.values((await test.chat(chats[1])).calls);
    // Its servers are nobody else's: not even by their ids.
    const outside = await test.newChat();
    const { callId } = await test.ask('chats.call-tool', { chatId: outside, ref: call?.call.ref ?? expect.unreachable(), args: {} });
    const refused = await test.untilChat(outside, ({ calls: all }) => all[callId]?.phase === 'settled');
    expect(refused.calls[callId]).toMatchObject({ outcome: { kind: 'failed', code: 'server/not-found' } });
    await test.ask('chats.stop', { chatId: chats[1] });
  });
});
