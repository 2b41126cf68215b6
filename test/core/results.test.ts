import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ToolResult } from '../../src/shared/model/content.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts, type TestAppOptions } from '../support/test-app.ts';

const stdio = join(import.meta.dirname, '../servers/stdio');
let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

interface Asked {
  readonly name: string;
  readonly args?: unknown;
}
const Messages = z.object({ messages: z.array(z.object({ role: z.string(), tool_call_id: z.string().optional(), content: z.unknown() })) });

/** The core with a model that makes these calls at once, nobody in between, and is then asked again. */
class Run implements AsyncDisposable {
  readonly test: TestApp;
  readonly model: ModelServer;
  #turn = 0;

  constructor(test: TestApp, model: ModelServer) {
    this.test = test;
    this.model = model;
  }

  static async open(file: string, args: readonly string[] = [], options: TestAppOptions = {}): Promise<Run> {
    const model = await startModelServer();
    const test = await TestApp.open(parts, options);
    const { providerId } = await test.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: model.baseUrl('openai-compatible'), key: 'sk-test-123456', models: ['m1'] });
    await test.ask('settings.update', { model: { providerId, model: 'm1' }, directTools: true, approvals: 'unrestricted' });
    await test.addServer('srv', join(stdio, file), args);
    return new Run(test, model);
  }

  /** Makes the calls in a new chat, or in this one, and answers what the model was then told of each. */
  async call(asked: readonly Asked[], inChat?: ChatId): Promise<{ readonly told: readonly string[]; readonly chat: ChatState; readonly chatId: ChatId; readonly results: readonly (ToolResult | undefined)[] }> {
    this.#turn += 1;
    const turn = `turn ${this.#turn}`;
    const calls = asked.map(({ name, args = {} }, index) => ({ name, args, id: `call_${this.#turn}_${index}` }));
    this.model.on({ predicate: ({ messages }) => messages.at(-1)?.role === 'user' && JSON.stringify(messages.at(-1)).includes(turn) }, { text: 'Let me see.', calls });
    if (this.#turn === 1) this.model.on({ predicate: ({ messages }) => !JSON.stringify(messages.at(-1)).includes('turn ') }, { text: 'Done' });
    const chatId = inChat ?? (await this.test.newChat());
    const before = Object.keys((await this.test.chat(chatId)).calls).length;
    await this.test.ask('chats.send', { chatId, text: turn });
    const chat = await this.test.untilChat(chatId, ({ run, calls: made }) => run.phase !== 'running' && Object.keys(made).length >= before + calls.length);
    const results = Object.values(chat.calls).slice(before).map((view) => (view.phase === 'settled' && (view.outcome.kind === 'succeeded' || view.outcome.kind === 'tool-error') ? view.outcome.result : undefined));
    return { told: calls.map(({ id }) => this.toldOf(id)), chat, chatId, results };
  }

  toldOf(callId: string): string {
    const content = this.#last().findLast((message) => message.role === 'tool' && message.tool_call_id === callId)?.content;
    return typeof content === 'string' ? content : JSON.stringify(content);
  }

  /** Everything that the model was sent last, as text. */
  get sent(): string {
    return JSON.stringify(this.#last());
  }

  #last() {
    return Messages.parse(this.model.requests().at(-1)?.body).messages;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
  }
}
const kinds = (...names: readonly string[]): readonly Asked[] => names.map((name) => ({ name: `mcp_srv_${name}` }));
/** Without the line about the whole. */
const words = (told: string): string => told.replace(/\n\[The whole result is kept:[^\n]*\]$/, '');

describe('what reaches a model of a result', () => {
  it('[O21] [F-126] is structured content alone, beside text, falsy, and never twice', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const { told } = await run.call(kinds('structured_only', 'structured_falsy', 'structured_and_text', 'structured_without_content'));
    expect(told.map(words)).toEqual(['{"answer":42}', '[]', '{"answer":42}', '{"answer":42}']);
  });

  it('[O22] is an image to look at; one that is too large or an SVG is kept and said, and base64 is in no text', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const { told, results } = await run.call(kinds('image', 'large_image', 'svg_image'));
    expect(told[0]).toContain('1 image');
    expect(run.sent.match(/data:image\/png;base64,iVBOR/g)).toHaveLength(1);
    expect(told[1]).toMatch(/\[Image, image\/png, 6 MiB, kept for the person as [^\]]+: too large to be looked at\]/);
    expect(told[2]).toMatch(/\[Image, image\/svg\+xml, 1\d\d B, kept for the person as [^\]]+: of a kind that is not to be looked at\]/);
    expect(told.join()).not.toMatch(/[A-Za-z0-9+/]{60}/);
    expect(run.sent).not.toContain('svgRan');
    expect(results.map((result) => result?.parts.map((part) => part.type))).toEqual([['image'], ['image'], ['image']]);
  });

  it('[O22] is words where the model takes no images', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const [image] = kinds('image');
    run.model.on({ predicate: (request) => JSON.stringify(request).includes('image_url') }, { status: 400, message: 'this model does not support image input', type: 'invalid_request_error' });
    const { chat } = await run.call([image ?? { name: '' }]);
    expect(chat.run).toEqual({ phase: 'idle' });
    expect(run.toldOf('call_1_0')).toContain('image left out');
    expect(run.sent).not.toContain('image_url');
  });

  it('[O23] is the text in a blob, the address of a link, of an empty text and of a file, on one line each', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const { told, results } = await run.call(kinds('blob_of_text', 'blob_without_mime', 'resource_link', 'resource_empty_text', 'blob_with_evil_name', 'resource_text', 'audio'));
    expect(words(told[0] ?? '')).toBe('[repo:///a.cs]\nclass A{}');
    expect(told[1]).toMatch(/^\[repo:\/\/\/a\.bin: application\/octet-stream, 3 B, kept for the person as /);
    expect(words(told[2] ?? '')).toBe('[Resource “report” doc://105]');
    expect(words(told[3] ?? '')).toBe('[repo:///empty.txt]');
    expect(told[4]).toMatch(/^\[file:\/\/\/\.\.\/\.\.\/evil⟨U\+0000⟩\.sh: application\/octet-stream, 3 B/);
    expect(words(told[5] ?? '')).toBe('[repo:///b.md]\n# B');
    expect(told[6]).toMatch(/^\[Audio, audio\/wav, \d+ B, kept for the person as /);
    expect(results[1]?.parts).toMatchObject([{ type: 'blob', ref: { mimeType: 'application/octet-stream', bytes: 3 } }]);
  });

  it('[U-72] [F-128] is JSON for what is unknown, an error with what the tool takes, and the coarse reason of a failed call', async () => {
    await using run = await Run.open('promises.mjs');
    await run.test.addServer('other', join(stdio, 'broken.mjs'), ['results']);
    const { told, chat } = await run.call([{ name: 'mcp_other_unknown_kind' }, { name: 'mcp_other_text' }, { name: 'mcp_other_empty' }, { name: 'mcp_srv_strict', args: { row: 'x' } }, { name: 'mcp_other_tool_error' }, { name: 'mcp_srv_fails' }]);
    expect(words(told[0] ?? '')).toBe('{"type":"hologram","data":"x"}\nand text');
    expect(told[1]).toBe('plain text');
    expect(told[2]).toBe('[The tool returned nothing.]');
    expect(told[3]).toBe('Error: no such row\nExpected parameters:\n- row (string, required): Which row\n- dry (boolean)');
    expect(told[4]).toBe('Error: The row is locked.');
    expect(told[5]).toMatch(/^The call failed \(tool\/failed\): the database is away/);
    expect(Object.values(chat.calls).map((view) => (view.phase === 'settled' ? view.outcome.kind : view.phase))).toEqual(['succeeded', 'succeeded', 'succeeded', 'tool-error', 'tool-error', 'failed']);
  });

  it('[F-127] says that a result does not fit its schema, draft-07 and 2020-12, and keeps it; an error promises nothing', async () => {
    await using run = await Run.open('promises.mjs');
    const names = ['draft07_kept', 'draft2020_kept', 'named2020_kept', 'broken_promise', 'draft07_not', 'draft2020_not', 'named2020_not', 'no_promise_kept'];
    const told: string[] = [];
    const results: (ToolResult | undefined)[] = [];
    // One after the other: a check has 250 ms, on one thread.
    for (const name of names) {
      const called = await run.call(kinds(name));
      told.push(...called.told);
      results.push(...called.results);
    }
    for (const index of [0, 1, 2, 3]) {
      expect([names[index], results[index]?.schemaMismatch]).toEqual([names[index], undefined]);
      expect(told[index]).not.toContain('output schema');
    }
    for (const index of [4, 5, 6]) {
      expect(told[index]).toMatch(/^in words\n\{"pair":\["a","b"\]\}\n\[The result does not fit the tool's own output schema: /);
      expect(results[index]?.structured).toMatchObject({ json: '{"pair":["a","b"]}' });
    }
    expect(told[7]).toMatch(/^in words\n\[The result does not fit the tool's own output schema: it promises a structured result, and there is none\]/);
  });
});

describe('a result that is too long', () => {
  it('[S8] [F-124] is told by its beginning, and the rest of it is read on by path and page, from this chat alone', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const { told, results, chatId } = await run.call(kinds('long_text'));
    const { reference } = results[0] ?? {};
    expect(Buffer.byteLength(told[0] ?? '')).toBeLessThanOrEqual(51_200);
    expect(told[0]).toMatch(/^(0123456789){5000}/);
    expect(told[0]).toContain(`Only the beginning is shown; the whole is 1 line, 310.5 KiB. It is kept: read it with mcp, action "read-result", ref "${reference?.id}"]`);
    const page = { action: 'read-result', ref: reference?.id, path: '/content/0/text', offset: 300_005, limit: 20 };
    const next = await run.call([{ name: 'mcp', args: page }], chatId);
    expect(next.told[0]).toContain('56789012345678901234');
    expect(next.told[0]).toContain('300025');
    expect((await run.call([{ name: 'mcp', args: page }])).told[0]).toContain('There is no kept result with this reference');
  });

  it('[F-122] lives in the home, for the person alone, until its chat is deleted or its time is over', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const { chatId } = await run.call(kinds('long_text', 'audio'));
    const folder = join(run.test.home, 'contents', chatId);
    expect([join(run.test.home, 'contents'), folder].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(readdirSync(folder).length).toBeGreaterThanOrEqual(4);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await run.test.ask('chats.delete', { chatId });
    expect(existsSync(folder)).toBe(false);
  });

  it('[F-123] is cut as the settings say, unless MCP_OUTPUT_GUARD forces the guard on or off', async () => {
    const bytes = 52_000;
    const cases = [
      [undefined, [[{ maxBytes: 400 }, 400], [{ maxLines: 2, maxBytes: 700 }, 700], [false, bytes]]],
      ['0', [[true, bytes]]],
      ['1', [[false, 51_200], [{ maxBytes: 900 }, 900]]],
    ] as const;
    for (const [env, settings] of cases) {
      await using run = await Run.open('versatile.mjs', [], env === undefined ? {} : { env: { MCP_OUTPUT_GUARD: env } });
      for (const [setting, expected] of settings) {
        await run.test.ask('settings.update', { outputGuard: setting });
        const { told } = await run.call([{ name: 'mcp_srv_big', args: { bytes } }]);
        expect([env, setting, (told[0] ?? '').length]).toEqual([env, setting, expected]);
      }
    }
    await using test = await TestApp.open(parts);
    for (const wrong of [{ maxBytes: 0 }, { maxLines: -1 }, { detailsMaxBytes: 1.5 }, { other: 1 }, 'yes'])
      await expect(test.ask('settings.update', { outputGuard: wrong as never })).rejects.toMatchObject({ code: 'request/invalid' }); // wrong on purpose
  }, 60_000);

  it('is not lost when nothing can be saved', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    // A file in the place of the folder: whatever is kept is refused by the disk.
    rmSync(join(run.test.home, 'contents'), { recursive: true, force: true });
    writeFileSync(join(run.test.home, 'contents'), '');
    const { told, chat, results } = await run.call(kinds('long_text', 'image', 'structured_only'));
    expect(told[0]).toMatch(/^(0123456789){5000}[\s\S]*It could not be saved: the disk refused it/);
    expect(told[1]).toContain('it arrived and could not be saved');
    expect(told[2]).toMatch(/^\{"answer":42\}\n\[The whole result could not be saved: the disk refused it/);
    expect(results.every((result) => result?.unsaved !== undefined)).toBe(true);
    expect(chat.run).toEqual({ phase: 'idle' });
  });

  it('goes on being told when what was kept of it is gone', async () => {
    await using run = await Run.open('broken.mjs', ['results']);
    const { chatId } = await run.call(kinds('image'));
    const folder = join(run.test.home, 'contents', chatId);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const { chat, told } = await run.call(kinds('text'), chatId);
    expect(chat.run).toEqual({ phase: 'idle' });
    expect(told).toEqual(['plain text']);
    expect(run.sent).toContain('[Image, image/png: no longer kept]');
  });
});

describe('what nobody can ask for any more', () => {
  it('is removed at the start: contents of a chat that is gone, and half of one', async () => {
    const home = tempFolder();
    const first = await TestApp.open(parts, { home });
    const chatId = await first.newChat();
    await first[Symbol.asyncDispose]();
    for (const folder of ['a-chat-that-is-gone', chatId]) {
      mkdirSync(join(home, 'contents', folder), { recursive: true, mode: 0o700 });
      writeFileSync(join(home, 'contents', folder, 'abc~image%2Fpng'), 'x');
      writeFileSync(join(home, 'contents', folder, 'def~image%2Fpng.part'), 'x');
    }
    await using _again = await TestApp.open(parts, { home });
    await expect.poll(() => readdirSync(join(home, 'contents'))).toEqual([chatId]);
    await expect.poll(() => readdirSync(join(home, 'contents', chatId))).toEqual(['abc~image%2Fpng']);
  });

  it('is removed once a chat that was cut is settled: what a call had put aside and no outcome names', async () => {
    const home = tempFolder();
    const first = await TestApp.open(parts, { home });
    const srv = await first.addServer('srv', join(stdio, 'broken.mjs'), ['results']);
    const chatId = await first.newChat();
    const folder = join(home, 'contents', chatId);
    await first.call(chatId, srv, 'image', {});
    const named = readdirSync(folder);
    await first.call(chatId, srv, 'audio', {});
    await first[Symbol.asyncDispose]();
    expect(readdirSync(folder).length).toBeGreaterThan(named.length);
    // As a power cut would leave it: the second call has started, and its end was not written.
    const log = join(home, 'chats', `${chatId}.jsonl`);
    const records = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, `${records.slice(0, records.findLastIndex((record) => record.includes('"call-settled"'))).join('\n')}\n`);
    await using again = await TestApp.open(parts, { home });
    const { calls } = await again.chat(chatId);
    expect(Object.values(calls).map((view) => (view.phase === 'settled' ? view.outcome.kind : view.phase))).toEqual(['succeeded', 'failed']);
    await expect.poll(() => readdirSync(folder).toSorted()).toEqual(named.toSorted());
  });
});
