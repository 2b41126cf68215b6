import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerDraft } from '../../src/shared/model/server-definition.ts';
import { startModelServer } from '../support/model-server.ts';
import { nodeLaunch } from '../support/stdio-link.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const calls = [...nodeLaunch('calls.mjs').args];
const server = (name: string, options: ServerDraft['options'] = {}): ServerDraft & { scope: 'global' } => ({
  name, scope: 'global', transport: { type: 'stdio', command: process.execPath, args: calls, env: {} }, options,
});
async function added(app: TestApp, draft: ReturnType<typeof server>) {
  const { serverId } = await app.ask('servers.add', draft);
  await app.until((state) => state.servers[serverId]?.connection.phase === 'ready' && state.servers[serverId].counts !== undefined);
  return serverId;
}

it('[H-40] servers of the environment and of TOML files connect in the background once the app is open, one that fails is only itself, and a JSON file’s sleep', async () => {
  const home = tempFolder();
  const toml = (name: string, command: string, args: readonly string[]) => `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  writeFileSync(join(home, 'config.toml'), toml('from-toml', process.execPath, calls) + toml('broken', 'no-such-command-here', []) + toml('adjusted', process.execPath, calls));
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { 'from-json': { command: process.execPath, args: calls }, adjusted: { includeTools: ['echo'] } } }));
  const environment = JSON.stringify([{ name: 'from-env', command: process.execPath, args: calls }]);
  await using app = await TestApp.open(parts, { home, env: { GATEHOUSE_MCP_SERVERS: environment } });
  const phase = (name: string) => app.state.servers[app.server(name)]?.connection.phase;
  expect(['from-env', 'from-toml', 'adjusted', 'broken', 'from-json'].map(phase)).toEqual(Array(5).fill('stopped'));
  app.app.begin();
  await app.until((state) => ['from-env', 'from-toml', 'adjusted'].every((name) => state.servers[app.server(name)]?.counts !== undefined));
  await app.until((state) => state.servers[app.server('broken')]?.connection.phase === 'failed');
  expect(app.state.servers[app.server('broken')]?.connection).toMatchObject({ failure: { code: 'launch/command-not-found' } });
  expect(phase('from-json')).toBe('stopped');
});

it('[F-56] a call’s time begins when it leaves, not while the person thinks about it', async () => {
  await using model = await startModelServer();
  model.on({ hasToolResult: false }, { text: 'Let me see.', calls: [{ name: 'mcp_slow_echo', args: { text: 'in time' }, id: 'call_0' }] });
  model.on({ hasToolResult: true }, { text: 'Done' });
  await using app = await TestApp.open(parts);
  const { providerId } = await app.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: model.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m1'] });
  await app.ask('settings.update', { model: { providerId, model: 'm1' }, directTools: true });
  await added(app, server('slow', { limits: { callIdleMs: 700, callTotalMs: 700 } }));
  const chatId = await app.newChat();
  await app.ask('chats.send', { chatId, text: 'go' });
  await app.until((state) => state.approvals.length > 0);
  const askedAt = performance.now();
  // A person who takes longer than the call may.
  while (performance.now() - askedAt < 900) await new Promise(setImmediate);
  const [approval] = app.state.approvals;
  if (!approval) throw new Error('nothing asks');
  await app.ask('approvals.answer', { approvalId: approval.id, answer: { decision: 'allow', scope: 'once' } });
  const chat = await app.untilChat(chatId, ({ run, items }) => run.phase !== 'running' && items.length > 1);
  expect(Object.values(chat.calls)).toMatchObject([{ phase: 'settled', outcome: { kind: 'succeeded' } }]);
});

it('[O10] progress is asked for, shown, and starts the silence anew; the end of the whole comes all the same, and both are the server’s own', async () => {
  await using app = await TestApp.open(parts);
  const chatId = await app.newChat();
  const patient = await added(app, server('patient', { limits: { callIdleMs: 400, callTotalMs: 60_000 } }));
  const strict = await added(app, server('strict', { limits: { callIdleMs: 400, callTotalMs: 900 } }));
  const { ref } = await app.tool(patient, 'steps');
  const { callId } = await app.ask('chats.call-tool', { chatId, ref, args: { times: 10, everyMs: 100, end: true } });
  await app.untilChat(chatId, ({ calls: { [callId]: call } }) => call?.phase === 'running' && (call.progress?.done ?? 0) >= 3 && call.progress?.message?.startsWith('step') === true);
  const ended = await app.untilChat(chatId, ({ calls: { [callId]: call } }) => call?.phase === 'settled');
  // Longer in all than it may be silent.
  expect(ended.calls[callId]).toMatchObject({ outcome: { kind: 'succeeded', result: { parts: [{ text: 'after 10' }] } } });
  const forEver = await app.call(chatId, strict, 'steps', { times: 100_000, everyMs: 50 });
  expect(forEver.outcome).toMatchObject({ kind: 'failed', code: 'tool/timed-out', message: expect.stringContaining('within 900 ms') });
  const silent = await app.call(chatId, strict, 'wait', {});
  expect(silent.outcome).toMatchObject({ kind: 'failed', code: 'tool/timed-out', message: expect.stringContaining('silent for 400 ms') });
});

it('[F-55] a request’s time is the setting’s, and a server’s own beats it', async () => {
  await using app = await TestApp.open(parts);
  await app.ask('settings.update', { requestTimeoutMs: 300 });
  const chatId = await app.newChat();
  const usual = await added(app, server('usual'));
  const own = await added(app, server('own', { requestTimeoutMs: 500 }));
  const said = async (serverId: typeof own) => (await app.call(chatId, serverId, 'wait', {})).outcome;
  expect(await said(usual)).toMatchObject({ code: 'tool/timed-out', message: expect.stringContaining('silent for 300 ms') });
  expect(await said(own)).toMatchObject({ code: 'tool/timed-out', message: expect.stringContaining('silent for 500 ms') });
});

it('[F-36] the setting for idle time is every server’s that has none of its own, and a change counts at once', async () => {
  await using app = await TestApp.open(parts);
  const serverId = await added(app, server('one'));
  const stops = () => {
    const connection = app.state.servers[serverId]?.connection;
    return connection?.phase === 'ready' && connection.stopsAt !== undefined ? connection.stopsAt - connection.since : undefined;
  };
  expect(stops()).toBe(600_000);
  await app.ask('settings.update', { idleTimeout: 2.5 });
  await app.ask('servers.restart', { serverId });
  await app.until(() => stops() === 150_000);
});
