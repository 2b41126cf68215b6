import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { formsOf } from '../../src/core/secrets/encodings.ts';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';
import { serverFile } from '../support/stdio-link.ts';

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
const homeFile = () => me.read('home/mcp.json') as File;

it('[U-21] a secret is found by its id, then by its key, in the given scope; else the error names both', async () => {
  await me.done(['secrets', 'set', 'docs-token', '--scope', 'project'], { input: 'value-of-project\n' });
  await me.done(['secrets', 'set', 'docs-token', '--scope', 'global'], { input: 'value-of-global\n' });
  await me.done(['mcp', 'add', 'by-key', '--command', 'node', '--env', 'TOKEN=docs-token']);
  expect(projectFile().mcpServers['by-key']).toMatchObject({ env: { TOKEN: { secretRef: 'docs-token', scope: 'project' } } });
  await me.done(['mcp', 'add', 'of-global', '--command', 'node', '--env', 'TOKEN=docs-token', '--secret-scope', 'global']);
  expect(projectFile().mcpServers['of-global']).toMatchObject({ env: { TOKEN: { secretRef: 'docs-token', scope: 'global' } } });
  const vault = JSON.parse(readFileSync(join(me.home, 'vault', 'vault.json'), 'utf8')) as { readonly secrets: Record<string, unknown> };
  const id = Object.keys(vault.secrets).find((candidate) => candidate.startsWith('project.')) ?? '';
  await me.done(['mcp', 'add', 'by-id', '--command', 'node', '--env', `TOKEN=${id}`]);
  expect(projectFile().mcpServers['by-id']).toMatchObject({ env: { TOKEN: { secretRef: 'docs-token', scope: 'project' } } });
  const { code, stderr } = await me.run(['mcp', 'add', 'none', '--command', 'node', '--env', 'TOKEN=nothing']);
  expect(code).toBe(1);
  expect(stderr).toContain('There is no project secret with the id or key “nothing”');
  expect(projectFile().mcpServers['none']).toBeUndefined();
});

it('[U-25] --secret-ref alone is TOKEN for a program and Authorization for an address', async () => {
  await me.done(['secrets', 'set', 'docs-token'], { input: 'a value' });
  const reference = { secretRef: 'docs-token', scope: 'project' };
  await me.done(['mcp', 'add', 'program', '--command', 'node', '--secret-ref', 'docs-token']);
  expect(projectFile().mcpServers['program']).toMatchObject({ env: { TOKEN: reference } });
  for (const transport of ['sse', 'http']) {
    await me.done(['mcp', 'add', transport, '--transport', transport, '--url', 'https://example.test/mcp', '--secret-ref', 'docs-token']);
    expect(projectFile().mcpServers[transport]).toMatchObject({ headers: { Authorization: reference } });
  }
  await me.done(['mcp', 'add', 'named', '--command', 'node', '--env', 'OTHER=docs-token', '--secret-ref', 'docs-token']);
  expect(projectFile().mcpServers['named']?.['env']).toEqual({ OTHER: reference });
});

it('[U-23] add takes every flag, has the defaults that it says, and switches its scope on', async () => {
  await me.done(['secrets', 'set', 'key', '--scope', 'global'], { input: 'a value' });
  expect(await me.done(['mcp', 'add', 'plain', '--command', 'node', '--arg', 'server.js', '--arg', '--verbose'])).toBe('✓ Added MCP server "plain" to project scope\n');
  expect(projectFile().mcpServers['plain']).toEqual({ command: 'node', args: ['server.js', '--verbose'] });
  await me.done(['mcp', 'add', 'json-list', '--transport', 'stdio', '--command', 'node', '--args', '["a b","c,d"]', '--disabled']);
  expect(projectFile().mcpServers['json-list']).toEqual({ command: 'node', args: ['a b', 'c,d'], disabled: true });
  await me.done(['mcp', 'add', 'comma-list', '--command', 'node', '--args', 'a, b', '--enabled']);
  expect(projectFile().mcpServers['comma-list']).toEqual({ command: 'node', args: ['a', 'b'] });

  me.write('home/mcp.json', { mcpEnabled: false, mcpServers: {} });
  await me.reload();
  const flags = ['--scope', 'global', '--transport', 'http', '--url', 'https://example.test/mcp', '--header', 'X-Key=key', '--create-secret-header', 'Authorization=Bearer canary-4711'];
  expect(await me.done(['mcp', 'add', 'address', ...flags])).toContain('to global scope');
  expect(homeFile()).toEqual({
    mcpEnabled: true,
    mcpServers: {
      address: {
        type: 'streamable-http', url: 'https://example.test/mcp',
        headers: { 'X-Key': { secretRef: 'key', scope: 'global' }, Authorization: { secretRef: 'mcp.address.headers.Authorization', scope: 'global' } },
      },
    },
  });
  await me.done(['mcp', 'add', 'events', '--transport', 'sse', '--url', 'https://example.test/sse', '--header', 'X-Key=key', '--secret-scope', 'global']);
  expect(projectFile().mcpServers['events']).toEqual({ type: 'sse', url: 'https://example.test/sse', headers: { 'X-Key': { secretRef: 'key', scope: 'global' } } });
  for (const wrong of [['--transport', 'pigeon'], ['--transport', 'http'], ['--transport', 'http', '--url', 'https://x.test/', '--command', 'node'], []]) {
    expect((await me.run(['mcp', 'add', 'wrong', ...wrong])).code).toBe(1);
  }
});

it('[U-27] a new secret is stored first, and only its reference is written: its value is in no file, output, state or process argument of a server', async () => {
  const canary = 'canary-7f3a91c2e8';
  const outputs: string[] = [];
  const run = async (...words: readonly string[]) => {
    const { stdout, stderr, code } = await me.run(words);
    expect(`${words.join(' ')}: ${code}`).toBe(`${words.join(' ')}: 0`);
    outputs.push(stdout, stderr);
  };
  outputs.push(await me.done(['mcp', 'add', 'private', '--command', process.execPath, '--arg', serverFile('versatile.mjs'), '--create-secret-env', `API_KEY=${canary}`]));
  expect(projectFile().mcpServers['private']?.['env']).toEqual({ API_KEY: { secretRef: 'mcp.private.env.API_KEY', scope: 'project' } });
  for (const words of [['mcp', 'list', '--chain', '--json'], ['mcp', 'export'], ['mcp', 'validate', '--json'], ['secrets', 'list', '--json'], ['status', '--json']]) await run(...words);

  const tests = await me.run(['mcp', 'test', 'private', '--json']);
  outputs.push(tests.stdout, tests.stderr);
  expect(JSON.parse(tests.stdout)).toMatchObject({ name: 'private', status: 'valid' });
  // A server that tells on its own variable, and keeps how it was started.
  const script = `tr '\\0' ' ' < /proc/$$/cmdline > ${join(me.folder, 'started')}; echo $API_KEY >&2; exit 3`;
  outputs.push(await me.done(['mcp', 'add', 'telltale', '--command', 'sh', '--args', JSON.stringify(['-c', script]), '--create-secret-env', `API_KEY=${canary}`]));
  const told = await me.run(['mcp', 'test', 'telltale', '--json']);
  expect(JSON.parse(told.stdout)).toMatchObject({ name: 'telltale', status: 'error' });
  outputs.push(told.stdout, told.stderr, JSON.stringify(me.app.state));
  const everything = `${outputs.join('\n')}\n${me.everything()}`;
  expect(readFileSync(join(me.folder, 'started'), 'utf8')).toContain('exit 3');
  for (const { text } of formsOf(canary)) expect(everything).not.toContain(text);
});

it('a secret is set unseen at a terminal, or from stdin, and no command shows one', async () => {
  const typed = await me.run(['secrets', 'set', 'typed-one'], { terminal: true, input: 'canary-typed' });
  expect(typed.code).toBe(0);
  expect(typed.stdout).not.toContain('canary-typed');
  await me.done(['secrets', 'set', 'piped-one', '--scope', 'global', '--policy', 'deny'], { input: 'canary-piped\n' });
  expect(await me.json(['secrets', 'list'])).toMatchObject([{ key: 'piped-one', scope: 'global', policy: 'deny' }, { key: 'typed-one', scope: 'project' }]);
  expect((await me.run(['secrets', 'set', 'empty-one'])).code).toBe(1);

  await me.done(['mcp', 'add', 'docs', '--command', 'node', '--env', 'TOKEN=typed-one']);
  await me.done(['secrets', 'rename', 'typed-one', 'renamed']);
  expect(projectFile().mcpServers['docs']).toMatchObject({ env: { TOKEN: { secretRef: 'renamed' } } });
  await me.done(['secrets', 'policy', 'renamed', 'auto']);
  const used = await me.run(['secrets', 'remove', 'renamed']);
  expect(used.code).toBe(1);
  expect(used.stderr).toContain('--force');
  await me.done(['secrets', 'remove', 'renamed', '--force']);
  await me.done(['secrets', 'remove', 'piped-one', '--scope', 'global']);
  expect(await me.json(['secrets', 'list'])).toMatchObject([{ key: 'renamed', missing: true }]);
  expect(me.everything()).not.toMatch(/canary-(typed|piped)/);
});

it('a literal of a file of Gatehouse moves to the vault', async () => {
  me.write('home/mcp.json', { mcpServers: { docs: { command: 'node', env: { API_KEY: 'canary-literal-123' } } } });
  await me.reload();
  expect(await me.done(['secrets', 'literals'])).toContain('env.API_KEY');
  expect(await me.done(['mcp', 'list'])).toContain('API_KEY:in the open');
  await me.done(['secrets', 'move', 'docs', 'env.API_KEY', '--as', 'docs-key']);
  expect(homeFile().mcpServers['docs']).toMatchObject({ env: { API_KEY: { secretRef: 'docs-key', scope: 'global' } } });
  expect(await me.done(['mcp', 'list'])).toContain('API_KEY:global secret');
  expect((await me.run(['secrets', 'move', 'docs', 'env.API_KEY'])).code).toBe(1);
});

it('a server that wants a secret is asked about at the terminal that tests it, and the answer counts', async () => {
  await me.done(['secrets', 'set', 'asked-for', '--policy', 'prompt'], { input: 'canary-asked' });
  await me.done(['mcp', 'add', 'asking', '--command', process.execPath, '--arg', serverFile('versatile.mjs'), '--env', 'TOKEN=asked-for']);
  const denied = await me.run(['mcp', 'test', 'asking'], { terminal: true, input: 'n' });
  expect(denied.code).toBe(1);
  expect(denied.stdout).toContain('asking wants the project secret asked-for');
  const once = await me.run(['mcp', 'test', 'asking'], { terminal: true, input: 'o' });
  expect(once.stdout).toContain('✓ asking is valid');
  const always = await me.run(['mcp', 'test', 'asking'], { terminal: true, input: 'a' });
  expect(always.stdout).toContain('✓ asking is valid');
  expect(await me.done(['mcp', 'test', 'asking'])).toContain('✓ asking is valid');
  for (const { stdout } of [denied, once, always]) expect(stdout).not.toContain('canary-asked');
});
