import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connected, defineShelves, gateway, objectTool } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const calls = join(import.meta.dirname, '../servers/stdio/calls.mjs');
const tool = (name: string) => objectTool(name, `Does ${name}`, {});
const textOf = async (test: TestApp, args: Readonly<Record<string, unknown>>) => (await gateway(test, args)).text;

describe('a name', () => {
  it('[H-43] [F-65] that two tools would have is had by neither, both are kept and told apart, and a call by it is sent to none', async () => {
    await using test = await TestApp.open(parts);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await defineShelves(test, [{ name: 'a_b', tools: [tool('c')] }, { name: 'a', tools: [tool('b_c'), tool('d.e'), tool('d_e')] }]);
    for (const name of ['a_b', 'a']) await connected(test, name);
    const page = await test.ask('catalog.page', { text: '', offset: 0, limit: 50 });
    const names = page.tools.filter(({ serverName }) => serverName !== 'Notes').map(({ modelName }) => modelName);
    expect(new Set(names).size).toBe(4);
    expect(names).not.toContain('mcp_a_b_c');
    for (const name of names) expect(name).toMatch(/^mcp_a_(b_c|d_e)_[0-9a-f]{8}$/);
    expect(await gateway(test, { action: 'call', tool: 'mcp_a_b_c' })).toMatchObject({ code: 'ambiguous_tool' });
    const ran = async (name: string, server: string) => (JSON.parse(await textOf(test, { action: 'call', tool: name, server })) as { ran: string }).ran; // how a shelf answers
    expect(await ran('mcp_a_b_c', 'a')).toBe('b_c');
    expect(await ran('mcp_a_b_c', 'a_b')).toBe('c');
    expect(await ran('d_e', 'a')).toBe('d_e');
    expect(await ran('d.e', 'a')).toBe('d.e');
    for (const { ref, modelName } of page.tools) if (names.includes(modelName)) expect(await textOf(test, { action: 'call', tool: modelName })).toContain(`"ran":"${ref.tool}"`);
  });

  it('[F-67] that a tool does not have leaves it out, and the server says how many', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ name: 'nameless', tools: [tool('good'), { inputSchema: { type: 'object' } }, { name: '', inputSchema: { type: 'object' } }, { name: 7, inputSchema: { type: 'object' } }] }]);
    await connected(test, 'nameless');
    const row = test.state.servers[test.server('nameless')];
    expect(row?.counts?.tools).toBe(1);
    expect(row?.warnings).toEqual([expect.stringMatching(/^3 .*name/)]);
  });

  it('[F-74] that nobody has gets up to five near ones, the server that has it, and no connection', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ name: 'files', tools: ['read_file', 'read_files', 'read_fine', 'read_tile', 'read_film', 'read_fire', 'write_file'].map(tool) }, { name: 'other', tools: [tool('compile')] }, { name: 'asleep', tools: [tool('never_seen')] }]);
    for (const name of ['files', 'other']) await connected(test, name);
    const near = await textOf(test, { action: 'describe', tool: 'read_fike' });
    expect(near).toContain('read_file');
    expect((near.match(/read_\w+/g) ?? []).filter((name) => name !== 'read_fike').length).toBeLessThanOrEqual(5);
    expect(await textOf(test, { action: 'describe', tool: 'compile', server: 'files' })).toContain('other');
    const long = 'x'.repeat(513);
    expect(await textOf(test, { action: 'describe', tool: long })).not.toMatch(/mean/i);
    expect(test.state.servers[test.server('asleep')]?.connection).toEqual({ phase: 'stopped', why: 'asleep' });
  });

  it('[F-75] of a tool that belongs to Gatehouse itself is told so', async () => {
    await using test = await TestApp.open(parts);
    expect(await gateway(test, { action: 'call', tool: 'mcp_search', args: { query: 'x' } })).toMatchObject({ code: 'native_tool' });
    expect(await gateway(test, { action: 'describe', tool: 'mcp' })).toMatchObject({ code: 'native_tool' });
  });
});

describe('a server without a capability', () => {
  it('[F-72] is not asked for what it does not have', async () => {
    await using test = await TestApp.open(parts);
    const serverId = await test.addServer('Calls', calls);
    using following = await test.app.follow(`messages/${serverId}`, () => undefined, new AbortController().signal);
    const methods = [...JSON.stringify(following.state).matchAll(/"method":"([^"]+)"/g)].map(([, method]) => method ?? '');
    expect(methods).toContain('tools/list');
    expect(methods.filter((method) => /^(resources|prompts)\//.test(method))).toEqual([]);
  });
});

describe('a server that is switched off', () => {
  it('[F-17] by the literal true alone, is told of, and refuses to connect, to be signed in to, and every tool and resource', async () => {
    await using test = await TestApp.open(parts);
    const shelf = { tools: [tool('look')], resources: [{ uri: 'shelf://one', name: 'One' }] };
    await defineShelves(test, [
      { name: 'off', ...shelf, options: { disabled: true } },
      { name: 'also', ...shelf, options: { enabled: false } },
      ...['true', 1, 'yes', null].map((disabled, at) => ({ name: `on${at}`, ...shelf, options: { disabled } })),
    ]);
    const enabled = (name: string) => test.state.servers[test.server(name)]?.definition.enabled;
    expect(['off', 'also', 'on0', 'on1', 'on2', 'on3'].map(enabled)).toEqual([false, false, true, true, true, true]);
    expect(await textOf(test, { action: 'status' })).toMatch(/off.*disabled/);
    const actions: readonly Readonly<Record<string, unknown>>[] = [
      { action: 'connect' }, { action: 'auth-start' }, { action: 'auth-complete' }, { action: 'list' }, { action: 'search', query: 'look' }, { action: 'describe', tool: 'look' },
      { action: 'call', tool: 'look' }, { action: 'instructions' }, { action: 'resources' }, { action: 'read-resource', uri: 'shelf://one' },
    ];
    for (const action of actions) expect((await gateway(test, { ...action, server: 'off' })).code, String(action['action'])).toBe('server_disabled');
    await expect(test.ask('servers.start', { serverId: test.server('off') })).rejects.toMatchObject({ code: 'server/disabled' });
  });
});
