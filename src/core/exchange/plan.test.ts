import { describe, expect, it } from 'vitest';
import { Pick } from '../../shared/model/exchange.ts';
import type { RawFields, RawInput } from '../formats/raw-entry.ts';
import { readSource } from '../formats/read-source.ts';
import { candidateOf, fileFields, type FoundServer } from './found-server.ts';
import { planOf, type Plan } from './plan.ts';
import { takenNames } from './taken-names.ts';

const server = (name: string, fields: RawFields, more: Partial<FoundServer> = {}): FoundServer => ({ source: 'cursor', entry: { name, fields }, inputs: [], commands: false, ...more });
const chosen = (found: FoundServer, more: Partial<Pick> = {}) => ({ found, pick: Pick.parse({ source: found.source, name: found.entry.name, ...more }) });
const taken = (...names: readonly string[]) => ({ find: (name: string) => names.filter((one) => one.toLowerCase() === name.toLowerCase()).map((one) => ({ name: one, builtIn: one === 'Notes' }))[0] });
const plan = (picks: readonly ReturnType<typeof chosen>[], { names = [], keys = [] }: { readonly names?: readonly string[]; readonly keys?: readonly string[] } = {}): Plan =>
  planOf(picks, { scope: 'global', taken: taken(...names), secretKeys: new Set(keys), file: '/home/mcp.json' });
const rows = ({ rows: all }: Plan) => all.map(({ name, as, action }) => `${action} ${name} as ${as}`);
const written = ({ edits }: Plan) => edits.flatMap((edit) => (edit.op === 'put' ? [[edit.name, JSON.parse(JSON.stringify(edit.fields)) as unknown]] : []));

describe('a plan', () => {
  it('takes two servers of one name by what is said of duplicates', () => {
    const [one, other] = [server('db', { command: 'one' }), server('DB', { command: 'other' }, { source: 'zed' })];
    expect(rows(plan([chosen(one), chosen(other)]))).toEqual(['refuse DB as DB', 'add db as db']);
    expect(rows(plan([chosen(one), chosen(other, { onDuplicate: 'skip' })]))).toEqual(['skip DB as DB', 'add db as db']);
    expect(rows(plan([chosen(one), chosen(other, { onDuplicate: 'rename' })]))).toEqual(['add db as db', 'rename DB as DB-2']);
    const replaced = plan([chosen(one), chosen(other, { onDuplicate: 'replace' })]);
    expect(rows(replaced)).toEqual(['skip db as db', 'add DB as DB']);
    expect(written(replaced)).toEqual([['DB', { command: 'other' }]]);
  });

  it('finds a free name, of no more than a hundred letters', () => {
    const long = 'x'.repeat(100);
    const rename = { onDuplicate: 'rename' } as const;
    expect(rows(plan([chosen(server('db', { command: 'x' }), rename)], { names: ['db', 'db-2', 'DB-3'] }))).toEqual(['rename db as db-4']);
    expect(rows(plan([chosen(server(long, { command: 'x' }), rename)], { names: [long] }))).toEqual([`rename ${long} as ${'x'.repeat(98)}-2`]);
  });

  it('replaces under the name that stands there, and never what comes with the app', () => {
    const replace = { onDuplicate: 'replace' } as const;
    expect(rows(plan([chosen(server('DB', { command: 'x' }), replace), chosen(server('Notes', { command: 'x' }), replace)], { names: ['db', 'Notes'] }))).toEqual(['refuse Notes as Notes', 'replace DB as db']);
  });

  it('gives every secret a name of its own, also when two servers would be called alike', () => {
    const both = plan([chosen(server('a b', { command: 'x', env: { TOKEN: 'one' } })), chosen(server('a_b', { command: 'x', env: { TOKEN: 'two' } }))], { keys: ['mcp.a_b.env.TOKEN_2'] });
    expect(both.secrets.map(({ key, value }) => [key, value.reveal()])).toEqual([['mcp.a_b.env.TOKEN', 'one'], ['mcp.a_b.env.TOKEN_3', 'two']]);
    expect(both.rows.map(({ secretsToCreate }) => secretsToCreate)).toEqual([['mcp.a_b.env.TOKEN'], ['mcp.a_b.env.TOKEN_3']]);
  });

  it('refuses choices that cannot be: for what is not there, for a taken name, for another scope where only text can stand', () => {
    const found = server('a', { url: 'https://example.test/mcp?token=canary-1', headers: { KEY: 'canary-2', Accept: 'text/html' } });
    const choose = (secrets: Pick['secrets'], keys: readonly string[] = []) => plan([chosen(found, { secrets })], { keys });
    const key = 'other.key' as Extract<Pick['secrets'][string], { create: unknown }>['create']; // a key is text
    expect(() => choose({ 'headers.nope': { create: key } })).toThrow(expect.objectContaining({ code: 'request/invalid' }));
    expect(() => choose({ 'headers.KEY': { create: key } }, ['other.key'])).toThrow(expect.objectContaining({ code: 'secret/exists' }));
    expect(() => choose({ 'headers.KEY': { plain: true } })).toThrow(expect.objectContaining({ code: 'request/invalid' }));
    expect(() => choose({ 'url.token': { use: key, scope: 'project' } })).toThrow(expect.objectContaining({ code: 'request/invalid' }));
    expect(written(choose({ 'headers.KEY': { use: key, scope: 'project' }, 'headers.Accept': { plain: true }, 'url.token': { create: key } }))).toEqual([
      ['a', { type: 'streamable-http', url: 'https://example.test/mcp?token=${secret:other.key}', headers: { KEY: { secretRef: 'other.key', scope: 'project' }, Accept: { plain: 'text/html' } } }],
    ]);
  });

  it('keeps every option, and no plain text anywhere of what it writes', () => {
    const fields: RawFields = {
      url: 'https://me:canary-a@example.test/canary?x=1', type: 'sse', headers: { 'X-Note': 'canary-b', Template: '${TOKEN}' }, bearerToken: 'canary-c', lifecycle: 'eager', idleTimeout: 5, enabled: false,
      oauth: { clientId: 'id', clientSecret: 'canary-d', privateKeyJwt: { privateKey: 'canary-e', algorithm: 'RS256' }, assertion: 'canary-h', crossAppAccess: { idpUrl: 'https://idp.test', clientId: 'x', idToken: 'canary-f', clientSecret: 'canary-g' } },
      includeTools: ['a'], limits: { callIdleMs: 5 },
    };
    const one = plan([chosen(server('a', fields))]);
    expect(one.secrets.map(({ value }) => value.reveal()).toSorted()).toEqual(['canary-a', 'canary-b', 'canary-c', 'canary-d', 'canary-e', 'canary-f', 'canary-g', 'canary-h']);
    expect(JSON.stringify([one.edits, one.rows, one.issues])).not.toMatch(/canary-/);
    expect(written(one)[0]?.[1]).toMatchObject({ disabled: true, type: 'sse', lifecycle: 'eager', idleTimeout: 5, headers: { Template: '${TOKEN}' }, oauth: { clientId: 'id' }, includeTools: ['a'], limits: { callIdleMs: 5 } });
    expect(JSON.stringify(candidateOf(server('a', fields), 'global', false))).not.toMatch(/canary-/);
  });

  it('puts a password input where it stands, as a reference or inside a text, and leaves other inputs', () => {
    const inputs: readonly RawInput[] = [{ id: 'key', password: true }, { id: 'region', password: false }];
    const found = server('a', { command: 'x', args: ['--region=${input:region}'], env: { KEY: '${input:key}', HEADER: 'Bearer ${input:key}', R: '${input:region}' } }, { inputs });
    const one = plan([chosen(found)]);
    expect(written(one)).toEqual([['a', {
      command: 'x', args: ['--region=${input:region}'],
      env: { KEY: { secretRef: 'mcp.a.input.key', scope: 'global' }, HEADER: 'Bearer ${secret:mcp.a.input.key}', R: '${input:region}' },
    }]]);
    expect([one.secrets, one.issues]).toMatchObject([[], [{ code: 'missing-secret', server: 'a' }]]);
    expect(plan([chosen(found)], { keys: ['mcp.a.input.key'] }).issues).toEqual([]);
  });
});

describe('what is written for a taken-over server', () => {
  it.each([
    ['.env', '/home/me/.cursor/.env'], ['./config/.env', '/home/me/.cursor/config/.env'], ['/etc/env', '/etc/env'], ['~/x.env', '~/x.env'], ['${workspaceFolder}/.env', '${workspaceFolder}/.env'], ['C:\\x.env', 'C:\\x.env'],
  ])('has the envFile %s at %s', (envFile, absolute) => {
    expect(fileFields({ command: 'x', envFile }, '/home/me/.cursor')).toMatchObject({ envFile: absolute });
    expect(fileFields({ command: 'x', envFile }, undefined)).toMatchObject({ envFile });
  });
  it('says of what it does not have that it goes, so that nothing of a replaced server is left', () => {
    const fields = fileFields({ command: 'x' }, undefined);
    expect(fields).toMatchObject({ command: 'x', url: undefined, env: undefined, bearerToken: undefined, disabled: undefined, lifecycle: undefined });
    expect(Object.keys(fields)).toContain('headers');
  });
});

describe('taken names', () => {
  it('are those of the scope and of what comes with the app; an entry that cannot be used still has its name', () => {
    const read = (text: string) => readSource(text, { file: 'x', shape: 'gatehouse' });
    const source = (kind: 'built-in' | 'host' | 'import' | 'home' | 'project', scope: 'global' | 'project', text: string) => (
      { source: { id: kind, kind, label: kind, scope }, status: 'read', parsed: read(text), digest: '' } as const
    );
    const all = [
      source('built-in', 'global', '{"mcpServers":{"Notes":{"command":"x"}}}'), source('host', 'global', '{"mcpServers":{"host":{"command":"x"}}}'), source('import', 'global', '{"mcpServers":{"imported":{"command":"x"}}}'),
      source('home', 'global', '{"mcpServers":{"Mine":{"command":"x"},"part":{"disabled":true},"bad":{"command":5}}}'), source('project', 'project', '{"mcpServers":{"theirs":{"command":"x"}}}'),
    ];
    const found = (scope: 'global' | 'project') => ['notes', 'host', 'imported', 'mine', 'part', 'bad', 'theirs'].filter((name) => takenNames(all, scope).find(name));
    expect(found('global')).toEqual(['notes', 'mine', 'bad']);
    expect(found('project')).toEqual(['notes', 'theirs']);
  });
});
