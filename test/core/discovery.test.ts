import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formsOf } from '../../src/core/secrets/encodings.ts';
import type { DiscoveredSource } from '../../src/shared/model/exchange.ts';
import { clients, listed, opened, parsedWith, pick, places as placesOf, trusted } from '../support/other-programs.ts';
import { nodeLaunch } from '../support/stdio-link.ts';
import { buildParts, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const places = () => placesOf(() => parts);
const names = ({ candidates }: DiscoveredSource) => candidates.map(({ name }) => name);

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
