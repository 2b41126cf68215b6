import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalAnswer } from '../../src/shared/model/tool-call.ts';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { startModern } from '../servers/http/sdk-modern.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const broken = join(import.meta.dirname, '../servers/stdio/broken.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** A model that answers the first message with these calls, and what comes back with "Done". */
async function calling(...calls: readonly { readonly name: string; readonly args: unknown }[]): Promise<ModelServer> {
  const server = await startModelServer();
  server.on({ hasToolResult: false }, { text: 'Let me see.', calls: calls.map((call, index) => ({ ...call, id: `call_${index}` })) });
  server.on({ hasToolResult: true }, { text: 'Done' });
  return server;
}
async function withModel(test: TestApp, server: ModelServer): Promise<void> {
  const { providerId } = await test.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: server.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await test.ask('settings.update', { model: { providerId, model: 'm1' }, directTools: true });
}
async function answerNext(test: TestApp, answer: ApprovalAnswer) {
  await test.until((state) => state.approvals.length > 0);
  const [approval] = test.state.approvals;
  if (!approval) throw new Error('nothing asks');
  await test.ask('approvals.answer', { approvalId: approval.id, answer });
  return approval;
}
const atRest = ({ run, items }: ChatState) => run.phase !== 'running' && items.length > 1;
const said = (chat: ChatState) => chat.items.flatMap((item) => (item.kind === 'assistant' ? [item.text] : []));
const outcomes = (chat: ChatState) => Object.values(chat.calls).map((call) => (call.phase === 'settled' ? call.outcome : call.phase));
const toolMessages = (server: ModelServer) => JSON.stringify(server.requests().at(-1)?.body ?? {});
async function ask(test: TestApp, text: string, chatId?: ChatId): Promise<ChatId> {
  const id = chatId ?? (await test.newChat());
  await test.ask('chats.send', { chatId: id, text });
  return id;
}

describe('a run', () => {
  it('streams an answer, makes an approved call and goes on with what it returned', async () => {
    await using server = await calling({ name: 'mcp_notes_add_note', args: { title: 'Plums', text: 'Buy plums' } });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'Note that I need plums');
    const approval = await answerNext(test, { decision: 'allow', scope: 'once' });
    expect(approval).toMatchObject({ call: { serverName: 'Notes', ref: { tool: 'add_note' }, args: { title: 'Plums', text: 'Buy plums' } }, target: 'Comes with Gatehouse' });
    const chat = await test.untilChat(chatId, atRest);
    expect(said(chat)).toEqual(['Let me see.', 'Done']);
    expect(outcomes(chat)).toMatchObject([{ kind: 'succeeded' }]);
    expect(chat.usage).toEqual({ inputTokens: 22, outputTokens: 14 });
    expect(chat.run).toEqual({ phase: 'idle' });
    expect(chat.title).toBe('Note that I need plums');
    expect(toolMessages(server)).toContain('Plums');
    expect(test.state.approvals).toEqual([]);
  });

  it('[F-62] one of its calls is cancelled by itself: its server is told, the call beside it and the run go on, and the model knows', async () => {
    await using server = await calling({ name: 'mcp_slow_wait', args: { ms: 60_000 } }, { name: 'mcp_slow_echo', args: { text: 'beside it' } });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    const { serverId } = await test.ask('servers.add', { name: 'slow', transport: { type: 'stdio', command: process.execPath, args: [broken, 'slow'], env: {} } });
    await test.ask('servers.start', { serverId });
    const chatId = await ask(test, 'wait');
    const [waits] = Object.values((await test.untilChat(chatId, (chat) => Object.values(chat.calls).map(({ phase }) => phase).join() === 'running,settled')).calls);
    await test.ask('chats.cancel-call', { chatId, callId: waits?.call.id ?? ('' as never) });
    const chat = await test.untilChat(chatId, atRest);
    expect(outcomes(chat)).toMatchObject([{ kind: 'cancelled' }, { kind: 'succeeded' }]);
    expect(said(chat)).toEqual(['Let me see.', 'Done']);
    expect(toolMessages(server)).toContain('The call was cancelled before it ended');
    expect(toolMessages(server)).toContain('beside it');
    const told = (await test.call(chatId, serverId, 'was_cancelled', {})).outcome;
    expect(told).toMatchObject({ kind: 'succeeded', result: { structured: { json: expect.stringMatching(/"started":1,"waiting":0/) } } });
  });

  it('tells the model of a denial and its reason, and makes no call', async () => {
    await using server = await calling({ name: 'mcp_notes_delete_note', args: { id: 'none' } });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'delete it');
    await answerNext(test, { decision: 'deny', reason: 'not on Fridays' });
    const chat = await test.untilChat(chatId, atRest);
    expect(outcomes(chat)).toEqual([{ kind: 'denied', by: 'user', reason: 'not on Fridays' }]);
    expect(toolMessages(server)).toContain('not on Fridays');
    const log = readFileSync(join(test.home, 'chats', `${chatId}.jsonl`), 'utf8');
    expect(log).not.toContain('call-started');
  });

  it('runs with the arguments as the person left them, and says so to the model', async () => {
    await using server = await calling({ name: 'mcp_notes_add_note', args: { title: 'Plums', text: 'x' } });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'note');
    await answerNext(test, { decision: 'allow', scope: 'once', args: { title: 'Pears', text: 'y' } });
    const chat = await test.untilChat(chatId, atRest);
    expect(Object.values(chat.calls)[0]?.call.args).toEqual({ title: 'Pears', text: 'y' });
    expect(toolMessages(server)).toContain('changed the arguments');
    expect(toolMessages(server)).toContain('Pears');
  });

  it('refuses edited arguments that do not fit', async () => {
    await using server = await calling({ name: 'mcp_notes_add_note', args: { title: 'Plums', text: 'x' } });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'note');
    await answerNext(test, { decision: 'allow', scope: 'once', args: { title: 5 } });
    expect(outcomes(await test.untilChat(chatId, atRest))).toMatchObject([{ kind: 'denied', by: 'guard' }]);
  });

  it('asks with allow once, allow for this chat or deny: once asks again, the chat’s permission ends with the chat', async () => {
    await using server = await calling({ name: 'mcp_notes_list_notes', args: {} });
    server.on({}, { text: 'again' });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const one = await test.newChat();
    await ask(test, 'list', one);
    const approval = await answerNext(test, { decision: 'allow', scope: 'once' });
    expect(approval).toMatchObject({ call: { serverName: 'Notes', ref: { tool: 'list_notes' }, args: {} }, because: expect.stringContaining('asks') });
    await test.untilChat(one, atRest);
    const two = await ask(test, 'list');
    await answerNext(test, { decision: 'allow', scope: 'chat' });
    await test.untilChat(two, atRest);
    expect(test.state.grants).toEqual([]);
    const three = await ask(test, 'list');
    await answerNext(test, { decision: 'deny' });
    await test.untilChat(three, atRest);
  });

  it('[F-114] without a person to ask fails closed with approval_required, and a denial is a normal result', async () => {
    await using server = await calling({ name: 'mcp_notes_list_notes', args: {} });
    await using test = await TestApp.open(parts, { interaction: 'none' });
    await withModel(test, server);
    const chatId = await ask(test, 'list');
    const chat = await test.untilChat(chatId, atRest);
    expect(outcomes(chat)).toMatchObject([{ kind: 'failed', code: 'approval/required' }]);
    expect(readFileSync(join(test.home, 'chats', `${chatId}.jsonl`), 'utf8')).not.toContain('call-started');
    await using asked = await TestApp.open(parts);
    await withModel(asked, server);
    const denied = await ask(asked, 'list');
    await answerNext(asked, { decision: 'deny' });
    expect(await asked.untilChat(denied, atRest)).toMatchObject({ run: { phase: 'idle' } });
  });

  it('does not ask again for what is always allowed, after a restart neither, and asks when another answer is needed', async () => {
    await using server = await calling({ name: 'mcp_notes_list_notes', args: {} });
    const [home, keyring] = [tempFolder(), new MemoryKeyring()];
    const first = await TestApp.open(parts, { home, keyring });
    await withModel(first, server);
    const one = await ask(first, 'list');
    await answerNext(first, { decision: 'allow', scope: 'tool' });
    await first.untilChat(one, atRest);
    expect(first.state.grants).toMatchObject([{ serverName: 'Notes', tool: { name: 'list_notes' } }]);
    await first[Symbol.asyncDispose]();
    await using again = await TestApp.open(parts, { home, keyring });
    const two = await ask(again, 'list');
    expect(outcomes(await again.untilChat(two, atRest))).toMatchObject([{ kind: 'succeeded' }]);
    await again.ask('approvals.revoke', { grantId: again.state.grants[0]?.id ?? ('' as never) });
    const three = await ask(again, 'list');
    await answerNext(again, { decision: 'deny' });
    await again.untilChat(three, atRest);
  });

  it.each(['tool', 'server'] as const)('[S13] what is always allowed (this %s) does not follow a server to another address', async (scope) => {
    await using server = await calling({ name: 'mcp_remote_echo', args: { text: 'hello' } });
    await using one = await startModern();
    await using other = await startModern();
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const at = (url: string) => ({ name: 'remote', transport: { type: 'streamable-http', url, headers: {} } }) as const;
    const connected = () => test.until(({ servers }) => Object.values(servers).some(({ definition, counts }) => definition.name === 'remote' && counts !== undefined));
    await test.ask('servers.add', at(one.url));
    await connected();
    const first = await ask(test, 'echo');
    await answerNext(test, { decision: 'allow', scope });
    await test.untilChat(first, atRest);
    const allowed = await ask(test, 'echo');
    expect(outcomes(await test.untilChat(allowed, atRest))).toMatchObject([{ kind: 'succeeded' }]);

    await test.ask('servers.update', { serverId: test.server('remote'), draft: at(other.url) });
    await connected();
    const moved = await ask(test, 'echo');
    await test.until(({ approvals }) => approvals.length > 0);
    expect(other.seen.filter(({ rpc }) => rpc === 'tools/call')).toEqual([]);
    await answerNext(test, { decision: 'deny' });
    expect(outcomes(await test.untilChat(moved, atRest))).toMatchObject([{ kind: 'denied' }]);
  });

  it('lets neither a hint of the server nor the text of a result lower what is asked', async () => {
    await using server = await startModelServer();
    server.on({ hasToolResult: false }, { calls: [{ name: 'mcp_evil_read_page', args: {}, id: 'a' }] });
    server.on({ toolCallId: 'a' }, { calls: [{ name: 'mcp_evil_delete_row', args: { id: 1 }, id: 'b' }] });
    server.on({}, { text: 'Done' });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const evil = await test.addServer('evil', broken, ['injects']);
    const names = (await test.ask('servers.catalog', { serverId: evil }))?.tools.map((tool) => [tool.ref.tool, tool.annotations.readOnlyHint]);
    expect(names).toContainEqual(['delete_row', true]);
    await test.ask('settings.update', { approveTools: ['delete_row'] });
    const chatId = await ask(test, 'clean up');
    // The whole server is allowed, and its own text says that the next call is too.
    const first = await answerNext(test, { decision: 'allow', scope: 'server' });
    expect(first.call.ref.tool).not.toBe('delete_row');
    await test.until((state) => state.approvals.some((approval) => approval.call.ref.tool === 'delete_row'));
    expect(test.state.approvals[0]?.because).toContain('Always ask');
    await answerNext(test, { decision: 'deny' });
    await test.untilChat(chatId, atRest);
  });

  it('stops at once with a question open, and goes on when asked to', async () => {
    await using server = await calling({ name: 'mcp_notes_list_notes', args: {} });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'list');
    await test.until((state) => state.approvals.length > 0);
    await expect(test.ask('chats.send', { chatId, text: 'more' })).rejects.toMatchObject({ code: 'chat/busy' });
    await test.ask('chats.stop', { chatId });
    const stopped = await test.untilChat(chatId, atRest);
    expect(outcomes(stopped)).toEqual([{ kind: 'cancelled' }]);
    expect(stopped.run).toEqual({ phase: 'resting', ending: { how: 'stopped' } });
    expect(test.state.approvals).toEqual([]);
    await test.ask('chats.continue', { chatId });
    const went = await test.untilChat(chatId, (chat) => chat.run.phase === 'idle');
    expect(said(went).at(-1)).toBe('Done');
  });

  it('asks to go on at the step limit', async () => {
    await using server = await startModelServer();
    server.on({}, { calls: [{ name: 'no_such_tool', args: {} }] });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    await test.ask('settings.update', { stepLimit: 2 });
    const chatId = await ask(test, 'loop');
    const chat = await test.untilChat(chatId, atRest);
    expect(chat.run).toEqual({ phase: 'resting', ending: { how: 'step-limit', steps: 2 } });
    expect(outcomes(chat)).toMatchObject([{ kind: 'failed', code: 'tool/not-found' }, { kind: 'failed', code: 'tool/not-found' }]);
  });

  it('says what failed when the provider refuses, keeps the message and goes on when asked to', async () => {
    await using server = await startModelServer();
    server.on({}, { status: 401, message: 'Incorrect API key provided: sk-canary-123456' });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'hello');
    const chat = await test.untilChat(chatId, atRest);
    expect(chat.run).toMatchObject({ phase: 'resting', ending: { how: 'failed', code: 'model/key-refused' } });
    expect(JSON.stringify(chat)).not.toContain('sk-canary');
    expect(chat.items[0]).toMatchObject({ kind: 'user', text: 'hello' });
  });

  it('sets aside a tool that the provider refuses and makes the request again without it', async () => {
    await using server = await startModelServer();
    server.on({ predicate: (request) => JSON.stringify(request.tools ?? []).includes('mcp_notes_add_note') }, { status: 400, message: "Invalid schema for function 'mcp_notes_add_note': bad" });
    server.on({}, { text: 'Fine' });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'hello');
    const chat = await test.untilChat(chatId, atRest);
    expect(said(chat)).toEqual(['Fine']);
    expect(chat.items.find((item) => item.kind === 'assistant')).toMatchObject({ toolsSetAside: [{ name: 'mcp_notes_add_note' }] });
  });

  it('[F-59] never makes a call again whose answer was lost, and tells the model which it was and to read back before anything else', async () => {
    await using server = await calling({ name: 'mcp_fragile_boom', args: {} });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    await test.addServer('fragile', broken, ['dies-mid-call']);
    const chatId = await ask(test, 'boom');
    await answerNext(test, { decision: 'allow', scope: 'once' });
    const chat = await test.untilChat(chatId, atRest);
    expect(outcomes(chat)).toMatchObject([{ kind: 'failed', code: 'tool/outcome-unknown' }]);
    const [callId] = Object.keys(chat.calls);
    const told = toolMessages(server).replaceAll('\\"', '"');
    for (const part of ['"error":"ambiguous_outcome"', '"server":"fragile"', '"tool":"boom"', `"call_id":"${callId}"`, '"action":"readback"', 'Do not repeat it blindly']) expect(told).toContain(part);
    // One start, and no second.
    expect(readFileSync(join(test.home, 'chats', `${chatId}.jsonl`), 'utf8').match(/call-started/g)).toHaveLength(1);
  });

  it('keeps the key out of every file of the home', async () => {
    await using server = await calling({ name: 'mcp_notes_list_notes', args: {} });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    const chatId = await ask(test, 'list');
    await answerNext(test, { decision: 'allow', scope: 'once' });
    await test.untilChat(chatId, atRest);
    const { execFileSync } = await import('node:child_process');
    expect(() => execFileSync('grep', ['-rl', 'sk-canary', test.home])).toThrow();
  });
});
