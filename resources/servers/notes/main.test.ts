import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../../../test/servers/build-server.ts';

let built: BuiltServer;
let folder: string;
let client: Client | undefined;

beforeAll(async () => {
  built = await buildServer('notes');
}, 60_000);
afterAll(() => built[Symbol.asyncDispose]());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-notes-run-'));
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  rmSync(folder, { recursive: true, force: true });
});

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;
async function connect(options: Options = {}): Promise<Client> {
  client = new Client({ name: 'test', version: '1' }, options);
  const env = { ...process.env as Record<string, string>, GATEHOUSE_NOTES_FOLDER: folder }; // a process's own environment has only strings
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [built.file], env }));
  return client;
}

const call = (name: string, args: Record<string, unknown>): ReturnType<Client['callTool']> => client!.callTool({ name, arguments: args });
async function addNote(title: string, text: string, tags: string[] = []): Promise<string> {
  const { structuredContent } = await call('add_note', { title, text, tags });
  return (structuredContent as { note: { id: string } }).note.id; // checked against the output schema by the client
}
const textOf = (result: Awaited<ReturnType<typeof call>>): string =>
  result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('the Notes server', () => {
  for (const mode of ['auto', 'legacy'] as const) {
    it(`offers five tools that say truthfully what they do, with the ${mode} protocol`, async () => {
      await connect({ versionNegotiation: { mode } });
      expect(client?.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
      expect(client?.getInstructions()).toContain('find_notes');
      const { tools } = await client!.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['add_note', 'edit_note', 'delete_note', 'find_notes', 'list_notes']);
      for (const tool of tools) {
        expect(tool.title).toBeTruthy();
        expect(tool.inputSchema.type).toBe('object');
        expect(tool.outputSchema).toBeDefined();
        expect(tool.annotations?.openWorldHint).toBe(false);
      }
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(['find_notes', 'list_notes']);
      expect(tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual(['edit_note', 'delete_note']);
    });
  }

  it('keeps, finds, changes, lists and deletes a note', async () => {
    await connect();
    const id = await addNote('Groceries', 'milk', ['home']);
    await addNote('Other', 'nothing');
    const found = await call('find_notes', { query: 'MILK' });
    expect(found.structuredContent).toMatchObject({ total: 1, notes: [{ id, title: 'Groceries', excerpt: 'milk' }] });
    await call('edit_note', { id, append: 'eggs' });
    const whole = await call('find_notes', { query: id });
    expect(whole.structuredContent).toMatchObject({ notes: [{ text: 'milk\neggs' }] });
    expect(whole.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: `note://${id}` }));
    expect((await call('list_notes', { limit: 1 })).structuredContent).toMatchObject({ total: 2, nextOffset: 1 });
    expect(textOf(await call('delete_note', { id }))).toBe(`Deleted "Groceries" (${id}).`);
    expect((await call('list_notes', {})).structuredContent).toMatchObject({ total: 1 });
  });

  it('answers what cannot be done in plain words, as an error of the tool', async () => {
    await connect();
    const id = await addNote('A', 'b');
    const cases: [string, Record<string, unknown>, string][] = [
      ['add_note', { title: ' ', text: '' }, 'A title may not be empty.'],
      ['add_note', { title: 'x'.repeat(201), text: '' }, 'at most 200 characters'],
      ['add_note', { title: 'two\nlines', text: '' }, 'one line'],
      ['add_note', { title: 'x', text: '😀'.repeat(300_000) }, 'at most 1 MiB'],
      ['edit_note', { id: 'nope', text: 'x' }, 'There is no note with the id "nope".'],
      ['edit_note', { id: '../../etc/passwd', text: 'x' }, 'There is no note'],
      ['edit_note', { id }, 'Nothing to change'],
      ['edit_note', { id, text: 'x', append: 'y' }, 'either text'],
      ['delete_note', { id: 'nope' }, 'There is no note'],
    ];
    for (const [name, args, words] of cases) {
      const result = await call(name, args);
      expect(result.isError, name).toBe(true);
      expect(textOf(result)).toContain(words);
    }
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('offers every note as a resource, page by page, and says when the list changed', async () => {
    let heard: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => {
      heard = resolve;
    });
    await connect({ listChanged: { resources: { onChanged: () => heard(), debounceMs: 0, autoRefresh: false } } });
    const id = await addNote('First', 'text', ['t']);
    await changed;
    for (let n = 0; n < 1_100; n += 1) writeFileSync(join(folder, `note ${n}.md`), `# N${n}`);
    const { resources } = await client!.listResources();
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(1_101);
    expect((await client!.listResources({ cursor: 'note 5' })).resources.length).toBeLessThanOrEqual(1_000);
    expect(resources.find(({ uri }) => uri === `note://${id}`)).toMatchObject({ title: 'First', mimeType: 'text/markdown' });
    const { contents } = await client!.readResource({ uri: `note://${id}` });
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringMatching(/^---\ntitle: First\n[^]*\n\ntext$/) });
    expect((await client!.readResource({ uri: 'note://note%207' })).contents[0]).toMatchObject({ text: expect.stringContaining('# N7') });
    expect((await client!.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['note://{id}']);
  });

  it('has no resource outside the folder', async () => {
    await connect();
    for (const uri of ['note://nope', 'note://..%2F..%2Fetc%2Fpasswd', 'note://%00', 'note://%ff', 'file:///etc/passwd', 'note://']) {
      await expect(client!.readResource({ uri }), uri).rejects.toThrow();
    }
  });

  it('offers a prompt that brings the notes with it', async () => {
    await connect();
    await addNote('Trip', 'Paris by train');
    await addNote('Work', 'Ship it');
    const { prompts } = await client!.listPrompts();
    expect(prompts).toMatchObject([{ name: 'summarize_notes', arguments: [{ name: 'topic' }] }]);
    const text = async (args: Record<string, string>): Promise<string> =>
      JSON.stringify((await client!.getPrompt({ name: 'summarize_notes', arguments: args })).messages);
    expect(await text({ topic: 'paris' })).toMatch(/Paris by train/);
    expect(await text({ topic: 'paris' })).not.toMatch(/Ship it/);
    expect(await text({})).toMatch(/Ship it[^]*Paris by train|Paris by train[^]*Ship it/);
    expect(await text({ topic: 'moon' })).toMatch(/no notes about/);
  });
});

describe('the Notes process', () => {
  const start = (env: NodeJS.ProcessEnv): ReturnType<typeof spawn> => spawn(process.execPath, [built.file], { env, stdio: 'pipe' });

  it('ends with code 0 when its input ends, even in the middle of a call, and leaves no half-written note', async () => {
    const child = start({ ...process.env, GATEHOUSE_NOTES_FOLDER: folder });
    const ended = once(child, 'exit');
    const lines = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ];
    child.stdin!.write(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''));
    await once(child.stdout!, 'data');
    const add = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'add_note', arguments: { title: 'Last', text: 'x' } } };
    child.stdin!.end(`${JSON.stringify(add)}\n`);
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(folder).filter((name) => !name.endsWith('.md'))).toEqual([]);
  });

  it('says what is missing when it has no folder', async () => {
    const { GATEHOUSE_NOTES_FOLDER: _, ...env } = process.env;
    const child = start(env);
    let errors = '';
    child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errors).toContain('GATEHOUSE_NOTES_FOLDER is not set');
  });
});
