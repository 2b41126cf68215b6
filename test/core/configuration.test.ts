import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerDraft } from '../../src/shared/model/server-definition.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** A person with a home, folders of their own, and a project. */
function places() {
  const person = tempFolder();
  const home = mkdtempSync(join(person, 'gatehouse-'));
  const project = join(person, 'work');
  mkdirSync(project);
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const open = (env: Readonly<Record<string, string>> = {}) => TestApp.open(parts, { home, person, env });
  return {
    person, home, project, write, open,
    mine: join(home, 'mcp.json'),
    theirs: join(project, '.gatehouse', 'mcp.json'),
    read: (path: string): unknown => JSON.parse(readFileSync(path, 'utf8')),
  };
}
const stdio = (name: string, more: Partial<Extract<ServerDraft['transport'], { type: 'stdio' }>> = {}): ServerDraft => ({ name, transport: { type: 'stdio', command: 'node', args: ['x.js'], env: {}, ...more } });
const row = (app: TestApp, name: string) => Object.values(app.state.servers).find(({ definition }) => definition.name === name);
const command = (app: TestApp, name: string) => {
  const transport = row(app, name)?.definition.transport;
  return transport?.type === 'stdio' ? transport.command : undefined;
};
async function openProject(app: TestApp, folder: string, answer: 'trust' | 'nothing' = 'trust'): Promise<void> {
  await app.ask('settings.open-project', { folder });
  const { trust } = app.state;
  if (answer === 'trust' && trust.phase === 'ask') await app.ask('projects.trust', { project: folder, digest: trust.question.digest });
}

describe('where servers come from', () => {
  it('[F-1] [H-9] [H-12] every layer beats those below it, and without it the next one holds', async () => {
    const { person, home, project, write, open, mine, theirs } = places();
    const layers: readonly (readonly [string, string, string])[] = [
      ['config-mcp', join(person, '.config', 'mcp', 'mcp.json'), 'json'], ['agents', join(person, '.agents', 'mcp.json'), 'json'],
      ['agents-mcp', join(person, '.agents', 'mcp', 'mcp.json'), 'json'], ['home-toml', join(home, 'config.toml'), 'toml'], ['home', mine, 'json'],
      ['project-mcp', join(project, '.mcp.json'), 'json'], ['project-toml', join(project, '.gatehouse', 'config.toml'), 'toml'], ['project', theirs, 'json'],
    ];
    for (const [id, path, kind] of layers) write(path, kind === 'toml' ? `[mcp_servers.db]\ncommand = "${id}"\n` : { mcpServers: { db: { command: id } } });
    const GATEHOUSE_MCP_SERVERS = JSON.stringify([{ name: 'db', command: 'environment' }]);
    await using app = await open({ GATEHOUSE_MCP_SERVERS });
    await openProject(app, project);
    for (const [id, path] of [...layers].reverse()) {
      await app.until(() => command(app, 'db') === id || app.state.trust.phase === 'ask');
      const { trust } = app.state;
      if (trust.phase === 'ask') await app.ask('projects.trust', { project, digest: trust.question.digest });
      await app.until(() => command(app, 'db') === id);
      rmSync(path);
    }
    await app.until(() => command(app, 'db') === 'environment');
  });

  it('[F-3] entries merge field by field by name, settings of files shallowly, and what files import is put together', async () => {
    const { person, write, open, mine } = places();
    write(join(person, '.agents', 'mcp.json'), {
      mcpServers: { db: { command: 'db', args: ['--low'], lifecycle: 'eager' } }, imports: ['cursor'], settings: { hostConfigDiscovery: 'on', idleTimeout: 5 },
    });
    write(mine, { mcpServers: { db: { args: ['--high'] } }, imports: ['windsurf'], settings: { idleTimeout: 1 } });
    write(join(person, '.cursor', 'mcp.json'), { mcpServers: { fromCursor: { command: 'c' } } });
    write(join(person, '.windsurf', 'mcp.json'), { mcpServers: { fromWindsurf: { command: 'w' } } });
    write(join(person, '.gemini', 'settings.json'), { mcpServers: { discovered: { command: 'g' } } });
    await using app = await open();
    expect(row(app, 'db')?.definition).toMatchObject({ transport: { command: 'db', args: ['--high'] }, options: { lifecycle: 'eager' } });
    expect([command(app, 'fromCursor'), command(app, 'fromWindsurf')]).toEqual(['c', 'w']);
    // The other setting of the lower file still holds: settings are not replaced as a whole.
    expect(command(app, 'discovered')).toBe('g');
    write(mine, { settings: { hostConfigDiscovery: 'off' } });
    await app.until(() => row(app, 'discovered') === undefined);
    expect(command(app, 'fromCursor')).toBe('c');
    expect(row(app, 'fromWindsurf')).toBeUndefined();
  });

  it('[U-1] both scopes may hold their servers as a list with a switch, which is kept in that form when it is edited', async () => {
    const { project, write, read, open, mine, theirs } = places();
    const list = (name: string) => ({ mcpServers: { enabled: true, servers: [{ name, transport: 'stdio', command: name }] } });
    write(mine, list('globally'));
    write(theirs, list('locally'));
    await using app = await open();
    await openProject(app, project);
    expect([command(app, 'globally'), command(app, 'locally')]).toEqual(['globally', 'locally']);
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'switch', enabled: false }] });
    expect(read(theirs)).toMatchObject({ mcpServers: { enabled: false, servers: [{ name: 'locally' }] } });
    expect([row(app, 'globally')?.definition.enabled, row(app, 'locally')?.definition.enabled]).toEqual([false, false]);
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'switch', enabled: null }] });
    expect(row(app, 'globally')?.definition.enabled).toBe(true);
    await app.ask('config.save', { scope: 'global', edits: [{ op: 'switch', enabled: false }] });
    expect(read(mine)).toMatchObject({ mcpServers: { enabled: false } });
    expect(row(app, 'locally')?.definition.enabled).toBe(false);
  });

  it('[H-2] [H-3] [H-4] [H-5] the environment variable: an array or an error that names it, nothing when blank, each entry on its own, the first of a name', async () => {
    const servers = async (variables: Readonly<Record<string, string>>) => {
      await using app = await places().open(variables);
      return { names: Object.values(app.state.servers).filter(({ definition }) => definition.owner !== 'built-in').map(({ definition }) => definition.name), problems: app.state.problems };
    };
    for (const text of ['{"name":"a","command":"x"}', '"a"', '1']) {
      const { names, problems } = await servers({ GATEHOUSE_MCP_SERVERS: text });
      expect(names).toEqual([]);
      expect(problems).toMatchObject([{ severity: 'error', message: expect.stringContaining('GATEHOUSE_MCP_SERVERS') }]);
    }
    for (const text of ['', '   ']) expect(await servers({ GATEHOUSE_MCP_SERVERS: text })).toEqual({ names: [], problems: [] });
    expect(await servers({})).toEqual({ names: [], problems: [] });
    const mixed = [{ name: 'a', command: 'first' }, { name: 'bad' }, { name: 'a', command: 'second' }, { name: 'c', url: 'http://127.0.0.1:9/mcp' }];
    await using app = await places().open({ HARNESS_MCP_SERVERS: JSON.stringify(mixed) });
    expect(command(app, 'a')).toBe('first');
    expect(row(app, 'c')?.definition.transport.type).toBe('streamable-http');
    expect(app.state.problems.map(({ path }) => path)).toEqual([expect.stringContaining('1'), expect.stringContaining('2')]);
  });

  it('[H-11] a TOML file that does not parse is a problem with its place, and hides nothing else', async () => {
    const { home, open, write, mine } = places();
    write(join(home, 'config.toml'), '[mcp_servers.x\ncommand = 1');
    write(mine, { mcpServers: { b: { command: 'b' } } });
    await using app = await open({ GATEHOUSE_MCP_SERVERS: '[{"name":"a","command":"a"}]' });
    expect([command(app, 'a'), command(app, 'b')]).toEqual(['a', 'b']);
    expect(app.state.problems).toMatchObject([{ code: 'unparsable', file: join(home, 'config.toml'), line: expect.any(Number), column: expect.any(Number) }]);
  });

  it('a changed file is noticed while the app runs, wherever it lies, and its row says where it comes from', async () => {
    const { person, write, open } = places();
    await using app = await open();
    expect(row(app, 'late')).toBeUndefined();
    write(join(person, '.agents', 'mcp.json'), { mcpServers: { late: { command: 'x' } } });
    await app.until(() => command(app, 'late') === 'x');
    expect(row(app, 'late')?.provenance).toMatchObject({ state: 'effective', source: 'agents', chain: [{ source: 'agents', place: { line: 1 } }] });
    write(join(person, '.agents', 'mcp.json'), { mcpServers: { late: { command: 'y' } } });
    await app.until(() => command(app, 'late') === 'y');
    rmSync(join(person, '.agents', 'mcp.json'));
    await app.until(() => row(app, 'late') === undefined);
  });
});

describe('a project', () => {
  it('asks before any of its files counts, shows what they would run, and asks again when they change', async () => {
    const { project, write, open } = places();
    write(join(project, '.mcp.json'), { mcpServers: { db: { command: 'run-db', args: ['--port', '1'], env: { API_KEY: 'canary-value-1234' } } } });
    await using app = await open();
    await openProject(app, project, 'nothing');
    await app.until(({ trust }) => trust.phase === 'ask');
    expect(row(app, 'db')).toBeUndefined();
    const { trust } = app.state;
    if (trust.phase !== 'ask') throw new Error('not asked');
    expect(trust.question).toMatchObject({ again: false, files: [{ file: '.mcp.json', change: 'new' }], servers: [{ name: 'db', change: 'new' }] });
    expect(trust.question.servers[0]?.facts).toContainEqual({ kind: 'command', text: 'run-db --port 1' });
    expect(trust.question.servers[0]?.facts).toContainEqual({ kind: 'environment', text: 'API_KEY' });
    expect(JSON.stringify(app.state)).not.toContain('canary-value-1234');
    await expect(app.ask('config.scope', { scope: 'project' })).rejects.toMatchObject({ code: 'trust/needed' });
    await expect(app.ask('config.save', { scope: 'project', edits: [{ op: 'put', draft: stdio('x') }] })).rejects.toMatchObject({ code: 'trust/needed' });

    await app.ask('projects.trust', { project, digest: trust.question.digest });
    expect(command(app, 'db')).toBe('run-db');
    write(join(project, '.mcp.json'), { mcpServers: { db: { command: 'run-evil', args: [] } } });
    await app.until((state) => state.trust.phase === 'ask');
    expect(row(app, 'db')).toBeUndefined();
    const again = app.state.trust;
    if (again.phase !== 'ask') throw new Error('not asked');
    expect(again.question).toMatchObject({ again: true, files: [{ change: 'changed' }], servers: [{ change: 'changed', before: expect.arrayContaining([{ kind: 'command', text: 'run-db --port 1' }]) }] });
    await expect(app.ask('projects.trust', { project, digest: trust.question.digest })).rejects.toMatchObject({ code: 'trust/changed' });
    await app.ask('projects.refuse', { project, digest: again.question.digest });
    expect(app.state.trust.phase).toBe('refused');
  });

  it('is not asked about after the app’s own writes, and is again after somebody else’s', async () => {
    const { project, theirs, write, read, open } = places();
    await using app = await open();
    await openProject(app, project, 'nothing');
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'put', draft: stdio('own') }] });
    expect(read(theirs)).toMatchObject({ mcpServers: { own: { command: 'node', args: ['x.js'] } } });
    expect(app.state.trust.phase).toBe('trusted');
    expect(row(app, 'own')).toMatchObject({ definition: { owner: 'project' }, provenance: { state: 'project-local' } });
    write(theirs, { mcpServers: { own: { command: 'evil' } } });
    await app.until(({ trust }) => trust.phase === 'ask');
    expect(row(app, 'own')).toBeUndefined();
  });

  it('is asked about when somebody else wrote at the same time as the app', async () => {
    const { project, theirs, write, open } = places();
    await using app = await open();
    await openProject(app, project, 'nothing');
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'put', draft: stdio('own') }] });
    expect(app.state.trust.phase).toBe('trusted');
    // Before the watcher has said anything; where it was quicker all the same, the save is refused.
    const save = (fields: object) =>
      app.ask('config.save', { scope: 'project', edits: [{ op: 'patch', name: 'own', fields }] }).catch((error: unknown) => expect(error).toMatchObject({ code: 'trust/needed' }));
    write(join(project, '.mcp.json'), { mcpServers: { sneaked: { command: 'evil' } } });
    await save({ enabled: false });
    expect(app.state.trust.phase).toBe('ask');
    expect(row(app, 'sneaked')).toBeUndefined();
    rmSync(join(project, '.mcp.json'));
    await app.until(({ trust }) => trust.phase === 'ask' && trust.question.files.every(({ file }) => file !== '.mcp.json'));
    const { trust } = app.state;
    if (trust.phase === 'ask') await app.ask('projects.trust', { project, digest: trust.question.digest });
    writeFileSync(theirs, readFileSync(theirs, 'utf8').replace('x.js', 'evil.js'));
    await save({ lifecycle: 'lazy' });
    expect(app.state.trust.phase).toBe('ask');
  });

  it('that imports, or holds another program’s file, is asked for those too; none can grant itself trust', async () => {
    const { project, home, write, open } = places();
    write(join(project, '.mcp.json'), { imports: ['vscode'], mcpServers: {}, trusted: true, settings: { trust: 'all' } });
    write(join(project, '.vscode', 'mcp.json'), { servers: { code: { command: 'from-vscode' } } });
    write(join(project, '.gatehouse', 'trust.json'), { projects: { [project]: { digest: 'x' } } });
    await using app = await open();
    await openProject(app, project, 'nothing');
    await app.until(({ trust }) => trust.phase === 'ask');
    expect(row(app, 'code')).toBeUndefined();
    const { trust } = app.state;
    if (trust.phase !== 'ask') throw new Error('not asked');
    expect(trust.question.files.map(({ file }) => file).sort()).toEqual(['.mcp.json', '.vscode/mcp.json']);
    await app.ask('projects.trust', { project, digest: trust.question.digest });
    expect(command(app, 'code')).toBe('from-vscode');
    write(join(project, '.vscode', 'mcp.json'), { servers: { code: { command: 'changed' } } });
    await app.until((state) => state.trust.phase === 'ask');
    expect(existsSync(join(home, 'trust.json'))).toBe(true);
    await expect(app.ask('projects.trust', { project, digest: 'x' }, { kind: 'http-api', token: 't' } as never)).rejects.toMatchObject({ code: 'request/forbidden' }); // a door that part 5 opens
  });

  it('two projects may both have a server of one name, and neither is the other’s', async () => {
    const { person, project, write, open } = places();
    const other = join(person, 'other');
    write(join(project, '.mcp.json'), { mcpServers: { db: { command: 'one' } } });
    write(join(other, '.mcp.json'), { mcpServers: { db: { command: 'two' } } });
    await using app = await open();
    await openProject(app, project);
    const first = row(app, 'db')?.definition.id;
    await openProject(app, other);
    await app.until(() => command(app, 'db') === 'two');
    expect(row(app, 'db')?.definition.id).not.toBe(first);
  });
});

describe('the files that the app edits', () => {
  it('[F-16] a foreign server is switched off and on in the owned file above it, by one field; its own file is not touched', async () => {
    const { person, write, read, open, mine } = places();
    const agents = join(person, '.agents', 'mcp.json');
    write(agents, '{ "mcpServers": { "a": { "command": "x" }, "off": { "command": "y", "disabled": true } } }');
    const before = readFileSync(agents, 'utf8');
    await using app = await open();
    await app.ask('servers.set-enabled', { serverId: app.server('a'), enabled: false });
    expect(read(mine)).toEqual({ mcpServers: { a: { disabled: true } } });
    expect(row(app, 'a')).toMatchObject({ definition: { enabled: false }, provenance: { state: 'masked', disabledBy: 'home' } });
    await app.ask('servers.set-enabled', { serverId: app.server('a'), enabled: true });
    expect(read(mine)).toEqual({ mcpServers: {} });
    await app.ask('servers.set-enabled', { serverId: app.server('off'), enabled: true });
    expect(read(mine)).toEqual({ mcpServers: { off: { disabled: false } } });
    expect(row(app, 'off')?.definition.enabled).toBe(true);
    expect(readFileSync(agents, 'utf8')).toBe(before);
  });

  it('[U-30] [U-31] a project masks an inherited server, and what it overrode is there again when its entry goes', async () => {
    const { project, write, open, mine } = places();
    write(mine, { mcpServers: { a: { command: 'global' } } });
    await using app = await open();
    await openProject(app, project, 'nothing');
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'patch', name: 'a', fields: { enabled: false } }] });
    expect(row(app, 'a')).toMatchObject({ definition: { enabled: false, owner: 'global' }, provenance: { state: 'masked', disabledBy: 'project' } });
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'remove', name: 'a' }] });
    expect(row(app, 'a')?.definition.enabled).toBe(true);
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'put', draft: { ...stdio('a'), name: 'a' }, seen: 'absent' }] });
    expect(row(app, 'a')?.definition.owner).toBe('project');
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'remove', name: 'a' }] });
    expect(command(app, 'a')).toBe('global');
    await expect(app.ask('config.save', { scope: 'project', edits: [{ op: 'remove', name: 'a' }] })).rejects.toMatchObject({ code: 'server/not-found' });
  });

  it('an entry that was changed on disk since it was looked at is not written over, others are saved', async () => {
    const { write, open, mine } = places();
    write(mine, '{\n  // mine\n  "mcpServers": { "a": { "command": "x", "unknown": [1] }, "b": { "command": "y" } }\n}\n');
    await using app = await open();
    const seen = async (name: string) => (await app.ask('config.scope', { scope: 'global' })).entries.find((entry) => entry.name === name)?.seen ?? '';
    const [a, b] = [await seen('a'), await seen('b')];
    writeFileSync(mine, readFileSync(mine, 'utf8').replace('"x"', '"other"'));
    const put = (name: string, mark: string) => ({ op: 'put', draft: stdio(name), previousName: name, seen: mark }) as const;
    await expect(app.ask('config.save', { scope: 'global', edits: [put('a', a)] })).rejects.toMatchObject({ code: 'config/changed', data: { name: 'a' } });
    await app.ask('config.save', { scope: 'global', edits: [put('b', b)] });
    for (const kept of ['// mine', '"unknown": [1]', '"other"']) expect(readFileSync(mine, 'utf8')).toContain(kept);
    expect(command(app, 'a')).toBe('other');
    expect(command(app, 'b')).toBe('node');
  });

  it('[U-24] [U-28] a taken name is refused, and an edit changes what it names and nothing else', async () => {
    const { write, read, open, mine } = places();
    write(mine, { mcpServers: { a: { command: 'x', unknown: 1, lifecycle: 'eager', env: { LEVEL: 'debug' } } } });
    await using app = await open();
    await expect(app.ask('servers.add', { ...stdio('A'), scope: 'global' })).rejects.toMatchObject({ code: 'server/exists' });
    await app.ask('servers.update', { serverId: app.server('a'), draft: stdio('a', { env: { LEVEL: { kept: true } } }) });
    expect(read(mine)).toEqual({ mcpServers: { a: { command: 'node', unknown: 1, lifecycle: 'eager', env: { LEVEL: 'debug' }, args: ['x.js'] } } });
    await app.ask('servers.update', { serverId: app.server('a'), draft: { name: 'b', transport: { type: 'streamable-http', url: 'https://x.example/mcp', headers: {} } } });
    expect(read(mine)).toEqual({ mcpServers: { b: { type: 'streamable-http', url: 'https://x.example/mcp', unknown: 1, lifecycle: 'eager' } } });
    await expect(app.ask('servers.update', { serverId: app.server('b'), draft: { name: 'b', transport: { type: 'sse', url: 'not a url' as never, headers: {} } } })).rejects.toMatchObject({ code: 'request/invalid' }); // what a hostile page would send
  });

  it('keep nothing in the open whose name looks secret, and never give one server another’s secret', async () => {
    const { open, mine } = places();
    await using app = await open();
    await expect(app.ask('servers.add', { ...stdio('a', { env: { githubToken: { plain: 'x' } } }), scope: 'global' })).rejects.toMatchObject({ code: 'request/invalid' });
    expect(existsSync(mine)).toBe(false);
    await app.ask('servers.add', { ...stdio('a', { env: { API_KEY: { secret: 'canary-hunter2' } } }), scope: 'global' });
    expect(readFileSync(mine, 'utf8')).not.toContain('hunter2');
    expect(row(app, 'a')?.definition.transport).toMatchObject({ env: { API_KEY: { secretRef: 'mcp.a.env.API_KEY', scope: 'global' } } });
    await expect(app.ask('servers.add', { ...stdio('evil', { env: { API_KEY: { kept: true } } }), scope: 'global' })).rejects.toMatchObject({ code: 'secret/missing' });
  });

  it('that do not parse are never written', async () => {
    const { open, write, mine } = places();
    const broken = '{ "mcpServers": { "a": ';
    write(mine, broken);
    await using app = await open();
    expect(app.state.problems).toMatchObject([{ code: 'unparsable', file: mine, line: 1 }]);
    await expect(app.ask('servers.add', { ...stdio('b'), scope: 'global' })).rejects.toMatchObject({ code: 'config/invalid' });
    expect(readFileSync(mine, 'utf8')).toBe(broken);
  });

  it('[U-59] show a preview that changes nothing, with secrets as the references that they become and literals hidden', async () => {
    const { write, open, mine } = places();
    write(mine, '{\n  "mcpServers": {\n    "a": { "command": "x", "env": { "API_KEY": "canary-literal-123" } }\n  }\n}\n');
    const before = readFileSync(mine, 'utf8');
    await using app = await open();
    const edits = [{ op: 'put', draft: stdio('b', { env: { TOKEN: { secret: 'canary-draft-456' } } }) } as const];
    const { diff } = await app.ask('config.preview', { scope: 'global', edits });
    expect(diff).toContain('+');
    expect(diff).toContain('mcp.b.env.TOKEN');
    expect(diff).not.toContain('canary');
    expect(readFileSync(mine, 'utf8')).toBe(before);
    expect(row(app, 'b')).toBeUndefined();
    await app.ask('config.save', { scope: 'global', edits });
    expect(row(app, 'b')).toBeDefined();
  });
});

it('[F-18] for a server of another file only the selection of tools is written, never how to reach it', async () => {
  const { person, write, read, open, mine } = places();
  write(join(person, '.config', 'mcp', 'mcp.json'), { mcpServers: { shared: { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer canary-12345678' } } } });
  await using app = await open();
  await app.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'shared', fields: { directTools: ['one', 'two'] } }] });
  expect(read(mine)).toEqual({ mcpServers: { shared: { directTools: ['one', 'two'] } } });
  expect(row(app, 'shared')?.definition.options.directTools).toEqual(['one', 'two']);
  expect(row(app, 'shared')?.definition.transport).toMatchObject({ url: 'https://x.example/mcp', headers: { Authorization: { literal: true } } });
});

it('[S15] what a person chose for a server stays after an edit of it, a change of its file and a restart; settings of another version are never reset', async () => {
  const { home, write, read, open, mine } = places();
  write(mine, { mcpServers: { a: { command: 'x' } } });
  const chosen = { approveTools: ['delete_*'], excludeTools: ['drop_*'], directTools: ['get'] };
  {
    await using app = await open();
    await app.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'a', fields: { ...chosen, enabled: false } }] });
    await app.ask('servers.update', { serverId: app.server('a'), draft: stdio('a') });
    expect(row(app, 'a')?.definition).toMatchObject({ enabled: false, options: chosen });
    writeFileSync(mine, readFileSync(mine, 'utf8').replace('x.js', 'y.js'));
    await app.until(() => JSON.stringify(row(app, 'a')?.definition.transport).includes('y.js'));
    expect(row(app, 'a')?.definition).toMatchObject({ enabled: false, options: chosen });
    await app.ask('settings.update', { approvals: 'locked-down' });
  }
  const settings = join(home, 'settings.json');
  write(settings, { ...(read(settings) as object), fromALaterVersion: true }); // an object: the app wrote it
  const before = readFileSync(settings, 'utf8');
  await using again = await open();
  expect(row(again, 'a')?.definition).toMatchObject({ enabled: false, options: chosen });
  await expect(again.ask('settings.update', { theme: 'dark' })).rejects.toMatchObject({ code: 'config/invalid' });
  expect(readFileSync(settings, 'utf8')).toBe(before);
});
