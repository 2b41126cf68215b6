import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formsOf } from '../../src/core/secrets/encodings.ts';
import type { ImportPlan, Pick } from '../../src/shared/model/exchange.ts';
import { filesIn, listed, parsed, pick, places as placesOf, trusted } from '../support/other-programs.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const places = () => placesOf(() => parts);

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
