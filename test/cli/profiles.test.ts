import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';
import { CliPerson } from '../support/cli-program.ts';

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

const review = '# mine\nextends = "base"\n[meta]\ndescription = "Reads only"\n[runner]\nmodel = "m2"\n[tools]\nallow = ["read", "list"]\n[mcp_servers.docs]\ncommand = "docs"\nenv = { API_KEY = "canary-profile-4711" }\n';
const base = '[runner]\nmodel = "m1"\nmax_steps = 5\n[mcp_servers.db]\ncommand = "db"\n';
const mine = (name: string) => join(me.home, 'profiles', `${name}.toml`);
const theirs = (name: string) => join(me.project, '.gatehouse', 'profiles', `${name}.toml`);

it('a profile is saved, listed with what a run of it would have, shown and removed', async () => {
  expect(await me.done(['profiles', 'save', 'base', '--scope', 'global'], { input: base })).toBe('✓ Saved the global profile base\n');
  const file = me.write('review.toml', review);
  expect(await me.json(['profiles', 'save', 'review', '--scope', 'global', '--file', file])).toMatchObject({ saved: 'review', scope: 'global', file: mine('review') });
  expect(readFileSync(mine('review'), 'utf8')).toBe(review);

  const list = await me.run(['profiles', 'list']);
  expect(list.stdout).toMatch(/^NAME +SCOPE +STATE +BUILDS ON +MODEL +SERVERS +TOOLS$/m);
  expect(list.stdout).toMatch(/^review +global +ready +base +m2 +db, docs +2 allowed$/m);
  expect(list.stdout).toMatch(/^default +built-in +ready/m);
  expect(await me.json(['profiles', 'ls', '--scope', 'global'])).toMatchObject([{ name: 'base' }, { name: 'review', extends: ['base'], model: 'm2', maxSteps: 5, tools: ['read', 'list'], servers: ['db', 'docs'] }]);

  const shown = await me.run(['profiles', 'show', 'review']);
  expect(shown.stdout).toBe(review.replace('canary-profile-4711', '•••1•••'));
  expect(shown.stderr).toContain('builds on base · model m2 · servers: db, docs · tools: 2 allowed');
  // What was shown can be saved again: the value stays what it was.
  await me.done(['profiles', 'save', 'review', '--scope', 'global'], { input: shown.stdout.replace('m2', 'm3') });
  expect(readFileSync(mine('review'), 'utf8')).toBe(review.replace('m2', 'm3'));
  expect(await me.json(['profiles', 'show', 'review'])).toMatchObject({ name: 'review', model: 'm3', text: expect.stringContaining('•••1•••') as string });

  const unasked = await me.run(['profiles', 'remove', 'review', '--scope', 'global']);
  expect([unasked.code, existsSync(mine('review'))]).toEqual([2, true]);
  const refused = await me.run(['profiles', 'remove', 'review', '--scope', 'global'], { terminal: true, input: 'n' });
  expect([refused.code, existsSync(mine('review'))]).toEqual([1, true]);
  expect((await me.run(['profiles', 'remove', 'review', '--scope', 'global'], { terminal: true, input: 'y' })).code).toBe(0);
  expect(await me.json(['profiles', 'rm', 'base', '--scope', 'global', '--yes'])).toEqual({ removed: 'base', scope: 'global', file: mine('base') });
  expect([existsSync(mine('review')), existsSync(mine('base'))]).toEqual([false, false]);
});

it('text that is no profile, no text, and a name that is none are refused, and nothing is written', async () => {
  const wrong = await me.run(['profiles', 'save', 'wrong', '--scope', 'global'], { input: '[runner]\nmax_steps = -1\nreasoning_effort = "huge"\n' });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('Nothing was saved.');
  expect(wrong.stderr).toContain(`${mine('wrong')}:2:1: invalid-option`);
  expect(wrong.stderr).toContain(`${mine('wrong')}:3:1: invalid-option`);
  const broken = await me.run(['profiles', 'save', 'wrong', '--scope', 'global', '--json'], { input: '[runner\n' });
  expect(JSON.parse(broken.stderr)).toMatchObject({ error: { details: [expect.stringContaining('unparsable') as string] } });
  expect((await me.run(['profiles', 'save', 'wrong', '--scope', 'global'])).stderr).toContain('There is no text.');
  expect((await me.run(['profiles', 'save', 'wrong', '--scope', 'global'], { terminal: true })).code).toBe(1);
  expect((await me.run(['profiles', 'save', 'wrong', '--scope', 'global', '--file', 'nowhere.toml'])).code).toBe(1);
  for (const words of [['save'], ['show'], ['remove', '--yes']]) {
    const { code, stderr } = await me.run(['profiles', ...words, '../mcp', '--scope', 'global', '--json'], { input: '# text\n' });
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'request/invalid' } }]);
  }
  expect((await me.run(['profiles', 'show', 'nothing'])).code).toBe(1);
  expect(existsSync(join(me.home, 'profiles'))).toBe(false);
});

it('one whose base is missing is saved, and said not to be usable yet', async () => {
  const { code, stderr } = await me.run(['profiles', 'save', 'early', '--scope', 'global'], { input: 'extends = "later"\n' });
  expect(code).toBe(0);
  expect(stderr).toContain('“early” builds on “later”');
  expect(await me.done(['profiles', 'list'])).toMatch(/^early +global +1 problem/m);
});

it('the project’s profile stands before the person’s once it is trusted, and names are completed', async () => {
  await me.done(['profiles', 'save', 'work', '--scope', 'global'], { input: '[runner]\nmodel = "mine"\n' });
  await me.done(['profiles', 'save', 'work'], { input: '[runner]\nmodel = "theirs"\n' });
  expect(existsSync(theirs('work'))).toBe(true);
  expect(await me.json(['profiles', 'show', 'work'])).toMatchObject({ scope: 'project', model: 'theirs' });
  expect(await me.json(['profiles', 'show', 'work', '--scope', 'global'])).toMatchObject({ scope: 'global', model: 'mine', shadowed: true });
  expect(await me.done(['profiles', 'list'])).toMatch(/^work +global +shadowed/m);
  expect(await me.done(['complete', '--', 'profiles', 'show', 'w'])).toMatch(/^work\b/m);

  me.write('project/.gatehouse/profiles/work.toml', '[mcp_servers.evil]\ncommand = "rm"\n');
  const untrusted = await me.run(['profiles', 'list']);
  expect(untrusted.stdout).not.toContain('evil');
  expect(untrusted.stderr).toContain('gatehouse mcp trust');
  expect((await me.run(['profiles', 'save', 'more'], { input: '# more\n' })).code).toBe(2);
});

it('all of it works on the home by itself while no app runs', async () => {
  using alone = new CliPerson(built.cli);
  await alone.done(['profiles', 'save', 'work', '--scope', 'global'], { input: base });
  await alone.done(['profiles', 'save', 'ours'], { input: 'extends = "work"\n' });
  expect(await alone.json(['profiles', 'show', 'ours'])).toMatchObject({ scope: 'project', extends: ['work'], servers: ['db'] });
  await alone.done(['profiles', 'remove', 'ours', '--yes']);
  expect(await alone.json(['profiles', 'list'])).toMatchObject([{ name: 'work', scope: 'global' }, { name: 'default', scope: 'built-in' }]);
});
