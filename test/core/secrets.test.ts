import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/shared/errors.ts';
import { SecretKey } from '../../src/shared/model/config-value.ts';
import type { SecretQuestion } from '../../src/shared/model/secret-entry.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { serverFile } from '../support/stdio-link.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts, type TestAppOptions } from '../support/test-app.ts';
import { startModern } from '../servers/http/sdk-modern.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const key = (text: string) => SecretKey.parse(text);
const ref = (name: string, scope: 'global' | 'project' = 'global') => ({ secretRef: name, scope });
const tells = serverFile('tells.mjs');

/** A person with a home, a project and servers that write down what they were started with. */
function places() {
  const person = tempFolder();
  const home = mkdtempSync(join(person, 'gatehouse-'));
  const project = join(person, 'shop');
  mkdirSync(project);
  const told = join(person, 'told');
  const mine = join(home, 'mcp.json');
  const write = (path: string, servers: Readonly<Record<string, unknown>>) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ mcpServers: servers }, null, 2));
  };
  const starts = (): readonly { readonly env: Readonly<Record<string, string>>; readonly args: readonly string[]; readonly cwd: string }[] =>
    existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : [];
  return {
    person, home, project, told, mine, write, starts,
    own: join(project, '.gatehouse', 'mcp.json'),
    open: (options: TestAppOptions = {}) => TestApp.open(parts, { home, person, ...options }),
    /** An entry for such a server. */
    server: (env: Readonly<Record<string, unknown>>, more: object = {}) => ({ command: process.execPath, args: [tells, told], env, ...more }),
  };
}
const phase = (app: TestApp, name: string) => app.state.servers[app.server(name)]?.connection.phase;
async function start(app: TestApp, name: string): Promise<void> {
  await app.ask('servers.start', { serverId: app.server(name) });
}
async function question(app: TestApp): Promise<SecretQuestion> {
  await app.until((state) => state.secretQuestions.length > 0);
  const [first] = app.state.secretQuestions;
  if (!first) throw new Error('Nothing is asked');
  return first;
}

describe('[O24] variables in configuration', () => {
  it('are filled in when the server starts, and an unset one is that server’s alone', async () => {
    const { mine, write, server, starts, open, project, person, told } = places();
    await using modern = await startModern();
    const { port } = new URL(modern.url);
    write(mine, {
      'srv-a': { url: `http://\${HOST:-127.0.0.1:${port}}${new URL(modern.url).pathname}`, headers: { Authorization: 'Bearer ${TOKEN}', 'X-Env': '${env:K}' } },
      'srv-b': { ...server({ K: '${env:K}', P: '$5 off', D: '${workspaceFolder}' }), command: '${NODE_HERE}', args: [tells, told, '${K}', '${NONE:-default}'], cwd: '${workspaceFolder}' },
      'srv-c': server({}, { args: [tells, told, '--token', '${TOKEN}'] }),
    });
    const before = readFileSync(mine, 'utf8');
    const env = { TERM: 'xterm', K: 'value-of-k', NODE_HERE: process.execPath };
    {
      await using app = await open({ env });
      await app.ask('settings.open-project', { folder: project });
      for (const name of ['srv-a', 'srv-b', 'srv-c']) await start(app, name);
      expect(app.state.servers[app.server('srv-a')]?.connection).toMatchObject({ phase: 'failed', failure: { code: 'variable/missing', message: expect.stringContaining('TOKEN is not set') } });
      expect(app.state.servers[app.server('srv-c')]?.connection).toMatchObject({ phase: 'failed', failure: { code: 'variable/missing', message: expect.stringContaining('TOKEN is not set') } });
      // Nothing was sent with an empty token.
      expect(modern.seen).toEqual([]);
      expect(phase(app, 'srv-b')).toBe('ready');
      expect(starts()).toMatchObject([{ env: { K: 'value-of-k', P: '$5 off', D: project }, args: ['value-of-k', 'default'], cwd: project }]);
      // Saving writes what was written, not what it became.
      await app.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'srv-a', fields: { lifecycle: 'lazy' } }, { op: 'patch', name: 'srv-b', fields: { required: true } }] });
    }
    const after = readFileSync(mine, 'utf8');
    for (const text of ['${HOST:-', 'Bearer ${TOKEN}', '${env:K}', '$5 off', '${workspaceFolder}', '${NODE_HERE}', '${NONE:-default}']) {
      expect(before).toContain(text);
      expect(after).toContain(text);
    }
    expect(after).not.toContain('value-of-k');
    await using app = await open({ env: { ...env, TOKEN: 'token-of-the-person' }, person });
    await start(app, 'srv-a');
    expect(phase(app, 'srv-a')).toBe('ready');
    expect(modern.seen[0]?.headers).toMatchObject({ authorization: 'Bearer token-of-the-person', 'x-env': 'value-of-k' });
    expect(JSON.stringify(app.state)).not.toContain('token-of-the-person');
  });
});

it('a variable without a value is a warning of its server', async () => {
  const { mine, write, server, open } = places();
  write(mine, { docs: server({ REGION: '${NOT_THERE}' }) });
  await using app = await open({ env: { TERM: 'xterm' } });
  await start(app, 'docs');
  await app.until((state) => state.servers[app.server('docs')]?.counts !== undefined);
  expect(app.state.servers[app.server('docs')]?.warnings).toEqual(['NOT_THERE is not set: env.REGION is empty']);
});

it('the question whether to trust a project says which of the person’s variables go where', async () => {
  const { own, write, open, project } = places();
  write(own, {
    web: { url: 'https://h.example/${REGION}', headers: { 'X-Key': 'k ${AWS_SECRET}', 'X-Plain': 'plain', 'X-Other': '!!{env:MINE}' }, bearerToken: '$env:GITHUB_TOKEN' },
    docs: { command: 'x', env: { A: '${env:HOME_TOKEN}', B: 'plain', PASSWORD: 'literal-${X:-canary-default-1}' } },
  });
  await using app = await open();
  await app.ask('settings.open-project', { folder: project });
  await app.until(({ trust: { phase: now } }) => now === 'ask');
  const { trust } = app.state;
  if (trust.phase !== 'ask') throw new Error(trust.phase);
  const facts = (name: string) => trust.question.servers.find((server) => server.name === name)?.facts.map(({ kind, text }) => `${kind} ${text}`);
  expect(facts('web')).toEqual(expect.arrayContaining([
    'address https://h.example/${REGION}', 'headers X-Key: k ${AWS_SECRET}', 'headers X-Plain', 'headers X-Other: !!{env:MINE}', 'headers Authorization: Bearer $env:GITHUB_TOKEN',
  ]));
  expect(facts('docs')).toEqual(expect.arrayContaining(['environment A=${env:HOME_TOKEN}', 'environment B']));
  expect(JSON.stringify(trust)).not.toContain('canary-default-1');
});

describe('what names secrets and commands', () => {
  it('[F-29] [U-18] runs and reads nothing while it is discovered, read, merged, previewed, hashed or shown; starting and testing do', async () => {
    const { mine, own, write, server, open, home, person, project, starts } = places();
    const ran = join(person, 'ran');
    const canary = `!echo ran >> ${ran}; echo of-the-command`;
    const entry = server({ A: canary, B: ref('KEY') });
    write(mine, { docs: entry, web: { url: 'http://127.0.0.1:9/mcp', headers: { X: canary, Y: ref('KEY') }, bearerToken: canary, oauth: { clientSecret: canary } } });
    write(join(person, '.cursor', 'mcp.json'), { found: entry });
    write(own, { ours: { url: 'http://127.0.0.1:9/mcp', headers: { X: canary } } });
    await using app = await open({ env: { TERM: 'xterm' } });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key', policy: 'auto' });
    await app.ask('settings.open-project', { folder: project });
    const { trust } = app.state;
    if (trust.phase === 'ask') await app.ask('projects.trust', { project, digest: trust.question.digest });
    await app.until((state) => Object.values(state.servers).some(({ definition }) => definition.name === 'ours'));
    await app.ask('config.sources', undefined);
    await app.ask('config.scope', { scope: 'global' });
    await app.ask('config.scope', { scope: 'project' });
    for (const scope of ['global', 'project', 'effective'] as const) await app.ask('config.validate', { scope });
    await app.ask('config.preview', { scope: 'global', edits: [{ op: 'patch', name: 'docs', fields: { required: true } }] });
    await app.ask('config.save', { scope: 'global', edits: [{ op: 'patch', name: 'docs', fields: { required: true } }] });
    await app.ask('exchange.discover', {});
    for (const shape of ['gatehouse', 'claude', 'vscode', 'cursor'] as const) await app.ask('exchange.export', { scope: 'effective', shape });
    await app.ask('exchange.preview-import', { scope: 'global', text: JSON.stringify({ mcpServers: { pasted: entry } }) });
    await app.ask('secrets.literals', undefined);
    for (const name of ['docs', 'web', 'ours']) await app.ask('servers.catalog', { serverId: app.server(name) });
    expect(existsSync(ran)).toBe(false);
    const [entryOfKey] = await app.ask('secrets.list', undefined);
    expect(entryOfKey).toMatchObject({ key: 'KEY', missing: false });
    expect(entryOfKey).not.toHaveProperty('lastReadAt');

    expect(await app.ask('servers.test', { serverId: app.server('docs'), timeoutMs: 20_000 })).toMatchObject({ status: 'valid' });
    expect(readFileSync(ran, 'utf8')).toBe('ran\n');
    expect((await app.ask('secrets.list', undefined))[0]).toMatchObject({ lastReadBy: 'docs', lastReadAt: expect.any(Number) });
    await start(app, 'docs');
    expect(readFileSync(ran, 'utf8')).toBe('ran\nran\n');
    expect(starts().at(-1)?.env).toMatchObject({ A: 'of-the-command', B: 'value-of-key' });
    // The project's file has none that count.
    await start(app, 'ours');
    expect(app.state.servers[app.server('ours')]?.connection).toMatchObject({ phase: 'failed', failure: { code: 'secret/command-failed' } });
    expect(readFileSync(ran, 'utf8')).toBe('ran\nran\n');
    // What stands in the open in pasted text comes into the vault.
    await app.ask('exchange.import', { scope: 'global', text: JSON.stringify({ mcpServers: { pasted: { command: 'x', env: { API_KEY: 'plain-of-pasted' } } } }) });
    expect((await app.ask('secrets.list', undefined)).find(({ usedBy }) => usedBy.some((use) => use.server === 'pasted'))).toMatchObject({ missing: false });
    expect(readFileSync(join(home, 'mcp.json'), 'utf8')).not.toContain('plain-of-pasted');
  });
});

it('[U-20] secrets that an import creates have the policy prompt, and names made of server, field and key', async () => {
  const { open } = places();
  await using app = await open();
  const text = JSON.stringify({ mcpServers: { 'my server': { command: 'x', env: { 'API KEY!': 'plain-text-1' } }, web: { url: 'https://h.example', headers: { Authorization: 'Bearer plain-text-2' } } } });
  await app.ask('exchange.import', { scope: 'global', text });
  expect(await app.ask('secrets.list', undefined)).toMatchObject([
    { key: 'mcp.my_server.env.API_KEY_', scope: 'global', policy: 'prompt', missing: false },
    { key: 'mcp.web.headers.Authorization', scope: 'global', policy: 'prompt', missing: false },
  ]);
});

describe('a launch that needs the person', () => {
  it('waits with a question; “always” is remembered when the app is started again', async () => {
    const { mine, write, server, open, starts } = places();
    const keyring = new MemoryKeyring();
    write(mine, { docs: server({ K: ref('KEY') }) });
    {
      await using app = await open({ keyring });
      await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
      const starting = start(app, 'docs');
      const asked = await question(app);
      expect(asked).toMatchObject({ server: 'docs', serverId: app.server('docs'), key: 'KEY', scope: 'global', target: expect.stringContaining('tells.mjs') });
      expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', what: 'secret' });
      expect(starts()).toEqual([]);
      // Not over HTTP.
      const http = { kind: 'http-api', token: 't' } as never; // a caller as the door makes it
      await expect(app.ask('secrets.answer', { questionId: asked.id, answer: 'always' }, http)).rejects.toMatchObject({ code: 'request/forbidden' });
      await app.ask('secrets.answer', { questionId: asked.id, answer: 'always' });
      await starting;
      expect(phase(app, 'docs')).toBe('ready');
      expect(app.state.secretQuestions).toEqual([]);
    }
    await using app = await open({ keyring });
    await start(app, 'docs');
    expect(phase(app, 'docs')).toBe('ready');
    expect(starts().map(({ env }) => env['K'])).toEqual(['value-of-key', 'value-of-key']);
  });

  it('[U-16] follows the secret’s own policy, else the global default, else asks', async () => {
    const { mine, write, server, open } = places();
    write(mine, { one: server({ K: ref('OWN') }), two: server({ K: ref('BARE') }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('OWN'), value: 'value-own', policy: 'deny' });
    await app.ask('secrets.put', { scope: 'global', key: key('BARE'), value: 'value-bare' });
    const asking = start(app, 'two');
    expect(await question(app)).toMatchObject({ key: 'BARE' });
    await app.ask('servers.stop', { serverId: app.server('two') });
    await asking;
    expect(app.state.secretQuestions).toEqual([]);
    await app.ask('settings.update', { secretPolicy: 'auto' });
    await start(app, 'two');
    expect(phase(app, 'two')).toBe('ready');
    await start(app, 'one');
    expect(app.state.servers[app.server('one')]?.connection).toMatchObject({ phase: 'needs', what: 'secret', message: expect.stringMatching(/one.*OWN/) });
    await app.ask('secrets.set-policy', { scope: 'global', key: key('OWN'), policy: 'auto' });
    await start(app, 'one');
    expect(phase(app, 'one')).toBe('ready');
    await app.ask('settings.update', { secretPolicy: 'deny' });
    await app.ask('servers.restart', { serverId: app.server('two') });
    expect(phase(app, 'two')).toBe('needs');
  });

  it('“once” said to a test is for that test', async () => {
    const { mine, write, server, open } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
    const testing = app.ask('servers.test', { serverId: app.server('docs'), timeoutMs: 20_000 });
    await app.ask('secrets.answer', { questionId: (await question(app)).id, answer: 'once' });
    expect(await testing).toMatchObject({ status: 'valid' });
    const starting = start(app, 'docs');
    await app.ask('secrets.answer', { questionId: (await question(app)).id, answer: 'once' });
    await starting;
    // What holds for the connection is not taken from it by a test.
    expect(await app.ask('servers.test', { serverId: app.server('docs'), timeoutMs: 20_000 })).toMatchObject({ status: 'valid' });
    expect(app.state.secretQuestions).toEqual([]);
  });

  it('with nobody there fails at once', async () => {
    const { mine, write, server, open } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open({ interaction: 'none' });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
    await start(app, 'docs');
    expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', what: 'secret', message: expect.stringContaining('nobody to ask') });
    expect(app.state.secretQuestions).toEqual([]);
  });

  it('says which value is missing, and goes on with the next use once it is there', async () => {
    const { mine, write, server, open, starts } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open();
    await start(app, 'docs');
    expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', what: 'secret', secret: { key: 'KEY', scope: 'global', field: 'env.K' } });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key', policy: 'auto' });
    await start(app, 'docs');
    expect(starts().map(({ env }) => env['K'])).toEqual(['value-of-key']);
  });

  it('a project names its own secrets, and a global one only once the person has said so for this content', async () => {
    const { own, write, server, open, project, starts } = places();
    write(own, { docs: server({ MINE: ref('KEY', 'project'), YOURS: ref('KEY') }) });
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    const trust = async () => {
      await app.until(({ trust: { phase: now } }) => now === 'ask');
      const { trust: asked } = app.state;
      if (asked.phase === 'ask') await app.ask('projects.trust', { project, digest: asked.question.digest });
    };
    await trust();
    await app.ask('secrets.put', { scope: 'project', key: key('KEY'), value: 'of-the-project', policy: 'auto' });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'of-the-person', policy: 'auto' });
    const starting = start(app, 'docs');
    const asked = await question(app);
    expect(asked).toMatchObject({ key: 'KEY', scope: 'global', fromProject: project });
    await app.ask('secrets.answer', { questionId: asked.id, answer: 'always' });
    await starting;
    expect(starts().at(-1)?.env).toMatchObject({ MINE: 'of-the-project', YOURS: 'of-the-person' });
    // The app's own write renews the grant with the trust; a foreign one asks again.
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'patch', name: 'docs', fields: { required: true } }] });
    await app.ask('servers.restart', { serverId: app.server('docs') });
    expect(phase(app, 'docs')).toBe('ready');
    writeFileSync(own, `${readFileSync(own, 'utf8')}\n`);
    await trust();
    await app.until((state) => Object.values(state.servers).some(({ definition }) => definition.name === 'docs'));
    const again = start(app, 'docs');
    const second = await question(app);
    await app.ask('secrets.answer', { questionId: second.id, answer: 'deny' });
    await again;
    expect(phase(app, 'docs')).toBe('needs');
  });
});

describe('a secret', () => {
  it('with a new value is what its servers get at their next use', async () => {
    const { mine, write, server, open, starts } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'old-value-1', policy: 'auto' });
    await start(app, 'docs');
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'new-value-2' });
    expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'stopped', why: 'asleep' });
    await start(app, 'docs');
    expect(starts().map(({ env }) => env['K'])).toEqual(['old-value-1', 'new-value-2']);
  });

  it('that is renamed is renamed in the files that the app owns, comments and all', async () => {
    const { home, mine, own, write, open, project } = places();
    const text = `{
  // mine
  "mcpServers": {
    "docs": { "command": "x", "env": { "K": { "secretRef": "OLD", "scope": "global" }, /* kept */ "L": "p \${secret:OLD}", "M": "\${OTHER:-\${secret:OLD}} $\{secret:OLDER}" } },
    "web": { "url": "https://h.example/?k=\${secret:OLD}", "headers": { "X": { "secretRef": "OLD", "scope": "project" } } }
  }
}
`;
    writeFileSync(mine, text);
    write(own, { ours: { command: 'x', env: { K: ref('OLD'), L: '${secret:OLD}' } } });
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    const { trust } = app.state;
    if (trust.phase === 'ask') await app.ask('projects.trust', { project, digest: trust.question.digest });
    await app.until((state) => state.trust.phase === 'trusted');
    await app.ask('secrets.put', { scope: 'global', key: key('OLD'), value: 'the-value' });
    const old = (await app.ask('secrets.list', undefined)).find((entry) => entry.key === 'OLD' && entry.scope === 'global');
    expect(old?.usedBy.map(({ server, field }) => `${server} ${field}`).toSorted()).toEqual(['docs env.K', 'docs env.L', 'docs env.M', 'ours env.K', 'web url']);
    await app.ask('secrets.rename', { scope: 'global', key: key('OLD'), to: key('NEW') });
    const renamed = text.replaceAll('${secret:OLD}', '${secret:NEW}').replace('"secretRef": "OLD", "scope": "global"', '"secretRef": "NEW", "scope": "global"');
    expect(readFileSync(join(home, 'mcp.json'), 'utf8')).toBe(renamed);
    // Text of a project's file means the project's secret.
    expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({ mcpServers: { ours: { command: 'x', env: { K: ref('NEW'), L: '${secret:OLD}' } } } });
    expect(app.state.trust.phase).toBe('trusted');
    expect((await app.ask('secrets.list', undefined)).map(({ key: name, scope, missing }) => [scope, name, missing])).toEqual([['global', 'NEW', false], ['global', 'OLDER', true], ['project', 'OLD', true]]);
  });

  it('in use is not removed by mistake', async () => {
    const { mine, write, server, open } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
    await expect(app.ask('secrets.remove', { scope: 'global', key: key('KEY'), force: false })).rejects.toMatchObject({ code: 'secret/in-use', data: { usedBy: [{ server: 'docs', field: 'env.K' }] } });
    await app.ask('secrets.remove', { scope: 'global', key: key('KEY'), force: true });
    expect(await app.ask('secrets.list', undefined)).toMatchObject([{ key: 'KEY', missing: true }]);
  });

  it('typed into a server’s form is read by that server without a question, and never under another’s name', async () => {
    const { open, told, starts } = places();
    await using app = await open();
    const draft = (name: string, secret: string, chosen?: string) => ({
      name, transport: { type: 'stdio' as const, command: process.execPath, args: [tells, told], env: { K: { secret, ...(chosen === undefined ? {} : { key: key(chosen) }) } } },
    });
    await app.ask('servers.add', { ...draft('one', 'typed-value', 'MINE'), scope: 'global' });
    await app.until(() => phase(app, 'one') === 'ready');
    expect(starts().at(-1)?.env['K']).toBe('typed-value');
    await expect(app.ask('servers.add', { ...draft('two', 'other-value', 'MINE'), scope: 'global' })).rejects.toMatchObject({ code: 'secret/exists' });
    expect(await app.ask('secrets.list', undefined)).toMatchObject([{ key: 'MINE', usedBy: [{ server: 'one' }] }]);
  });
});

describe('text in the open that looks secret', () => {
  it('is found in every file, moves into the vault, and its server goes on without a question', async () => {
    const { mine, write, server, open, starts, person } = places();
    write(mine, { docs: server({ API_KEY: 'literal-value-1', PLAIN: 'x' }), web: { url: 'https://h.example/?api_key=literal-value-2' } });
    write(join(person, '.agents', 'mcp.json'), { theirs: { command: 'x', args: ['--api-key', 'literal-value-3'], env: { TOKEN: 'literal-value-4' } } });
    await using app = await open();
    const found = await app.ask('secrets.literals', undefined);
    expect(found.map(({ source, server: name, field, fixed }) => [source, name, field, fixed])).toEqual(expect.arrayContaining([
      ['home', 'docs', 'env.API_KEY', undefined], ['home', 'web', 'url.api_key', undefined], ['agents', 'theirs', 'env.TOKEN', 'foreign-file'], ['agents', 'theirs', 'args.1', 'foreign-file'],
    ]));
    expect(JSON.stringify(found)).not.toContain('literal-value');
    expect(found.find(({ server: name }) => name === 'docs')).toMatchObject({ suggestedKey: 'mcp.docs.env.API_KEY', line: expect.any(Number) });
    await app.ask('secrets.move-to-vault', { source: 'home', server: 'docs', field: 'env.API_KEY', as: key('DOCS_KEY') });
    await app.ask('secrets.move-to-vault', { source: 'home', server: 'web', field: 'url.api_key', as: key('WEB_KEY') });
    const text = readFileSync(mine, 'utf8');
    expect(text).not.toContain('literal-value');
    expect(JSON.parse(text).mcpServers).toMatchObject({ docs: { env: { API_KEY: ref('DOCS_KEY'), PLAIN: 'x' } }, web: { url: 'https://h.example/?api_key=${secret:WEB_KEY}' } });
    await start(app, 'docs');
    expect(phase(app, 'docs')).toBe('ready');
    expect(starts().at(-1)?.env).toMatchObject({ API_KEY: 'literal-value-1', PLAIN: 'x' });
    await expect(app.ask('secrets.move-to-vault', { source: 'agents', server: 'theirs', field: 'env.TOKEN', as: key('T') })).rejects.toMatchObject({ code: 'request/invalid' });
    await expect(app.ask('secrets.move-to-vault', { source: 'home', server: 'docs', field: 'env.PLAIN', as: key('T') })).rejects.toMatchObject({ code: 'request/invalid' });
  });

  it('never takes the place of a secret that is there', async () => {
    const { mine, write, server, open } = places();
    write(mine, { docs: server({ API_KEY: 'literal-value-1' }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('TAKEN'), value: 'another' });
    await expect(app.ask('secrets.move-to-vault', { source: 'home', server: 'docs', field: 'env.API_KEY', as: key('TAKEN') })).rejects.toMatchObject({ code: 'secret/exists' });
    expect(readFileSync(mine, 'utf8')).toContain('literal-value-1');
  });
});

it('without a keyring a secret is kept in memory alone, once the person has said so, and the state says it; nothing is ever written in the open', async () => {
  const { mine, write, server, open, home, starts } = places();
  const keyring = new MemoryKeyring();
  keyring.fault = new AppError('vault/unavailable', 'There is no keyring');
  write(mine, { docs: server({ K: ref('KEY') }) });
  const put = (app: TestApp) => app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'only-in-memory', policy: 'auto' });
  {
    await using app = await open({ keyring });
    await expect(put(app)).rejects.toMatchObject({ code: 'vault/unavailable' });
    expect(app.state.vault).toMatchObject({ phase: 'unavailable', why: 'no-keyring' });
    await app.ask('vault.use-memory-only', undefined);
    expect(app.state.vault).toEqual({ phase: 'memory-only', secrets: 0 });
    await put(app);
    expect(app.state.vault).toEqual({ phase: 'memory-only', secrets: 1 });
    await start(app, 'docs');
    expect(starts().at(-1)?.env['K']).toBe('only-in-memory');
    for (const file of files(home)) expect(readFileSync(file, 'utf8')).not.toContain('only-in-memory');
  }
  for (const file of files(home)) expect(readFileSync(file, 'utf8')).not.toContain('only-in-memory');
  await using again = await open({ keyring });
  await again.ask('vault.use-memory-only', undefined);
  expect(await again.ask('secrets.list', undefined)).toMatchObject([{ key: 'KEY', missing: true }]);
});

it('who may read a secret is said in the window or at a terminal, never over HTTP', async () => {
  const { open } = places();
  await using app = await open();
  const http = { kind: 'http-api', token: 't' } as never; // a caller as the door makes it
  await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key', policy: 'deny' });
  const refused = { code: 'request/forbidden' };
  await expect(app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'x', policy: 'auto' }, http)).rejects.toMatchObject(refused);
  await expect(app.ask('secrets.set-policy', { scope: 'global', key: key('KEY'), policy: 'auto' }, http)).rejects.toMatchObject(refused);
  await expect(app.ask('secrets.reset-vault', { confirm: 'forget all values' }, http)).rejects.toMatchObject(refused);
  await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'x' }, http);
  expect(await app.ask('secrets.list', undefined)).toMatchObject([{ key: 'KEY', policy: 'deny', missing: false }]);
});

it('a reset of the vault keeps names and policies, and gives up the values', async () => {
  const { mine, write, server, open } = places();
  const keyring = new MemoryKeyring();
  write(mine, { docs: server({ K: ref('KEY') }) });
  {
    await using app = await open({ keyring });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key', policy: 'auto' });
  }
  keyring.entries.clear();
  await using app = await open({ keyring });
  await app.ask('vault.open', undefined);
  expect(app.state.vault).toMatchObject({ phase: 'unavailable', why: 'key-missing' });
  await app.ask('secrets.reset-vault', { confirm: 'forget all values' });
  expect(app.state.vault.phase).toBe('ready');
  expect(await app.ask('secrets.list', undefined)).toMatchObject([{ key: 'KEY', policy: 'auto', missing: true, usedBy: [{ server: 'docs' }] }]);
  await start(app, 'docs');
  expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', secret: { key: 'KEY' } });
});

function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}
