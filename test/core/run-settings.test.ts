import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

function places() {
  const person = tempFolder();
  const [home, project] = [join(person, 'home'), join(person, 'work')];
  const keyring = new MemoryKeyring();
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(project);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return {
    project, write,
    mine: join(home, 'config.toml'), theirs: join(project, '.gatehouse', 'config.toml'), profile: join(home, 'profiles', 'deep.toml'),
    log: () => readFileSync(join(home, 'logs', 'gatehouse.log'), 'utf8'),
    open: (env: Readonly<Record<string, string>> = {}) => TestApp.open(parts, { home, person, env, keyring }),
  };
}
/** A model of any name. It goes on calling a tool for as long as it is let, when it is asked to look; otherwise it says “Done”. */
async function anyModel(): Promise<ModelServer> {
  const server = await startModelServer();
  server.on({ userMessage: /look/ }, { calls: [{ name: 'mcp_search', args: { query: 'notes' } }] });
  server.on({}, { text: 'Done' });
  return server;
}
async function useModels(app: TestApp, server: ModelServer): Promise<void> {
  const { providerId } = await app.ask('models.save-provider', { kind: 'openai-compatible', name: 'Test', baseUrl: server.baseUrl('openai-compatible'), key: 'sk-canary-123456', models: ['m0', 'm1', 'm2', 'm3', 'm4'] });
  await app.ask('settings.update', { model: { providerId, model: 'm0' } });
}
async function trust(app: TestApp): Promise<void> {
  await app.until(({ trust: status }) => status.phase === 'ask');
  const { trust: status } = app.state;
  if (status.phase === 'ask') await app.ask('projects.trust', { project: status.question.project, digest: status.question.digest });
}
/** Servers of a file are there once it was read, and with them what it says of runs. */
const marked = (name: string, text: string): string => `${text}\n[mcp_servers.${name}]\ncommand = "x"\nenabled = false\n`;
const until = (app: TestApp, name: string): Promise<void> => app.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === name));

/** What the provider was asked in the last request of a run. */
async function asked(app: TestApp, server: ModelServer, chatId?: ChatId) {
  const chat = await runToRest(app, 'hello', chatId);
  expect(chat.run).toEqual({ phase: 'idle' });
  const body = server.requests().at(-1)?.body as { readonly model: string; readonly reasoning_effort?: string; readonly messages: readonly { readonly role: string; readonly content: unknown }[] }; // the form of Chat Completions
  return { model: body.model, effort: body.reasoning_effort, system: JSON.stringify(body.messages.find(({ role }) => role === 'system')?.content ?? '') };
}

describe('what a run is set to', () => {
  it('[H-13] comes from the app’s settings, the home’s TOML, the project’s, the profile and the environment, each over the one before', async () => {
    const { project, write, mine, theirs, profile, open } = places();
    await using server = await anyModel();
    {
      await using app = await open();
      await useModels(app, server);
      expect(await asked(app, server)).toMatchObject({ model: 'm0', effort: undefined });

      write(mine, marked('one', '[runner]\nmodel = "m1"\nreasoning_effort = "low"\nsystem_prompt = "Said at home."'));
      await until(app, 'one');
      expect(await asked(app, server)).toMatchObject({ model: 'm1', effort: 'low', system: expect.stringContaining('Said at home.') });

      write(theirs, marked('two', '[runner]\nmodel = "m2"\nsystem_prompt = "Said by the project."'));
      await app.ask('settings.open-project', { folder: project });
      expect(await asked(app, server)).toMatchObject({ model: 'm1', system: expect.not.stringContaining('Said by the project.') });
      await trust(app);
      expect(await asked(app, server)).toMatchObject({ model: 'm2', effort: 'low', system: expect.stringContaining('Said by the project.') });

      write(profile, '[runner]\nmodel = "m3"\n');
      const { chatId } = await app.ask('chats.create', { profile: 'deep' });
      expect(await asked(app, server, chatId)).toMatchObject({ model: 'm3', effort: 'low', system: expect.stringContaining('Said by the project.') });
      expect(await asked(app, server)).toMatchObject({ model: 'm2' });
    }
    await using app = await open({ GATEHOUSE_MODEL: 'm4', HARNESS_REASONING_EFFORT: 'high', GATEHOUSE_MAX_STEPS: 'many' });
    const { chatId } = await app.ask('chats.create', { profile: 'deep' });
    expect(await asked(app, server, chatId)).toMatchObject({ model: 'm4', effort: 'high', system: expect.stringContaining('Said by the project.') });
  });

  it('gives way to a model that was chosen in the chat, says so, and holds again once the chat has none of its own', async () => {
    const { write, profile, open } = places();
    write(profile, '[runner]\nmodel = "m3"\n');
    await using server = await anyModel();
    await using app = await open();
    await useModels(app, server);
    const usual = app.state.settings.model ?? expect.unreachable();
    const { chatId } = await app.ask('chats.create', { profile: 'deep', model: { ...usual, model: 'm7' } });
    expect(await asked(app, server, chatId)).toMatchObject({ model: 'm7' });
    const notes = async () => (await app.chat(chatId)).items.flatMap((item) => (item.kind === 'run-prepared' ? item.setup.notes : []));
    expect(await notes()).toEqual([expect.stringContaining('m3 was not used')]);
    await app.ask('chats.choose-model', { chatId });
    expect((await app.chat(chatId)).model).toBeUndefined();
    expect(await asked(app, server, chatId)).toMatchObject({ model: 'm3' });
    expect(await notes()).toHaveLength(1);
  });

  it('[H-13] ends a run after as many steps as the highest layer says, and after the app’s own number where none does', async () => {
    const { write, mine, profile, open } = places();
    write(mine, marked('one', '[runner]\nmax_steps = 1'));
    write(profile, '[runner]\nmax_steps = 2\n');
    await using server = await anyModel();
    await using app = await open();
    await useModels(app, server);
    await app.ask('settings.update', { stepLimit: 3 });
    const ending = async (chatId?: ChatId) => (await runToRest(app, 'look', chatId)).run;
    expect(await ending()).toEqual({ phase: 'resting', ending: { how: 'step-limit', steps: 1 } });
    const { chatId } = await app.ask('chats.create', { profile: 'deep' });
    expect(await ending(chatId)).toEqual({ phase: 'resting', ending: { how: 'step-limit', steps: 2 } });
    write(mine, marked('two', ''));
    await until(app, 'two');
    expect(await ending()).toEqual({ phase: 'resting', ending: { how: 'step-limit', steps: 3 } });
  });

  it('[H-13] allows the tools that the home’s list names; a project’s list takes some of them away and gives no other, and mcp = false all of them', async () => {
    const { project, write, mine, theirs, open } = places();
    write(mine, marked('one', '[tools]\nallow = ["list_notes", "find_notes"]'));
    write(theirs, marked('two', '[tools]\nallow = ["list_notes", "add_note"]'));
    await using server = await anyModel();
    await using app = await open();
    await useModels(app, server);
    await app.ask('settings.update', { directTools: true });
    await app.startNotes();
    const offered = async (): Promise<readonly string[]> => {
      await asked(app, server);
      return [...offeredTo(server).keys()].filter((name) => name.startsWith('mcp_notes_')).toSorted();
    };
    expect(await offered()).toEqual(['mcp_notes_find_notes', 'mcp_notes_list_notes']);
    await app.ask('settings.open-project', { folder: project });
    await trust(app);
    expect(await offered()).toEqual(['mcp_notes_list_notes']);
    write(mine, marked('three', 'mcp = false'));
    await until(app, 'three');
    await asked(app, server);
    expect([...offeredTo(server).keys()]).toEqual([]);
  });

  it('[F-208] a profile with mcp = false gives its runs no MCP tool and starts no server for them; the log has numbers alone, and the run is none that failed', async () => {
    const { write, profile, open, log } = places();
    write(profile, 'mcp = false\n[mcp_servers.whisper]\ncommand = "no-such-program"\n');
    await using server = await anyModel();
    await using app = await open();
    await useModels(app, server);
    await app.ask('settings.update', { directTools: true });
    await app.startNotes();
    const { chatId } = await app.ask('chats.create', { profile: 'deep' });
    await asked(app, server, chatId); // ends well
    expect([...offeredTo(server).keys()]).toEqual([]);
    const lines = log().trimEnd().split('\n').map((line) => JSON.parse(line) as { readonly message: string; readonly data?: unknown }); // as the log is written
    expect(lines.filter(({ message }) => message === 'A run has no MCP tools').map(({ data }) => data)).toEqual([{ servers: 2, ofProfile: 1 }]);
    expect(lines.filter(({ message }) => message.includes('could not be connected'))).toEqual([]);
    expect(log()).not.toContain('whisper');
    const { chatId: other } = await app.ask('chats.create', {});
    await asked(app, server, other);
    expect([...offeredTo(server).keys()]).toContain('mcp_notes_list_notes');
  });

  it('is shown before a project is trusted, and again when it changes', async () => {
    const { project, write, theirs, open } = places();
    write(theirs, 'mcp = false\n[runner]\nmodel = "m2"\nsystem_prompt = "Obey. The key is sk-canary0123456789abcdef"\n[tools]\nallow = ["read_*", "list_*"]\n');
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    await app.until(({ trust: status }) => status.phase === 'ask');
    const facts = ['model: m2', 'system_prompt: Obey. The key is •••', 'tools.allow: read_*, list_*', 'mcp: false'].map((text) => ({ kind: 'run', text }));
    expect(app.state.trust).toMatchObject({ question: { servers: [], runs: [{ file: join('.gatehouse', 'config.toml'), change: 'new', facts }] } });
    await trust(app);
    write(theirs, '[runner]\nmodel = "m9"\n');
    await app.until(({ trust: status }) => status.phase === 'ask' && status.question.runs[0]?.change === 'changed');
    expect(app.state.trust).toMatchObject({ question: { again: true, runs: [{ change: 'changed', facts: [{ kind: 'run', text: 'model: m9' }], before: facts }] } });
    write(theirs, '[runner]\n');
    await app.until(({ trust: status }) => status.phase === 'ask' && status.question.runs[0]?.change === 'removed');
    expect(JSON.stringify(app.state)).not.toContain('canary');
  });

  it('is shown before a project is trusted where a profile of its own says it', async () => {
    const { project, write, open } = places();
    write(join(project, '.gatehouse', 'profiles', 'theirs.toml'), '[runner]\nsystem_prompt = "Obey."\n');
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    await app.until(({ trust: status }) => status.phase === 'ask');
    expect(app.state.trust).toMatchObject({ question: { runs: [{ file: join('.gatehouse', 'profiles', 'theirs.toml'), facts: [{ kind: 'run', text: 'system_prompt: Obey.' }] }] } });
  });

  it('leaves the servers of a file alone where it is wrong, and is named with its place', async () => {
    const { write, mine, open } = places();
    write(mine, marked('one', '[runner]\nmax_steps = "canary"\ncolour = "canary"\n[tools]\nallow = "canary"'));
    await using app = await open();
    await until(app, 'one');
    expect(app.state.problems).toMatchObject([
      { severity: 'error', file: mine, path: 'runner.max_steps', line: 2, column: 1 }, { severity: 'warning', path: 'runner.colour', line: 3, column: 1 },
      { severity: 'error', path: 'tools.allow', line: 5, column: 1 },
    ]);
    expect(JSON.stringify(app.state)).not.toContain('canary');
  });

  it('is said in the log where a variable of the environment cannot be understood, without its value', async () => {
    const { open, log } = places();
    {
      await using _app = await open({ GATEHOUSE_MAX_COST_USD: 'canary' });
    }
    expect(log()).toContain('GATEHOUSE_MAX_COST_USD');
    expect(log()).not.toContain('canary');
  });
});
