import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import { startModelServer } from '../support/model-server.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const row = (app: TestApp, name: string) => Object.values(app.state.servers).find(({ definition }) => definition.name === name);
const argsOf = (app: TestApp, name: string) => {
  const transport = row(app, name)?.definition.transport;
  return transport?.type === 'stdio' ? transport.args : undefined;
};
const define = (app: TestApp, servers: Readonly<Record<string, unknown>>) => writeFileSync(join(app.home, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
const server = (version: string) => ({ command: process.execPath, args: ['server.js', version] });

/** A chat whose run waits for an approval until it is answered. */
async function waitingRun(app: TestApp) {
  const model = await startModelServer();
  model.on({ hasToolResult: false }, { text: 'Let me see.', calls: [{ id: 'call_1', name: 'mcp_notes_list_notes', args: {} }] });
  model.on({ hasToolResult: true }, { text: 'Done' });
  const { providerId } = await app.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: model.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await app.ask('settings.update', { model: { providerId, model: 'm1' }, directTools: true });
  const send = async () => {
    const chatId = await app.newChat();
    await app.ask('chats.send', { chatId, text: 'list' });
    await app.until(({ approvals }) => approvals.length > 0);
    const [approval] = app.state.approvals;
    if (!approval) throw new Error('nothing asks');
    return async () => {
      await app.ask('approvals.answer', { approvalId: approval.id, answer: { decision: 'deny' } });
      await app.untilChat(chatId, ({ run, items }) => run.phase !== 'running' && items.length > 1);
    };
  };
  return { send, [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]() };
}

describe('a definition that changes while a run is going', () => {
  it('holds from the next run on, and its row says so; one that is switched off, and a new one, hold at once', async () => {
    await using app = await TestApp.open(parts);
    define(app, { changing: server('1'), going: server('1') });
    await app.until(() => argsOf(app, 'changing')?.[1] === '1');
    await using run = await waitingRun(app);
    const end = await run.send();

    define(app, { changing: server('2'), going: { ...server('1'), disabled: true }, coming: server('1') });
    await app.until(() => row(app, 'changing')?.pending === true);
    expect(argsOf(app, 'changing')).toEqual(['server.js', '1']);
    await app.until(() => row(app, 'going')?.definition.enabled === false);
    expect(row(app, 'coming')?.pending).toBeUndefined();

    await end();
    await app.until(() => argsOf(app, 'changing')?.[1] === '2');
    expect(row(app, 'changing')?.pending).toBeUndefined();
  });

  it('is there for a run that begins, whatever else is still going', async () => {
    await using app = await TestApp.open(parts);
    define(app, { changing: server('1') });
    await app.until(() => argsOf(app, 'changing')?.[1] === '1');
    await using run = await waitingRun(app);
    const end = await run.send();
    define(app, { changing: server('2') });
    await app.until(() => row(app, 'changing')?.pending === true);
    const chatId = await app.newChat();
    await app.ask('chats.send', { chatId, text: 'list' });
    await app.until(() => argsOf(app, 'changing')?.[1] === '2');
    expect(row(app, 'changing')?.pending).toBeUndefined();
    await app.ask('chats.stop', { chatId });
    await end();
  });

  it('is applied by the person’s restart, and outside of runs at once', async () => {
    await using app = await TestApp.open(parts);
    define(app, { changing: server('1') });
    await app.until(() => argsOf(app, 'changing')?.[1] === '1');
    await using run = await waitingRun(app);
    const end = await run.send();
    define(app, { changing: server('2') });
    await app.until(() => row(app, 'changing')?.pending === true);
    await app.ask('servers.restart', { serverId: app.server('changing') });
    expect(argsOf(app, 'changing')?.[1]).toBe('2');
    await end();
    define(app, { changing: server('3') });
    await app.until(() => argsOf(app, 'changing')?.[1] === '3');
  });
});

it('[U-12] what servers there are is looked up anew for a new session, a retry and a resumed run, and kept in none of them', { timeout: 60_000 }, async () => {
  await using app = await TestApp.open(parts);
  await using model = await startModelServer();
  const { providerId } = await app.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: model.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await app.ask('settings.update', { model: { providerId, model: 'm1' }, directTools: true });
  const callable = (name: string) => ({ command: process.execPath, args: [join(import.meta.dirname, '../servers/stdio/calls.mjs'), name] });
  /** What the last request offered, by server. */
  const offered = () => new Set([...JSON.stringify(model.requests().at(-1)?.body ?? {}).matchAll(/mcp_(one|two|three)_echo/g)].map(([, name]) => name));
  const atRest = (chatId: ChatId) => app.untilChat(chatId, ({ run, items }) => run.phase !== 'running' && items.length > 0);
  const known = (name: string) => app.until(() => row(app, name) !== undefined);

  model.on({ userMessage: /fail/ }, { status: 401, message: 'no' });
  model.on({}, { text: 'Done' });
  define(app, { one: callable('one') });
  await known('one');
  const failing = await app.newChat();
  await app.ask('chats.send', { chatId: failing, text: 'fail' });
  await expect.poll(offered, { timeout: 15_000 }).toEqual(new Set(['one']));
  await atRest(failing);

  define(app, { two: callable('two') });
  await app.until(() => row(app, 'one') === undefined && row(app, 'two') !== undefined);
  await app.ask('chats.continue', { chatId: failing });
  await expect.poll(offered, { timeout: 15_000 }).toEqual(new Set(['two']));
  await atRest(failing);

  define(app, { two: callable('two'), three: callable('three') });
  await known('three');
  const fresh = await app.newChat();
  await app.ask('chats.send', { chatId: fresh, text: 'hello' });
  await expect.poll(offered, { timeout: 15_000 }).toEqual(new Set(['two', 'three']));
  await atRest(fresh);

  define(app, { three: callable('three') });
  await app.until(() => row(app, 'two') === undefined);
  await app.ask('chats.send', { chatId: fresh, text: 'go on' });
  await expect.poll(offered, { timeout: 15_000 }).toEqual(new Set(['three']));
  await atRest(fresh);
});
