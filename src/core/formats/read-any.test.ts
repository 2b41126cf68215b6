import { describe, expect, it } from 'vitest';
import { loadYaml } from './document.ts';
import { literalsOf, withReplaced } from './literals.ts';
import { readAny } from './read-any.ts';

const yaml = await loadYaml();
const read = (text: string) => readAny(text, { file: 'pasted text', yaml });
const entries = (text: string) => read(text).parsed.entries.map(({ name, fields }) => ({ name, ...fields }));
const faults = (text: string) => read(text).parsed.issues.map(({ code, severity, path }) => `${severity} ${code} ${path}`);

describe('Pasted JSON', () => {
  it('[U-60] needs an object of entries, each an object; its name is the key or the name inside; its transport is said, or stdio for a command; anything else is an error', () => {
    expect(faults('{"mcpServers": []}')).toEqual(['error invalid-shape mcpServers']);
    expect(faults('5')).toEqual(['error invalid-shape ']);
    expect(faults('{"title": "no servers"}')).toEqual(['error invalid-shape ']);
    expect(faults('{"mcpServers": {"a": "node server.js"}}')).toEqual(['error invalid-shape mcpServers.a']);
    expect(entries('{"mcpServers": {"key": {"name": "inner", "command": "x"}, "": {"name": "named inside", "command": "y"}}}').map(({ name }) => name)).toEqual(['key', 'named inside']);
    expect(entries('{"mcpServers": {"a": {"transport": "sse", "url": "https://example.test/sse"}, "b": {"command": "x"}, "c": {"type": "stdio", "command": "x"}}}')).toEqual([
      { name: 'a', type: 'sse', url: 'https://example.test/sse' }, { name: 'b', command: 'x' }, { name: 'c', type: 'stdio', command: 'x' },
    ]);
    expect(faults('{"mcpServers": {"a": {}, "b": {"args": ["x"]}, "c": {"type": "carrier", "command": "x"}}}')).toEqual([
      'error invalid-transport mcpServers.a', 'error invalid-transport mcpServers.b', 'error invalid-transport mcpServers.c.type',
    ]);
  });

  it('[U-61] with a url and no transport is a remote server: Streamable HTTP, with SSE after it', () => {
    expect(read('{"mcpServers": {"docs": {"url": "https://example.test/mcp"}}}').parsed).toMatchObject({
      issues: [], entries: [{ name: 'docs', fields: { url: 'https://example.test/mcp' } }],
    });
    expect(entries('{"mcpServers": {"docs": {"url": "https://example.test/mcp"}}}')[0]).not.toHaveProperty('type');
  });

  it('[U-62] can have its texts of env and headers made secrets, keeps references, and refuses other values and a name that stands there twice', () => {
    const text = '{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "canary-key", "REF": {"secretRef": "k", "scope": "global"}}}, "b": {"url": "https://example.test", "headers": {"Authorization": "Bearer canary"}}}}';
    const [a, b] = read(text).parsed.entries;
    const [key] = literalsOf('a', a?.fields ?? {}, 'project');
    const [header] = literalsOf('b', b?.fields ?? {}, 'project');
    if (!a || !key) throw new Error('The key is a literal');
    expect(key).toEqual({ field: 'env', key: 'API_KEY', value: 'canary-key', suggestedKey: 'mcp.a.env.API_KEY', scope: 'project', movable: true });
    expect(header).toMatchObject({
      field: 'headers', key: 'Authorization', value: 'Bearer canary', suggestedKey: 'mcp.b.headers.Authorization', movable: true,
    });
    expect(withReplaced(a.fields, key, { secretRef: key.suggestedKey, scope: 'project' }).env).toEqual({
      API_KEY: { secretRef: 'mcp.a.env.API_KEY', scope: 'project' }, REF: { secretRef: 'k', scope: 'global' },
    });
    expect(faults('{"mcpServers": {"a": {"command": "x", "env": {"A": ["x"]}}, "b": {"command": "x", "env": {"A": {"secretRef": "k"}}}, "c": {"command": "x"}, "c": {"command": "y"}}}')).toEqual([
      'error invalid-sensitive-map mcpServers.a.env.A', 'error invalid-sensitive-map mcpServers.b.env.A', 'error duplicate-name mcpServers.c',
    ]);
  });

  it('may be one entry without a name, a piece of a file without its braces, or a block of a page', () => {
    expect(read('{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"]}')).toMatchObject({
      format: 'one server', parsed: { entries: [{ name: 'filesystem' }] },
    });
    expect(entries('{"url": "https://mcp.linear.app/sse", "name": "tickets"}')).toEqual([{ name: 'tickets', url: 'https://mcp.linear.app/sse' }]);
    expect(entries('"docs": { "command": "node", "args": ["docs.js"], }, // mine\n')).toEqual([{ name: 'docs', command: 'node', args: ['docs.js'] }]);
    expect(entries('"mcpServers": {\n  "docs": { "command": "node" }\n}')).toEqual([{ name: 'docs', command: 'node' }]);
    expect(read('"docs": {\n  "command": 5\n}').parsed.issues).toMatchObject([{ code: 'missing-command', line: 2, column: 3 }]);
    expect(read('```json\n{ "docs": {\n  "command": 5 } }\n```\n').parsed.issues).toMatchObject([{ code: 'missing-command', line: 3, column: 3 }]);
    expect(entries('[{"name": "a", "command": "x"}, {"name": "b", "url": "http://localhost:1"}]').map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('of another kind is not taken for servers, though parts of it have addresses', () => {
    const npm = JSON.stringify({
      name: 'x', version: '1.0.0', main: 'index.js', repository: { type: 'git', url: 'https://example.test/x.git' },
      bugs: { url: 'https://example.test/bugs' },
    });
    expect(read(npm).parsed).toMatchObject({ broken: true, entries: [], issues: [{ code: 'invalid-shape' }] });
  });

  it('that is broken is not taken for anything else', () => {
    expect(read('{"mcpServers": {"a": {"command": "x"}').parsed).toMatchObject({ broken: true, entries: [], issues: [{ code: 'unparsable', line: 1 }] });
    expect(read('hello world').parsed).toMatchObject({ broken: true, issues: [{ code: 'invalid-shape' }] });
    expect(read('  ').parsed).toMatchObject({ broken: false, entries: [], issues: [] });
  });
});

it('Pasted TOML and YAML are recognised', () => {
  expect(read('[mcp_servers.docs]\ncommand = "npx"\n')).toMatchObject({
    format: 'mcp_servers (Codex, harnessd)', parsed: { entries: [{ name: 'docs', place: { line: 1, column: 1 } }] },
  });
  expect(read('# mine\n[mcp_servers."a.b"]\nurl = "https://example.test"\n').parsed.entries).toMatchObject([{ name: 'a.b', place: { line: 2, column: 1 } }]);
  expect(entries('mcpServers:\n  docs:\n    command: npx\n    args: [-y, docs]\n')).toEqual([{ name: 'docs', command: 'npx', args: ['-y', 'docs'] }]);
  expect(read('extensions:\n  docs:\n    type: stdio\n    cmd: npx\n').format).toBe('goose settings');
});

it('A pasted address is a server that is named after its host', () => {
  expect(read(' https://mcp.linear.app/sse \n')).toMatchObject({
    format: 'address', parsed: { entries: [{ name: 'linear', fields: { url: 'https://mcp.linear.app/sse' } }] },
  });
  for (const [url, name] of [
    ['http://localhost:3001/mcp', 'localhost'], ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
    ['http://127.0.0.1:7331', '127-0-0-1'], ['https://docs.example.co.uk/mcp', 'example'],
  ] as const) expect(entries(url)[0]?.name, url).toBe(name);
});

describe('A pasted command line', () => {
  it.each([
    ['claude mcp add --transport http sentry https://mcp.sentry.dev/mcp', { name: 'sentry', type: 'streamable-http', url: 'https://mcp.sentry.dev/mcp' }],
    [
      'claude mcp add --transport sse private https://api.example.com/sse \\\n  --header "X-API-Key: canary" -H \'X-Team: a b\'',
      { name: 'private', type: 'sse', url: 'https://api.example.com/sse', headers: { 'X-API-Key': 'canary', 'X-Team': 'a b' } },
    ],
    [
      'claude mcp add -s user --env AIRTABLE_API_KEY=canary B=2 --transport stdio airtable -- npx -y airtable-mcp-server --flag',
      { name: 'airtable', type: 'stdio', command: 'npx', args: ['-y', 'airtable-mcp-server', '--flag'], env: { AIRTABLE_API_KEY: 'canary', B: '2' } },
    ],
    [
      'claude mcp add memory npx -y @modelcontextprotocol/server-memory',
      { name: 'memory', command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
    ],
    ['claude mcp add plain https://example.test/mcp', { name: 'plain', url: 'https://example.test/mcp' }],
    [
      `claude mcp add-json weather '{"type":"http","url":"https://example.test/mcp","headers":{"A":"b"}}' -s project`,
      { name: 'weather', type: 'streamable-http', url: 'https://example.test/mcp', headers: { A: 'b' } },
    ],
    [
      'codex mcp add context7 --env A=1 --env B=2 -- npx -y @upstash/context7-mcp',
      { name: 'context7', command: 'npx', args: ['-y', '@upstash/context7-mcp'], env: { A: '1', B: '2' } },
    ],
    [
      'codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var FIGMA_TOKEN',
      { name: 'figma', url: 'https://mcp.figma.com/mcp', bearerTokenEnv: 'FIGMA_TOKEN' },
    ],
    [
      `code --add-mcp '{"name":"playwright","command":"npx","args":["@playwright/mcp@latest"]}'`,
      { name: 'playwright', command: 'npx', args: ['@playwright/mcp@latest'] },
    ],
    [
      'gemini mcp add -t http -H "Authorization: Bearer canary" --timeout 5000 --trust --include-tools a,b api https://example.test/mcp',
      {
        name: 'api', type: 'streamable-http', url: 'https://example.test/mcp', headers: { Authorization: 'Bearer canary' },
        requestTimeoutMs: 5000, includeTools: ['a', 'b'],
      },
    ],
    ['gemini mcp add -e A=b py python server.py --port 8080', { name: 'py', command: 'python', args: ['server.py', '--port', '8080'], env: { A: 'b' } }],
    [
      '$ API_KEY=canary npx -y "@scope/mcp-server-notes@1.2.3" --root "/a b"',
      { name: 'notes', command: 'npx', args: ['-y', '@scope/mcp-server-notes@1.2.3', '--root', '/a b'], env: { API_KEY: 'canary' } },
    ],
    ['npx -y mcp-remote https://example.test/sse', { name: 'remote', command: 'npx', args: ['-y', 'mcp-remote', 'https://example.test/sse'] }],
    [
      'uvx --from git+https://github.com/oraios/serena serena start-mcp-server',
      { name: 'serena', command: 'uvx', args: ['--from', 'git+https://github.com/oraios/serena', 'serena', 'start-mcp-server'] },
    ],
    [
      'docker run -i --rm -e GITHUB_TOKEN=canary -v /a:/b --env=X=y ghcr.io/github/github-mcp-server:latest -e KEEP=this',
      {
        name: 'github', command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', '-v', '/a:/b', '--env=X', 'ghcr.io/github/github-mcp-server:latest', '-e', 'KEEP=this'],
        env: { GITHUB_TOKEN: 'canary', X: 'y' },
      },
    ],
    ['node /srv/notes/dist/index.js', { name: 'notes', command: 'node', args: ['/srv/notes/dist/index.js'] }],
    [
      '"/Applications/My App.app/Contents/MacOS/my-server" --stdio',
      { name: 'my', command: '/Applications/My App.app/Contents/MacOS/my-server', args: ['--stdio'] },
    ],
    ['npx.cmd -y thing ^\n  --a', { name: 'thing', command: 'npx.cmd', args: ['-y', 'thing', '--a'] }],
    ['cmd /c npx -y @modelcontextprotocol/server-memory', { name: 'memory', command: 'cmd', args: ['/c', 'npx', '-y', '@modelcontextprotocol/server-memory'] }],
  ])('%s', (text, expected) => {
    expect(entries(text)).toEqual([expected]);
  });

  it('[S16] keeps a path with spaces as one program when it is quoted, escaped, or plainly ends later', () => {
    expect(entries('"C:\\Program Files\\nodejs\\node.exe" C:\\srv\\s.js')[0]).toMatchObject({
      command: 'C:\\Program Files\\nodejs\\node.exe', args: ['C:\\srv\\s.js'],
    });
    expect(entries('C:\\Program Files\\nodejs\\node.exe C:\\srv\\s.js')[0]).toMatchObject({
      command: 'C:\\Program Files\\nodejs\\node.exe', args: ['C:\\srv\\s.js'],
    });
    expect(entries('/opt/my\\ tools/server --stdio')[0]).toMatchObject({ command: '/opt/my tools/server', args: ['--stdio'] });
    expect(entries('/Applications/My App.app/Contents/MacOS/server --stdio')[0]).toMatchObject({
      command: '/Applications/My App.app/Contents/MacOS/server', args: ['--stdio'],
    });
  });

  it('runs and expands nothing: variables become templates, and $(…) stays text with a warning', () => {
    expect(entries('npx -y thing --key $API_KEY "${OTHER:-x}" \'$LITERAL\' $5')[0]).toMatchObject({ args: [
      '-y', 'thing', '--key', '${API_KEY}', '${OTHER:-x}', '$LITERAL', '$5',
    ] });
    const substituted = read('npx -y thing --key "$(cat /etc/passwd)"').parsed;
    expect(substituted.entries[0]?.fields.args?.at(-1)).toBe('$(cat /etc/passwd)');
    expect(substituted.issues.map(({ code, severity }) => `${severity} ${code}`)).toContain('warning invalid-args');
  });

  it('is one server on each line, and refuses what would start something else', () => {
    expect(entries('# two\nclaude mcp add a -- x\n\nclaude mcp add b -- y').map(({ name }) => name)).toEqual(['a', 'b']);
    for (const text of [
      'npx thing && rm -rf /', 'npx thing | sh', 'npx thing; curl x', 'npx thing > /etc/passwd', 'npx "thing',
    ]) expect(read(text).parsed, text).toMatchObject({ broken: true, entries: [], issues: [{ code: 'unparsable' }] });
  });

  it('says what is missing from an add', () => {
    for (const text of [
      'claude mcp add', 'claude mcp add name', 'claude mcp list', 'claude mcp add --unknown x y', 'claude mcp add-json a',
      'claude mcp add-json a {', 'code --add-mcp', 'claude -p hello',
    ]) {
      expect(read(text).parsed, text).toMatchObject({ entries: [], issues: [{ severity: 'error' }] });
    }
  });
});
