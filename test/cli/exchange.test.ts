import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 });

let built: BuiltAttached;
let me: AttachedPerson;
beforeAll(async () => {
  built = await buildAttached();
}, 120_000);
afterAll(() => built?.[Symbol.asyncDispose]());
beforeEach(async () => void (me = await AttachedPerson.open(built)));
afterEach(() => me[Symbol.asyncDispose]());

type File = { readonly mcpServers: Record<string, Record<string, unknown>> };
const projectFile = () => me.read('project/.gatehouse/mcp.json') as File;
const claude = { mcpServers: { docs: { command: 'node', args: ['server.js'], env: { API_KEY: 'canary-from-claude' } }, web: { url: 'https://web.test/mcp' } } };
const secretKeys = async () => ((await me.json(['secrets', 'list'])) as readonly { readonly key: string; readonly policy?: string }[]);

it('[U-33] import says what it would do and refuses without --yes, before anything is created', async () => {
  me.write('project/claude.json', claude);
  const refused = await me.run(['mcp', 'import', './claude.json', '--scope', 'project']);
  expect(refused.code).toBe(1);
  for (const part of [/Source: \.\/claude\.json/, /Scope: project/, /Servers: docs \(add\), web \(add\)/, /Secrets to create: mcp\.docs\.env\.API_KEY/]) expect(refused.stdout).toMatch(part);
  expect(refused.stderr).toContain('Add --yes');
  expect(existsSync(join(me.project, '.gatehouse'))).toBe(false);
  expect(await secretKeys()).toEqual([]);

  const done = await me.run(['mcp', 'import', './claude.json', '--scope', 'project', '--yes', '--json']);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ source: './claude.json', scope: 'project', added: ['docs', 'web'], secretsToCreate: ['mcp.docs.env.API_KEY'] });
  expect(projectFile().mcpServers['docs']).toMatchObject({ command: 'node', env: { API_KEY: { secretRef: 'mcp.docs.env.API_KEY', scope: 'project' } } });
  expect(await secretKeys()).toMatchObject([{ key: 'mcp.docs.env.API_KEY', policy: 'prompt' }]);
  for (const { stdout, stderr } of [refused, done]) expect(stdout + stderr).not.toContain('canary-from-claude');

  for (const [name, content] of [['missing.json', undefined], ['broken.json', '{ "mcpServers": {'], ['empty.json', '{}']] as const) {
    if (content !== undefined) me.write(`project/${name}`, content);
    const { code, stdout, stderr } = await me.run(['mcp', 'import', name, '--yes']);
    expect({ name, code, stdout }).toEqual({ name, code: 1, stdout: '' });
    expect(stderr).toMatch(/^Nothing was imported\.\n {2}\S/);
  }
});

it('[U-34] a name that is taken is refused by default, and shown; other wishes are said', async () => {
  await me.done(['mcp', 'add', 'docs', '--command', 'mine']);
  me.write('project/claude.json', claude);
  const shown = await me.run(['mcp', 'import', 'claude.json']);
  expect(shown.stdout).toContain('docs (refuse)');
  const refused = await me.run(['mcp', 'import', 'claude.json', '--yes']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('there is a server “docs” already');
  expect(Object.keys(projectFile().mcpServers)).toEqual(['docs']);
  expect(await secretKeys()).toEqual([]);

  await me.done(['mcp', 'import', 'claude.json', '--yes', '--on-duplicate', 'skip']);
  expect(projectFile().mcpServers).toMatchObject({ docs: { command: 'mine' }, web: { url: 'https://web.test/mcp' } });
  await me.done(['mcp', 'import', 'claude.json', '--yes', '--on-duplicate', 'replace', '--only', 'docs']);
  expect(projectFile().mcpServers['docs']).toMatchObject({ command: 'node' });
});

it('a command line of another program is imported from stdin', async () => {
  await me.done(['mcp', 'import', '-', '--yes'], { input: 'claude mcp add disk -- npx -y @example/files /tmp\n' });
  expect(projectFile().mcpServers['disk']).toMatchObject({ command: 'npx', args: ['-y', '@example/files', '/tmp'] });
});

it('[U-35] export gives references only, to stdout or to a new file, for each scope', async () => {
  await me.done(['mcp', 'add', 'docs', '--command', 'node', '--create-secret-env', 'API_KEY=canary-export']);
  await me.done(['mcp', 'add', 'web', '--scope', 'global', '--transport', 'http', '--url', 'https://web.test/mcp']);
  const names = async (...flags: readonly string[]) => Object.keys((JSON.parse(await me.done(['mcp', 'export', ...flags])) as File).mcpServers).toSorted();
  expect(await names('--scope', 'effective', '--json')).toEqual(['docs', 'web']);
  expect(await names('--scope', 'global')).toEqual(['web']);
  expect(await names('--scope', 'project')).toEqual(['docs']);
  const whole = await me.done(['mcp', 'export']);
  expect(JSON.parse(whole)).toMatchObject({ mcpServers: { docs: { env: { API_KEY: { secretRef: 'mcp.docs.env.API_KEY', scope: 'project' } } } } });

  await me.done(['mcp', 'export', '--output', 'out.json']);
  expect(readFileSync(join(me.project, 'out.json'), 'utf8').trim()).toBe(whole.trim());
  const again = await me.run(['mcp', 'export', '--output', 'out.json']);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('--force');
  await me.done(['mcp', 'export', '--output', 'out.json', '--force']);
  expect(await me.done(['mcp', 'export', '--shape', 'claude'])).not.toContain('canary-export');
  expect(whole).not.toContain('canary-export');
});

it('[F-12] init says what it found, adds missing imports to the home’s file alone, and is content when there is nothing to do', async () => {
  const cursor = me.write('person/.cursor/mcp.json', { mcpServers: { cursor: { command: 'cursor-server' } } });
  const codex = me.write('person/.codex/config.toml', '[mcp_servers.codex]\ncommand = "codex-server"\n');
  const foreign = [cursor, codex].map((file) => readFileSync(file, 'utf8'));
  me.write('home/mcp.json', '{\n  // mine\n  "mcpServers": {}\n}\n');
  await me.reload();
  const before = readFileSync(join(me.home, 'mcp.json'), 'utf8');

  const dry = await me.done(['init', '--dry-run', '--discover-host-configs']);
  for (const part of [cursor, codex, 'Would add the import cursor', 'Would add the import codex', 'Would switch hostConfigDiscovery on']) expect(dry).toContain(part);
  expect(readFileSync(join(me.home, 'mcp.json'), 'utf8')).toBe(before);

  const done = await me.done(['init']);
  expect(done).toContain('✓ Added the import cursor');
  const text = readFileSync(join(me.home, 'mcp.json'), 'utf8');
  expect(text).toContain('// mine');
  expect(text).toMatch(/"imports": \[\s*"cursor",\s*"codex"\s*\]/);
  expect(text).not.toContain('hostConfigDiscovery');
  expect(await me.done(['init'])).toContain('Nothing to change.');
  expect(readFileSync(join(me.home, 'mcp.json'), 'utf8')).toBe(text);

  await me.done(['init', '--discover-host-configs']);
  expect(readFileSync(join(me.home, 'mcp.json'), 'utf8')).toMatch(/"hostConfigDiscovery": "on"/);
  expect(await me.done(['init', '--discover-host-configs'])).toContain('Nothing to change.');
  expect([cursor, codex].map((file) => readFileSync(file, 'utf8'))).toEqual(foreign);
  expect(existsSync(join(me.project, '.gatehouse'))).toBe(false);
});

it('[F-18] of a server that another program defines, only what is chosen of its tools is written here', async () => {
  const cursor = me.write('person/.cursor/mcp.json', { mcpServers: { cursor: { command: 'cursor-server', args: ['x'], env: { LEVEL: 'debug' } } } });
  const before = readFileSync(cursor, 'utf8');
  await me.done(['init']);
  await me.app.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'cursor'));
  await me.app.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'cursor', fields: { directTools: ['search', 'read'] } }] });
  expect((me.read('home/mcp.json') as File).mcpServers).toEqual({ cursor: { directTools: ['search', 'read'] } });
  expect(me.app.state.servers[me.app.server('cursor')]?.definition).toMatchObject({ transport: { command: 'cursor-server' }, options: { directTools: ['search', 'read'] } });
  const edited = await me.run(['mcp', 'edit', 'cursor', '--scope', 'global', '--command', 'other']);
  expect(edited.code).toBe(1);
  expect(edited.stderr).toContain('is defined in another file');
  expect(readFileSync(cursor, 'utf8')).toBe(before);
});

it('other programs’ servers are found, and adopted with --yes only', async () => {
  const cursor = me.write('person/.cursor/mcp.json', { mcpServers: { one: { command: 'one', env: { API_KEY: 'canary-cursor' } }, two: { url: 'https://two.test/' } } });
  const found = await me.done(['mcp', 'discover']);
  expect(found).toContain('in the open');
  expect(found).not.toContain('canary-cursor');
  const { sources } = (await me.json(['mcp', 'discover', '--scope', 'global'])) as { readonly sources: readonly { readonly id: string; readonly path: string }[] };
  const id = sources.find(({ path }) => path === cursor)?.id ?? '';
  const shown = await me.run(['mcp', 'adopt', id, 'one']);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain('one (add)');
  expect(existsSync(join(me.project, '.gatehouse'))).toBe(false);
  await me.done(['mcp', 'adopt', id, '--all', '--yes']);
  expect(Object.keys(projectFile().mcpServers)).toEqual(['one', 'two']);
  expect(readFileSync(join(me.project, '.gatehouse/mcp.json'), 'utf8')).not.toContain('canary-cursor');
  for (const words of [['nothing', 'one'], [id, 'nothing'], [id]]) expect((await me.run(['mcp', 'adopt', ...words])).code).toBe(1);
});
