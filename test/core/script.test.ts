import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ApprovalAnswer, ToolCallView } from '../../src/shared/model/tool-call.ts';
import type { ScriptDetails } from '../../src/shared/model/script.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const broken = join(import.meta.dirname, '../servers/stdio/broken.mjs');
const calls = join(import.meta.dirname, '../servers/stdio/calls.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** A model that answers the first message with this script, and what comes back with "Done". */
async function scripting(code: string, more: Readonly<Record<string, unknown>> = {}): Promise<ModelServer> {
  const server = await startModelServer();
  server.on({ hasToolResult: false }, { text: 'Let me see.', calls: [{ name: 'mcp_script', args: { code, ...more }, id: 'call_0' }] });
  server.on({ hasToolResult: true }, { text: 'Done' });
  return server;
}
async function withModel(test: TestApp, server: ModelServer): Promise<void> {
  const { providerId } = await test.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: server.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await test.ask('settings.update', { model: { providerId, model: 'm1' } });
}
async function answerNext(test: TestApp, answer: ApprovalAnswer) {
  await test.until((state) => state.approvals.length > 0);
  const [approval] = test.state.approvals;
  if (!approval) throw new Error('nothing asks');
  await test.ask('approvals.answer', { approvalId: approval.id, answer });
  return approval;
}
const atRest = ({ run, items }: ChatState) => run.phase !== 'running' && items.length > 1;
const once: ApprovalAnswer = { decision: 'allow', scope: 'once' };

async function send(test: TestApp, text = 'go'): Promise<ChatId> {
  const chatId = await test.newChat();
  await test.ask('chats.send', { chatId, text });
  return chatId;
}
/** The script's own call, and those that it made. */
function story(chat: ChatState): { readonly script: ToolCallView; readonly inner: readonly ToolCallView[]; readonly details: ScriptDetails; readonly text: string } {
  const script = Object.values(chat.calls).find(({ call }) => call.ref.tool === 'mcp_script');
  if (script?.phase !== 'settled' || !('result' in script.outcome)) throw new Error(`The script has no result: ${JSON.stringify(script)}`);
  const { details, parts: said } = { details: script.outcome.result.script, parts: script.outcome.result.parts };
  if (!details) throw new Error('The script has no details');
  return { script, inner: script.inner.flatMap((id) => chat.calls[id] ?? []), details, text: said.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

describe('mcp_script', () => {
  it('[F-142] [O29] asks a person about each call with its own arguments, and tells the script of a denial', async () => {
    await using server = await scripting('const added = await tools.mcp_notes_add_note({ title: "Plums", text: "Buy" }); const gone = await tools.call("delete_note", { id: "none" }, "Notes"); return [added.ok, gone.ok, gone.error.code].join()');
    await using test = await TestApp.open(parts);
    await test.startNotes();
    await withModel(test, server);
    const chatId = await send(test);
    expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'add_note' }, args: { title: 'Plums', text: 'Buy' } } });
    await test.until((state) => state.approvals[0]?.call.ref.tool === 'delete_note');
    await answerNext(test, { decision: 'deny', reason: 'no' });
    const { inner, details, text, script } = story(await test.untilChat(chatId, atRest));
    expect(text).toBe('true,false,approval_denied');
    expect(script.phase === 'settled' && script.outcome.kind).toBe('succeeded');
    expect(inner.map((view) => [view.call.ref.tool, view.call.parentId === script.call.id, view.phase === 'settled' && view.outcome.kind])).toEqual([['add_note', true, 'succeeded'], ['delete_note', true, 'denied']]);
    expect(details.calls.map(({ name, ok, code, callId }) => [name, ok, code, callId])).toEqual([
      ['mcp_notes_add_note', true, undefined, inner[0]?.call.id],
      ['delete_note', false, 'approval_denied', inner[1]?.call.id],
    ]);
    expect(JSON.stringify(server.requests().at(-1)?.body)).toContain('true,false,approval_denied');
  });

  it('[F-133] searches, describes, calls, reads resources and results, emits and logs', async () => {
    const code = `
      const found = await tools.search({ query: 'add note' });
      const tool = await tools.describe({ path: found.items[0].path, server: found.items[0].server });
      const added = await tools.call(found.items[0].path, { title: 'One', text: 'Text' });
      const listed = await tools.resources({ server: 'Notes' });
      const read = await tools.readResource({ server: 'Notes', uri: listed.items[0].uri });
      const back = await tools.readResult({ ref: added.resultRef, path: '/structuredContent' });
      emit(tool.name);
      console.warn('careful');
      return [JSON.stringify(found.coverage).includes('Notes') || found.coverage.knownServers > 0, Object.keys(tool.inputSchema.properties).includes('title'), listed.items.length > 0, back.content.includes('One'), read.ok, read.data.contents[0].text.includes('Text')]`;
    await using server = await scripting(code);
    await using test = await TestApp.open(parts);
    await test.startNotes();
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await withModel(test, server);
    const { text, details } = story(await test.untilChat(await send(test), atRest));
    expect(text).toBe('add_note\n[warn] careful\n[true,true,true,true,true,true]');
    expect(details.calls.map(({ kind }) => kind)).toEqual(['search', 'describe', 'call', 'resources', 'read-resource', 'read-result']);
  });

  it.each([
    ['a script, which hears of it and goes on', 'mcp_script', { code: "const first = await tools.call('mcp_slow_wait', { ms: 60000 }); return [first.error.code, (await tools.call('mcp_slow_echo', { text: 'after it' })).ok];" }, '["aborted",true]'],
    ['the gateway, whose model hears of it', 'mcp', { action: 'call', tool: 'mcp_slow_wait', args: { ms: 60_000 } }, 'The call was cancelled'],
  ])('[F-62] a call that was made by %s, is cancelled by itself', async (_, name, args, heard) => {
    await using server = await startModelServer();
    server.on({ hasToolResult: false }, { text: 'Let me see.', calls: [{ name, args, id: 'call_0' }] });
    server.on({ hasToolResult: true }, { text: 'Done' });
    await using test = await TestApp.open(parts);
    await test.addServer('slow', broken, ['slow']);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await withModel(test, server);
    const chatId = await send(test);
    const waiting = ({ calls }: ChatState) => Object.values(calls).find(({ call, phase }) => call.ref.tool === 'wait' && phase === 'running');
    const chat = await test.untilChat(chatId, (state) => waiting(state) !== undefined);
    await test.ask('chats.cancel-call', { chatId, callId: waiting(chat)?.call.id ?? expect.fail('nothing waits') });
    const after = await test.untilChat(chatId, atRest);
    expect(Object.values(after.calls).map((view) => [view.call.ref.tool, view.phase === 'settled' && view.outcome.kind])).toContainEqual(['wait', 'cancelled']);
    expect(JSON.stringify(server.requests().at(-1)?.body)).toContain(JSON.stringify(heard).slice(1, -1));
    expect(after.run).toEqual({ phase: 'idle' });
  });

  it('[F-138] loads no tool by its discovery', async () => {
    await using server = await scripting('return (await tools.search({ query: "note" })).items.length > 0');
    await using test = await TestApp.open(parts);
    await test.startNotes();
    await withModel(test, server);
    const chat = await test.untilChat(await send(test), atRest);
    expect(story(chat).text).toBe('true');
    expect(chat.loaded).toEqual([]);
  });

  it('[F-131] takes its own time limit before the setting, says which held, and may have none', async () => {
    await using server = await scripting('return 1', { timeoutMs: 5_000 });
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    expect(story(await test.untilChat(await send(test), atRest)).details.timeoutMs).toBe(5_000);
    const chatId = await test.newChat();
    const run = async () => (await test.ask('own-tools.run', { name: 'mcp_script', args: { code: 'return 1' }, chatId })).outcome;
    expect(await run()).toMatchObject({ result: { script: { timeoutMs: 30_000 } } });
    await test.ask('settings.update', { scriptTimeoutMs: null });
    expect(await run()).toMatchObject({ result: { script: { timeoutMs: null } } });
    for (const timeoutMs of [0, -1, 1.5, 2_147_483_648, 'soon']) {
      const refused = (await test.ask('own-tools.run', { name: 'mcp_script', args: { code: 'return 1', timeoutMs }, chatId })).outcome;
      expect(refused).toMatchObject({ kind: 'tool-error', result: { structured: { json: expect.stringContaining('invalid_arguments') as string } } });
    }
  });

  it('[F-129] is among the tools of every request, until it is switched off', async () => {
    await using server = await scripting('return 1');
    await using test = await TestApp.open(parts);
    await withModel(test, server);
    await test.untilChat(await send(test), atRest);
    const offered = () => JSON.stringify((server.requests().at(-1)?.body as { tools?: unknown } | undefined)?.tools); // only printed
    expect(offered()).toContain('"mcp_script"');
    await test.ask('settings.update', { scriptMode: false });
    await test.untilChat(await send(test, 'again'), atRest);
    expect(offered()).not.toContain('"mcp_script"');
  });

  it('[F-137] dispatches nothing for a name that several servers have, unless it says which', async () => {
    await using server = await scripting('const no = await tools.call("echo", { text: "A" }); const yes = await tools.call("echo", { text: "B" }, "Other"); return [no.error.code, yes.data.content[0].text].join()');
    await using test = await TestApp.open(parts);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await test.addServer('One', calls);
    await test.addServer('Other', calls);
    await withModel(test, server);
    const { text, inner } = story(await test.untilChat(await send(test), atRest));
    expect(text).toBe('ambiguous_tool,B');
    expect(inner.map(({ call }) => call.serverName)).toEqual(['Other']);
  });

  it('goes on after the app was closed while a person was asked: the question comes again, and the run after it', async () => {
    await using server = await scripting('const first = await tools.call("list_notes", {}, "Notes"); const [a, b] = await Promise.all([tools.call("add_note", { title: "A", text: "a" }, "Notes"), tools.call("add_note", { title: "B", text: "b" }, "Notes")]); return [first.ok, a.ok, b.ok].join()');
    const [home, person, keyring] = [tempFolder(), tempFolder(), new MemoryKeyring()];
    let chatId: ChatId;
    {
      await using test = await TestApp.open(parts, { home, person, keyring });
      await test.startNotes();
      await withModel(test, server);
      chatId = await send(test);
      expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'list_notes' } } });
      await test.until((state) => state.approvals.length === 2);
      const [waiting] = test.state.approvals.filter(({ call }) => call.args['title'] === 'A');
      await test.ask('approvals.answer', { approvalId: waiting?.id ?? test.state.approvals[0]!.id, answer: once });
      await test.untilChat(chatId, ({ calls: made }) => Object.values(made).some((view) => view.call.args['title'] === 'A' && view.phase === 'settled'));
      expect(readdirSync(join(home, 'waiting'))).toHaveLength(1);
    }
    await using test = await TestApp.open(parts, { home, person, keyring });
    expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'add_note' }, args: { title: 'B' } } });
    const chat = await test.untilChat(chatId, atRest);
    const { text, inner } = story(chat);
    expect(text).toBe('true,true,true');
    expect(inner.map(({ call, ...view }) => [call.args['title'], view.phase === 'settled' && view.outcome.kind])).toEqual([[undefined, 'succeeded'], ['A', 'succeeded'], ['B', 'cancelled'], ['B', 'succeeded']]);
    expect(chat.items.at(-1)).toMatchObject({ kind: 'assistant', text: 'Done' });
    expect(readdirSync(join(home, 'waiting'))).toEqual([]);
  });

  it('is told that nobody knows, when the app closes while an allowed call of it runs', async () => {
    await using server = await scripting('const [a, b] = await Promise.all([tools.call("wait", {}, "Calls"), tools.call("echo", { text: "b" }, "Calls")]); return [a.error.code, b.ok].join()');
    const [home, person, keyring] = [tempFolder(), tempFolder(), new MemoryKeyring()];
    let chatId: ChatId;
    {
      await using test = await TestApp.open(parts, { home, person, keyring });
      await test.addServer('Calls', calls);
      await withModel(test, server);
      chatId = await send(test);
      await test.until((state) => state.approvals.length === 2);
      const waits = test.state.approvals.find(({ call }) => call.ref.tool === 'wait');
      if (!waits) throw new Error('wait does not ask');
      await test.ask('approvals.answer', { approvalId: waits.id, answer: once });
      await test.untilChat(chatId, ({ calls: made }) => Object.values(made).some(({ call, phase }) => call.ref.tool === 'wait' && phase === 'running'));
    }
    await using test = await TestApp.open(parts, { home, person, keyring });
    expect(await answerNext(test, once)).toMatchObject({ call: { ref: { tool: 'echo' } } });
    expect(story(await test.untilChat(chatId, atRest)).text).toBe('ambiguous_outcome,true');
  });

  it('ends for good when a person stops it, and leaves nothing behind', async () => {
    await using server = await scripting('await tools.call("add_note", { title: "A", text: "a" }, "Notes"); return 1');
    const [home, person, keyring] = [tempFolder(), tempFolder(), new MemoryKeyring()];
    await using test = await TestApp.open(parts, { home, person, keyring });
    await test.startNotes();
    await withModel(test, server);
    const chatId = await send(test);
    await test.until((state) => state.approvals.length === 1);
    await test.ask('chats.stop', { chatId });
    const chat = await test.untilChat(chatId, atRest);
    expect(Object.values(chat.calls).map((view) => view.phase === 'settled' && view.outcome.kind)).toEqual(['cancelled', 'cancelled']);
    expect(readdirSync(join(home, 'waiting'))).toEqual([]);
    expect(test.state.approvals).toEqual([]);
  });

  it('is told honestly as lost when what it needs to go on was only in memory', async () => {
    await using server = await scripting('await tools.call("add_note", { title: "A", text: "a" }, "Notes"); return 1');
    const [home, person] = [tempFolder(), tempFolder()];
    let chatId: ChatId;
    {
      await using test = await TestApp.open(parts, { home, person });
      await test.startNotes();
      await withModel(test, server);
      chatId = await send(test);
      await test.until((state) => state.approvals.length === 1);
    }
    // Another keyring: the key is gone.
    await using test = await TestApp.open(parts, { home, person });
    const chat = await test.untilChat(chatId, atRest);
    expect(Object.values(chat.calls).map((view) => view.phase === 'settled' && view.outcome)).toEqual([
      expect.objectContaining({ kind: 'failed', code: 'tool/outcome-unknown' }), expect.objectContaining({ kind: 'cancelled' }),
    ]);
    expect(chat.run).toMatchObject({ phase: 'resting', ending: { how: 'interrupted' } });
  });
});

describe('what a script can and cannot do', () => {
  let test: TestApp;
  let chatId: ChatId;
  const directory = { title: 'One', text: 'Text' };
  beforeAll(async () => {
    test = await TestApp.open(parts);
    await test.startNotes();
    await test.addServer('Calls', calls);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    chatId = await test.newChat();
  });
  afterAll(() => test[Symbol.asyncDispose]());
  /** Used by a person, in a chat. */
  async function run(code: string, timeoutMs?: number | null): Promise<{ readonly kind: string; readonly text: string; readonly details: ScriptDetails; readonly reference?: string }> {
    const { outcome } = await test.ask('own-tools.run', { name: 'mcp_script', args: { code, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, chatId });
    if (!('result' in outcome) || !outcome.result.script) throw new Error(`No script ran: ${JSON.stringify(outcome)}`);
    const text = outcome.result.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { kind: outcome.kind, text, details: outcome.result.script, ...(outcome.result.reference ? { reference: outcome.result.reference.id } : {}) };
  }

  it('[F-130] has no process, Buffer, fetch, require or timers, and makes no code from text or bytes that reaches them', async () => {
    const names = ['process', 'Buffer', 'fetch', 'require', 'setTimeout', 'setInterval', 'WebAssembly', 'navigator', 'Worker'];
    expect((await run(`return ${JSON.stringify(names)}.map((name) => typeof globalThis[name]).filter((type) => type !== 'undefined').length`)).text).toBe('0');
    expect((await run('return await import("node:fs").then(() => "in", () => "refused")')).text).not.toBe('in');
    expect((await run('try { return tools.call.constructor.constructor("return typeof process")() } catch { return "refused" }')).text).toMatch(/^(undefined|refused)$/);
  });

  it('[F-132] ends a loop at its time, and says what went wrong by code', async () => {
    expect((await run('for (;;) {}', 500)).details.error?.code).toBe('timeout');
    expect((await run('await new Promise(() => {})', 500)).details.error?.code).toBe('timeout');
    expect(await run('throw new Error("no")')).toMatchObject({ kind: 'tool-error', details: { error: { code: 'script_error', message: 'Error: no', line: 1 } } });
    const chat = await test.newChat();
    const abort = new AbortController();
    const running = test.app.dispatch('own-tools.run', { name: 'mcp_script', args: { code: 'for (;;) {}', timeoutMs: null }, chatId: chat }, { caller: { door: 'window', windowId: 1 }, signal: abort.signal });
    await test.untilChat(chat, ({ calls: made }) => Object.values(made).some(({ phase }) => phase === 'running'));
    abort.abort();
    expect(await running).toMatchObject({ ok: true, value: { outcome: { kind: 'cancelled' } } });
  });

  it('[F-134] cannot list tools, and tools is neither a promise nor a value with a text', async () => {
    expect((await run('return Object.keys(tools)')).text).toMatch(/tools can be neither listed nor changed/);
    expect((await run('return ["then", "catch", "finally", "toJSON", "toString", "valueOf"].map((name) => typeof tools[name]).join()')).text).toBe(Array(6).fill('undefined').join());
  });

  it('[F-135] sends nothing and traces nothing for an empty path or a senseless server', async () => {
    const { text, details } = await run('return [await tools.call("", {}), await tools[" "]({}), await tools.call("echo", {}, 5)].map((one) => one.error.code).join()');
    expect(text).toBe('invalid_tool_path,invalid_tool_path,invalid_arguments');
    expect(details.calls).toEqual([]);
  });

  it('[F-136] gets the raw result of what went well and the words of what did not, and goes on', async () => {
    const { text } = await run('const good = await tools.echo({ text: "a" }); const bad = await tools.fails({}); const refused = await tools.refuses({}); const none = await tools.nowhere({}); return [good.ok, good.data.content[0], bad.ok, bad.error.code, bad.data?.content[0].text, refused.error.code, none.error.code]');
    expect(JSON.parse(text)).toEqual([true, { type: 'text', text: 'a' }, false, 'tool_error', 'no luck', 'call_failed', 'tool_not_found']);
  });

  it('[F-139] is told with each thing that it asked for, how it ended and how long it took; what was left open is incomplete and ended', async () => {
    const { text, details } = await run('await tools.search({ query: "note" }); await tools.describe({ path: "nowhere" }); await tools.echo({ text: "a" }); tools.wait({}); await tools.echo({ text: "b" }); return "over"');
    expect(text).toBe('over');
    expect(details.calls.map(({ kind, name, ok, code, ms }) => [kind, name, ok, code, ms >= 0])).toEqual([
      ['search', 'note', true, undefined, true], ['describe', 'nowhere', false, 'tool_not_found', true], ['call', 'echo', true, undefined, true], ['call', 'wait', undefined, undefined, true], ['call', 'echo', true, undefined, true],
    ]);
    const seen = await run('return (await tools.seen({})).data.content[0].text');
    expect(JSON.parse(seen.text)).toContainEqual(expect.arrayContaining(['notifications/cancelled']));
  });

  describe('[F-140] a value', () => {
    it.each([
      ['return { a: [1, null, "x"] }', '{"a":[1,null,"x"]}'],
      ['return new Map([[1, new Set([2n])]])', 'Map(1) {1 => Set(1) {2n}}'],
      ['const a = []; a.push(a); return a', '[[Circular]]'],
      ['', '(no output)'],
    ])('%s puts out %s', async (code, expected) => {
      expect((await run(code === '' ? ';' : code)).text).toBe(expected);
    });
  });

  it('[F-141] puts out no more than any result does, keeps the whole by reference, and names what its calls brought that is no text', async () => {
    await test.addServer('Results', broken, ['results']);
    const { text, reference } = await run('await tools.call("image", {}, "Results"); return "line\\n".repeat(30_000)');
    expect(text).toMatch(/^\[image left image\/png, \d+ bytes, kept as [a-z0-9-]+\]\nline\n/);
    expect(text.length).toBeLessThan(52_000);
    const back = await run(`return (await tools.readResult({ ref: ${JSON.stringify(reference)}, path: '/content/0/text', offset: 140_000 })).content.includes('line')`);
    expect(back.text).toBe('true');
  });

  it('[F-203] makes the second of two awaited calls when what the first left is on the disk', async () => {
    const { text } = await run(`const first = await tools.call('add_note', ${JSON.stringify(directory)}, 'Notes'); const back = await tools.readResult({ ref: first.resultRef }); return back.content.includes('One')`);
    expect(text).toBe('true');
  });

  it('[F-206] finds the guide to scripts where it asks, and not once that is switched off', async () => {
    const read = 'const listed = await tools.resources({ server: "gatehouse" }); const read = await tools.readResource({ server: "gatehouse", uri: "gatehouse://guide/scripts" }); return [listed.items.length, read.ok && read.data.contents[0].text.includes("tools.readResult")]';
    expect((await run(read)).text).toBe('[1,true]');
    await test.ask('settings.update', { scriptGuide: false });
    expect((await run(read)).text).toBe('[0,false]');
    expect((await run('return 1')).text).toBe('1');
    await test.ask('settings.update', { scriptGuide: true });
  });

  it('reads nothing that another chat was given', async () => {
    const { reference } = await run('return "line\\n".repeat(30_000)');
    const other = await test.newChat();
    const { outcome } = await test.ask('own-tools.run', { name: 'mcp_script', args: { code: `return (await tools.readResult({ ref: ${JSON.stringify(reference)} })).error.code` }, chatId: other });
    expect(outcome).toMatchObject({ kind: 'succeeded', result: { parts: [{ type: 'text', text: 'result_read_failed' }] } });
  });

  it('does not take the app down by a flood of memory or calls', async () => {
    expect((await run('const all = []; for (;;) all.push("x".repeat(1e6) + all.length)')).details.error).toMatchObject({ code: 'script_error', message: expect.stringContaining('memory') as string });
    expect((await run('for (;;) await tools.search({ query: "" })')).details.error).toMatchObject({ code: 'script_error', message: expect.stringContaining('more calls') as string });
    expect((await run('return "well"')).text).toBe('well');
  });
});
