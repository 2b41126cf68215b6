import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openOwnerDoor } from '../../src/http/owner-door.ts';
import { formsOf, secretParts } from '../../src/core/secrets/encodings.ts';
import type { MessagesState } from '../../src/shared/state/messages-state.ts';
import { contract } from '../../src/shared/ipc/contract.ts';
import { startMirror } from '../servers/http/mirror.ts';
import { buildProgram } from '../support/build-worker.ts';
import { serverFile } from '../support/stdio-link.ts';
import { buildAttached, type BuiltAttached } from '../support/attached-cli.ts';
import { CliPerson } from '../support/cli-program.ts';
import { TestApp } from '../support/test-app.ts';

let built: BuiltAttached;
beforeAll(async () => {
  built = await buildAttached();
}, 60_000);
afterAll(() => built?.[Symbol.asyncDispose]());

/** Values that look different in every encoding, one for each way in. */
const canaries = {
  env: 'canary/env+“ü”&7f3a=1',
  text: 'canary text %/7f3a 2',
  header: 'canary-header/+"7f3a"=3',
  url: 'canary+url/7f3a==4',
  command: 'canary?command/7f3a+5',
  bearer: 'canary.bearer~7f3a/+6',
  project: 'canary{project}/7f3a+7',
  granted: 'canary[granted]/7f3a+8',
  typed: 'canary"typed"/7f3a+9',
  imported: 'canary(imported)/7f3a+10',
  moved: 'canary<moved>/7f3a+11',
  literal: 'canary|literal|/7f3a+12',
  model: 'canary-model/7f3a+13',
  rotated: 'canary-rotated/7f3a+14',
  variable: 'canary-variable/7f3a+15',
  envFile: 'canary-env-file/7f3a+16',
} as const;
const needles = Object.entries(canaries).flatMap(([name, value]) => secretParts(value).flatMap(formsOf).map(({ text }) => ({ name, text })));

/** Where a canary stands, in whatever encoding. */
const found = (where: string, text: string): readonly string[] => needles.filter((needle) => text.includes(needle.text)).map(({ name, text: form }) => `${name} in ${where}, as ${form}`);
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
const processes = (): readonly string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return ''; // It has ended since.
    }
  });

it('[U-13] a secret’s value is in no file, log, state, message, answer, export, output of a command or process argument, in no encoding', async () => {
  using me = new CliPerson(built.cli);
  const { home, folder: person, project } = me;
  const told = join(person, 'told');
  const mine = join(home, 'mcp.json');
  const preset = join(home, 'profiles', 'preset.toml');
  const keep = (name: string, value: string): string => {
    writeFileSync(join(person, name), value);
    return join(person, name);
  };
  const write = (path: string, servers: Readonly<Record<string, unknown>>): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ mcpServers: servers }, null, 2));
  };
  await using mirror = await startMirror();
  const ref = (secretRef: string, scope: 'global' | 'project' = 'global') => ({ secretRef, scope });
  const tells = (env: object, more: object = {}) => ({ command: process.execPath, args: [serverFile('tells.mjs'), told], env, ...more });
  const commandFile = keep('command', canaries.command);
  const bearerFile = keep('bearer', canaries.bearer);
  keep('.env', `T_FILE_TOKEN='${canaries.envFile}'\n`);
  write(mine, {
    // What these hold in the open is the person's own doing; here and nowhere else it stands.
    open: tells({ T_API_KEY: canaries.literal, T_MOVED_TOKEN: canaries.moved }),
    local: tells({ T_ENV: ref('ENV'), T_TEXT: 'x ${secret:TEXT} y', T_COMMAND: `!cat ${commandFile}`, T_VARIABLE: '${CANARY_TOKEN}' }, { envFile: '~/.env' }),
    web: { url: `${mirror.url}?key=\${secret:URL}`, headers: { 'X-Api-Key': ref('HEADER') }, bearerToken: `!cat ${bearerFile}` },
    broken: { url: `${mirror.url}/broken?key=\${secret:URL}`, headers: { 'X-Api-Key': ref('HEADER') } },
  });
  mkdirSync(dirname(preset), { recursive: true });
  writeFileSync(preset, `[mcp_servers.preset]\ncommand = "preset"\nenv = { T_API_KEY = ${JSON.stringify(canaries.literal)} }\n`);
  write(join(project, '.gatehouse', 'mcp.json'), { ours: tells({ T_PROJECT: ref('PROJECT', 'project'), T_GRANTED: ref('GRANTED') }) });

  const heard: string[] = [];
  /** What stands in files of the home now. */
  const leaks = (): readonly string[] =>
    filesIn(home).flatMap((file) => {
      const bytes = readFileSync(file);
      const places = [...found(file, bytes.toString('utf8')), ...found(file, bytes.toString('latin1'))];
      // Laid ready by a restore, it is the person's file byte for byte.
      const isTheirs = [mine, preset, ...['mcp.json', 'profiles/preset.toml'].map((name) => join(home, '.restore', 'files', name))].includes(file);
      return isTheirs ? places.filter((place) => !place.startsWith('literal ')) : places;
    });
  const written: string[] = [];
  {
    await using opened = await TestApp.open(built.parts, { home, person, env: { TERM: 'xterm', CANARY_TOKEN: canaries.variable } });
    const { signal } = new AbortController();
    const context = { caller: { door: 'window', windowId: 1 }, signal } as const;
    const asked = new Set<string>();
    /** Every answer is kept, good or not. */
    const ask = async (route: string, input?: unknown): Promise<unknown> => {
      asked.add(route);
      const reply = await opened.app.dispatch(route, input, context);
      heard.push(`${route}: ${JSON.stringify(reply)}`);
      return reply.ok ? reply.value : undefined;
    };
    const follow = (topic: string) => opened.app.follow(topic, (envelope) => heard.push(`${topic}: ${JSON.stringify(envelope)}`), signal);
    const following: Disposable[] = [await follow('app')];
    const put = (key: string, value: string, scope: 'global' | 'project' = 'global', policy: string = 'auto') => ask('secrets.put', { scope, key, value, policy });

    await put('ENV', canaries.env);
    await put('TEXT', canaries.text, 'global', 'prompt');
    await put('HEADER', canaries.header);
    await put('URL', canaries.url);
    await put('GRANTED', canaries.granted);
    await ask('settings.open-project', { folder: project });
    await opened.until(({ trust }) => trust.phase === 'ask');
    const { trust } = opened.state;
    if (trust.phase === 'ask') await ask('projects.trust', { project, digest: trust.question.digest });
    await opened.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'ours'));
    await put('PROJECT', canaries.project, 'project');
    await ask('settings.update', { approvals: 'unrestricted' });
    const draft = { name: 'typed', transport: { type: 'stdio', ...tells({ T_TYPED: { secret: canaries.typed } }) } };
    await ask('config.preview', { scope: 'global', edits: [{ op: 'put', draft }] });
    await ask('servers.test', { scope: 'global', draft, timeoutMs: 10_000 });
    await ask('servers.add', { scope: 'global', ...draft });
    const pasted = JSON.stringify({ mcpServers: { pasted: tells({ T_IMPORTED: canaries.imported }) } });
    await ask('exchange.preview-import', { scope: 'global', text: pasted });
    await ask('exchange.import', { scope: 'global', text: pasted });
    await ask('secrets.set-policy', { scope: 'global', key: 'mcp.pasted.env.T_IMPORTED', policy: 'auto' });
    await ask('secrets.literals');
    await ask('secrets.move-to-vault', { source: 'home', server: 'open', field: 'env.T_MOVED_TOKEN', as: 'MOVED' });
    const provider = await ask('models.save-provider', { kind: 'openai-compatible', name: 'Mirror', baseUrl: `${mirror.url}/models`, key: canaries.model, models: [] });
    if (typeof provider === 'object' && provider !== null && 'providerId' in provider) await ask('models.list', { providerId: provider.providerId });

    const { chatId } = await opened.ask('chats.create', {});
    asked.add('chats.create');
    following.push(await follow(`chat/${chatId}`));
    const names = ['open', 'local', 'web', 'broken', 'ours', 'typed', 'pasted'];
    for (const name of names) {
      const serverId = opened.server(name);
      following.push(await follow(`log/${serverId}`), await follow(`messages/${serverId}`));
      const starting = ask('servers.start', { serverId });
      // The questions that two of them lead to.
      const questions = name === 'ours' || name === 'local' ? 1 : 0;
      if (questions > 0) await opened.until(({ secretQuestions }) => secretQuestions.length === questions);
      for (const { id } of opened.state.secretQuestions) await ask('secrets.answer', { questionId: id, answer: 'always' });
      await starting;
      await ask('servers.test', { serverId, timeoutMs: 10_000 });
      await ask('servers.catalog', { serverId });
      // What fails is tried again meanwhile.
      await opened.until(({ servers }) => servers[serverId]?.connection.phase === (name === 'broken' ? 'failed' : 'ready'));
      if (name === 'broken') continue;
      for (const tool of ['environment', 'fail']) {
        const view = await opened.call(chatId, serverId, tool, {});
        heard.push(JSON.stringify(view));
      }
    }
    heard.push(...processes());
    {
      await using _door = await openOwnerDoor({ app: opened.app, home, log: { error: () => undefined } });
      for (const words of ['mcp list', 'mcp list --json --chain', 'mcp export', 'mcp validate --json', 'mcp test broken --json', 'secrets list --json', 'secrets literals', 'status --json', 'mcp discover', 'profiles list', 'profiles show preset', 'profiles show preset --json']) {
        const { stdout, stderr } = await me.run(words.split(' '));
        expect([words, stdout.length > 0]).toEqual([words, true]);
        heard.push(`gatehouse ${words}: ${stdout}${stderr}`);
      }
    }

    await put('ENV', canaries.rotated);
    await ask('servers.start', { serverId: opened.server('local') });
    await ask('secrets.rename', { scope: 'global', key: 'ENV', to: 'ENV_2' });
    await ask('secrets.list');
    await ask('profiles.list');
    const read = await opened.ask('profiles.read', { name: 'preset', scope: 'global' });
    await ask('profiles.read', { name: 'preset', scope: 'global' });
    for (const route of ['profiles.check', 'profiles.save']) await ask(route, { name: 'preset', scope: 'global', text: `# kept\n${read.text}` });
    for (const name of names) {
      const serverId = opened.server(name);
      using snapshot = await opened.app.follow(`messages/${serverId}`, () => undefined, signal);
      const { messages } = snapshot.state as MessagesState; // what this topic holds
      const seqs = messages.map(({ seq }) => seq);
      // What was started said something, its environment and its failure among it.
      if (name !== 'broken') expect(seqs.length).toBeGreaterThan(6);
      await ask('inspector.export', { serverId, seqs });
      for (const seq of seqs) await ask('inspector.message', { serverId, seq });
    }
    await ask('config.sources');
    for (const scope of ['global', 'project']) await ask('config.scope', { scope });
    for (const scope of ['global', 'project', 'effective']) {
      await ask('config.validate', { scope });
      for (const shape of ['gatehouse', 'claude', 'vscode', 'cursor']) await ask('exchange.export', { scope, shape });
    }
    await ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'open', fields: { required: true } }] });
    await ask('config.preview', { scope: 'global', edits: [{ op: 'patch', name: 'open', fields: { required: false } }] });
    await ask('exchange.discover', {});
    await ask('catalog.page', {});
    await ask('catalog.search', { text: 'environment' });
    await ask('servers.update', { serverId: opened.server('typed'), draft: { ...draft, transport: { ...draft.transport, env: { T_TYPED: { kept: true } } } } });
    await ask('secrets.remove', { scope: 'global', key: 'TEXT', force: false });
    // Whatever else there is answers to one of these, if only that it is not to be asked so.
    const serverId = opened.server('open');
    const inputs = [
      undefined, {}, { serverId }, { serverId, enabled: true }, { chatId }, { chatId, title: 'x' }, { chatId, text: 'x' }, { scope: 'global', picks: [] },
      { name: 'x', scope: 'global' }, { client: 'cursor', on: true }, { on: true }, { path: join(person, 'kept.gatehouse') }, { project, digest: 'x' },
    ];
    const last = ['chats.delete', 'settings.close-project', 'vault.use-memory-only', 'secrets.reset-vault', 'servers.remove'];
    const rest = Object.keys(contract).filter((route) => !asked.has(route) && !last.includes(route));
    for (const route of rest) for (const input of inputs) await ask(route, input);
    heard.push(JSON.stringify(opened.state), ...processes());
    for (const topic of ['app', `chat/${chatId}`, ...names.flatMap((name) => [`log/${opened.server(name)}`, `messages/${opened.server(name)}`])]) {
      using snapshot = await opened.app.follow(topic, () => undefined, signal);
      heard.push(`${topic}: ${JSON.stringify(snapshot.state)}`);
    }
    for (const one of following) one[Symbol.dispose]();
    written.push(...leaks());
    await ask('servers.remove', { serverId: opened.server('pasted') });
    await ask('settings.close-project');
    await ask('secrets.reset-vault', { confirm: 'forget all values' });
    await ask('vault.use-memory-only');
    await ask('chats.delete', { chatId });
    expect(Object.keys(contract).filter((route) => !asked.has(route))).toEqual([]);
  }
  // They all came where they belong, and came back from there.
  const reached = readFileSync(told, 'utf8') + JSON.stringify(mirror.seen);
  for (const [name, value] of Object.entries(canaries)) expect([name, [value, JSON.stringify(value).slice(1, -1)].some((form) => reached.includes(form))]).toEqual([name, true]);
  const all = heard.join('\n');
  expect(all).toMatch(/started with •••/);
  expect(all).toMatch(/It failed with •••/);
  expect(all.length).toBeGreaterThan(50_000);

  expect(heard.flatMap((text) => found(text.slice(0, 80), text))).toEqual([]);
  expect([...written, ...leaks()]).toEqual([]);
  expect(readFileSync(mine, 'utf8')).toContain('"T_API_KEY"');
  expect(readFileSync(preset, 'utf8')).toMatch(/^# kept\n/);
  expect(readFileSync(preset, 'utf8')).toContain(canaries.literal);
  expect(existsSync(join(home, 'logs', 'gatehouse.log'))).toBe(true);
}, 120_000);

it('what breaks is written down with its place and told, without a secret’s value in any encoding', async () => {
  using me = new CliPerson(built.cli);
  await using program = await buildProgram(join(import.meta.dirname, '../support/programs/crash-app.ts'));
  const values = [canaries.env, canaries.text, canaries.url, canaries.typed];
  const words = values.flatMap((value) => secretParts(value).flatMap(formsOf).map(({ text }) => text)).join(' ');
  expect(found('the words', words).length).toBeGreaterThan(40);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program.file, built.parts.scriptsFolder, built.parts.worker.href], {
    encoding: 'utf8', env: { ...me.env, CRASH_VALUES: JSON.stringify(values), CRASH_WORDS: words },
  });
  expect([status, stdout]).toEqual([0, 'told\n']);

  const log = readFileSync(join(me.home, 'logs', 'gatehouse.log'), 'utf8');
  const lines = log.trim().split('\n').map((line) => JSON.parse(line) as { readonly message?: string; readonly error?: unknown });
  const incidents = lines.filter(({ message }) => message === 'Uncaught exception' || message === 'Unhandled rejection').map(({ error }) => error);
  const place = (name: string): unknown => expect.stringMatching(new RegExp(`at .*${name} \\(.*program\\.mjs:\\d+:\\d+\\)`));
  const three = [
    { name: 'Error', message: expect.stringMatching(/^a mishap with •••/) as unknown, stack: place('throwInPlace'), cause: { name: 'TypeError', message: expect.stringContaining('below it •••') as unknown } },
    { code: 'storage/failed', message: expect.stringContaining('a refusal with •••') as unknown, stack: place('rejectInPlace') },
    expect.stringMatching(/^a text with •••/),
  ];
  // Those from before there was a log, and those from after.
  expect(incidents).toMatchObject([...three, ...three]);
  expect(stderr).toContain('gatehouse: Uncaught exception: a mishap with •••');

  expect(found('stderr', stderr)).toEqual([]);
  expect(filesIn(me.home).flatMap((file) => found(file, readFileSync(file, 'latin1')).concat(found(file, readFileSync(file, 'utf8'))))).toEqual([]);
}, 60_000);

it('a command that breaks says where, and nothing of what the error says', async () => {
  using me = new CliPerson(built.cli);
  await using program = await buildProgram(join(import.meta.dirname, '../support/programs/crash-cli.ts'));
  for (const more of [[], ['--json']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program.file, 'status', ...more], { encoding: 'utf8', env: { ...me.env, CRASH_WORDS: canaries.header }, cwd: me.project });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Something in Gatehouse broke.');
    expect(stderr).toMatch(/at .*breakInPlace \(.*program\.mjs:\d+:\d+\)/);
    expect(stderr).not.toContain('theWords');
    expect(found('stderr', stderr)).toEqual([]);
  }
}, 60_000);
