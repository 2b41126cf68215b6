import { createHook } from 'node:async_hooks';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formsOf } from '../../src/core/secrets/encodings.ts';
import type { ClientKind, DiscoveredSource, ImportPlan } from '../../src/shared/model/exchange.ts';
import { Pick } from '../../src/shared/model/exchange.ts';
import { nodeLaunch } from '../support/stdio-link.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const fixtures = join(import.meta.dirname, '../fixtures/config');
/** Where each program keeps its servers on this system, and a real-shaped file of it. */
const clients: readonly (readonly [ClientKind, string, string])[] = [
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'claude-desktop/basic.json'],
  ['claude-code', '.claude.json', 'claude-code/dot-claude.json'],
  ['cursor', '.cursor/mcp.json', 'cursor/remote-and-local.json'],
  ['windsurf', '.codeium/windsurf/mcp_config.json', 'windsurf/server-url.json'],
  ['windsurf', '.windsurf/mcp.json', 'windsurf/home.json'],
  ['vscode', '.config/Code/User/mcp.json', 'vscode/mcp.json'],
  ['vscode', '.config/Code/User/settings.json', 'vscode/settings.json'],
  ['codex', '.codex/config.toml', 'codex/config.toml'],
  ['codex', '.codex/config.json', 'codex/config.json'],
  ['opencode', '.config/opencode/opencode.json', 'opencode/local-and-remote.jsonc'],
  ['zed', '.config/zed/settings.json', 'zed/settings.json'],
  ['gemini-cli', '.gemini/settings.json', 'gemini-cli/settings.json'],
  ['cline', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', 'cline/cline_mcp_settings.json'],
  ['goose', '.config/goose/config.yaml', 'goose/config.yaml'],
  ['harnessd', '.harness/config.toml', 'harnessd/config.toml'],
  ['fitch-mcp-adapter', '.pi/agent/fitch-mcp-adapter/mcp.json', 'fitch-mcp-adapter/every-option.json'],
];

/** A person with programs, a home and a project. */
function places() {
  const person = tempFolder();
  const home = mkdtempSync(join(person, 'gatehouse-'));
  const project = join(person, 'work');
  mkdirSync(project);
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  return {
    person, home, project, write,
    mine: join(home, 'mcp.json'),
    theirs: join(project, '.gatehouse', 'mcp.json'),
    cursor: (servers: Readonly<Record<string, unknown>>) => write(join(person, '.cursor', 'mcp.json'), { mcpServers: servers }),
    open: (env: Readonly<Record<string, string>> = {}) => TestApp.open(parts, { home, person, env }),
    withEveryClient: () => {
      for (const [, path, fixture] of clients) {
        mkdirSync(dirname(join(person, path)), { recursive: true });
        copyFileSync(join(fixtures, fixture), join(person, path));
      }
    },
    /** Every byte of every file below, to see that nothing was touched. */
    snapshot: (folder: string) => JSON.stringify(filesIn(folder).map((file) => [file, readFileSync(file, 'base64'), statSync(file).mtimeMs])),
  };
}
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : [])).toSorted();
}
const parsed = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: Record<string, Record<string, unknown>>; imports?: readonly string[]; settings?: Record<string, unknown> }; // what the test wrote or the app
const pick = (source: string, name: string, more: Partial<Pick> = {}): Pick => Pick.parse({ source, name, ...more });
const names = ({ candidates }: DiscoveredSource) => candidates.map(({ name }) => name);
const listed = (app: TestApp) => Object.values(app.state.servers).filter(({ definition }) => definition.owner !== 'built-in').map(({ definition }) => definition.name).toSorted();
async function trusted(app: TestApp, folder: string): Promise<void> {
  await app.ask('settings.open-project', { folder });
  const { trust } = app.state;
  if (trust.phase === 'ask') await app.ask('projects.trust', { project: folder, digest: trust.question.digest });
}

/** Everything that the process opens towards the outside while `work` runs: programs, sockets, look-ups, threads. Seen below the libraries, so that none can hide it. */
async function opened<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly outside: readonly string[] }> {
  const outside: string[] = [];
  const hook = createHook({
    init: (_id, type) => {
      if (/^(PROCESSWRAP|TCPWRAP|TCPCONNECTWRAP|PIPEWRAP|PIPECONNECTWRAP|UDPWRAP|UDPSENDWRAP|GETADDRINFOREQWRAP|GETNAMEINFOREQWRAP|QUERYWRAP|WORKER)$/.test(type)) outside.push(type);
    },
  }).enable();
  try {
    return { value: await work(), outside };
  } finally {
    hook.disable();
  }
}

describe('looking for other programs’ servers', () => {
  it('[U-45] [U-46] finds every program’s file where it keeps it, the project’s own too, and both keys of VS Code', async () => {
    const { open, withEveryClient, write, project } = places();
    withEveryClient();
    write(join(project, '.cursor', 'mcp.json'), { mcpServers: { shop: { command: 'node', args: ['shop.js'] } } });
    write(join(project, '.vscode', 'mcp.json'), { servers: { tests: { command: 'node', args: ['tests.js'] } } });
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    const { sources, issues } = await app.ask('exchange.discover', { scope: 'global' });
    expect(new Set(sources.map(({ client }) => client))).toEqual(new Set(clients.map(([client]) => client)));
    for (const [client, path] of clients) {
      const found = sources.filter((source) => source.client === client && source.path.endsWith(path));
      expect(found, path).toHaveLength(1);
      expect(found[0]?.candidates.length, path).toBeGreaterThan(0);
    }
    expect(issues.filter(({ severity, server }) => severity === 'error' && server === undefined)).toEqual([]);
    const own = await app.ask('exchange.discover', { scope: 'project' });
    expect(own.sources.map((source) => [source.client, source.scope, names(source)])).toEqual([['cursor', 'project', ['shop']], ['vscode', 'project', ['tests']]]);
  });

  it('Claude Code’s servers of a project belong to that project', async () => {
    const { open, write, person, project } = places();
    const server = (command: string) => ({ mcpServers: { db: { command } } });
    write(join(person, '.claude.json'), { ...server('everywhere'), projects: { [project]: server('here'), '/somewhere/else': server('there') } });
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    const target = ({ candidates }: DiscoveredSource) => candidates[0]?.target;
    const found = async (scope?: 'global' | 'project') => (await app.ask('exchange.discover', scope === undefined ? {} : { scope })).sources.map((source) => [target(source), source.scope, source.project]);
    expect(await found('global')).toEqual([['everywhere', 'global', undefined]]);
    expect(await found('project')).toEqual([['here', 'project', project]]);
    expect(await found()).toEqual([['everywhere', 'global', undefined], ['here', 'project', project], ['there', 'project', '/somewhere/else']]);
  });

  it('[U-47] a file that is not there is silent, a malformed one is an error with its program’s name, and the others are still shown', async () => {
    const { open, cursor, write, person } = places();
    cursor({ docs: { command: 'node', args: ['docs.js'] }, broken: { args: ['no command'] } });
    write(join(person, '.codeium', 'windsurf', 'mcp_config.json'), '{ "mcpServers": { ');
    write(join(person, '.codex', 'config.toml'), '[mcp_servers.x\n');
    write(join(person, '.claude.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('latin1'));
    writeFileSync(join(person, '.claude.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    await using app = await open();
    const { sources, issues } = await app.ask('exchange.discover', {});
    expect(sources.map((source) => [source.id, names(source)])).toEqual([['cursor', ['docs']]]);
    const broken = (label: string, code: string) => expect.objectContaining({ code, severity: 'error', message: expect.stringContaining(`${label}:`), file: expect.stringMatching(/^\//) });
    expect(issues).toEqual(expect.arrayContaining([broken('Windsurf', 'unparsable'), broken('Codex', 'unparsable'), broken('Claude Code', 'unreadable'), expect.objectContaining({ server: 'broken', severity: 'error' })]));
    expect(issues).toHaveLength(4);
    expect(issues.find(({ message }) => message.startsWith('Codex:'))).toMatchObject({ line: 1 });
  });

  it('[U-49] a candidate holds references in place of plain text, says what they stand for and whether it is configured already; no plain text is in it', async () => {
    const { open, cursor, mine, write } = places();
    write(mine, { mcpServers: { Docs: { command: 'other' } } });
    const secrets = ['canary-env-token', 'canary-plain-looking', 'canary-header-key', 'canary-in-url', 'canary-in-args', 'canary-bearer'];
    cursor({
      docs: { command: 'node', args: ['x.js', '--api-key', secrets[4]], env: { API_TOKEN: secrets[0], NOTE: secrets[1], HOME_DIR: '${HOME}', EMPTY: '' } },
      remote: { url: `https://example.test/mcp?api_key=${secrets[3] ?? ''}`, headers: { 'X-API-Key': secrets[2], Authorization: `Bearer ${secrets[5] ?? ''}`, Accept: '${ACCEPT}' } },
      clean: { command: 'node', args: ['y.js'] },
    });
    await using app = await open();
    const found = await app.ask('exchange.discover', { scope: 'global' });
    const [docs, remote, clean] = found.sources[0]?.candidates ?? [];
    expect(docs).toMatchObject({
      name: 'docs', enabled: true, alreadyConfigured: true, hasPlaintextSecrets: true, place: { line: 3 },
      transport: {
        type: 'stdio', command: 'node',
        env: { API_TOKEN: { secretRef: 'mcp.docs.env.API_TOKEN', scope: 'global' }, NOTE: { secretRef: 'mcp.docs.env.NOTE', scope: 'global' }, HOME_DIR: { template: '${HOME}' }, EMPTY: { plain: '' } },
      },
    });
    expect(docs?.secretDescriptors).toEqual(expect.arrayContaining([
      { field: 'env', key: 'API_TOKEN', suggestedKey: 'mcp.docs.env.API_TOKEN', scope: 'global' }, { field: 'env', key: 'NOTE', suggestedKey: 'mcp.docs.env.NOTE', scope: 'global' },
      { field: 'args', key: '2', suggestedKey: 'mcp.docs.args.2', scope: 'global' },
    ]));
    expect(docs?.secretDescriptors).toHaveLength(3);
    expect(remote).toMatchObject({ alreadyConfigured: false, hasPlaintextSecrets: true, transport: { type: 'streamable-http', url: 'https://example.test/mcp?api_key=${secret:mcp.remote.url.api_key}' } });
    expect(remote?.secretDescriptors.map(({ field, key }) => `${field}.${key}`)).toEqual(['url.api_key', 'headers.X-API-Key', 'headers.Authorization']);
    expect(clean).toMatchObject({ alreadyConfigured: false, hasPlaintextSecrets: false, secretDescriptors: [] });
    const text = JSON.stringify(found);
    for (const secret of secrets) for (const { text: form } of formsOf(secret)) expect(text).not.toContain(form);
  });

  it('shows no plain text of any program’s real-shaped file', async () => {
    const { open, withEveryClient } = places();
    withEveryClient();
    await using app = await open();
    const text = JSON.stringify(await app.ask('exchange.discover', {}));
    expect(text).toContain('perplexity');
    expect(text).not.toContain('canary-');
  });

  it('[U-48] nothing is started, looked up, contacted, switched on or tried by looking, previewing, importing, exporting and validating', async () => {
    const { open, withEveryClient, cursor, write, person, home, snapshot } = places();
    withEveryClient();
    const proof = join(person, 'ran');
    const runs = `touch ${proof}`;
    cursor({ evil: { command: 'sh', args: ['-c', runs], env: { TOKEN: `!${runs}`, OTHER: `$(${runs})` } }, far: { url: 'https://gatehouse.invalid/mcp', headers: { A: `!${runs}` } } });
    write(join(person, '.pi', 'agent', 'fitch-mcp-adapter', 'mcp.json'), { mcpServers: { adapter: { command: 'sh', env: { TOKEN: `!${runs}` } } } });
    await using app = await open();
    const before = snapshot(person);
    const text = JSON.stringify({ mcpServers: { pasted: { command: 'sh', args: ['-c', runs], env: { TOKEN: `!${runs}` } } } });
    const looked = await opened(async () => {
      const found = await app.ask('exchange.discover', {});
      const picks = found.sources.flatMap((source) => source.candidates.map(({ name }) => pick(source.id, name, { onDuplicate: 'rename' })));
      await app.ask('exchange.preview-adopt', { scope: 'global', picks });
      await app.ask('exchange.preview-import', { scope: 'global', text });
      await app.ask('exchange.preview-import', { scope: 'global', text: `npx -y '$(${runs})'` });
      await app.ask('exchange.export', { scope: 'effective', shape: 'gatehouse' });
      await app.ask('config.validate', { scope: 'effective' });
      return picks.length;
    });
    expect(looked.outside).toEqual([]);
    expect(looked.value).toBeGreaterThan(20);
    expect(snapshot(person)).toBe(before);
    expect(listed(app)).toEqual([]);
    const written = await opened(async () => {
      await app.ask('exchange.import', { scope: 'global', text });
      await app.ask('exchange.adopt', { scope: 'global', picks: [pick('cursor', 'evil'), pick('cursor', 'far')] });
      await app.ask('config.validate', { scope: 'effective' });
      await app.ask('exchange.export', { scope: 'effective', shape: 'claude' });
    });
    expect(written.outside).toEqual([]);
    expect(listed(app)).toEqual(['evil', 'far', 'pasted']);
    for (const name of listed(app)) expect(app.state.servers[app.server(name)]?.connection).toEqual({ phase: 'stopped', why: 'asleep' });
    expect(existsSync(proof)).toBe(false);
    expect(existsSync(join(home, 'mcp.json'))).toBe(true);
    // The watch sees what it is for.
    const started = await opened(() => app.ask('servers.test', { serverId: app.server('pasted'), timeoutMs: 10_000 }));
    expect(started.outside).toContain('PROCESSWRAP');
    expect(existsSync(proof)).toBe(true);
  });
});

describe('adopting', () => {
  it('copies what was picked with its secrets in the vault, leaves the other program’s file as it is, and says beforehand what will change', async () => {
    const { open, cursor, person, mine, home } = places();
    cursor({ docs: { command: 'node', args: ['x.js'], env: { API_TOKEN: 'canary-adopted', MODE: '${MODE:-fast}' }, disabled: true }, other: { command: 'never' } });
    const theirs = readFileSync(join(person, '.cursor', 'mcp.json'), 'utf8');
    await using app = await open();
    const picks = [pick('cursor', 'docs')];
    const plan = await app.ask('exchange.preview-adopt', { scope: 'global', picks });
    expect(plan).toMatchObject({ format: 'Cursor', file: mine, rows: [{ source: 'cursor', name: 'docs', as: 'docs', action: 'add', secretsToCreate: ['mcp.docs.env.API_TOKEN'] }], issues: [] });
    expect(plan.diff).toContain('+++ ');
    expect(plan.diff).toContain('"secretRef": "mcp.docs.env.API_TOKEN"');
    expect(JSON.stringify(plan)).not.toContain('canary-adopted');
    expect(existsSync(mine)).toBe(false);
    expect((await app.ask('secrets.list', undefined)).map(({ key }) => key)).toEqual([]);

    expect(await app.ask('exchange.adopt', { scope: 'global', picks })).toEqual({ added: ['docs'] });
    expect(parsed(mine).mcpServers).toEqual({
      docs: { disabled: true, command: 'node', args: ['x.js'], env: { API_TOKEN: { secretRef: 'mcp.docs.env.API_TOKEN', scope: 'global' }, MODE: '${MODE:-fast}' } },
    });
    expect(listed(app)).toEqual(['docs']);
    expect(readFileSync(join(person, '.cursor', 'mcp.json'), 'utf8')).toBe(theirs);
    for (const file of filesIn(home)) for (const { text } of formsOf('canary-adopted')) expect(readFileSync(file, 'latin1'), file).not.toContain(text);
  });

  it('[U-20] what an import stores asks before it is read, under a name that says what it is, with `_` for what a name cannot hold', async () => {
    const { open } = places();
    await using app = await open();
    const text = JSON.stringify({ mcpServers: { 'my docs (ü)': { command: 'node', env: { 'API KEY': 'canary-1', 'a/b': 'canary-2' } } } });
    await app.ask('exchange.import', { scope: 'global', text });
    const secrets = await app.ask('secrets.list', undefined);
    expect(secrets.map(({ key, policy, missing }) => [key, policy, missing])).toEqual([['mcp.my_docs____.env.API_KEY', 'prompt', false], ['mcp.my_docs____.env.a_b', 'prompt', false]]);
  });

  it('never gives a name that is another secret’s to a new one, and takes a chosen name only when it is free', async () => {
    const { open, cursor } = places();
    cursor({ docs: { command: 'node', env: { API_TOKEN: 'canary-new' } } });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: 'mcp.docs.env.API_TOKEN', value: 'canary-old' } as never); // a key is text
    const plan = await app.ask('exchange.preview-adopt', { scope: 'global', picks: [pick('cursor', 'docs')] });
    expect(plan.rows[0]?.secretsToCreate).toEqual(['mcp.docs.env.API_TOKEN_2']);
    const choose = (choice: object) => [pick('cursor', 'docs', { secrets: { 'env.API_TOKEN': choice } as never })]; // as a window sends it
    await expect(app.ask('exchange.adopt', { scope: 'global', picks: choose({ create: 'mcp.docs.env.API_TOKEN' }) })).rejects.toMatchObject({ code: 'secret/exists' });
    await expect(app.ask('exchange.preview-adopt', { scope: 'global', picks: choose({ plain: true }) })).rejects.toMatchObject({ code: 'request/invalid' });
    // The keys of model providers lie in the same vault.
    await expect(app.ask('exchange.adopt', { scope: 'global', picks: choose({ create: 'model.openai.key' }) })).rejects.toMatchObject({ code: 'request/invalid' });
    await app.ask('exchange.adopt', { scope: 'global', picks: choose({ use: 'mcp.docs.env.API_TOKEN', scope: 'global' }) });
    expect((await app.ask('secrets.list', undefined)).map(({ key }) => key)).toEqual(['mcp.docs.env.API_TOKEN']);
  });

  it('[U-34] refuses a name that is taken before anything is created, and skips, renames or replaces when told to', async () => {
    const { open, cursor, mine, write, person } = places();
    write(mine, `// mine\n${JSON.stringify({ mcpServers: { docs: { command: 'old', note: 'stays', env: { OLD: { plain: 'x' } }, lifecycle: 'eager' } } }, null, 2)}\n`);
    write(join(person, '.agents', 'mcp.json'), { mcpServers: { lower: { command: 'lower' } } });
    cursor({ docs: { command: 'new', env: { API_TOKEN: 'canary-a' } }, Lower: { command: 'new' }, Notes: { command: 'new' }, free: { command: 'new', env: { TOKEN: 'canary-b' } } });
    await using app = await open();
    const all = (onDuplicate: Pick['onDuplicate'], ...some: readonly string[]) => some.map((name) => pick('cursor', name, { onDuplicate }));
    const preview = (picks: readonly Pick[]) => app.ask('exchange.preview-adopt', { scope: 'global', picks: [...picks] });
    const before = readFileSync(mine, 'utf8');
    const actions = ({ rows }: ImportPlan) => Object.fromEntries(rows.map(({ name, action, as }) => [name, `${action} ${as}`]));

    expect(actions(await preview(all('refuse', 'docs', 'Lower', 'Notes', 'free')))).toEqual({ docs: 'refuse docs', Lower: 'refuse lower', Notes: 'refuse Notes', free: 'add free' });
    await expect(app.ask('exchange.adopt', { scope: 'global', picks: all('refuse', 'free', 'docs') })).rejects.toMatchObject({ code: 'server/exists', data: { names: ['docs'] } });
    await expect(app.ask('exchange.import', { scope: 'global', text: '{"mcpServers":{"free":{"command":"x","env":{"T":"canary"}},"docs":{"command":"x"}}}' })).rejects.toMatchObject({ code: 'server/exists' });
    expect(readFileSync(mine, 'utf8')).toBe(before);
    expect(await app.ask('secrets.list', undefined)).toEqual([]);

    expect(await app.ask('exchange.adopt', { scope: 'global', picks: all('skip', 'docs') })).toEqual({ added: [] });
    expect(readFileSync(mine, 'utf8')).toBe(before);
    expect(await app.ask('exchange.adopt', { scope: 'global', picks: all('rename', 'docs', 'Notes') })).toEqual({ added: ['docs-2', 'Notes-2'] });
    expect(await app.ask('exchange.adopt', { scope: 'global', picks: all('replace', 'docs', 'Lower') })).toEqual({ added: ['docs', 'lower'] });
    const after = readFileSync(mine, 'utf8');
    expect(after).toContain('// mine');
    const { mcpServers } = JSON.parse(after.replace('// mine', '')) as ReturnType<typeof parsed>; // just read
    expect(mcpServers['docs']).toEqual({ command: 'new', note: 'stays', env: { API_TOKEN: { secretRef: 'mcp.docs.env.API_TOKEN', scope: 'global' } } });
    expect(mcpServers['docs-2']).toMatchObject({ env: { API_TOKEN: { secretRef: 'mcp.docs-2.env.API_TOKEN' } } });
    expect(mcpServers['lower']).toEqual({ command: 'new' });
    await expect(app.ask('exchange.adopt', { scope: 'global', picks: all('replace', 'Notes') })).rejects.toMatchObject({ code: 'server/exists' });
  });

  it('a secret in the command line is not written there: it goes to the vault, with a warning that the server will not start like this', async () => {
    const { open, cursor, mine } = places();
    cursor({ db: { command: 'npx', args: ['-y', 'dbhub', '--dsn', 'postgresql://me:canary-dsn@db.test/x'] } });
    await using app = await open();
    const picks = [pick('cursor', 'db')];
    const { issues } = await app.ask('exchange.preview-adopt', { scope: 'global', picks });
    expect(issues).toMatchObject([{ code: 'plaintext-secret', severity: 'warning', server: 'db' }]);
    await app.ask('exchange.adopt', { scope: 'global', picks });
    expect(parsed(mine).mcpServers['db']).toMatchObject({ args: ['-y', 'dbhub', '--dsn', 'postgresql://me:${secret:mcp.db.args.3}@db.test/x'] });
    expect(await app.ask('servers.test', { serverId: app.server('db'), timeoutMs: 10_000 })).toMatchObject({ status: 'error', message: expect.stringContaining('command line') });
  });

  it('VS Code’s password inputs become references that wait for a value, its other inputs come along, and an envFile keeps its place', async () => {
    const { open, write, person, mine } = places();
    const user = join(person, '.config', 'Code', 'User');
    write(join(user, 'mcp.json'), {
      inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }, { type: 'promptString', id: 'region', default: 'eu' }],
      servers: {
        a: { command: 'node', env: { KEY: '${input:key}', REGION: '${input:region}' }, envFile: '${workspaceFolder}/.env' },
        b: { url: 'https://example.test/mcp', headers: { Authorization: 'Bearer ${input:key}' } },
        c: { command: 'node', envFile: './c.env' },
      },
    });
    await using app = await open();
    const picks = ['a', 'b', 'c'].map((name) => pick('vscode', name));
    const plan = await app.ask('exchange.preview-adopt', { scope: 'global', picks });
    expect(plan.candidates[0]).toMatchObject({ hasPlaintextSecrets: false, secretDescriptors: [{ field: 'input', key: 'key', suggestedKey: 'mcp.a.input.key' }] });
    expect(plan.rows.flatMap(({ secretsToCreate }) => secretsToCreate)).toEqual([]);
    expect(plan.issues).toMatchObject([{ code: 'missing-secret', server: 'a' }, { code: 'missing-secret', server: 'b' }]);
    await app.ask('exchange.adopt', { scope: 'global', picks });
    expect(parsed(mine)).toMatchObject({
      inputs: [{ id: 'region', type: 'promptString', default: 'eu' }],
      mcpServers: {
        a: { env: { KEY: { secretRef: 'mcp.a.input.key', scope: 'global' }, REGION: '${input:region}' }, envFile: '${workspaceFolder}/.env' },
        b: { headers: { Authorization: 'Bearer ${secret:mcp.b.input.key}' } },
        c: { envFile: join(user, 'c.env') },
      },
    });
    expect((await app.ask('secrets.list', undefined)).map(({ key, missing }) => [key, missing])).toEqual(expect.arrayContaining([['mcp.a.input.key', true]]));
  });

  it('writes into a project only what it is trusted for, and the trust holds on', async () => {
    const { open, cursor, write, project, theirs } = places();
    write(join(project, '.mcp.json'), { mcpServers: { own: { command: 'x' } } });
    cursor({ docs: { command: 'node', env: { TOKEN: 'canary-project' } } });
    await using app = await open();
    const picks = [pick('cursor', 'docs')];
    await expect(app.ask('exchange.adopt', { scope: 'project', picks })).rejects.toMatchObject({ code: 'project/needed' });
    await app.ask('settings.open-project', { folder: project });
    for (const route of ['exchange.preview-adopt', 'exchange.adopt'] as const) await expect(app.ask(route, { scope: 'project', picks })).rejects.toMatchObject({ code: 'trust/needed' });
    expect(await app.ask('secrets.list', undefined)).toEqual([]);
    await trusted(app, project);
    await app.ask('exchange.adopt', { scope: 'project', picks });
    expect(parsed(theirs).mcpServers['docs']).toMatchObject({ env: { TOKEN: { secretRef: 'mcp.docs.env.TOKEN', scope: 'project' } } });
    expect(app.state.trust.phase).toBe('trusted');
    expect((await app.ask('secrets.list', undefined)).map(({ key, scope }) => [key, scope])).toEqual([['mcp.docs.env.TOKEN', 'project']]);
  });

  it('stores nothing when the file cannot be edited', async () => {
    const { open, cursor, mine, write } = places();
    cursor({ docs: { command: 'node', env: { TOKEN: 'canary-x' } } });
    write(mine, '{ "mcpServers": {');
    await using app = await open();
    await expect(app.ask('exchange.adopt', { scope: 'global', picks: [pick('cursor', 'docs')] })).rejects.toMatchObject({ code: 'config/invalid' });
    expect(readFileSync(mine, 'utf8')).toBe('{ "mcpServers": {');
    expect(await app.ask('secrets.list', undefined)).toEqual([]);
  });

  it('shows no secret that stands in the file already, not even beside a change', async () => {
    const { open, cursor, mine, write } = places();
    cursor({ docs: { command: 'node' } });
    write(mine, { mcpServers: { a: { command: 'x', env: { TOKEN: 'canary-standing' } }, bad: { env: { SECRET_KEY: 'canary-invalid' }, command: 5 } } });
    await using app = await open();
    const { diff } = await app.ask('exchange.preview-adopt', { scope: 'global', picks: [pick('cursor', 'docs')] });
    expect(diff).toContain('•••');
    expect(diff).not.toContain('canary-');
  });
});

describe('importing text', () => {
  it('takes any shape, one server, an address or a command line, and says what it took it for', async () => {
    const { open } = places();
    await using app = await open();
    const taken = async (text: string) => {
      const { format, rows } = await app.ask('exchange.preview-import', { scope: 'global', text });
      return [format, rows.map(({ as, action }) => `${action} ${as}`)];
    };
    expect(await taken('{"servers":{"a":{"command":"x"}}}')).toEqual(['VS Code servers', ['add a']]);
    expect(await taken('[mcp_servers.b]\ncommand = "x"\n')).toEqual(['mcp_servers (Codex, harnessd)', ['add b']]);
    expect((await taken('claude mcp add docs -e TOKEN=canary -- npx -y docs-server'))[1]).toEqual(['add docs']);
    expect((await taken('npx -y @modelcontextprotocol/server-everything'))[1]).toHaveLength(1);
    expect((await taken('https://mcp.example.test/mcp'))[1]).toHaveLength(1);
  });

  it('refuses text without a usable server, with all that is wrong in it', async () => {
    const { open } = places();
    await using app = await open();
    await expect(app.ask('exchange.import', { scope: 'global', text: '{ "mcpServers": ' })).rejects.toMatchObject({ code: 'config/invalid', data: { issues: [{ code: 'unparsable', line: 1 }] } });
    await expect(app.ask('exchange.import', { scope: 'global', text: 'good morning' })).rejects.toMatchObject({ code: 'config/invalid' });
    expect(await app.ask('exchange.preview-import', { scope: 'global', text: '{ "mcpServers": ' })).toMatchObject({ candidates: [], rows: [], diff: '' });
  });

  it('imports what was picked, under another name, with a text in the open that the person says is no secret', async () => {
    const { open, mine } = places();
    await using app = await open();
    const text = JSON.stringify({ mcpServers: { a: { command: 'x', env: { LEVEL: 'debug', TOKEN: 'canary-t' } }, b: { command: 'y' } } });
    await app.ask('exchange.import', { scope: 'global', text, picks: [pick('text', 'a', { as: 'mine', secrets: { 'env.LEVEL': { plain: true } } })] });
    expect(parsed(mine).mcpServers).toEqual({ mine: { command: 'x', env: { LEVEL: { plain: 'debug' }, TOKEN: { secretRef: 'mcp.mine.env.TOKEN', scope: 'global' } } } });
  });

  it('says of a command that would run for a secret that it would', async () => {
    const { open, mine } = places();
    await using app = await open();
    const text = JSON.stringify({ mcpServers: { a: { command: 'x', env: { TOKEN: '!op read secret' } } } });
    expect((await app.ask('exchange.preview-import', { scope: 'global', text })).issues).toMatchObject([{ severity: 'warning', server: 'a', message: expect.stringContaining('op read secret') }]);
    await app.ask('exchange.import', { scope: 'global', text });
    expect(parsed(mine).mcpServers['a']).toMatchObject({ env: { TOKEN: '!op read secret' } });
  });

  it('another program’s text that begins with ! is a value, never a command of ours', async () => {
    const { open, cursor, mine } = places();
    cursor({ a: { command: 'x', env: { PASSWORD: '!touch it' } } });
    await using app = await open();
    await app.ask('exchange.adopt', { scope: 'global', picks: [pick('cursor', 'a')] });
    expect(parsed(mine).mcpServers['a']).toEqual({ command: 'x', env: { PASSWORD: { secretRef: 'mcp.a.env.PASSWORD', scope: 'global' } } });
  });
});

describe('exporting', () => {
  it('[U-35] gives references only, of a scope or of all that is in effect, and what went out comes in again the same', async () => {
    const { open, write, mine, project, person } = places();
    const secret = 'canary-exported';
    write(mine, { mcpServers: { a: { command: 'x', env: { TOKEN: secret } }, b: { type: 'streamable-http', url: 'https://example.test/mcp', headers: { Authorization: { secretRef: 'b.key', scope: 'global' } } } } });
    write(join(project, '.mcp.json'), { mcpServers: { c: { command: 'z' }, a: { disabled: true } } });
    await using app = await open();
    await trusted(app, project);
    const exported = async (scope: 'global' | 'project' | 'effective') => (await app.ask('exchange.export', { scope, shape: 'gatehouse' })).text;
    const servers = (text: string) => Object.keys((JSON.parse(text) as ReturnType<typeof parsed>).mcpServers); // what it says it is
    expect(servers(await exported('global'))).toEqual(['a', 'b']);
    expect(servers(await exported('project'))).toEqual(['c']);
    expect(servers(await exported('effective'))).toEqual(['a', 'b', 'c']);
    for (const shape of ['gatehouse', 'claude', 'vscode', 'cursor'] as const) {
      const { text, fileName } = await app.ask('exchange.export', { scope: 'effective', shape });
      expect(fileName).toMatch(/\.json$/);
      for (const { text: form } of formsOf(secret)) expect(text, shape).not.toContain(form);
    }
    const text = await exported('global');
    await using fresh = await TestApp.open(parts, { home: mkdtempSync(join(person, 'other-')), person });
    expect((await fresh.ask('exchange.import', { scope: 'global', text })).added).toEqual(['a', 'b']);
    expect((await fresh.ask('exchange.export', { scope: 'global', shape: 'gatehouse' })).text).toBe(text);
  });
});

describe('imports and host discovery', () => {
  it('[F-8] [F-9] the seven programs can be imported and an unknown one is reported; an import reads its program’s file, the first that is there of several, and OpenCode’s project file wins field by field', async () => {
    const { open, write, person, project, mine } = places();
    const claude = ['.claude/mcp.json', '.claude.json', '.claude/claude_desktop_config.json'];
    const files: readonly (readonly [string, string, unknown])[] = [
      ['cursor', '.cursor/mcp.json', { mcpServers: { cursor: { command: 'x' } } }],
      ...claude.map((path, index) => ['claude-code', path, { mcpServers: { [`claude${index}`]: { command: 'x' } } }] as const),
      ['claude-desktop', '.config/Claude/claude_desktop_config.json', { mcpServers: { desktop: { command: 'x' } } }],
      ['codex', '.codex/config.toml', '[mcp_servers.toml]\ncommand = "x"\n'],
      ['codex', '.codex/config.json', { mcp_servers: { json: { command: 'x' } } }],
      ['windsurf', '.windsurf/mcp.json', { mcpServers: { windsurf: { command: 'x' } } }],
      ['opencode', '.config/opencode/opencode.json', { mcp: { code: { type: 'local', command: ['x', 'y'], environment: { A: '1' }, enabled: false } } }],
      ['opencode', 'work/opencode.json', { mcp: { code: { type: 'local', command: ['x', 'y'], enabled: true } } }],
      ['vscode', 'work/.vscode/mcp.json', { servers: { code2: { command: 'x' } } }],
    ];
    for (const [, path, content] of files) write(join(person, path), content);
    const kinds = [...new Set(files.map(([kind]) => kind))];
    expect(kinds.toSorted()).toEqual(['claude-code', 'claude-desktop', 'codex', 'cursor', 'opencode', 'vscode', 'windsurf']);
    write(mine, { imports: [...kinds, 'notepad', 5] });
    await using app = await open();
    await trusted(app, project);
    expect(app.state.problems).toMatchObject([{ code: 'unknown-import', severity: 'warning', file: mine, path: 'imports[7]' }, { code: 'unknown-import' }]);
    expect(listed(app)).toEqual(['claude0', 'code', 'code2', 'cursor', 'desktop', 'toml', 'windsurf']);
    expect(app.state.servers[app.server('code')]?.definition).toMatchObject({ enabled: true, transport: { command: 'x', args: ['y'], env: { A: { plain: '1' } } } });
  });

  it('[F-10] of OpenCode only its files’ `mcp` entries count, with {env:VAR} filled in; other forms and places are left alone', async () => {
    const { open, write, person, project, mine } = places();
    const picky = `if (process.env.TOKEN !== 'from-' + 'the-person') process.exit(7); import(${JSON.stringify(nodeLaunch('calls.mjs').args[0])})`;
    write(join(person, '.config', 'opencode', 'opencode.json'), {
      mcp: { v1: { type: 'local', command: [process.execPath, '-e', picky], environment: { TOKEN: '{env:OPEN_TOKEN}' } }, managed: { type: 'managed', command: ['x'] } },
      mcpServers: { v2: { command: 'x' } }, servers: { other: { command: 'x' } },
    });
    write(join(project, '.well-known', 'opencode'), { config: { mcp: { remote: { type: 'remote', url: 'https://example.test/mcp' } } } });
    write(mine, { imports: ['opencode'] });
    await using app = await open({ OPEN_TOKEN: 'from-the-person', OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: { inline: { type: 'local', command: ['x'] } } }) });
    expect(listed(app)).toEqual(['v1']);
    expect(app.state.problems).toMatchObject([{ server: 'managed', severity: 'error' }]);
    expect(await app.ask('servers.test', { serverId: app.server('v1'), timeoutMs: 15_000 })).toMatchObject({ status: 'valid' });
  });

  it('[F-11] discovery is off by default; on, every program’s servers are the lowest of all, with their file, who beat them, nothing written and nothing started', async () => {
    const { open, cursor, mine, write, person } = places();
    cursor({ docs: { command: 'theirs' }, only: { command: 'theirs' } });
    write(join(person, '.windsurf', 'mcp.json'), { mcpServers: { only: { command: 'wind' } } });
    write(mine, '{\n  // mine\n  "mcpServers": { "docs": { "command": "mine" } }\n}\n');
    const file = readFileSync(join(person, '.cursor', 'mcp.json'), 'utf8');
    await using app = await open();
    expect(listed(app)).toEqual(['docs']);
    const { outside } = await opened(() => app.ask('exchange.set-discovery', { on: true }));
    await app.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'only'));
    expect(readFileSync(mine, 'utf8')).toContain('// mine');
    expect(parsedWith(mine)).toMatchObject({ settings: { hostConfigDiscovery: 'on' } });
    expect(listed(app)).toEqual(['docs', 'only']);
    const docs = app.state.servers[app.server('docs')];
    expect(docs?.definition.transport).toMatchObject({ command: 'mine' });
    expect(docs?.provenance.chain.map(({ source }) => source)).toEqual(['host:cursor', 'home']);
    expect(docs?.provenance.fields.find(({ field }) => field === 'command')).toMatchObject({ source: 'home', overrode: ['host:cursor'] });
    const views = await app.ask('config.sources', undefined);
    expect(views.find(({ id }) => id === 'host:cursor')).toMatchObject({ path: join(person, '.cursor', 'mcp.json'), label: 'Cursor', entries: [{ name: 'docs', state: 'overridden' }, { name: 'only' }] });
    expect(views.findIndex(({ id }) => id.startsWith('host:'))).toBeLessThan(views.findIndex(({ id }) => id === 'environment'));
    expect(app.state.servers[app.server('only')]?.connection.phase).toBe('stopped');
    expect(outside).toEqual([]);
    expect(readFileSync(join(person, '.cursor', 'mcp.json'), 'utf8')).toBe(file);
    await app.ask('exchange.set-discovery', { on: false });
    await app.until(({ servers }) => !Object.values(servers).some(({ definition }) => definition.name === 'only'));
    expect(parsedWith(mine)).not.toHaveProperty('settings.hostConfigDiscovery');
  });

  it('an import is added to the home’s file once, and taken out again; nothing is written when it says so already', async () => {
    const { open, cursor, mine, write } = places();
    cursor({ docs: { command: 'x' } });
    write(mine, '{\n  // mine\n  "mcpServers": {}\n}\n');
    await using app = await open();
    await app.ask('exchange.set-import', { client: 'cursor', on: true });
    await app.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'docs'));
    const once = readFileSync(mine, 'utf8');
    const { mtimeMs } = statSync(mine);
    expect(parsedWith(mine)).toMatchObject({ imports: ['cursor'] });
    expect(once).toContain('// mine');
    await app.ask('exchange.set-import', { client: 'cursor', on: true });
    expect(statSync(mine).mtimeMs).toBe(mtimeMs);
    await app.ask('exchange.set-import', { client: 'cursor', on: false });
    expect(parsedWith(mine)).not.toHaveProperty('imports');
    await expect(app.ask('exchange.set-import', { client: 'notepad', on: true })).rejects.toMatchObject({ code: 'request/invalid' });
  });
});

const parsedWith = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));
