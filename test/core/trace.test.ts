import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TraceSetting } from '../../src/shared/model/settings.ts';
import { startMirror } from '../servers/http/mirror.ts';
import { connected, shelfEntry } from '../support/own-tool.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

type Line = Readonly<Record<string, unknown>>;
const linesOf = (file: string): readonly Line[] => readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Line); // one object a line
const tracesIn = (home: string): readonly string[] => (existsSync(join(home, 'traces')) ? readdirSync(join(home, 'traces')).toSorted().map((name) => join(home, 'traces', name)) : []);
const shelf = (name: string): Record<string, unknown> => shelfEntry({ name, tools: [{ name: 'look', inputSchema: { type: 'object' } }] }).entry;
/** A home whose file says this; `trace` are its settings. */
function homeWith(servers: Record<string, object>, trace?: Partial<TraceSetting>): string {
  const home = tempFolder();
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: servers, ...(trace ? { settings: { trace } } : {}) }));
  return home;
}

describe('the trace', () => {
  it('[F-181] is off unless a server or the settings switch it on; a server’s no beats the settings; each session has a file, unless one is named', async () => {
    const quiet = homeWith({ one: shelf('one') });
    {
      await using test = await TestApp.open(parts, { home: quiet });
      await connected(test, 'one');
      expect(tracesIn(quiet)).toEqual([]);
      await test.ask('settings.update', { trace: { enabled: true, maxBytes: 262_144, maxEvents: 10_000 } });
      await test.call(await test.newChat(), test.server('one'), 'look', {});
      expect(tracesIn(quiet)).toHaveLength(1);
    }
    const home = homeWith({ one: { ...shelf('one'), trace: true }, two: shelf('two'), three: { ...shelf('three'), trace: false } });
    const everybody = async (): Promise<void> => {
      await using test = await TestApp.open(parts, { home });
      for (const name of ['one', 'two', 'three']) await connected(test, name);
    };
    await everybody();
    const [first = ''] = tracesIn(home);
    expect(new Set(linesOf(first).map(({ server }) => server))).toEqual(new Set(['one']));
    expect(statSync(first).mode & 0o777).toBe(0o600);

    const said = JSON.parse(readFileSync(join(home, 'mcp.json'), 'utf8')) as object;
    writeFileSync(join(home, 'mcp.json'), JSON.stringify({ ...said, settings: { trace: { enabled: true, file: 'elsewhere/mcp.jsonl' } } }));
    await everybody();
    expect(tracesIn(home)).toEqual([first]);
    const named = join(home, 'elsewhere', 'mcp.jsonl');
    expect(new Set(linesOf(named).map(({ server }) => server))).toEqual(new Set(['one', 'two']));
    const before = linesOf(named).length;
    await everybody();
    expect(linesOf(named)).toHaveLength(2 * before);
  });

  it('[F-182] says when, which way, which kind, how it ended, how large and how long, over every transport, and nothing of what was said', async () => {
    await using mirror = await startMirror();
    const canaries = ['sk-canary-in-the-path', 'sk-canary-in-a-header', 'sk-canary-in-an-argument', 'sk-canary-in-a-tool'];
    const [path = '', header = '', argument = '', inTool = ''] = canaries;
    const home = homeWith({
      far: { url: `${mirror.url}/${path}`, headers: { 'x-key': header } },
      near: shelfEntry({ name: 'near', tools: [{ name: 'look', description: inTool, inputSchema: { type: 'object' } }] }).entry,
    }, { enabled: true });
    await using test = await TestApp.open(parts, { home });
    for (const name of ['far', 'near']) await connected(test, name);
    const chatId = await test.newChat();
    await test.call(chatId, test.server('near'), 'look', { say: argument });
    await test.call(chatId, test.server('far'), 'environment', { say: argument });
    await test.call(chatId, test.server('far'), 'fail', {});
    const [file = ''] = tracesIn(home);
    const lines = linesOf(file);
    const common = { version: 1, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), bytes: expect.any(Number) };
    for (const [server, transport] of [['near', 'stdio'], ['far', 'http']] as const) {
      const own = lines.filter((line) => line['server'] === server);
      const asked = own.filter(({ method, kind }) => method === 'tools/call' && kind === 'request');
      expect(asked[0]).toEqual({ ...common, direction: 'sent', server, transport, kind: 'request', status: 'pending', method: 'tools/call', id: expect.any(Number) });
      expect(own.find(({ id, kind }) => id === asked[0]?.['id'] && kind !== 'request')).toEqual({
        ...common, direction: 'received', server, transport, kind: 'response', status: 'ok', method: 'tools/call', id: asked[0]?.['id'], durationMs: expect.any(Number),
      });
      expect(own.find(({ kind }) => kind === 'notification')).toEqual({ ...common, direction: 'sent', server, transport, kind: 'notification', status: 'ok', method: 'notifications/initialized' });
    }
    expect(lines.findLast(({ kind }) => kind === 'error')).toMatchObject({ server: 'far', direction: 'received', status: 'error', method: 'tools/call', errorCode: -32_000 });
    const text = readFileSync(file, 'utf8');
    for (const secret of [...canaries, mirror.url, 'environment', 'x-key']) expect(text).not.toContain(secret);
  });

  it('[F-183] stops silently at its bounds, and what cannot be written disturbs no message', async () => {
    const few = homeWith({ one: shelf('one') }, { enabled: true, maxEvents: 3 });
    const small = homeWith({ one: shelf('one') }, { enabled: true, maxBytes: 700 });
    const blocked = homeWith({ one: shelf('one') }, { enabled: true, file: 'taken' });
    mkdirSync(join(blocked, 'taken'));
    for (const home of [few, small, blocked]) {
      await using test = await TestApp.open(parts, { home });
      await connected(test, 'one');
      expect((await test.call(await test.newChat(), test.server('one'), 'look', {})).outcome).toMatchObject({ kind: 'succeeded' });
    }
    expect(linesOf(tracesIn(few)[0] ?? '')).toHaveLength(3);
    const { size } = statSync(tracesIn(small)[0] ?? '');
    expect(size).toBeGreaterThan(100);
    expect(size).toBeLessThanOrEqual(700);
    expect(readFileSync(join(blocked, 'logs', 'gatehouse.log'), 'utf8').match(/A trace cannot be written/g)).toHaveLength(1);
  });
});
