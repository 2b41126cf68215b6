import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/shared/errors.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { key, phase, ref, secretPlaces, start, tells } from '../support/secret-places.ts';
import { buildParts, type BuiltParts, type TestApp } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts?.[Symbol.asyncDispose]());
const places = () => secretPlaces(parts);

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
