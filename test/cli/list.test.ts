import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 });

let built: BuiltAttached;
let me: AttachedPerson;
beforeAll(async () => {
  built = await buildAttached();
}, 120_000);
afterAll(() => built?.[Symbol.asyncDispose]());
beforeEach(async () => void (me = await AttachedPerson.open(built)));
afterEach(() => me[Symbol.asyncDispose]());

it('[U-22] lists the global, project and effective servers with source, state, transport, target and secrets', async () => {
  me.write('home/mcp.json', {
    mcpServers: {
      shared: { command: 'node', args: ['global.js', 'with space'], env: { API_KEY: { secretRef: 'key-1', scope: 'global' }, LEVEL: { plain: 'debug' } } },
      off: { url: 'https://off.test/mcp', disabled: true },
      mine: { url: 'https://mine.test/sse', type: 'sse', headers: { Authorization: { secretRef: 'key-2', scope: 'global' } } },
    },
  });
  me.write('project/.gatehouse/mcp.json', { mcpServers: { shared: { args: ['project.js'] }, local: { command: 'local', env: { TOKEN: { secretRef: 'key-3', scope: 'project' } } } } });
  await me.reload();
  await me.trust();
  const [home, project] = [`${me.home}/mcp.json`, `${me.project}/.gatehouse/mcp.json`];
  const listing = await me.json(['mcp', 'list']);
  const own = { name: 'Notes', source: 'Comes with Gatehouse', transport: 'stdio', secrets: [] };
  expect(listing).toMatchObject({
    global: [
      { name: 'Files' },
      { name: 'mine', source: home, state: 'effective', transport: 'sse', target: 'https://mine.test/sse', secrets: ['Authorization:global secret'] },
      own,
      { name: 'off', source: home, state: 'disabled', transport: 'streamable-http', target: 'https://off.test/mcp', secrets: [] },
      { name: 'shared', source: home, state: 'effective', transport: 'stdio', target: 'node global.js "with space"', secrets: ['API_KEY:global secret'] },
    ],
    project: [
      { name: 'Files' },
      { name: 'local', source: project, state: 'project-local', transport: 'stdio', target: 'local', secrets: ['TOKEN:project secret'] },
      { name: 'mine', state: 'inherited' },
      own,
      { name: 'off', state: 'disabled' },
      { name: 'shared', source: project, state: 'overridden', target: 'node project.js' },
    ],
    effective: [{ name: 'Files' }, { name: 'local' }, { name: 'mine' }, own, { name: 'off', state: 'disabled' }, { name: 'shared', state: 'overridden', target: 'node project.js' }],
  });
  expect(await me.json(['mcp', 'ls', '--project'])).toEqual(listing);
  const text = await me.done(['mcp', 'ls', '--project', me.project]);
  expect(text).toMatch(/^Global\n[\s\S]*^Project\n[\s\S]*^Effective\n/m);
  expect(text).toMatch(/^mine +effective +sse +Authorization:global secret +.*mcp\.json +https:\/\/mine\.test\/sse$/m);
  expect(text).toMatch(/^off +disabled +streamable-http +none /m);
});

it('shows which file decided what, and what it took away', async () => {
  me.write('home/mcp.json', { mcpServers: { shared: { command: 'node', lifecycle: 'eager', env: { API_KEY: { secretRef: 'key-1', scope: 'global' } } } } });
  me.write('project/.gatehouse/mcp.json', '{\n  "mcpServers": {\n    "shared": { "command": "other" }\n  }\n}\n');
  await me.reload();
  await me.trust();
  const { effective } = (await me.json(['mcp', 'list', '--chain'])) as { readonly effective: readonly { readonly name: string; readonly chain: readonly unknown[] }[] };
  expect(effective.find(({ name }) => name === 'shared')?.chain).toMatchObject([
    { source: `${me.home}/mcp.json`, decides: ['lifecycle'] },
    { source: `${me.project}/.gatehouse/mcp.json`, line: 3, decides: ['command'], dropped: ['env'] },
  ]);
  expect(await me.done(['mcp', 'list', '--chain'])).toMatch(/^shared: .*project\/\.gatehouse\/mcp\.json:3 decides command; dropped: env$/m);
});

it('says where an entry is invalid, and shows the others', async () => {
  me.write('home/mcp.json', '{\n  "mcpServers": {\n    "good": { "command": "node" },\n    "bad": { "command": "node", "args": "no list" }\n  }\n}\n');
  await me.reload();
  expect(await me.json(['mcp', 'list'])).toMatchObject({ global: expect.arrayContaining([expect.objectContaining({ name: 'good', state: 'effective' }), expect.objectContaining({ name: 'bad', state: 'invalid', problem: expect.stringMatching(/^line 4, column \d+: /) as string })]) as unknown });
});

it('speaks of the project that the running app has open, and refuses to work on another', async () => {
  me.write('elsewhere/.git/x', '');
  const elsewhere = me.project.replace(/project$/, 'elsewhere');
  const listing = await me.run(['mcp', 'list'], { cwd: elsewhere });
  expect(listing.code).toBe(0);
  expect(listing.stderr).toContain(me.project);
  for (const words of [['mcp', 'list', '--project', elsewhere], ['mcp', 'add', 'docs', '--command', 'node', '--project', elsewhere], ['mcp', 'trust', '--project', elsewhere]]) {
    const { code, stderr } = await me.run(words);
    expect(code).toBe(1);
    expect(stderr).toContain(`gatehouse open ${elsewhere}`);
  }
  await me.done(['open', elsewhere]);
  expect(me.app.state.settings.project).toBe(elsewhere);
  await me.done(['mcp', 'add', 'docs', '--command', 'node'], { cwd: elsewhere });
  expect(me.read('elsewhere/.gatehouse/mcp.json')).toMatchObject({ mcpServers: { docs: { command: 'node' } } });
});

it('status tells of the running app, its servers and what waits', async () => {
  await me.app.startNotes();
  expect(await me.json(['status'])).toMatchObject({
    running: true, version: '0.0.0-test', home: me.home, project: me.project, trust: 'not-needed',
    servers: [{ name: 'Files' }, { name: 'Notes', state: 'ready', tools: expect.any(Number) as number }],
  });
  expect(await me.done(['status'])).toMatch(/^Gatehouse 0\.0\.0-test is running\n[\s\S]*^Notes +ready /m);
  expect(await me.done(['complete', '--', 'mcp', 'test', ''])).toMatch(/^Files\t[\s\S]*^Notes\t/m);
  const refused = await me.run(['mcp', 'list', '--config', 'x.json']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Gatehouse is running on this home');
});
