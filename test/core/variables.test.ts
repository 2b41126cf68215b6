import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { key, phase, ref, secretPlaces, start, tells } from '../support/secret-places.ts';
import { buildParts, type BuiltParts } from '../support/test-app.ts';
import { startModern } from '../servers/http/sdk-modern.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts?.[Symbol.asyncDispose]());
const places = () => secretPlaces(parts);

describe('variables in configuration', () => {
  it('[O24] are filled in when the server starts, and an unset one is that server’s alone', async () => {
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
