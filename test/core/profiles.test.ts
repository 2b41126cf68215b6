import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProfileStore, type ProfileStoreDeps } from '../../src/core/profiles/profile-store.ts';
import { createConfigFiles } from '../../src/node/files/config-files.ts';
import type { JsonObject } from '../../src/shared/model/catalog.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const never = new AbortController().signal;
function places() {
  const person = tempFolder();
  const [home, project] = [join(person, 'home'), join(person, 'work')];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(project);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return {
    home, project, write,
    mine: (name: string) => join(home, 'profiles', `${name}.toml`),
    theirs: (name: string) => join(project, '.gatehouse', 'profiles', `${name}.toml`),
    open: () => TestApp.open(parts, { home, person }),
    /** As a run will use it, on real files. */
    store: (deps: Partial<ProfileStoreDeps> = {}) => {
      const said: JsonObject[] = [];
      const log = { info: () => undefined, warn: (_message: string, data?: JsonObject) => void said.push(data ?? {}), error: () => undefined };
      const store = new ProfileStore({
        configFiles: createConfigFiles({ backups: join(home, 'backups'), mask: (text) => text, onProblem: () => undefined }), log, gatehouseHome: home, project: () => undefined, projectIsTrusted: () => true,
        lookAgain: async () => undefined, writeToProject: (_path, work) => work(), ...deps,
      });
      return { store, said };
    },
  };
}
async function trust(app: TestApp): Promise<void> {
  const { trust: status } = app.state;
  if (status.phase !== 'ask') throw new Error(`Nothing is asked: ${status.phase}`);
  await app.ask('projects.trust', { project: status.question.project, digest: status.question.digest });
}

describe('profiles', () => {
  it('[H-16] a name that is empty, holds a separator, is absolute or is `..` is refused at every door, and no file is touched', async () => {
    const { home, open, write } = places();
    write(join(home, 'secret.toml'), '[meta]\nname = "not a profile"\n');
    await using app = await open();
    for (const name of ['', '..', '../secret', 'a/b', 'a\\b', '/etc/passwd', 'C:\\x', join(home, 'secret')]) {
      for (const scope of ['global', 'project'] as const) {
        await expect(app.ask('profiles.read', { name, scope })).rejects.toMatchObject({ code: 'request/invalid' });
        await expect(app.ask('profiles.save', { name, scope, text: '' })).rejects.toMatchObject({ code: 'request/invalid' });
        await expect(app.ask('profiles.remove', { name, scope })).rejects.toMatchObject({ code: 'request/invalid' });
      }
      await expect(places().store().store.load(name, never)).rejects.toMatchObject({ code: 'request/invalid' });
    }
    expect(existsSync(join(home, 'secret.toml'))).toBe(true);
    expect(existsSync(join(home, 'profiles'))).toBe(false);
  });

  it('[H-19] the project’s profile stands before the person’s, and that before the built-in one; `extends` is followed to the end and merged', async () => {
    const { project, mine, theirs, write, store } = places();
    write(mine('base'), 'cleanup_policy = "keep"\n[runner]\nmodel = "m1"\nmax_steps = 10\nsystem_prompt = "base"\nmax_cost_usd = 2\nreasoning_effort = "low"\n[tools]\nallow = ["read"]\n[permissions]\nwrite = "deny"\n[mcp_servers.db]\ncommand = "db"\n');
    write(mine('work'), '[meta]\nname = "mine"\n');
    write(theirs('work'), 'extends = "base"\nisolation_mode = "worktree"\nbase_ref = "main"\nresult_mode = "patch"\n[meta]\nname = "theirs"\n[runner]\nmax_steps = 3\n[mcp_servers.docs]\ncommand = "docs"\n');
    write(mine('loop'), 'extends = "pool"\n');
    write(mine('pool'), 'extends = "loop"\n');
    const { store: profiles, said } = store({ project: () => project });
    await profiles.ofProject(project, never);
    const loaded = await profiles.load('work', never);
    expect(loaded).toMatchObject({
      kind: 'loaded',
      profile: {
        tier: 'project', bases: ['base'],
        merged: {
          meta: { name: 'theirs' }, runner: { model: 'm1', max_steps: 3, max_cost_usd: 2, system_prompt: 'base', reasoning_effort: 'low' }, tools: { allow: ['read'] },
          permissions: { write: 'deny' }, isolation_mode: 'worktree', cleanup_policy: 'keep', base_ref: 'main', result_mode: 'patch',
        },
        servers: [{ entry: { name: 'db' } }, { entry: { name: 'docs' } }],
      },
    });
    const { store: alone } = store();
    expect(await alone.load('work', never)).toMatchObject({ kind: 'loaded', profile: { tier: 'home', merged: { meta: { name: 'mine' } } } });
    expect(await alone.load('default', never)).toMatchObject({ kind: 'loaded', profile: { tier: 'built-in', servers: [] } });
    expect(await profiles.load('loop', never)).toMatchObject({ kind: 'unusable', issues: [{ message: 'The profiles build on each other: loop → pool → loop' }] });
    expect(said).toHaveLength(1);
  });

  it('a profile that is not there adds nothing, and one that does not parse is said in the log', async () => {
    const { mine, write, store } = places();
    write(mine('broken'), '[runner\n');
    const { store: profiles, said } = store();
    expect(await profiles.load('nothing', never)).toEqual({ kind: 'missing' });
    expect(await profiles.load('broken', never)).toMatchObject({ kind: 'unusable', issues: [{ code: 'unparsable', line: 1 }] });
    expect(said).toEqual([{ profile: 'broken', problems: [expect.stringContaining('unparsable')] }]);
  });

  it('are listed with what they hold and what is wrong with them, saved byte for byte or refused with the place, and removed', async () => {
    const { mine, open, write } = places();
    write(mine('broken'), 'extends = \n');
    write(mine('lost'), 'extends = "nowhere"\n');
    write(join(dirname(mine('x')), 'notes.txt'), 'no profile');
    await using app = await open();
    const text = '# mine\r\nextends = "default"\r\n[meta]\r\ndescription = "Daily"\r\n[runner]\r\nmodel = "m"\r\n[mcp_servers.db]\r\ncommand = "db"\r\n';
    await app.ask('profiles.save', { name: 'daily', scope: 'global', text });
    expect(readFileSync(mine('daily'), 'utf8')).toBe(text);
    expect(await app.ask('profiles.list', undefined)).toMatchObject([
      { name: 'broken', issues: [{ code: 'unparsable', line: 1 }] },
      { name: 'daily', scope: 'global', path: mine('daily'), description: 'Daily', extends: ['default'], model: 'm', servers: ['db'], issues: [], shadowed: false },
      { name: 'lost', issues: [{ path: 'extends', severity: 'error' }] },
      { name: 'default', scope: 'built-in', servers: [], issues: [], shadowed: false },
    ]);
    expect(await app.ask('profiles.read', { name: 'daily', scope: 'global' })).toMatchObject({ text, report: { name: 'daily' } });
    await expect(app.ask('profiles.save', { name: 'daily', scope: 'global', text: '[meta]\nname = \n' })).rejects.toMatchObject({ code: 'config/invalid', data: { line: 2, column: expect.any(Number) } });
    await expect(app.ask('profiles.save', { name: 'new', scope: 'global', text: '[runner]\nmax_steps = -1\n' })).rejects.toMatchObject({ code: 'config/invalid', data: { line: 2, column: 1 } });
    expect(readFileSync(mine('daily'), 'utf8')).toBe(text);
    expect(existsSync(mine('new'))).toBe(false);
    await app.ask('profiles.remove', { name: 'daily', scope: 'global' });
    expect(existsSync(mine('daily'))).toBe(false);
    await expect(app.ask('profiles.remove', { name: 'daily', scope: 'global' })).rejects.toMatchObject({ code: 'request/invalid' });
  });

  it('are checked before they are saved, as they would be with what they build on', async () => {
    const { home, mine, open, write } = places();
    write(mine('base'), '[runner]\nmodel = "m1"\nmax_steps = 5\n[tools]\nallow = ["read"]\n[permissions]\nwrite = "deny"\n');
    await using app = await open();
    const check = (text: string, name = 'new') => app.ask('profiles.check', { name, scope: 'global', text });
    expect(await check('extends = "base"\nmcp = false\n[runner]\nmax_cost_usd = 1.5\nreasoning_effort = "low"\n')).toEqual({
      name: 'new', scope: 'global', path: mine('new'), extends: ['base'], model: 'm1', maxSteps: 5, maxCostUsd: 1.5, reasoningEffort: 'low', tools: ['read'], permissions: ['write'], mcp: false, servers: [], issues: [], shadowed: false,
    });
    expect(await check('extends = "nowhere"\n')).toMatchObject({ issues: [{ path: 'extends', severity: 'error' }] });
    expect(await check('[runner]\nmax_steps = -1\n')).toMatchObject({ issues: [{ line: 2, column: 1 }] });
    expect(await check('extends = "new"\n', 'base')).toMatchObject({ issues: [{ path: 'extends' }] });
    await expect(check('', '../x')).rejects.toMatchObject({ code: 'request/invalid' });
    expect(existsSync(join(home, 'profiles', 'new.toml'))).toBe(false);
  });

  it('that were changed on disk since they were read are not written over', async () => {
    const { mine, open, write } = places();
    write(mine('work'), '[meta]\ndescription = "one"\n');
    await using app = await open();
    const save = (name: string, text: string, seen: string) => app.ask('profiles.save', { name, scope: 'global', text, seen });
    const { seen } = await app.ask('profiles.read', { name: 'work', scope: 'global' });
    write(mine('work'), '[meta]\ndescription = "two"\n');
    await expect(save('work', '[meta]\ndescription = "three"\n', seen)).rejects.toMatchObject({ code: 'config/changed', data: { name: 'work' } });
    await expect(save('work', '', 'absent')).rejects.toMatchObject({ code: 'config/changed' });
    expect(readFileSync(mine('work'), 'utf8')).toBe('[meta]\ndescription = "two"\n');
    const again = await app.ask('profiles.read', { name: 'work', scope: 'global' });
    await save('work', '[meta]\ndescription = "three"\n', again.seen);
    await save('fresh', '# fresh\n', 'absent');
    await expect(save('fresh', '# fresh\n', 'absent')).rejects.toMatchObject({ code: 'config/changed' });
    expect(readFileSync(mine('work'), 'utf8')).toContain('three');
  });

  it('show what looks secret in them as a mark, and keep the value when they are saved', async () => {
    const { mine, open, write } = places();
    const text = '# work\n[mcp_servers.db]\ncommand = "db"\nenv = { API_KEY = "canary-4711-value", MODE = "fast" }\n';
    write(mine('work'), text);
    await using app = await open();
    const read = await app.ask('profiles.read', { name: 'work', scope: 'global' });
    expect(read.text).toBe(text.replace('canary-4711-value', '•••1•••'));
    expect(read.report.issues).toMatchObject([{ code: 'plaintext-secret', severity: 'warning', server: 'db', line: 4 }]);
    await app.ask('profiles.save', { name: 'work', scope: 'global', text: `${read.text.replace('fast', 'slow')}# more\n`, seen: read.seen });
    expect(readFileSync(mine('work'), 'utf8')).toBe(`${text.replace('fast', 'slow')}# more\n`);
    await expect(app.ask('profiles.save', { name: 'other', scope: 'global', text: read.text })).rejects.toMatchObject({ code: 'config/invalid', data: { line: 4 } });
  });

  it('of a project count once it is trusted, are shown in that question, and a changed one asks again', async () => {
    const { mine, theirs, project, open, write } = places();
    write(mine('work'), '[meta]\ndescription = "mine"\n');
    write(theirs('work'), '[mcp_servers.evil]\ncommand = "rm"\nargs = ["-rf", "x"]\n');
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    const listed = async () => (await app.ask('profiles.list', undefined)).filter(({ scope }) => scope !== 'built-in').map(({ name, scope, shadowed }) => `${scope} ${name}${shadowed ? ' (shadowed)' : ''}`);
    expect(await listed()).toEqual(['global work']);
    for (const ask of [() => app.ask('profiles.read', { name: 'work', scope: 'project' }), () => app.ask('profiles.save', { name: 'x', scope: 'project', text: '' }), () => app.ask('config.preview', { scope: 'project', edits: [] })]) {
      await expect(ask()).rejects.toMatchObject({ code: 'trust/needed' });
    }
    expect(app.state.trust).toMatchObject({ phase: 'ask', question: { files: [{ file: '.gatehouse/profiles/work.toml' }], servers: [{ name: 'evil', facts: expect.arrayContaining([{ kind: 'command', text: 'rm -rf x' }]) }] } });
    await trust(app);
    expect(await listed()).toEqual(['global work (shadowed)', 'project work']);
    // The app's own writes renew the trust.
    await app.ask('profiles.save', { name: 'more', scope: 'project', text: '[meta]\ndescription = "more"\n' });
    await app.ask('profiles.remove', { name: 'more', scope: 'project' });
    expect(app.state.trust.phase).toBe('trusted');
    write(theirs('work'), '[mcp_servers.evil]\ncommand = "worse"\n');
    expect(await listed()).toEqual(['global work']);
    expect(app.state.trust).toMatchObject({ phase: 'ask', question: { again: true } });
    await trust(app);
    expect(await listed()).toEqual(['global work (shadowed)', 'project work']);
    write(theirs('added'), '');
    expect(await listed()).toEqual(['global work']);
  });
});
