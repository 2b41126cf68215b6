import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../src/core/app.ts';
import { openOwnerDoor } from '../../src/http/owner-door.ts';
import { lockHome } from '../../src/node/home/home-lock.ts';
import { BuiltCli, CliPerson } from '../support/cli-program.ts';

// Each command is a process that opens the home on its own.
vi.setConfig({ testTimeout: 120_000 });

let cli: BuiltCli;
let me: CliPerson;
beforeAll(async () => {
  cli = await BuiltCli.build();
}, 120_000);
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
    for (const text of ['K=', '=canary-value']) {
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
});

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
});

it('the home of Gatehouse makes no project of the folder that it lies in', async () => {
  const home = join(me.folder, '.gatehouse');
  await me.done(['mcp', 'add', 'docs', '--command', 'node', '--scope', 'global'], { cwd: me.folder, env: { GATEHOUSE_HOME: home } });
  expect((await me.run(['mcp', 'add', 'docs', '--command', 'node'], { cwd: me.folder, env: { GATEHOUSE_HOME: home } })).code).toBe(1);
});

it('finds the project from a folder within it', async () => {
  const deep = me.write('project/a/b/c.txt', '');
  await me.done(['mcp', 'add', 'docs', '--command', 'node'], { cwd: join(deep, '..') });
  expect(projectFile().mcpServers).toEqual({ docs: { command: 'node', args: [] } });
  rmSync(join(me.project, '.git'), { recursive: true });
  expect(await me.json(['mcp', 'list', '--project', me.project], { cwd: me.folder })).toMatchObject({ project: expect.arrayContaining([expect.objectContaining({ name: 'docs' })]) });
});

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
});

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
});

it('[U-37] a home that is in use is tried again, and given up in the end; the process ends by itself', async () => {
  await me.done(['mcp', 'add', 'docs', '--command', 'node']);
  const lock = await lockHome(me.home);
  let release: NodeJS.Timeout | undefined;
  try {
    const waiting = me.run(['mcp', 'add', 'second', '--command', 'node']);
    release = setTimeout(() => void lock[Symbol.asyncDispose](), 1_500);
    expect(await waiting).toMatchObject({ code: 0 });
  } finally {
    clearTimeout(release);
  }
  await using _held = await lockHome(me.home);
  const { code, stdout, stderr } = await me.run(['mcp', 'add', 'third', '--command', 'node'], { env: { GATEHOUSE_WAIT_SECONDS: '1' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('Another Gatehouse is using this home');
  expect(Object.keys(projectFile().mcpServers)).toEqual(['docs', 'second']);
});

it('two at once lose nothing', async () => {
  const names = ['a', 'b', 'c'];
  await Promise.all(names.map((name) => me.done(['mcp', 'add', name, '--command', 'node'], { env: { GATEHOUSE_WAIT_SECONDS: '50' } })));
  expect(Object.keys(projectFile().mcpServers).toSorted()).toEqual(names);
});

it('Ctrl-C at a question ends a command with 130, and answers nothing', async () => {
  me.write('project/.mcp.json', { mcpServers: { shared: { command: 'node' } } });
  expect((await me.run(['mcp', 'trust'], { terminal: true, input: '\u0003' })).code).toBe(130);
  expect(await me.json(['mcp', 'trust', '--show'])).toMatchObject({ phase: 'ask' });
});

it.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('%s stops what was asked of the running app and ends the command with %i', async (signal, code) => {
  const asked: AbortSignal[] = [];
  const app: Pick<App, 'dispatch' | 'follow'> = {
    dispatch: async (route, _input, { signal: asking }) => {
      if (route === 'app.info') return { ok: true, value: {} };
      asked.push(asking);
      return new Promise(() => undefined);
    },
    follow: () => Promise.reject(new Error('nobody follows')),
  };
  mkdirSync(me.home, { mode: 0o700 });
  await using _door = await openOwnerDoor({ app, home: me.home, log: { error: () => undefined } });
  const child = me.start(['mcp', 'validate']);
  const ended = once(child, 'close');
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 20_000, interval: 20 });
  child.kill(signal);
  await ended;
  expect(child.exitCode).toBe(code);
  await vi.waitFor(() => expect(asked[0]?.aborted).toBe(true), { timeout: 5_000, interval: 10 });
});

it('trust is given at a terminal, by somebody who saw everything that would run, and by no flag', async () => {
  me.write('project/.mcp.json', { mcpServers: { shared: { command: 'node', args: ['a\u202Eb.js'], env: { TOKEN: '!cat /secret' } } } });
  const piped = await me.run(['mcp', 'trust'], { input: 'y\n' });
  expect(piped.code).toBe(2);
  expect(piped.stderr).toContain('at a terminal');
  expect((await me.run(['mcp', 'trust', '--yes'], { terminal: true })).code).toBe(1);
  expect(await me.json(['mcp', 'list'])).toMatchObject({ project: [{ name: 'shared', state: 'untrusted' }] });
  const adding = await me.run(['mcp', 'add', 'docs', '--command', 'node']);
  expect(adding).toMatchObject({ code: 2, stdout: '' });
  expect(adding.stderr).toContain('gatehouse mcp trust');

  const no = await me.run(['mcp', 'trust'], { terminal: true, input: 'n' });
  expect(no).toMatchObject({ code: 0 });
  for (const seen of ['node', 'a⟨U+202E⟩b.js', 'env.TOKEN: cat /secret', 'environment: TOKEN', '.mcp.json']) expect(no.stdout).toContain(seen);
  expect(await me.json(['mcp', 'trust', '--show'])).toMatchObject({ phase: 'refused' });

  const yes = await me.run(['mcp', 'trust'], { terminal: true, input: 'y' });
  expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ Trusted') as string });
  expect(await me.json(['mcp', 'trust'])).toMatchObject({ phase: 'trusted' });
  await me.done(['mcp', 'trust', '--revoke']);
  expect(await me.json(['mcp', 'trust', '--show'])).toMatchObject({ phase: 'ask' });
});

it('colours are for a terminal alone, and not with NO_COLOR', async () => {
  const escape = '\u001B[';
  expect(await me.done(['mcp', 'list'])).not.toContain(escape);
  expect((await me.run(['mcp', 'list'], { terminal: true })).stdout).toContain(escape);
  expect((await me.run(['mcp', 'list'], { terminal: true, env: { NO_COLOR: '1' } })).stdout).not.toContain(escape);
});

it('a name that would play with the terminal is shown for what it is, in text and in JSON', async () => {
  me.write('home/mcp.json', { mcpServers: { docs: { command: 'x\u001B]0;title\u0007y', args: ['\u202Ehidden\nline'] } } });
  const text = await me.done(['mcp', 'list']);
  for (const unseen of ['\u001B', '\u0007', '\u202E']) expect(text).not.toContain(unseen);
  expect(text).toContain('⟨U+202E⟩');
  const json = await me.done(['mcp', 'list', '--json']);
  for (const unseen of ['\u001B', '\u0007', '\u202E']) expect(json).not.toContain(unseen);
  expect((JSON.parse(json) as { readonly global: readonly { readonly target?: string }[] }).global.some(({ target }) => target?.includes('\u202E') === true)).toBe(true);
});

it('errors are JSON too, on stderr, when JSON was asked for', async () => {
  const failed = await me.run(['mcp', 'remove', 'nothing', '--json']);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: 'cli/failed', message: expect.stringContaining('nothing') as string, hint: expect.any(String) as string } });
  const usage = await me.run(['mcp', 'remove', '--json']);
  expect(usage).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(usage.stderr)).toMatchObject({ error: { code: 'cli/usage' } });
});

it('status says that nothing runs', async () => {
  expect(await me.json(['status'])).toMatchObject({ running: false, home: me.home, project: me.project, approvals: [], servers: [{ name: 'Files' }, { name: 'Notes', state: 'asleep' }] });
});

it.each([['bash', '__gatehouse_complete'], ['zsh', '#compdef gatehouse'], ['fish', 'complete -c gatehouse'], ['powershell', 'Register-ArgumentCompleter']])('completes in %s', async (shell, mark) => {
  expect(await me.done(['completion', shell])).toContain(mark);
});

it('completes commands and flags', async () => {
  expect(await me.done(['complete', '--', 'mcp', 'e'])).toMatch(/^edit\t[\s\S]*^enable\t[\s\S]*^export\t/m);
  expect(await me.done(['complete', '--', 'mcp', 'add', '--sec'])).toContain('--secret-scope');
  expect(await me.done(['complete', '--', 'mcp', 'add', 'x', '--scope', ''])).toMatch(/^global\t[\s\S]*^project\t/m);
  expect((await me.run(['completion', 'tcsh'])).code).toBe(1);
});
