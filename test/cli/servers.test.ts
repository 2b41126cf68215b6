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

interface Row {
  readonly name: string;
  readonly state: string;
}
const listed = async (...more: readonly string[]) => (await me.json(['mcp', 'list', ...more])) as { readonly global: readonly Row[]; readonly project: readonly Row[]; readonly effective: readonly Row[] };
const named = (rows: readonly Row[], name: string) => rows.find((row) => row.name === name);
const projectFile = () => me.read('project/.gatehouse/mcp.json') as { readonly mcpServers: Record<string, unknown> };
const homeFile = () => me.read('home/mcp.json') as { readonly mcpServers: Record<string, unknown> };

it('[U-24] adding a name that is taken is an error that points to edit', async () => {
  await me.done(['mcp', 'add', 'docs', '--command', 'node']);
  const before = readFileSync(join(me.project, '.gatehouse/mcp.json'), 'utf8');
  const again = await me.run(['mcp', 'add', 'docs', '--command', 'other']);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('gatehouse mcp edit docs --scope project');
  expect(readFileSync(join(me.project, '.gatehouse/mcp.json'), 'utf8')).toBe(before);
});

it('[U-28] edit changes the given fields of the scope’s entry alone, refuses what is not there, and drops what is foreign to another transport', async () => {
  me.write('project/.gatehouse/mcp.json', '{\n  // mine\n  "mcpServers": {\n    "docs": { "command": "node", "args": ["a.js"], "cwd": "/tmp", "env": { "LEVEL": { "plain": "debug" } }, "note": 1 },\n    "other": { "url": "https://other.test/" }\n  }\n}\n');
  me.write('home/mcp.json', { mcpServers: { docs: { command: 'global-docs' } } });
  await me.reload();
  await me.trust();
  await me.done(['mcp', 'edit', 'docs', '--args', '["server.js","--verbose"]']);
  const text = readFileSync(join(me.project, '.gatehouse/mcp.json'), 'utf8');
  expect(text).toContain('// mine');
  expect(text).toContain('"args": ["server.js", "--verbose"], "cwd": "/tmp", "env": { "LEVEL": { "plain": "debug" } }, "note": 1');
  expect(homeFile()).toEqual({ mcpServers: { docs: { command: 'global-docs' } } });

  await me.done(['mcp', 'edit', 'other', '--url', 'https://another.test/']);
  expect(readFileSync(join(me.project, '.gatehouse/mcp.json'), 'utf8')).toContain('"other": { "url": "https://another.test/" }');

  const unknown = await me.run(['mcp', 'edit', 'nothing', '--command', 'x']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no server “nothing” in the project scope');
  const elsewhere = await me.run(['mcp', 'edit', 'other', '--scope', 'global', '--url', 'https://x.test/']);
  expect(elsewhere.code).toBe(1);

  await me.done(['mcp', 'edit', 'docs', '--transport', 'http', '--url', 'https://docs.test/mcp']);
  const after = readFileSync(join(me.project, '.gatehouse/mcp.json'), 'utf8');
  expect(after).toContain('// mine');
  for (const gone of ['"command"', '"args"', '"cwd"', '"env"']) expect(after).not.toContain(gone);
  expect(after).toContain('"type": "streamable-http"');
  expect(after).toContain('"url": "https://docs.test/mcp"');
  expect(after).toContain('"note": 1');
  const foreign = await me.run(['mcp', 'edit', 'docs', '--command', 'node']);
  expect(foreign.code).toBe(1);
  expect(foreign.stderr).toContain("'--command' says nothing for transport streamable-http");
});

it('[F-16] [U-29] disable and enable write the switch alone, into the scope’s own file', async () => {
  const shared = me.write('project/.mcp.json', { mcpServers: { shared: { command: 'node', args: ['shared.js'] }, off: { command: 'node', disabled: true } } });
  me.write('home/mcp.json', { mcpServers: { mine: { command: 'node' } } });
  await me.reload();
  await me.trust();
  const before = readFileSync(shared, 'utf8');

  await me.done(['mcp', 'disable', 'shared']);
  expect(projectFile().mcpServers).toEqual({ shared: { disabled: true } });
  expect(named((await listed()).effective, 'shared')).toMatchObject({ state: 'masked' });
  await me.done(['mcp', 'enable', 'shared']);
  expect(projectFile().mcpServers).toEqual({});
  expect(named((await listed()).effective, 'shared')).toMatchObject({ state: 'project-local' });

  // A lower file says off: on has to be said.
  await me.done(['mcp', 'enable', 'off']);
  expect(projectFile().mcpServers).toEqual({ off: { disabled: false } });
  expect(['masked', 'disabled']).not.toContain(named((await listed()).effective, 'off')?.state);

  // Where the scope's own file defines it, its own entry is flipped.
  await me.done(['mcp', 'disable', 'mine', '--scope', 'global']);
  expect(homeFile().mcpServers).toEqual({ mine: { command: 'node', disabled: true } });
  await me.done(['mcp', 'enable', 'mine', '--scope', 'global']);
  expect(homeFile().mcpServers).toEqual({ mine: { command: 'node' } });
  expect(readFileSync(shared, 'utf8')).toBe(before);
  expect((await me.run(['mcp', 'disable', 'nothing'])).code).toBe(1);
});

it('[U-30] disabling at project scope masks a global server, which stays as it is for everybody else', async () => {
  me.write('home/mcp.json', { mcpServers: { docs: { command: 'node' } } });
  await me.reload();
  const before = readFileSync(join(me.home, 'mcp.json'), 'utf8');
  await me.done(['mcp', 'disable', 'docs']);
  expect(projectFile().mcpServers).toEqual({ docs: { disabled: true } });
  const here = await listed();
  expect(named(here.effective, 'docs')).toMatchObject({ state: 'masked' });
  expect(named(here.global, 'docs')).toMatchObject({ state: 'effective' });
  await me.app.ask('settings.close-project', undefined);
  await me.app.until(({ servers }) => Object.values(servers).some(({ definition, provenance }) => definition.name === 'docs' && provenance.state === 'effective'));
  expect(named((await listed()).effective, 'docs')).toMatchObject({ state: 'effective' });
  expect(readFileSync(join(me.home, 'mcp.json'), 'utf8')).toBe(before);
});

it('[U-31] remove takes the scope’s entry out, so that the global one holds again; what is not there is an error', async () => {
  me.write('home/mcp.json', { mcpServers: { docs: { command: 'global-docs' } } });
  await me.reload();
  await me.done(['mcp', 'add', 'docs', '--command', 'project-docs']);
  expect(named((await listed()).effective, 'docs')).toMatchObject({ target: 'project-docs' });
  await me.done(['mcp', 'rm', 'docs']);
  expect(named((await listed()).effective, 'docs')).toMatchObject({ target: 'global-docs', state: 'inherited' });
  const again = await me.run(['mcp', 'remove', 'docs']);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('There is no server “docs” in the project scope');
});

it('[U-32] validate judges by schema alone, and fails when something is wrong', async () => {
  const trace = join(me.folder, 'ran');
  me.write('home/mcp.json', { mcpServers: { good: { command: 'sh', args: ['-c', `touch ${trace}`], env: { A: `!touch ${trace}` } }, far: { url: 'http://127.0.0.1:9/' } } });
  await me.reload();
  expect(await me.json(['mcp', 'validate'])).toMatchObject({ ok: true, servers: 2, errors: [] });
  me.write('home/mcp.json', { mcpServers: { good: { command: 'sh' }, bad: { command: 'sh', args: 'no list' } } });
  await me.reload();
  for (const verb of ['validate', 'test']) {
    const { code, stdout } = await me.run(['mcp', verb, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, errors: [{ code: 'invalid-args', server: 'bad', file: join(me.home, 'mcp.json') }] });
  }
  const text = await me.run(['mcp', 'validate', '--scope', 'global']);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/mcp\.json:\d+:\d+: invalid-args/);
  await me.done(['mcp', 'validate', '--scope', 'project']);
  expect(existsSync(trace)).toBe(false);
});
