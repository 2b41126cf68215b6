import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { defineShelves, shelfEntry } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const library = join(import.meta.dirname, '../servers/stdio/library.mjs');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

async function openLibrary() {
  const test = await TestApp.open(parts);
  const file = join(tempFolder(), 'asked.jsonl');
  const serverId = await test.addServer('my library', library, [file]);
  const asked = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : []).filter(({ method }) => method === 'prompts/get').map(({ params }) => params);
  const run = (text: string) => test.ask('prompts.run', { text });
  const commands = async () => (await test.ask('prompts.commands', {})).filter((one) => one.serverId === serverId).map(({ command }) => command);
  return { test, serverId, asked, run, commands, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe('prompts of servers', () => {
  it('[F-145] are commands, from what was seen before too; and one name is one command', async () => {
    await using opened = await openLibrary();
    const { test, serverId, commands, run } = opened;
    const all = ['create_plan', '_2nd_opinion_', 'prompt', 'empty', 'show'].map((name) => `/mcp__my_library__${name}`);
    expect(await commands()).toEqual(all);
    expect((await run('/mcp__my_library__create_plan plums')).kind).toBe('message');
    await test.ask('servers.stop', { serverId });
    expect(await commands()).toEqual(all);
    expect((await test.ask('prompts.commands', {})).find((one) => one.serverId === serverId)).toMatchObject({ cached: true });
    // Using one connects its server.
    await test.ask('servers.start', { serverId });
    expect((await run('/mcp__my_library___2nd_opinion_')).kind).toBe('message');
    await expect(run('/mcp__my_library__nothing')).rejects.toMatchObject({ code: 'request/invalid' });
    await test.ask('servers.set-enabled', { serverId, enabled: false });
    expect(await commands()).toEqual([]);
  });

  it('follow the list of their server at each connect', async () => {
    await using test = await TestApp.open(parts);
    const { file, entry } = shelfEntry({ name: 'shelf', prompts: [{ name: 'one' }] });
    const [program = '', ...args] = entry['args'] as readonly string[]; // a launch of Node
    const serverId = await test.addServer('shelf', program, args);
    const commands = async () => (await test.ask('prompts.commands', {})).filter((one) => one.serverId === serverId).map(({ command }) => command);
    expect(await commands()).toEqual(['/mcp__shelf__one']);
    writeFileSync(file, JSON.stringify({ prompts: [{ name: 'two' }] }));
    await test.ask('servers.restart', { serverId });
    expect(await commands()).toEqual(['/mcp__shelf__two']);
  });

  it('of a server that is asleep connect it when they are used', async () => {
    await using opened = await openLibrary();
    const { test, serverId, run } = opened;
    const path = join(test.home, 'mcp.json');
    const before = readFileSync(path, 'utf8');
    expect(before).toContain('my library');
    await test.ask('servers.pause-all', { paused: true });
    await test.ask('servers.pause-all', { paused: false });
    await test.until(({ servers }) => servers[serverId]?.connection.phase === 'stopped');
    expect(await run('/mcp__my_library__create_plan plums')).toMatchObject({ kind: 'message' });
    expect(test.state.servers[serverId]?.connection.phase).toBe('ready');
  });

  it('of two servers that are called alike keep the first command', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ name: 'a b', prompts: [{ name: 'x' }] }, { name: 'a_b', prompts: [{ name: 'x' }, { name: 'y' }] }]);
    for (const name of ['a b', 'a_b']) {
      await test.ask('servers.start', { serverId: test.server(name) });
      await test.until(({ servers }) => servers[test.server(name)]?.counts !== undefined);
    }
    const mine = (await test.ask('prompts.commands', {})).filter(({ command }) => command.startsWith('/mcp__a_b__'));
    expect(mine.map(({ command, serverName }) => [command, serverName])).toEqual([['/mcp__a_b__x', 'a b'], ['/mcp__a_b__y', 'a_b']]);
  });

  it('[F-146] take arguments in order and by name, quoted and escaped; without one that is required the server is not asked', async () => {
    await using opened = await openLibrary();
    const { asked, run, test, serverId } = opened;
    const plan = '/mcp__my_library__create_plan';
    for (const [typed, args] of [
      ['plums', { goal: 'plums' }],
      ['"harden retry policy" calm', { goal: 'harden retry policy', tone: 'calm' }],
      [`tone='very calm' plums\\ and\\ pears`, { goal: 'plums and pears', tone: 'very calm' }],
      ['goal="say \\"so\\""', { goal: 'say "so"' }],
    ] as const) {
      expect((await run(`${plan} ${typed}`)).kind, typed).toBe('message');
      expect(asked().at(-1), typed).toEqual({ name: 'create_plan', args });
    }
    const before = asked().length;
    expect(await run(plan)).toEqual({ kind: 'usage', usage: `${plan} <goal> [tone]`, missing: ['goal'] });
    expect(await run(`${plan} tone=calm`)).toMatchObject({ kind: 'usage', missing: ['goal'] });
    expect(await run(`${plan} "plums`)).toMatchObject({ kind: 'usage', problem: expect.stringContaining('quote') });
    expect(await run(`${plan} a b c`)).toMatchObject({ kind: 'usage', problem: expect.stringContaining('more words') });
    expect(await test.ask('prompts.get', { serverId, prompt: 'create_plan', args: { tone: 'calm' } })).toMatchObject({ kind: 'usage', missing: ['goal'] });
    expect(asked()).toHaveLength(before);
    expect(await test.ask('prompts.get', { serverId, prompt: 'create_plan', args: { goal: 'form' } })).toMatchObject({ kind: 'message', text: expect.stringContaining('Plan: form') });
  });

  it('[F-147] become one message with its roles marked; one that says nothing is told as that; pictures and resources stand beside it', async () => {
    await using opened = await openLibrary();
    const { run } = opened;
    expect(await run('/mcp__my_library__create_plan plums')).toEqual({ kind: 'message', text: '[user]\nPlan: plums\n\n[assistant]\nGladly.', attachments: [] });
    expect(await run('/mcp__my_library___2nd_opinion_')).toEqual({ kind: 'message', text: 'only 2nd opinion!', attachments: [] });
    expect(await run('/mcp__my_library__empty')).toEqual({ kind: 'empty', serverName: 'my library', prompt: 'empty' });
    expect(await run('/mcp__my_library__show')).toMatchObject({
      kind: 'message',
      text: '[user]\nLook at this.\n\n[user]\n(attached: show)\n\n[user]\n(attached: guide)',
      attachments: [{ kind: 'prompt', prompt: 'show', name: 'show', mimeType: 'image/png', result: { parts: [{ type: 'image' }] } }, { name: 'guide', result: { parts: [{ type: 'resource-text', text: '# Guide' }] } }],
    });
  });

  it('suggest values for their arguments', async () => {
    await using opened = await openLibrary();
    const { test, serverId } = opened;
    expect(await test.ask('prompts.complete', { serverId, of: { prompt: 'create_plan' }, argument: 'goal', value: 'pe', others: {} })).toEqual({ values: ['pears', 'peaches'], more: false });
  });
});
