import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';
import { CliPerson } from '../support/cli-program.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 });

let built: BuiltAttached;
beforeAll(async () => {
  built = await buildAttached();
}, 120_000);
afterAll(() => built?.[Symbol.asyncDispose]());

it('a home is kept in one file and put back at the next start', async () => {
  using someone = new CliPerson(built.cli);
  const file = join(someone.project, 'gatehouse.backup');
  {
    await using me = await AttachedPerson.open(built, {}, someone);
    await me.done(['mcp', 'add', 'kept', '--scope', 'global', '--command', 'node', '--create-secret-env', 'API_KEY=canary-backup']);
    expect(await me.done(['backup', 'gatehouse.backup'])).toContain(`✓ Kept in ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'latin1')).not.toContain('canary-backup');
    expect((await me.run(['backup', 'gatehouse.backup'])).code).toBe(1);
    await me.done(['mcp', 'remove', 'kept', '--scope', 'global']);
    await me.done(['mcp', 'add', 'later', '--scope', 'global', '--command', 'node']);
    expect(await me.done(['restore', 'gatehouse.backup'])).toContain('the next start of Gatehouse uses it');
    expect(await me.done(['mcp', 'list'])).toMatch(/^later /m);
  }
  const { global } = (await someone.json(['mcp', 'list'])) as { readonly global: readonly { readonly name: string }[] };
  expect(global.map(({ name }) => name)).toEqual(['Files', 'kept', 'Notes']);
});

it('values come along under a passphrase, which is asked for unseen or read from stdin', async () => {
  await using me = await AttachedPerson.open(built);
  await me.done(['secrets', 'set', 'key', '--scope', 'global'], { input: 'canary-value' });
  const typed = await me.run(['backup', 'typed.backup', '--secrets'], { terminal: true, input: 'correct horse\ncorrect horse' });
  expect(typed.code).toBe(0);
  expect(typed.stdout).toContain('1 secret value');
  expect(typed.stdout).not.toContain('correct horse');
  const different = await me.run(['backup', 'different.backup', '--secrets'], { terminal: true, input: 'correct horse\nanother horse' });
  expect(different.code).toBe(1);
  expect(existsSync(join(me.project, 'different.backup'))).toBe(false);
  const unasked = await me.run(['backup', 'unasked.backup', '--secrets']);
  expect(unasked.code).toBe(2);
  expect((await me.run(['restore', 'typed.backup', '--passphrase-stdin'], { input: 'wrong passphrase\n' })).code).toBe(1);
  await me.done(['restore', 'typed.backup', '--passphrase-stdin'], { input: 'correct horse\n' });
  expect(readFileSync(join(me.project, 'typed.backup'), 'latin1')).not.toContain('canary-value');
  expect((await me.run(['restore', 'nothing.backup'])).code).toBe(1);
});
