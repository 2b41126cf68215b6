import { describe, expect, it } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import { resolveProfile, type FindProfile, type PlacedProfile, type ProfileTier } from './resolve-profile.ts';

function world(files: Readonly<Record<string, string>>): { readonly find: FindProfile; readonly resolve: (name: string) => ReturnType<typeof resolveProfile> } {
  const placed = Object.entries(files).map(([where, text]): PlacedProfile => {
    const [tier = '', name = ''] = where.split('/');
    return { name, tier: tier as ProfileTier, path: where, ...parseProfile(text, where) }; // as the test wrote it
  });
  const find: FindProfile = async (name, tiers) => tiers.flatMap((tier) => placed.filter((one) => one.tier === tier && one.name === name))[0];
  return {
    find,
    async resolve(name) {
      const first = await find(name, ['project', 'home', 'built-in']);
      if (!first) throw new Error('It is not there');
      return resolveProfile(first, find);
    },
  };
}

describe('a profile that builds on others', () => {
  it('has its own fields, and those of its bases that it does not say', async () => {
    const { resolve } = world({
      'home/base': 'isolation_mode = "worktree"\nbase_ref = "main"\n[meta]\nname = "Base"\ndescription = "from base"\n[runner]\nmodel = "m1"\nmax_steps = 10\n[tools]\nallow = ["a", "b"]\n[permissions]\nread = "allow"\nwrite = "ask"\n[mcp_servers.db]\ncommand = "db"\nargs = ["base"]\n[mcp_servers.docs]\ncommand = "docs"\n',
      'home/middle': 'extends = "base"\ncleanup_policy = "keep"\n[runner]\nmax_cost_usd = 1.5\nreasoning_effort = "high"\n',
      'home/own': 'extends = "middle"\nresult_mode = "patch"\nmcp = false\n[meta]\nname = "Own"\n[runner]\nmodel = "m2"\nsystem_prompt = "be brief"\n[tools]\nallow = ["c"]\n[permissions]\nwrite = "deny"\n[mcp_servers.db]\ncommand = "other"\n',
    });
    const own = await resolve('own');
    expect(own.bases).toEqual(['middle', 'base']);
    expect(own.issues).toEqual([]);
    expect(own.merged).toEqual({
      isolation_mode: 'worktree', base_ref: 'main', cleanup_policy: 'keep', result_mode: 'patch', mcp: false,
      meta: { name: 'Own', description: 'from base' },
      runner: { model: 'm2', max_steps: 10, max_cost_usd: 1.5, system_prompt: 'be brief', reasoning_effort: 'high' },
      tools: { allow: ['c'] }, permissions: { read: 'allow', write: 'deny' },
      mcp_servers: expect.anything(),
    });
    expect(own.servers.map(({ entry: { name, fields } }) => [name, fields.command, fields.args])).toEqual([['db', 'other', undefined], ['docs', 'docs', undefined]]);
  });

  it('that names itself means the one that it stands in front of', async () => {
    const { resolve } = world({ 'project/default': 'extends = "default"\n[runner]\nmodel = "here"\n', 'home/default': 'extends = "default"\n[runner]\nmax_steps = 3\n', 'built-in/default': '[meta]\ndescription = "always there"\n' });
    expect(await resolve('default')).toMatchObject({ tier: 'project', bases: ['default', 'default'], issues: [], merged: { meta: { description: 'always there' }, runner: { model: 'here', max_steps: 3 } } });
  });

  it('keeps apart what is the person’s and what is the project’s', async () => {
    const { resolve } = world({ 'project/own': 'extends = "safe"\n[tools]\nallow = ["*"]\n', 'home/safe': 'mcp = false\n[tools]\nallow = ["read_*"]\n' });
    const own = await resolve('own');
    expect(own.merged).toEqual({ mcp: false, tools: { allow: ['*'] } });
    expect([own.personal, own.ofProject]).toEqual([{ mcp: false, tools: { allow: ['read_*'] } }, { tools: { allow: ['*'] } }]);
  });

  it('cannot lead back to itself, and cannot build on what is not there', async () => {
    const { resolve } = world({ 'home/a': 'extends = "b"\n', 'home/b': 'extends = "c"\n', 'home/c': 'extends = "a"\n', 'home/self': 'extends = "self"\n', 'home/lost': 'extends = "nowhere"\n' });
    expect((await resolve('a')).issues).toMatchObject([{ severity: 'error', path: 'extends', file: 'home/c', message: 'The profiles build on each other: a → b → c → a' }]);
    expect((await resolve('self')).issues).toMatchObject([{ severity: 'error', message: expect.stringContaining('“self”') }]);
    expect((await resolve('lost')).issues).toMatchObject([{ severity: 'error', message: expect.stringContaining('“nowhere”') }]);
  });
});

describe('a profile’s text', () => {
  it.each([
    ['broken TOML', 'extends = "a"\n[runner\n', { code: 'unparsable', line: 2 }],
    ['a wrong kind of value', '[runner]\nmodel = "m"\nmax_steps = "many"\n', { code: 'invalid-option', path: 'runner.max_steps', line: 3, column: 1 }],
    ['an unknown effort', '[runner]\nreasoning_effort = "huge"\n', { code: 'invalid-option', line: 2 }],
    ['a server that cannot be', '[meta]\nname = "x"\n[mcp_servers.bad]\nargs = ["x"]\n', { severity: 'error', server: 'bad', line: 3 }],
  ])('with %s says where', (_what, text, issue) => {
    expect(parseProfile(text, 'x.toml').issues).toMatchObject([issue]);
  });
  it('keeps keys that Gatehouse does not know', () => {
    expect(parseProfile('later = 1\n[runner]\nnew = true\n', 'x.toml')).toMatchObject({ issues: [], file: { later: 1, runner: { new: true } } });
  });
});
