import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attach } from '../../src/cli/attach.ts';
import { CoreClient } from '../../src/cli/client.ts';
import { openOwnerDoor } from '../../src/http/owner-door.ts';
import type { ChatTools } from '../../src/shared/model/chat-tools.ts';
import type { ToolOutcome } from '../../src/shared/model/tool-call.ts';
import { connected, defineShelves, objectTool, ownAnswer } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

interface Answer {
  readonly code: string | undefined;
  readonly text: string;
}
type Action = { readonly action: string } & Readonly<Record<string, unknown>>;
/** One action through one door; `off` is what the chat there may not use. */
interface Door {
  readonly name: string;
  readonly hasChat: boolean;
  readonly use: (test: TestApp, action: Action, off: ChatTools) => Promise<Answer>;
}
const nothingOff: ChatTools = { serversOff: [], toolsOff: [] };

async function chatWith(test: TestApp, tools: ChatTools) {
  const chatId = await test.newChat();
  await test.ask('chats.set-tools', { chatId, tools });
  return chatId;
}
/** A model that makes this one call of one of its own tools. */
async function asModel(test: TestApp, call: { readonly name: string; readonly args: unknown }, off: ChatTools): Promise<ToolOutcome> {
  await using model = await scriptedModel([call]);
  await useModel(test, model);
  const chat = await runToRest(test, 'go', await chatWith(test, off));
  const view = Object.values(chat.calls).find(({ call: { ref } }) => ref.tool === call.name);
  if (view?.phase !== 'settled') throw new Error('The call did not settle');
  return view.outcome;
}
/** The same action in the words of a script. */
function inScript({ action, tool, server, args, ...rest }: Action): string {
  const json = (value: unknown) => JSON.stringify(value) ?? 'undefined';
  if (action === 'call') return `return await tools.call(${json(tool)}, ${json(args ?? {})}, ${json(server)});`;
  return action === 'describe' ? `return await tools.describe(${json({ path: tool, server })});` : `return await tools.search(${json({ server, ...rest })});`;
}
const doors: readonly Door[] = [
  { name: 'a model’s gateway', hasChat: true, use: async (test, action, off) => ownAnswer(await asModel(test, { name: 'mcp', args: action }, off)) },
  {
    name: 'a model’s script', hasChat: true,
    use: async (test, action, off) => {
      const { text } = ownAnswer(await asModel(test, { name: 'mcp_script', args: { code: inScript(action) } }, off));
      return { text, code: /"code":\s*"([a-z_]+)"/.exec(text)?.[1] };
    },
  },
  {
    name: 'Direct mode', hasChat: true,
    use: async (test, action, off) => ownAnswer((await test.ask('own-tools.run', { name: 'mcp', args: action, chatId: await chatWith(test, off) })).outcome),
  },
  {
    name: 'the owner door', hasChat: false,
    use: async (test, action) => {
      await using _door = await openOwnerDoor({ app: test.app, home: test.home, log: { error: () => undefined } });
      const core = await attach(test.home, new AbortController().signal);
      if (!core) throw new Error('There is no door');
      await using client = new CoreClient('app', core);
      return ownAnswer((await client.request('own-tools.run', { name: 'mcp', args: action }, new AbortController().signal)).outcome);
    },
  },
];

const same = objectTool('same', 'On two servers');
const shelves = [
  { name: 'books', tools: [objectTool('find_book', 'Finds a book by its title', { title: { type: 'string' } }), objectTool('burn_book', 'Burns a book'), same], options: { excludeTools: ['burn_book'] } },
  { name: 'weather', tools: [objectTool('forecast', 'Tells how the weather will be'), same] },
  { name: 'web', options: { command: undefined, args: undefined, url: 'http://127.0.0.1:9/mcp' } },
];
async function open(): Promise<TestApp> {
  const test = await TestApp.open(parts);
  await defineShelves(test, shelves);
  await connected(test, 'books');
  await connected(test, 'weather');
  await test.ask('settings.update', { approvals: 'unrestricted' });
  return test;
}

describe.each(doors)('through $name', ({ use, hasChat }) => {
  it('tools are found, described and called; what is ambiguous, hidden or unknown is not', { timeout: 60_000 }, async () => {
    await using test = await open();
    const go = (action: Action) => use(test, action, nothingOff);
    expect((await go({ action: 'search', query: 'title of a book' })).text).toContain('find_book');
    expect((await go({ action: 'search', query: 'burn a book' })).text).not.toContain('burn_book');
    expect((await go({ action: 'search', query: '' })).code).toBe('empty_query');
    expect((await go({ action: 'describe', tool: 'find_book' })).text).toContain('title');
    expect((await go({ action: 'call', tool: 'find_book', args: { title: 'Emma' } })).text).toContain('Emma');
    expect((await go({ action: 'call', tool: 'same', args: {} })).code).toBe('ambiguous_tool');
    expect((await go({ action: 'call', tool: 'same', server: 'weather', args: {} })).text).toContain('same');
    for (const action of ['describe', 'call']) expect((await go({ action, tool: 'burn_book' })).code, action).toBe('tool_not_found');
    expect((await go({ action: 'call', tool: 'nothing_of_the_kind' })).code).toBe('tool_not_found');
    expect((await go({ action: 'call', tool: 'x', server: 'nowhere' })).code).toBe('server_not_found');
  });

  it('policy and the person are asked, and a back-off is told', { timeout: 60_000 }, async () => {
    await using test = await open();
    const call = { action: 'call', tool: 'find_book', args: { title: 'Emma' } };
    await test.ask('settings.update', { approvals: 'approval-required' });
    const asking = use(test, call, nothingOff);
    await test.until(({ approvals }) => approvals.length > 0);
    expect(test.state.approvals[0]?.call).toMatchObject({ args: { title: 'Emma' }, serverName: 'books', parentId: expect.any(String) });
    await test.ask('approvals.answer', { approvalId: test.state.approvals[0]?.id ?? ('' as never), answer: { decision: 'deny' } });
    expect((await asking).code).toBe('approval_denied');
    await test.ask('settings.update', { approvals: 'locked-down' });
    expect((await use(test, call, nothingOff)).code).toBe('approval_denied');
    await test.ask('settings.update', { approvals: 'unrestricted' });
    expect((await use(test, { action: 'search', query: '', server: 'web' }, nothingOff)).code).toBe('connect_failed');
    expect(await use(test, { action: 'search', query: '', server: 'web' }, nothingOff)).toMatchObject({ code: 'server_backoff', text: expect.stringMatching(/failed \d+ s ago/) });
  });

  it('a remembered tool is called after its server is connected', { timeout: 60_000 }, async () => {
    await using test = await open();
    const serverId = test.server('books');
    // Everything sleeps after a pause.
    await test.ask('servers.pause-all', { paused: true });
    await test.ask('servers.pause-all', { paused: false });
    expect(test.state.servers[serverId]).toMatchObject({ connection: { phase: 'stopped' }, catalog: { from: 'cache' } });
    expect((await use(test, { action: 'search', query: 'title of a book' }, nothingOff)).text).toMatch(/cached/);
    expect(test.state.servers[serverId]?.connection.phase).toBe('stopped');
    expect((await use(test, { action: 'call', tool: 'find_book', args: { title: 'Emma' } }, nothingOff)).text).toContain('Emma');
    expect(test.state.servers[serverId]?.connection.phase).toBe('ready');
  });

  it.runIf(hasChat)('what the chat may not use is neither found nor called', { timeout: 60_000 }, async () => {
    await using test = await open();
    const off: ChatTools = { serversOff: [test.server('weather')], toolsOff: [{ serverId: test.server('books'), tool: 'find_book' }] };
    expect((await use(test, { action: 'search', query: 'book title weather' }, off)).text).not.toMatch(/find_book|forecast/);
    expect((await use(test, { action: 'call', tool: 'find_book', args: { title: 'Emma' } }, off)).code).toBe('tool_not_found');
    expect((await use(test, { action: 'call', tool: 'forecast', args: {} }, off)).code).toBe('server_disabled');
  });
});
