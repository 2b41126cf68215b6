import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSetup } from '../../src/shared/model/run-setup.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import type { ModelServer } from '../support/model-server.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

const calls = join(import.meta.dirname, '../servers/stdio/calls.mjs');
const notes = join(import.meta.dirname, '../servers/stdio/library.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const stdio = (name: string, file: string, more = ''): string => `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(file)}]\n${more}`;

function writeProfile(test: TestApp, name: string, text: string): void {
  const folder = join(test.home, 'profiles');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.toml`), text);
}
async function withProfile(test: TestApp, profile: string) {
  return (await test.ask('chats.create', { profile })).chatId;
}
async function open(server: ModelServer): Promise<TestApp> {
  const test = await TestApp.open(parts);
  await useModel(test, server);
  await test.ask('settings.update', { approvals: 'unrestricted' });
  return test;
}
const setupOf = (chat: ChatState): RunSetup | undefined => chat.items.flatMap((item) => (item.kind === 'run-prepared' ? [item.setup] : [])).at(-1);
const outcomesOf = (chat: ChatState) => Object.values(chat.calls).map((call) => (call.phase === 'settled' ? call.outcome : call.phase));
const textsOf = (chat: ChatState) =>
  outcomesOf(chat).map((outcome) => (typeof outcome === 'object' && outcome.kind === 'succeeded' ? outcome.result.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join() : outcome));
const pidOf = (chat: ChatState): number => {
  const pid = Number(textsOf(chat).at(0));
  expect(pid).toBeGreaterThan(1);
  return pid;
};

describe('servers of a profile', () => {
  it('[H-14] [H-24] exist only in runs that name the profile, where their tools are at hand from the first request on', async () => {
    await using server = await scriptedModel([{ name: 'mcp_scratch_echo', args: { text: 'plums' } }]);
    await using test = await open(server);
    writeProfile(test, 'research', stdio('scratch', calls));
    const inside = await runToRest(test, 'go', await withProfile(test, 'research'));
    expect([...offeredTo(server, 0).keys()]).toEqual(expect.arrayContaining(['mcp_search', 'mcp', 'mcp_scratch_echo', 'mcp_scratch_pid']));
    expect(textsOf(inside)).toEqual(['plums']);
    expect(setupOf(inside)).toMatchObject({ profile: 'research', servers: [{ name: 'scratch', tools: expect.any(Number) }], notes: [] });
    const before = server.requests().length;
    const outside = await runToRest(test, 'go');
    expect([...offeredTo(server, before).keys()]).toEqual(['mcp_search', 'mcp', 'mcp_script']);
    expect(outcomesOf(outside)).toMatchObject([{ kind: 'failed', code: 'tool/not-found' }]);
    expect(setupOf(outside)).toBeUndefined();
    expect(Object.values(test.state.servers).map(({ definition }) => definition.name)).not.toContain('scratch');
  });

  it('are seen by search, gateway and status of that run, and by no other chat beside it', async () => {
    await using server = await scriptedModel([
      { name: 'mcp', args: { action: 'status' } },
      { name: 'mcp', args: { action: 'search', query: 'echo', server: 'scratch' } },
      { name: 'mcp', args: { action: 'call', server: 'scratch', tool: 'echo', args: { text: 'by gateway' } } },
      { name: 'mcp_script', args: { code: 'const all = await tools.search({ query: "wait" }); return all.items.map((one) => one.server);' } },
    ]);
    await using test = await open(server);
    writeProfile(test, 'research', stdio('scratch', calls));
    const said = JSON.stringify(textsOf(await runToRest(test, 'go', await withProfile(test, 'research'))));
    expect(said).toContain('scratch: connected');
    expect(said).toContain('mcp_scratch_echo');
    expect(said).toContain('by gateway');
    const outside = JSON.stringify(outcomesOf(await runToRest(test, 'go')));
    expect(outside).not.toContain('mcp_scratch_echo');
    expect(outside).not.toContain('scratch: ');
    expect(outside).toContain('server_not_found');
  });

  it('[H-15] a profile that is not there adds nothing, and the run goes on', async () => {
    await using server = await scriptedModel([]);
    await using test = await open(server);
    const chat = await runToRest(test, 'go', await withProfile(test, 'gone'));
    expect(chat.run).toEqual({ phase: 'idle' });
    expect(setupOf(chat)).toEqual({ profile: 'gone', servers: [], notes: [expect.stringContaining('no profile “gone”')] });
    expect([...offeredTo(server, 0).keys()]).toEqual(['mcp_search', 'mcp', 'mcp_script']);
  });

  it('[H-16] a name that would lead elsewhere is refused, and no run begins', async () => {
    await using server = await scriptedModel([]);
    await using test = await open(server);
    for (const profile of ['', '../evil', '/etc/passwd', 'a\\b', '..']) await expect(test.ask('chats.create', { profile })).rejects.toMatchObject({ code: 'request/invalid' });
    const chatId = await test.newChat();
    await expect(test.ask('chats.choose-profile', { chatId, profile: '../evil' })).rejects.toMatchObject({ code: 'request/invalid' });
    expect((await test.chat(chatId)).profile).toBeUndefined();
  });

  it('[H-17] a profile that cannot be read is in the log and said, and the run goes on without its servers', async () => {
    await using server = await scriptedModel([]);
    await using test = await open(server);
    writeProfile(test, 'torn', `${stdio('scratch', calls)}\nthis is = no [ TOML`);
    const chat = await runToRest(test, 'go', await withProfile(test, 'torn'));
    expect(chat.run).toEqual({ phase: 'idle' });
    expect(setupOf(chat)).toMatchObject({ servers: [], notes: [expect.stringContaining('cannot be used')] });
    await expect.poll(() => readFileSync(join(test.home, 'logs', 'gatehouse.log'), 'utf8')).toMatch(/A profile cannot be used.*torn/);
    expect([...offeredTo(server, 0).keys()]).toEqual(['mcp_search', 'mcp', 'mcp_script']);
  });

  it('one bad entry, or one that does not connect, is said and keeps neither the others nor the run', async () => {
    await using server = await scriptedModel([{ name: 'mcp_scratch_echo', args: { text: 'still here' } }]);
    await using test = await open(server);
    writeProfile(test, 'mixed', `${stdio('scratch', calls)}\n[mcp_servers.bad]\nargs = ["x"]\n${stdio('dead', join(import.meta.dirname, 'no-such-file.mjs'))}`);
    const chat = await runToRest(test, 'go', await withProfile(test, 'mixed'));
    expect(textsOf(chat)).toEqual(['still here']);
    const setup = setupOf(chat);
    expect(setup?.servers).toMatchObject([{ name: 'scratch', tools: expect.any(Number) }, { name: 'dead', problem: expect.any(String) }]);
    expect(setup?.notes).toEqual([expect.stringContaining('“bad”')]);
  });

  it('a required one that does not connect ends the run with its name', async () => {
    await using server = await scriptedModel([]);
    await using test = await open(server);
    writeProfile(test, 'strict', stdio('dead', join(import.meta.dirname, 'no-such-file.mjs'), 'required = true\n'));
    const chat = await runToRest(test, 'go', await withProfile(test, 'strict'));
    expect(chat.run).toMatchObject({ phase: 'resting', ending: { how: 'failed', message: expect.stringContaining('“dead” is required') } });
    expect(server.requests()).toEqual([]);
  });

  it('[H-18] may stand in front of a server of the person’s for that run; that one and its connection stay as they were', async () => {
    await using server = await scriptedModel([{ name: 'mcp_library_pid', args: {} }]);
    await using test = await open(server);
    const theirs = await test.addServer('library', notes);
    writeProfile(test, 'research', stdio('library', calls));
    const before = test.state.servers[theirs];
    const chat = await runToRest(test, 'go', await withProfile(test, 'research'));
    expect(pidOf(chat)).toBeGreaterThan(1);
    expect(setupOf(chat)?.servers).toMatchObject([{ name: 'library', shadows: theirs }]);
    expect([...offeredTo(server, 0).keys()].filter((name) => name.startsWith('mcp_library'))).not.toContain('mcp_library_touch');
    expect(test.state.servers[theirs]).toEqual(before);
    expect(await test.tool(theirs, 'touch')).toMatchObject({ modelName: 'mcp_library_touch' });
    const call = await test.call(await test.newChat(), theirs, 'watched', {});
    expect(call.outcome.kind).toBe('succeeded');
  });

  it('[F-207] a profile may list tools of the person’s own servers, by server or one by one, and has them at hand; servers that were never seen too', async () => {
    await using server = await scriptedModel([{ name: 'mcp_second_pid', args: {} }, { name: 'mcp_first_seen', args: {} }]);
    await using test = await open(server);
    for (const name of ['first', 'second', 'third']) await test.ask('servers.add', { name, transport: { type: 'stdio', command: process.execPath, args: [calls], env: {} } });
    await test.until((state) => Object.values(state.servers).filter(({ definition }) => /first|second|third/.test(definition.name)).length === 3);
    writeProfile(test, 'narrow', '[tools]\nallow = ["mcp:first/echo", "mcp:second"]\n');
    const chat = await runToRest(test, 'go', await withProfile(test, 'narrow'));
    const offered = [...offeredTo(server, 0).keys()].filter((name) => /first|second|third/.test(name));
    expect(offered.filter((name) => !name.startsWith('mcp_second_'))).toEqual(['mcp_first_echo']);
    expect(offered).toEqual(expect.arrayContaining(['mcp_second_echo', 'mcp_second_pid']));
    expect(outcomesOf(chat)).toMatchObject([{ kind: 'succeeded' }, { kind: 'failed', code: 'tool/not-found' }]);
  });

  it('[H-27] are found and called whatever state the person’s own servers are in', async () => {
    await using server = await scriptedModel([{ name: 'mcp_scratch_echo', args: { text: 'alone' } }]);
    await using test = await open(server);
    const { serverId } = await test.ask('servers.add', { name: 'broken', transport: { type: 'stdio', command: process.execPath, args: [join(import.meta.dirname, 'no-such-file.mjs')], env: {} } });
    await test.until((state) => state.servers[serverId]?.connection.phase === 'failed');
    writeProfile(test, 'research', stdio('scratch', calls));
    expect(textsOf(await runToRest(test, 'go', await withProfile(test, 'research')))).toEqual(['alone']);
  });
});
