import { describe, expect, it } from 'vitest';
import { ServerDraft } from '../../../shared/model/server-definition.ts';
import { Settings } from '../../../shared/model/settings.ts';
import { emptyAppState, type AppState } from '../../../shared/state/app-state.ts';
import { isFirstStart, sharedInUse } from './first-start.ts';
import { draftOf, isThere, knownServers } from './known-servers.ts';

const empty = emptyAppState(Settings.parse({}));
const servers = (
  ...rows: readonly { readonly name: string; readonly transport?: object; readonly sources?: readonly string[] }[]
): AppState['servers'] =>
  Object.fromEntries(
    rows.map(({ name, transport = { type: 'socket', path: '/x' }, sources = [] }) => [
      name,
      { definition: { id: name, name, transport }, provenance: { chain: sources.map((source) => ({ source })) } },
    ]),
  ) as unknown as AppState['servers']; // what is read of them

describe('the first start', () => {
  it('is that of a home in which nothing was done yet', () => {
    expect(isFirstStart(empty)).toBe(true);
    expect(
      isFirstStart({ ...empty, servers: servers({ name: 'Notes', sources: ['built-in'] }, { name: 'a', sources: ['config-mcp'] }) }),
    ).toBe(true);
  });
  it.each<[string, Partial<AppState>]>([
    ['the set-up was finished or skipped', { settings: Settings.parse({ setUp: true }) }],
    ['there is a chat', { chats: [{ id: 'c' }] as unknown as AppState['chats'] }], // that there is one
    ['there is a project', { settings: Settings.parse({ project: '/p' }) }],
    ['a server was added', { servers: servers({ name: 'a', sources: ['config-mcp', 'home'] }) }],
  ])('is over when %s', (_why, part) => {
    expect(isFirstStart({ ...empty, ...part })).toBe(false);
  });
  it('knows which shared files count', () => {
    expect(sharedInUse(servers({ name: 'a', sources: ['agents', 'home'] }, { name: 'b', sources: ['config-mcp'] }))).toEqual([
      '~/.config/mcp/mcp.json',
      '~/.agents/mcp.json',
    ]);
    expect(sharedInUse(servers({ name: 'a', sources: ['home'] }))).toEqual([]);
  });
});

describe('the known servers', () => {
  it('are drafts that can be saved as they are', () => {
    for (const known of knownServers('MacIntel')) expect(ServerDraft.safeParse(draftOf(known))).toMatchObject({ success: true });
    expect(knownServers('MacIntel').map(({ name }) => name)).toEqual([
      'DeepWiki',
      'Context7',
      'Notion',
      'GitHub',
      'Chrome DevTools',
      'RepoPrompt',
    ]);
    expect(knownServers('Linux x86_64').map(({ name }) => name)).not.toContain('RepoPrompt');
  });
  it('are found again by their name or their place', () => {
    const [deepWiki] = knownServers('Linux');
    const chrome = knownServers('Linux').find(({ name }) => name === 'Chrome DevTools');
    if (!deepWiki || !chrome) throw new Error('both are known');
    expect(isThere(deepWiki, servers({ name: 'wiki', transport: { type: 'sse', url: 'https://mcp.deepwiki.com/mcp/' } }))).toBe(true);
    expect(isThere(deepWiki, servers({ name: 'deepwiki' }))).toBe(true);
    expect(isThere(deepWiki, servers({ name: 'other' }))).toBe(false);
    expect(
      isThere(chrome, servers({ name: 'c', transport: { type: 'stdio', command: 'npx', args: ['-y', 'chrome-devtools-mcp@latest'] } })),
    ).toBe(true);
  });
});
