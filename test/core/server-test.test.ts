import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formsOf } from '../../src/core/secrets/encodings.ts';
import type { ServerDraft } from '../../src/shared/model/server-definition.ts';
import { nodeLaunch } from '../support/stdio-link.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const server = (name: string, env: Extract<ServerDraft['transport'], { type: 'stdio' }>['env'] = {}): ServerDraft => ({
  name, transport: { type: 'stdio', command: process.execPath, args: [...nodeLaunch('calls.mjs').args], env },
});
/** Valid only when its TOKEN is this; written so that nothing of it is filled in on the way. */
const picky = (token: string): string =>
  `if (process.env.TOKEN !== Buffer.from(${JSON.stringify(Buffer.from(token).toString('hex'))}, 'hex').toString()) { console.error('wrong token ' + process.env.TOKEN); process.exit(7); } import(${JSON.stringify(nodeLaunch('calls.mjs').args[0])})`;
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : []));

describe('Test', () => {
  it('tries a server apart from its own connection, switched off too', async () => {
    await using app = await TestApp.open(parts);
    const { serverId } = await app.ask('servers.add', { ...server('one'), enabled: false, scope: 'global' });
    expect(await app.ask('servers.test', { serverId, timeoutMs: 15_000 })).toMatchObject({ status: 'valid', tools: expect.any(Number) });
    expect(app.state.servers[serverId]).toMatchObject({ connection: { phase: 'stopped', why: 'disabled' } });
    expect(app.state.servers[serverId]?.counts).toBeUndefined();
  });

  it('tries a draft with a secret that was just typed, and stores nothing of it', async () => {
    const secret = 'canary-typed-secret';
    await using app = await TestApp.open(parts);
    const draft = (value: string): ServerDraft => ({ name: 'new', transport: { type: 'stdio', command: process.execPath, args: ['-e', picky(`${secret}-\${HOME}`)], env: { TOKEN: { secret: value } } } });
    expect(await app.ask('servers.test', { scope: 'global', draft: draft(`${secret}-\${HOME}`), timeoutMs: 15_000 })).toMatchObject({ status: 'valid' });
    const wrong = await app.ask('servers.test', { scope: 'global', draft: draft('canary-wrong-secret'), timeoutMs: 15_000 });
    expect(wrong).toEqual({ status: 'error', message: 'The server exited with code 7: wrong token •••' });
    expect(await app.ask('secrets.list', undefined)).toEqual([]);
    expect(Object.values(app.state.servers).some(({ definition }) => definition.name === 'new')).toBe(false);
    const files = filesIn(app.home).map((file) => readFileSync(file, 'latin1')).join('\n');
    for (const value of ['canary-wrong-secret', secret]) for (const { text } of formsOf(value)) expect(files).not.toContain(text);
  });

  it('tries a changed draft with the values that it keeps, under another name as well', async () => {
    await using app = await TestApp.open(parts);
    const token = 'canary-kept-secret';
    const first: ServerDraft = { name: 'kept', transport: { type: 'stdio', command: process.execPath, args: ['-e', picky(token)], env: { TOKEN: { secret: token } } } };
    await app.ask('servers.add', { ...first, enabled: false, scope: 'global' });
    const again: ServerDraft = { name: 'renamed', transport: { type: 'stdio', command: process.execPath, args: ['-e', picky(token)], env: { TOKEN: { kept: true } } } };
    expect(await app.ask('servers.test', { scope: 'global', draft: again, previousName: 'kept' as never, timeoutMs: 15_000 })).toMatchObject({ status: 'valid' }); // a name is text
    expect(app.server('kept')).toBeDefined();
  });

  it('does not try what a person would not get saved, and nothing of a project that is not trusted', async () => {
    const project = tempFolder();
    const ran = join(project, 'ran');
    writeFileSync(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: { command: 'touch', args: [ran] } } }));
    await using app = await TestApp.open(parts);
    await app.ask('settings.open-project', { folder: project });
    await expect(app.ask('servers.test', { scope: 'project', draft: { ...server('theirs') }, timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'trust/needed' });
    await expect(app.ask('servers.test', { serverId: `${project}:theirs` as never, timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'server/not-found' }); // as an id that somebody guesses
    const draft = { ...server('x', { TOKEN: { plain: 'canary-plain' } }) };
    await expect(app.ask('servers.test', { scope: 'global', draft, timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'request/invalid' });
    expect(readdirSync(project)).toEqual(['.mcp.json']);
  });
});
