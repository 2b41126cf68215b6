import { describe, expect, it } from 'vitest';
import { loadYaml } from './document.ts';
import { literalsOf } from './literals.ts';
import { maxCharacters, maxEntries, readSource, type SourceShape } from './read-source.ts';

const file = '/home/mia/mcp.json';
const yaml = await loadYaml();
const read = (value: unknown, shape: SourceShape = 'gatehouse') => readSource(typeof value === 'string' ? value : JSON.stringify(value), { file, shape, yaml });
const servers = (mcpServers: unknown, shape?: SourceShape) => read({ mcpServers }, shape);
const names = (source: ReturnType<typeof read>) => source.entries.map(({ name }) => name);
const faults = (source: ReturnType<typeof read>) => source.issues.map(({ code, severity, path }) => `${severity} ${code} ${path}`);

describe('JSON files', () => {
  it('[F-5] may hold comments and trailing commas, call their servers mcp-servers, and are refused by name when mcpServers is no object', () => {
    const commented = read('\uFEFF{ // mine\n "mcpServers": { "a": {"command":"x",}, /* "b": {"command":"y"} */ }, "other": 1, }');
    expect(names(commented)).toEqual(['a']);
    expect(commented.issues).toEqual([]);
    expect(names(read({ 'mcp-servers': { a: { command: 'x' } } }))).toEqual(['a']);
    for (const wrong of [[], 'text', 5, null, true]) {
      const source = servers(wrong);
      expect(source.broken).toBe(true);
      expect(source.issues[0]).toMatchObject({ code: 'invalid-shape', severity: 'error', file, path: 'mcpServers', line: 1 });
      expect(source.issues[0]?.message).toContain(file);
    }
  });

  it('say where they are broken, and are read as nothing', () => {
    const source = read('{\n  "mcpServers": {\n    "a": { "command": "x" "args": [] }\n  }\n}');
    expect(source).toMatchObject({ broken: true, entries: [], issues: [{ code: 'unparsable', severity: 'error', line: 3, column: 27 }] });
    expect(read('').broken).toBe(false);
    expect(read('// nothing yet').broken).toBe(false);
  });

  it('never make the reader throw or hang, however deep, long or odd they are', () => {
    const odd = [
      'null', '[]', '"x"', '{', '[[[[', '{"mcpServers":{"a":null}}', '{"mcpServers":{"a":[]}}',
      '{"mcpServers":{"a":{"args":[[]],"env":[],"headers":5,"limits":[],"oauth":[]}}}', '\0', '\uD800', '{"a":'.repeat(50_000),
      '['.repeat(50_000),
    ];
    for (const text of odd) {
      for (const shape of [
        'gatehouse', 'any', 'codex', 'goose', 'environment', 'opencode', 'zed', 'vscode', 'gatehouse-toml',
      ] as const) expect(() => readSource(text, { file, shape, yaml })).not.toThrow();
    }
    const bomb = `a: &a [${'x,'.repeat(9)}]\n${'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index] ?? ''},`.repeat(9)}]`).join('\n')}\nextensions: *h\n`;
    expect(readSource(bomb, { file, shape: 'goose', yaml })).toMatchObject({ broken: true, issues: [{ code: 'unparsable' }] });
  });

  it('are read to 8 MiB and 2,000 servers', () => {
    expect(read(' '.repeat(maxCharacters + 1))).toMatchObject({ broken: true, issues: [{ code: 'too-large' }] });
    const many = servers(Object.fromEntries(Array.from({ length: maxEntries + 2 }, (_, index) => [`s${String(index)}`, { command: 'x' }])));
    expect(many.entries).toHaveLength(maxEntries);
    expect(many.issues).toMatchObject([{ code: 'too-large', path: `mcpServers.s${String(maxEntries)}` }]);
  });
});

describe('An entry', () => {
  it('[F-49] takes exactly one of command, url and socket', () => {
    const ways = { command: 'x', url: 'http://127.0.0.1/', socket: '/s' };
    for (const [one, two] of [['command', 'url'], ['command', 'socket'], ['url', 'socket']] as const) {
      const { entries, issues } = servers({ both: { [one]: ways[one], [two]: ways[two] } });
      expect(entries).toEqual([]);
      expect(issues).toMatchObject([{ severity: 'error', server: 'both' }]);
    }
    for (const way of ['command', 'url', 'socket'] as const) expect(servers({ one: { [way]: ways[way] } }).entries).toHaveLength(1);
  });

  it('[U-6] has a unique trimmed name, may say enabled, and has exactly one of the transports stdio, sse and streamable-http', () => {
    const source = servers({ enabled: true, servers: [
      { name: '  local ', enabled: false, transport: 'stdio', command: 'node' },
      { name: 'events', transport: 'sse', url: 'https://example.test/sse' },
      { name: 'web', transport: 'streamable-http', url: 'https://example.test/mcp' }, { name: 'local', transport: 'stdio', command: 'other' },
      { name: ' ', transport: 'stdio', command: 'x' }, {
        name: 'two', transport: 'stdio', command: 'x', url: 'https://example.test',
      }, { name: 'odd', transport: 'ws', url: 'https://example.test' },
    ] }, 'fusion');
    expect(source.entries.map(({ name, fields: { type, enabled } }) => ({ name, type, enabled }))).toEqual([
      { name: 'local', type: 'stdio', enabled: false }, { name: 'events', type: 'sse', enabled: undefined },
      { name: 'web', type: 'streamable-http', enabled: undefined },
    ]);
    expect(faults(source)).toEqual([
      'error duplicate-name mcpServers.servers[3]', 'error invalid-name mcpServers.servers[4].name',
      'error invalid-transport mcpServers.servers[5].transport', 'error invalid-transport mcpServers.servers[6].transport',
    ]);
  });

  it('[U-7] needs a command for stdio and a url for sse and http; its args are a list of texts that are not empty', () => {
    const source = servers({
      fine: { transport: 'stdio', command: 'x', args: ['a', 'b'] }, stdio: { transport: 'stdio' }, sse: { transport: 'sse' },
      http: { transport: 'http' }, text: { command: 'x', args: 'a b' },
      number: { command: 'x', args: [1] }, empty: { command: 'x', args: ['a', ''] },
    });
    expect(names(source)).toEqual(['fine']);
    expect(faults(source)).toEqual([
      'error missing-command mcpServers.stdio.transport', 'error missing-url mcpServers.sse.transport', 'error missing-url mcpServers.http.transport',
      'error invalid-args mcpServers.text.args', 'error invalid-args mcpServers.number.args[0]', 'error invalid-args mcpServers.empty.args[1]',
    ]);
  });

  it('[U-8] [U-9] is reported with a code and a path of its own for every fault, and the others load', () => {
    const source = servers({ servers: [
      5, { name: '', command: 'x' }, { name: 'a', command: 'x' }, { name: 'a', command: 'x' },
      { name: 'b', transport: 'pigeon', command: 'x' }, { name: 'c', transport: 'stdio' }, { name: 'd', transport: 'sse' },
      { name: 'e', command: 'x', args: [5] }, { name: 'f', command: 'x', env: { A: 5 } },
      { name: 'g', command: 'x', env: { API_KEY: 'canary-plain' } }, { name: 'h', command: 'x' },
    ] }, 'fusion');
    expect(faults(source)).toEqual([
      'error invalid-shape mcpServers.servers[0]', 'error invalid-name mcpServers.servers[1].name',
      'error duplicate-name mcpServers.servers[3]', 'error invalid-transport mcpServers.servers[4].transport',
      'error missing-command mcpServers.servers[5].transport', 'error missing-url mcpServers.servers[6].transport',
      'error invalid-args mcpServers.servers[7].args[0]',
      'error invalid-sensitive-map mcpServers.servers[8].env.A', 'warning plaintext-secret mcpServers.servers[9].env.API_KEY',
    ]);
    // A literal in a file that a person wrote loads; its reader is told (decisions.md, section 7).
    expect(names(source)).toEqual(['a', 'g', 'h']);
    expect(JSON.stringify(source.issues)).not.toContain('canary');
  });

  it('[U-10] takes { secretRef, scope } of a project or the global scope in env and headers; a secret in plain text is said to be one', () => {
    const reference = { secretRef: 'mcp.docs.env.API_KEY', scope: 'project' };
    const source = servers({
      docs: { command: 'x', env: { API_KEY: reference, MODE: { plain: 'debug' }, LEVEL: 'info' } }, web: {
        url: 'https://example.test/mcp', headers: { Authorization: { ...reference, scope: 'global' } },
      },
      open: { url: 'https://example.test/mcp', headers: { Authorization: 'Bearer canary' } },
      team: { command: 'x', env: { A: { ...reference, scope: 'team' } } }, more: { command: 'x', env: { A: { ...reference, value: 'x' } } },
      list: { command: 'x', env: { A: ['x'] } }, none: { command: 'x', env: { A: null } },
    });
    expect(source.entries[0]?.fields.env).toEqual({ API_KEY: reference, MODE: { plain: 'debug' }, LEVEL: 'info' });
    expect(names(source)).toEqual(['docs', 'web', 'open']);
    expect(faults(source)).toEqual([
      'warning plaintext-secret mcpServers.open.headers.Authorization', 'error invalid-sensitive-map mcpServers.team.env.A',
      'error invalid-sensitive-map mcpServers.more.env.A',
      'error invalid-sensitive-map mcpServers.list.env.A', 'error invalid-sensitive-map mcpServers.none.env.A',
    ]);
  });

  it('[U-46] may stand under servers, as in VS Code', () => {
    for (const shape of ['gatehouse', 'vscode', 'claude-desktop', 'cursor', 'any'] as const) expect(names(read({ servers: { docs: { type: 'stdio', command: 'x' } } }, shape)), shape).toEqual(['docs']);
  });

  it('[F-22] with a wrong option is refused, and so is one with more than one way or none', () => {
    const source = servers({
      version: { url: 'https://example.test', protocolVersion: '2025-11-25' }, retry: { url: 'https://example.test', retryOnTransportFailure: 'yes' },
      issuer: {
        url: 'https://example.test', oauth: { skipIssuerMetadataValidation: 'yes' },
      }, both: { command: 'x', socket: '/s' }, three: { command: 'x', url: 'https://example.test', socket: '/s' }, none: {},
      auto: {
        url: 'https://example.test', protocolVersion: 'auto', retryOnTransportFailure: true, oauth: { skipIssuerMetadataValidation: false },
      }, legacy: { socket: '/s', protocolVersion: 'legacy' }, command: { command: 'x' },
    });
    expect(names(source)).toEqual(['auto', 'legacy', 'command']);
    expect(faults(source)).toEqual([
      'error invalid-option mcpServers.version.protocolVersion', 'error invalid-option mcpServers.retry.retryOnTransportFailure',
      'error invalid-option mcpServers.issuer.oauth.skipIssuerMetadataValidation',
      'error invalid-transport mcpServers.both', 'error invalid-transport mcpServers.three', 'error invalid-transport mcpServers.none',
    ]);
  });

  it('is switched off by a literal true of disabled, or a literal false of enabled, and by nothing like them', () => {
    const source = servers({
      a: { command: 'x', disabled: true }, b: { command: 'x', enabled: false }, c: { command: 'x', disabled: 'true' },
      d: { command: 'x', disabled: 1 }, e: { command: 'x', enabled: 'false' }, f: { command: 'x', enabled: true, disabled: true },
      g: { disabled: false },
    });
    expect(source.entries.map(({ fields }) => fields.enabled)).toEqual([false, false, undefined, undefined, undefined, false, true]);
    expect(faults(source)).toEqual([
      'warning invalid-option mcpServers.c.disabled', 'warning invalid-option mcpServers.d.disabled',
      'warning invalid-option mcpServers.e.enabled',
    ]);
  });

  it('[S16] keeps a command that is typed as one text with spaces as the name of one program', () => {
    expect(servers({ a: { command: '/Applications/My App/bin x', args: ['--stdio'] } }).entries[0]?.fields).toEqual({ command: '/Applications/My App/bin x', args: ['--stdio'] });
  });

  it('may be called like a member of every object, and is harmless', () => {
    const source = read('{"mcpServers":{"__proto__":{"command":"a","env":{"__proto__":"x"}},"constructor":{"command":"b"},"toString":{"command":"c"}}}');
    expect(names(source)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.keys(source.entries[0]?.fields.env ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(source.entries[0]?.fields.env)).toBe(Object.prototype);
    expect(literalsOf('__proto__', source.entries[0]?.fields ?? {}, 'global')).toEqual([]);
  });

  it('stands at its name, and each field at its key', () => {
    const { entries } = read('{\n  "mcpServers": {\n    "a": {\n      "command": "x",\n      "disabled": true\n    }\n  }\n}');
    expect(entries).toMatchObject([{ place: { line: 3, column: 5 }, fieldPlaces: { command: { line: 4, column: 7 }, enabled: { line: 5, column: 7 } } }]);
  });
});

describe('The variable of the environment', () => {
  const variable = (text: string) => readSource(text, { file: 'GATEHOUSE_MCP_SERVERS', shape: 'environment' });

  it('must hold a JSON array: anything else is an error that names the variable, and no server', () => {
    for (const text of ['{"name":"a","command":"x"}', '"a"', '5', 'null', '[{"name":']) {
      const source = variable(text);
      expect(source.entries).toEqual([]);
      expect(source.issues).toMatchObject([{ severity: 'error', file: 'GATEHOUSE_MCP_SERVERS' }]);
      expect(source.issues[0]?.message).toContain('GATEHOUSE_MCP_SERVERS');
    }
  });

  it('[H-3] may be blank: no servers, no warning', () => {
    for (const text of ['', '  ', '\n\t']) expect(variable(text)).toMatchObject({ entries: [], issues: [], broken: false });
  });

  it('[H-4] [H-5] is read entry by entry: a bad one is named by its index and left out, and of one name the first counts', () => {
    const source = variable('[{"name":"a","command":"one"},{"name":"b"},7,{"name":"a","command":"two"},{"name":"c","url":"http://localhost:1/mcp"}]');
    expect(source.entries.map(({ name, fields }) => [name, fields.command])).toEqual([['a', 'one'], ['c', undefined]]);
    expect(source.issues.map(({ path, message }) => [path, message.slice(0, 36)])).toEqual([
      ['[1]', 'Entry 1 of GATEHOUSE_MCP_SERVERS: It'], ['[2]', 'Entry 2 of GATEHOUSE_MCP_SERVERS: An'],
      ['[3]', 'Entry 3 of GATEHOUSE_MCP_SERVERS: Th'],
    ]);
  });

  it('[H-6] [H-7] [H-8] wants a name, and a command or a url that fits the transport, whatever its case', () => {
    const entry = (fields: object) => variable(JSON.stringify([fields]));
    expect(entry({ name: ' a ', transport: 'STDIO', command: 'x', args: ['y'] }).entries).toMatchObject([{
      name: 'a', fields: { type: 'stdio', command: 'x', args: ['y'] },
    }]);
    expect(entry({ name: 'a', transport: 'Http', url: 'http://localhost:1' }).entries).toMatchObject([{ fields: { type: 'streamable-http', url: 'http://localhost:1' } }]);
    // Left out, the transport follows from what is there: stdio for a command; Streamable HTTP, with SSE after it, for a url.
    expect(entry({ name: 'a', command: 'x' }).entries[0]?.fields).toEqual({ command: 'x' });
    expect(entry({ name: 'a', url: 'http://localhost:1' }).entries[0]?.fields).toEqual({ url: 'http://localhost:1' });
    const rejected = [
      [{ name: 'a', command: 'x', url: 'http://localhost:1' }, 'invalid-transport'], [
        { name: 'a', transport: 'stdio', command: 'x', url: 'http://localhost:1' }, 'invalid-transport',
      ], [{ name: 'a' }, 'invalid-transport'],
      [{ name: 'a', transport: 'stdio' }, 'missing-command'], [{ name: 'a', transport: 'http' }, 'missing-url'], [
        { name: 'a', transport: 'grpc', command: 'x' }, 'invalid-transport',
      ],
      [{ name: '', command: 'x' }, 'invalid-name'], [{ command: 'x' }, 'invalid-name'], [{ name: 'a', url: 'file:///etc/passwd' }, 'invalid-url'],
    ] as const;
    for (const [fields, code] of rejected) expect(entry(fields), JSON.stringify(fields)).toMatchObject({ entries: [], issues: [{ code, severity: 'error' }] });
  });
});

it('[H-10] takes a TOML entry without a transport for HTTP when it has a url, and for stdio otherwise', () => {
  const toml = (body: string) => readSource(`[mcp_servers.a]\n${body}`, { file, shape: 'gatehouse-toml' });
  expect(toml('url = "http://localhost:1/mcp"').entries[0]?.fields).toEqual({ url: 'http://localhost:1/mcp' });
  expect(toml('command = "x"').entries[0]?.fields).toEqual({ command: 'x' });
  expect(toml('args = ["x"]')).toMatchObject({ entries: [], issues: [{ code: 'missing-command', line: 1 }] });
});

describe('The switch of a scope', () => {
  it('is read from each place where it may stand', () => {
    expect(servers({ enabled: false, servers: [] }).enabled).toBe(false);
    expect(read({ enabled: false, servers: [] }).enabled).toBe(false);
    expect(read({ mcpEnabled: false, mcpServers: {} }).enabled).toBe(false);
    expect(readSource('[mcp]\nenabled = false\n', { file, shape: 'gatehouse-toml' }).enabled).toBe(false);
    expect(servers({ a: { command: 'x' } }).enabled).toBeUndefined();
    // An entry may be called so.
    expect(names(servers({ enabled: { command: 'x' } }))).toEqual(['enabled']);
  });
});

it('names imports that do not exist, and takes each of the others once', () => {
  const source = read({ imports: ['cursor', 'emacs', 'codex', 'cursor', 7], mcpServers: {} });
  expect(source.imports).toEqual(['cursor', 'codex']);
  expect(faults(source)).toEqual(['warning unknown-import imports[1]', 'warning unknown-import imports[4]']);
});

it('takes variables of the environment for the same when only their case differs on Windows', () => {
  const both = { mcpServers: { a: { command: 'x', env: { Path: '1', PATH: '2' } } } };
  expect(readSource(JSON.stringify(both), { file, shape: 'gatehouse', platform: 'win32' }).entries[0]?.fields.env).toEqual({ Path: '1' });
  expect(readSource(JSON.stringify(both), { file, shape: 'gatehouse', platform: 'linux' }).entries[0]?.fields.env).toEqual({ Path: '1', PATH: '2' });
});
