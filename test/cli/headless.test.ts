import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { BuiltCli, CliPerson } from '../support/cli-program.ts';

// Each command is a process that opens the home on its own.
const long = 60_000;

let cli: BuiltCli;
let me: CliPerson;
beforeAll(async () => {
  cli = await BuiltCli.build();
}, long);
afterAll(() => cli?.[Symbol.asyncDispose]());
beforeEach(() => void (me = new CliPerson(cli)));
afterEach(() => me[Symbol.dispose]());

interface Row {
  readonly name: string;
  readonly state: string;
}
const effective = async (...more: readonly string[]) => ((await me.json(['mcp', 'list', ...more])) as { readonly effective: readonly Row[] }).effective;
const named = (rows: readonly Row[], name: string) => rows.find((row) => row.name === name);
const projectFile = () => me.read('project/.gatehouse/mcp.json') as { readonly mcpServers: Record<string, unknown> };

it('[U-26] a flag without a name or a value is a usage error that names the flag and shows no value', async () => {
  for (const flag of ['--env', '--create-secret-env']) {
    for (const text of ['K=', '=canary-value', 'canary-value']) {
      const { code, stdout, stderr } = await me.run(['mcp', 'add', 'docs', '--command', 'node', flag, text]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`'${flag}'`);
      expect(stderr).toContain('Usage: gatehouse mcp add');
      expect(stderr).not.toContain('canary-value');
    }
  }
  for (const flag of ['--header', '--create-secret-header']) {
    for (const text of ['K=', '=v']) {
      const { code, stderr } = await me.run(['mcp', 'add', 'docs', '--transport', 'sse', '--url', 'https://example.test/', flag, text]);
      expect(code).toBe(1);
      expect(stderr).toContain(`'${flag}'`);
    }
  }
  expect(existsSync(join(me.project, '.gatehouse'))).toBe(false);
}, long);

it('[U-36] says what is missing: a project, a name, a command', async () => {
  const outside = await me.run(['mcp', 'add', 'docs', '--command', 'node'], { cwd: me.folder });
  expect(outside).toMatchObject({ code: 1, stdout: '' });
  expect(outside.stderr).toContain('This folder is in no project');
  expect(outside.stderr).toContain('--scope global');
  expect((await me.run(['mcp', 'list', '--project'], { cwd: me.folder })).code).toBe(1);
  for (const verb of ['add', 'edit', 'enable', 'disable', 'remove', 'import']) {
    const { code, stderr } = await me.run(['mcp', verb]);
    expect({ verb, code }).toEqual({ verb, code: 1 });
    expect(stderr).toContain(`Usage: gatehouse mcp ${verb}`);
  }
  const unknown = await me.run(['mcp', 'nonsense']);
  expect(unknown.code).toBe(1);
  for (const verb of ['list', 'add', 'edit', 'enable', 'disable', 'remove', 'validate', 'import', 'export', 'discover', 'adopt', 'trust', 'test']) expect(unknown.stderr).toMatch(new RegExp(`^  ${verb}\\b`, 'm'));
}, long);

it('the home of Gatehouse makes no project of the folder that it lies in', async () => {
  const home = join(me.folder, '.gatehouse');
  await me.done(['mcp', 'add', 'docs', '--command', 'node', '--scope', 'global'], { cwd: me.folder, env: { GATEHOUSE_HOME: home } });
  expect((await me.run(['mcp', 'add', 'docs', '--command', 'node'], { cwd: me.folder, env: { GATEHOUSE_HOME: home } })).code).toBe(1);
}, long);

it('finds the project from a folder within it', async () => {
  const deep = me.write('project/a/b/c.txt', '');
  await me.done(['mcp', 'add', 'docs', '--command', 'node'], { cwd: join(deep, '..') });
  expect(projectFile().mcpServers).toEqual({ docs: { command: 'node', args: [] } });
  rmSync(join(me.project, '.git'), { recursive: true });
  expect(await me.json(['mcp', 'list', '--project', me.project], { cwd: me.folder })).toMatchObject({ project: expect.arrayContaining([expect.objectContaining({ name: 'docs' })]) });
}, long);

it('[F-15] install ends with a pointer, an unknown command with help, help well', async () => {
  const install = await me.run(['install', '--now', 'x']);
  expect(install.code).toBe(1);
  expect(install.stderr).toContain('gatehouse init');
  const unknown = await me.run(['nonsense']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('Usage: gatehouse [options] [command]');
  for (const words of [['help'], ['--help'], ['help', 'mcp', 'add'], ['help', 'exit-codes']]) {
    const { code, stdout } = await me.run(words);
    expect({ words, code }).toEqual({ words, code: 0 });
    expect(stdout).not.toBe('');
  }
  expect(existsSync(me.home)).toBe(false);
}, long);

it('[F-20] a configuration file on the command line stands in the place of the home’s, and merges as ever', async () => {
  me.write('home/mcp.json', { mcpServers: { home: { command: 'home' }, shared: { command: 'home', args: ['x'] } } });
  me.write('person/.config/mcp/mcp.json', { mcpServers: { low: { command: 'low' }, shared: { command: 'low', cwd: '/tmp' } } });
  me.write('one.json', { mcpServers: { one: { command: 'one' }, shared: { command: 'one' } } });
  me.write('two.json', { mcpServers: { two: { command: 'two' } } });
  const before = readFileSync(join(me.home, 'mcp.json'), 'utf8');
  for (const flags of [['--config', '../one.json'], ['--mcp-config', '../one.json'], ['--mcp-config', '../two.json', '--config', '../one.json']]) {
    const rows = await effective(...flags);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['one', 'low', 'shared']));
    expect(named(rows, 'home')).toBeUndefined();
    expect(named(rows, 'two')).toBeUndefined();
    expect(named(rows, 'shared')).toMatchObject({ target: 'one', state: 'overridden' });
  }
  await me.done(['mcp', 'add', 'three', '--command', 'three', '--scope', 'global', '--config', '../two.json']);
  expect(me.read('two.json')).toEqual({ mcpServers: { two: { command: 'two' }, three: { command: 'three', args: [] } } });
  expect(readFileSync(join(me.home, 'mcp.json'), 'utf8')).toBe(before);
}, long);
