import { describe, expect, it } from 'vitest';
import type { SourceKind } from '../../shared/model/source.ts';
import type { ParsedSource, RawFields } from '../formats/raw-entry.ts';
import { mergeLayers, type Layer, type MergedServer } from './merge.ts';

const projectKinds: ReadonlySet<SourceKind> = new Set(['project-mcp', 'project-toml', 'project']);
function layer(kind: SourceKind, servers: Readonly<Record<string, RawFields>>, extra: Partial<ParsedSource> = {}): Layer {
  return {
    source: { id: kind, kind, label: kind, scope: projectKinds.has(kind) ? 'project' : 'global' },
    parsed: { entries: Object.entries(servers).map(([name, fields]) => ({ name, fields, place: { line: 1, column: 1 } })), issues: [], broken: false, imports: [], settings: {}, inputs: [], ...extra },
  };
}
const merge = (...layers: readonly Layer[]) => mergeLayers(layers, true);
function only(...layers: readonly Layer[]): MergedServer {
  const [server, ...more] = merge(...layers).servers;
  if (!server || more.length > 0) throw new Error('one server was expected');
  return server;
}
const originOf = (server: MergedServer, field: string) => server.provenance.fields.find((origin) => origin.field === field);

describe('layers of JSON', () => {
  it('merge field by field, nested objects as a whole, and every field names its source and whom it overrode', () => {
    const server = only(
      layer('agents', { db: { command: 'db', args: ['--old'], env: { A: '1', B: '2' }, lifecycle: 'eager' } }),
      layer('home', { db: { env: { C: '3' }, idleTimeout: 5 } }),
      layer('project', { db: { lifecycle: 'lazy' } }),
    );
    expect(server.fields).toEqual({ command: 'db', args: ['--old'], env: { C: '3' }, lifecycle: 'lazy', idleTimeout: 5 });
    expect(originOf(server, 'command')).toMatchObject({ source: 'agents', overrode: [] });
    expect(originOf(server, 'env')).toMatchObject({ source: 'home', overrode: ['agents'] });
    expect(originOf(server, 'lifecycle')).toMatchObject({ source: 'project', overrode: ['agents'] });
    expect(server.provenance).toMatchObject({ state: 'overridden', source: 'project', chain: [{ source: 'agents' }, { source: 'home' }, { source: 'project' }] });
    expect(server.owner).toBe('global');
  });

  it('a TOML file, an environment entry and an import stand for themselves: nothing of a lower layer shows through', () => {
    for (const kind of ['home-toml', 'environment', 'import'] as const) {
      const lower = kind === 'home-toml' ? 'agents' : 'host';
      expect(only(layer(lower, { db: { command: 'old', env: { A: '1' }, lifecycle: 'eager' } }), layer(kind, { db: { command: 'new' } })).fields).toEqual({ command: 'new' });
    }
    expect(only(layer('home', { db: { command: 'old', env: { A: '1' } } }), layer('project-toml', { db: { command: 'new' } })).fields).toEqual({ command: 'new' });
  });

  it('[U-5] what comes with the app lies below the global files, those below the project’s, and an entry of a name and a switch restores what was masked', () => {
    const notes = layer('built-in', { Notes: { command: 'gatehouse', args: ['notes'] } });
    expect(only(notes).owner).toBe('built-in');
    expect(only(notes, layer('home', { Notes: { enabled: false } }))).toMatchObject({ owner: 'built-in', enabled: false, provenance: { state: 'masked', disabledBy: 'home' } });
    expect(only(notes, layer('home', { Notes: { enabled: false } }), layer('project', { Notes: { enabled: true } }))).toMatchObject({ owner: 'built-in', enabled: true });
    expect(only(notes, layer('home', { Notes: { command: 'mine' } })).fields).toEqual({ command: 'mine' });
    expect(only(notes, layer('home', { Notes: { command: 'mine' } }), layer('project', { Notes: { command: 'theirs' } })).fields).toEqual({ command: 'theirs' });
  });
});

describe('what is switched off', () => {
  it('stays visible, and says which source did it', () => {
    expect(only(layer('home', { a: { command: 'x', enabled: false } }))).toMatchObject({ enabled: false, provenance: { state: 'disabled', disabledBy: 'home' } });
    expect(only(layer('home', { a: { command: 'x' } }), layer('project', { a: { enabled: false } }))).toMatchObject({ enabled: false, owner: 'global', provenance: { state: 'masked', disabledBy: 'project' } });
    expect(only(layer('home', { a: { command: 'x', enabled: false } }), layer('project', { a: { enabled: true } }))).toMatchObject({ enabled: true });
  });

  it('[U-3] the effective set: global servers by name, the project’s of the same name over them, without those that either switched off', () => {
    const merged = merge(
      layer('home', { kept: { command: 'k' }, off: { command: 'o', enabled: false }, masked: { command: 'm' }, changed: { command: 'global' } }),
      layer('project', { masked: { enabled: false }, changed: { command: 'project' }, own: { command: 'p' }, ownOff: { command: 'q', enabled: false } }),
    );
    expect(merged.servers.filter(({ enabled }) => enabled).map(({ name, fields }) => [name, fields.command])).toEqual([['kept', 'k'], ['changed', 'project'], ['own', 'p']]);
  });

  it('[U-2] the scope’s own switch: the project’s where it says something, else the global one; off means no servers', () => {
    const servers = { a: { command: 'x' } };
    const both = (global?: boolean, project?: boolean) =>
      merge(layer('home', servers, global === undefined ? {} : { enabled: global }), layer('project', { b: { command: 'y' } }, project === undefined ? {} : { enabled: project }));
    const running = (merged: ReturnType<typeof both>) => merged.servers.filter(({ enabled }) => enabled).map(({ name }) => name);
    expect(running(both())).toEqual(['a', 'b']);
    expect(running(both(false))).toEqual([]);
    expect(running(both(false, true))).toEqual(['a', 'b']);
    expect(running(both(true, false))).toEqual([]);
    expect(both(true, false).servers[0]?.provenance).toMatchObject({ state: 'masked', disabledBy: 'project' });
  });

  it('an entry that only switches a server which nobody defines is set aside, and named', () => {
    const merged = merge(layer('project', { ghost: { enabled: false } }));
    expect(merged.servers).toEqual([]);
    expect(merged.orphans).toMatchObject([{ source: { id: 'project' }, entry: { name: 'ghost' } }]);
  });
});

describe('states', () => {
  it('in a project: inherited, overridden, its own; without one: effective', () => {
    const home = layer('home', { a: { command: 'x' } });
    expect(only(home).provenance.state).toBe('inherited');
    expect(mergeLayers([home], false).servers[0]?.provenance.state).toBe('effective');
    expect(only(layer('project-mcp', { a: { command: 'x' } }))).toMatchObject({ owner: 'project', provenance: { state: 'project-local' } });
    expect(only(home, layer('project', { a: { command: 'y' } }))).toMatchObject({ owner: 'project', provenance: { state: 'overridden' } });
  });
});

describe('credentials', () => {
  const http: RawFields = { url: 'https://one.example/mcp', headers: { 'X-Key': 'k' }, bearerToken: 't', bearerTokenEnv: 'T', oauth: { clientId: 'c' } };
  it('[F-4] another url drops inherited headers, bearer token and sign-in unless that is refused; a socket drops everything else; a command or url drops a socket', () => {
    const moved = only(layer('agents', { a: http }), layer('home', { a: { url: 'https://two.example/mcp' } }));
    expect(moved.fields).toEqual({ url: 'https://two.example/mcp' });
    expect(moved.provenance.fields.filter(({ dropped }) => dropped).map(({ field }) => field).sort()).toEqual(['bearerToken', 'bearerTokenEnv', 'headers', 'oauth']);
    expect(only(layer('agents', { a: { ...http, oauth: false } }), layer('home', { a: { url: 'https://two.example/mcp' } })).fields).toEqual({ url: 'https://two.example/mcp', oauth: false });
    expect(only(layer('agents', { a: http }), layer('home', { a: { url: http.url ?? '' } })).fields).toEqual(http);
    expect(only(layer('agents', { a: { ...http, auth: 'bearer' } }), layer('home', { a: { socket: '/s' } })).fields).toEqual({ socket: '/s' });
    expect(only(layer('agents', { a: { command: 'x', args: ['1'], env: { A: '1' } } }), layer('home', { a: { socket: '/s' } })).fields).toEqual({ socket: '/s' });
    expect(only(layer('agents', { a: { socket: '/s' } }), layer('home', { a: { command: 'x' } })).fields).toEqual({ command: 'x' });
    expect(only(layer('agents', { a: { socket: '/s' } }), layer('home', { a: { url: 'http://x/' } })).fields).toEqual({ url: 'http://x/' });
  });

  it.each<readonly [string, RawFields]>([
    ['the command', { command: 'evil' }],
    ['the arguments', { args: ['--exfiltrate'] }],
    ['the folder', { cwd: '/tmp' }],
    ['a file of variables', { envFile: '.env' }],
    ['the sign-in', { oauth: { clientId: 'evil' } }],
  ])('a project that changes %s gets no inherited environment', (_, above) => {
    const below: RawFields = { command: 'good', args: ['a'], cwd: '/home', env: { TOKEN: { secretRef: 'k' as never, scope: 'global' } } }; // a branded key
    const server = only(layer('home', { a: below }), layer('project-mcp', { a: above }));
    expect(server.fields.env).toBeUndefined();
    expect(originOf(server, 'env')).toMatchObject({ dropped: true, source: 'project-mcp', overrode: ['home'] });
    expect(server.owner).toBe('project');
    // The person's own file may do it.
    expect(only(layer('agents', { a: below }), layer('home', { a: above })).fields.env).toEqual(below.env);
  });

  it.each(['NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'PYTHONSTARTUP', 'PATH', 'BASH_ENV', 'npm_config_registry'])('a project that sets %s gets no inherited headers or credentials', (name) => {
    const server = only(layer('home', { a: http }), layer('project', { a: { env: { [name]: 'x' } } }));
    expect(server.fields).toEqual({ url: http.url, env: { [name]: 'x' } });
  });

  it('a project that says the same as below, or only filters, keeps them', () => {
    const below: RawFields = { command: 'good', args: ['a'], env: { TOKEN: 'x' } };
    expect(only(layer('home', { a: below }), layer('project', { a: { command: 'good', args: ['a'], includeTools: ['t'] } })).fields.env).toEqual(below.env);
  });

  it('a project can ask for more approvals, never for fewer', () => {
    const below = (approveTools: RawFields['approveTools']): RawFields => ({ command: 'x', ...(approveTools === undefined ? {} : { approveTools }) });
    const joined = (global: RawFields['approveTools'], project: NonNullable<RawFields['approveTools']>) => only(layer('home', { a: below(global) }), layer('project', { a: { approveTools: project } })).fields.approveTools;
    expect(joined(['a*'], false)).toEqual(['a*']);
    expect(joined(['a*'], ['b*'])).toEqual(['a*', 'b*']);
    expect(joined(true, ['b*'])).toBe(true);
    expect(joined(undefined, false)).toBeUndefined();
    expect(joined(undefined, true)).toBe(true);
  });
});

it('[U-4] is pure and takes whatever names there are', () => {
  const layers = [layer('home', { ['__proto__']: { command: 'x' }, constructor: { command: 'y' }, a: { command: 'z' } })];
  const before = JSON.stringify(layers);
  expect(mergeLayers(layers, false).servers.map(({ name }) => name)).toEqual(Object.keys({ ['__proto__']: 1, constructor: 1, a: 1 }));
  expect(JSON.stringify(layers)).toBe(before);
});
