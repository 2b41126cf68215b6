import { describe, expect, it } from 'vitest';
import { clientKinds, importKinds } from '../../shared/model/exchange.ts';
import { hostFiles, importFiles, type HostFolders } from './host-files.ts';

const linux: HostFolders = { platform: 'linux', homeFolder: '/home/mia', configFolder: '/home/mia/.config', appDataFolder: '/home/mia/.config' };
const mac: HostFolders = {
  platform: 'darwin', homeFolder: '/Users/mia', configFolder: '/Users/mia/.config', appDataFolder: '/Users/mia/Library/Application Support',
};
const windows: HostFolders = {
  platform: 'win32', homeFolder: 'C:\\Users\\mia', configFolder: 'C:\\Users\\mia\\.config',
  appDataFolder: 'C:\\Users\\mia\\AppData\\Roaming',
};
const pathOf = (host: HostFolders, id: string, project?: string) => hostFiles(host, project).find((file) => file.id === id)?.path;

describe('Files of other clients', () => {
  it('[U-45] are Claude Desktop’s, Claude Code’s, Cursor’s and Windsurf’s for all projects, and Cursor’s and VS Code’s of a project, each where its system keeps it', () => {
    expect(pathOf(mac, 'claude-desktop')).toBe('/Users/mia/Library/Application Support/Claude/claude_desktop_config.json');
    expect(pathOf(linux, 'claude-desktop')).toBe('/home/mia/.config/Claude/claude_desktop_config.json');
    expect(pathOf(windows, 'claude-desktop')).toBe('C:\\Users\\mia\\AppData\\Roaming\\Claude\\claude_desktop_config.json');
    for (const [host, home, slash] of [[linux, '/home/mia', '/'], [mac, '/Users/mia', '/'], [windows, 'C:\\Users\\mia', '\\']] as const) {
      expect(pathOf(host, 'claude-code')).toBe([home, '.claude.json'].join(slash));
      expect(pathOf(host, 'cursor')).toBe([home, '.cursor', 'mcp.json'].join(slash));
      expect(pathOf(host, 'windsurf')).toBe([home, '.codeium', 'windsurf', 'mcp_config.json'].join(slash));
      const project = [home, 'shop'].join(slash);
      expect(pathOf(host, 'cursor-project', project)).toBe([project, '.cursor', 'mcp.json'].join(slash));
      expect(pathOf(host, 'vscode-project', project)).toBe([project, '.vscode', 'mcp.json'].join(slash));
    }
    expect(hostFiles(linux, undefined).filter(({ scope }) => scope === 'project')).toEqual([]);
    expect(hostFiles(linux, '/p').filter(({ path }) => path.startsWith('/p/')).every(({ scope }) => scope === 'project')).toBe(true);
  });

  it('are those of every client that is known, each under an id of its own', () => {
    const files = hostFiles(linux, '/p');
    expect(new Set(files.map(({ id }) => id)).size).toBe(files.length);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    // Where Fusion keeps its settings is in none of its documents: its files are imported by hand.
    expect(clientKinds.filter((client) => !files.some((file) => file.client === client))).toEqual(['fusion']);
    for (const { client, id, shape } of files) expect([id.startsWith(client), shape]).toEqual([true, client]);
  });

  it('stand where each system keeps them', () => {
    expect(pathOf(windows, 'vscode')).toBe('C:\\Users\\mia\\AppData\\Roaming\\Code\\User\\mcp.json');
    expect(pathOf(mac, 'vscode-settings')).toBe('/Users/mia/Library/Application Support/Code/User/settings.json');
    expect(pathOf(windows, 'goose')).toBe('C:\\Users\\mia\\AppData\\Roaming\\Block\\goose\\config\\config.yaml');
    expect(pathOf(mac, 'goose')).toBe('/Users/mia/.config/goose/config.yaml');
    expect(pathOf(windows, 'zed')).toBe('C:\\Users\\mia\\AppData\\Roaming\\Zed\\settings.json');
    expect(pathOf(mac, 'zed')).toBe('/Users/mia/.config/zed/settings.json');
    expect(pathOf({ ...linux, configFolder: '/x' }, 'opencode')).toBe('/x/opencode/opencode.json');
    expect(pathOf(mac, 'cline')).toBe('/Users/mia/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json');
    expect(pathOf(linux, 'harnessd-project', '/p/')).toBe('/p/.harness/config.toml');
    expect(pathOf(linux, 'fitch-mcp-adapter')).toBe('/home/mia/.pi/agent/fitch-mcp-adapter/mcp.json');
  });
});

describe('Imports', () => {
  const paths = (kind: (typeof importKinds)[number], project?: string, host = linux) => importFiles(kind, host, project).map(({ path }) => path);

  it('look where the adapter looks, the first place first', () => {
    expect(paths('cursor')).toEqual(['/home/mia/.cursor/mcp.json']);
    expect(paths('claude-code')).toEqual(['/home/mia/.claude/mcp.json', '/home/mia/.claude.json', '/home/mia/.claude/claude_desktop_config.json']);
    expect(paths('claude-desktop', undefined, mac)).toEqual(['/Users/mia/Library/Application Support/Claude/claude_desktop_config.json']);
    expect(paths('codex')).toEqual(['/home/mia/.codex/config.toml', '/home/mia/.codex/config.json']);
    expect(paths('opencode', '/p')).toEqual([
      '/home/mia/.config/opencode/opencode.json', '/home/mia/.config/opencode/opencode.jsonc', '/p/opencode.json', '/p/opencode.jsonc',
    ]);
    expect(paths('windsurf')[0]).toBe('/home/mia/.windsurf/mcp.json');
    expect(paths('vscode', '/p')).toEqual(['/p/.vscode/mcp.json']);
    expect(paths('vscode')).toEqual([]);
  });

  it('have ids that start with what they import, each once', () => {
    for (const kind of importKinds) {
      const ids = importFiles(kind, linux, '/p').map(({ id }) => id);
      expect(ids.every((id) => id.startsWith(kind)) && new Set(ids).size === ids.length, kind).toBe(true);
    }
  });
});
