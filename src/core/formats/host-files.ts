import type { ClientKind, importKinds } from '../../shared/model/exchange.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { Host } from '../ports.ts';
import type { SourceShape } from './shapes.ts';

/** A file where another program keeps its servers, there or not. */
export interface HostFile {
  /** Stable and unique: `cursor`, `cursor-project`. Starts with the import's name where there is one. */
  readonly id: string;
  readonly client: ClientKind;
  /** For people. */
  readonly label: string;
  readonly scope: ConfigScope;
  readonly path: string;
  readonly shape: SourceShape;
}
export type HostFolders = Pick<Host, 'platform' | 'homeFolder' | 'configFolder' | 'appDataFolder'>;

/** Every known client's files on this machine, the global ones first. Of the project's only with a project. */
export function hostFiles(host: HostFolders, project: string | undefined): readonly HostFile[] {
  const { platform, homeFolder, configFolder, appDataFolder } = host;
  const at = (folder: string, ...parts: readonly string[]) => join(platform, folder, ...parts);
  const global = (client: ClientKind, label: string, path: string, id: string = client): HostFile => ({ id, client, label, scope: 'global', path, shape: client });
  const windows = platform === 'win32';
  const code = at(appDataFolder, 'Code', 'User');
  const unix = platform === 'darwin' ? at(homeFolder, '.config') : configFolder;
  const zed = windows ? at(appDataFolder, 'Zed', 'settings.json') : at(unix, 'zed', 'settings.json');
  const goose = windows ? at(appDataFolder, 'Block', 'goose', 'config', 'config.yaml') : at(unix, 'goose', 'config.yaml');
  const cline = 'cline_mcp_settings.json';
  const files: HostFile[] = [
    global('claude-desktop', 'Claude Desktop', at(appDataFolder, 'Claude', 'claude_desktop_config.json')),
    global('claude-code', 'Claude Code', at(homeFolder, '.claude.json')),
    global('cursor', 'Cursor', at(homeFolder, '.cursor', 'mcp.json')),
    global('windsurf', 'Windsurf', at(homeFolder, '.codeium', 'windsurf', 'mcp_config.json')),
    global('windsurf', 'Windsurf (.windsurf)', at(homeFolder, '.windsurf', 'mcp.json'), 'windsurf-home'),
    global('vscode', 'VS Code', at(code, 'mcp.json')),
    global('vscode', 'VS Code settings', at(code, 'settings.json'), 'vscode-settings'),
    global('codex', 'Codex', at(homeFolder, '.codex', 'config.toml')),
    global('codex', 'Codex (config.json)', at(homeFolder, '.codex', 'config.json'), 'codex-json'),
    ...opencodeFiles(host, 'global'),
    global('zed', 'Zed', zed),
    global('gemini-cli', 'Gemini CLI', at(homeFolder, '.gemini', 'settings.json')),
    global('cline', 'Cline', at(code, 'globalStorage', 'saoudrizwan.claude-dev', 'settings', cline)),
    global('cline', 'Cline CLI', at(homeFolder, '.cline', 'data', 'settings', cline), 'cline-cli'),
    global('goose', 'goose', goose),
    global('harnessd', 'harnessd', at(homeFolder, '.harness', 'config.toml')),
    global('fitch-mcp-adapter', 'Fitch MCP Adapter', at(homeFolder, '.pi', 'agent', 'fitch-mcp-adapter', 'mcp.json')),
  ];
  if (project === undefined) return files;
  const own = (client: ClientKind, label: string, ...parts: readonly string[]): HostFile => ({
    id: `${client}-project`, client, label: `${label} project`, scope: 'project', path: at(project, ...parts), shape: client,
  });
  return [
    ...files,
    own('cursor', 'Cursor', '.cursor', 'mcp.json'),
    own('vscode', 'VS Code', '.vscode', 'mcp.json'),
    own('codex', 'Codex', '.codex', 'config.toml'),
    ...opencodeFiles(host, 'project', project),
    own('zed', 'Zed', '.zed', 'settings.json'),
    own('gemini-cli', 'Gemini CLI', '.gemini', 'settings.json'),
    own('harnessd', 'harnessd', '.harness', 'config.toml'),
    own('fitch-mcp-adapter', 'Fitch MCP Adapter', '.pi', 'fitch-mcp-adapter', 'mcp.json'),
  ];
}

/** OpenCode reads both names; what stands first here is asked for first. */
function opencodeFiles({ platform, homeFolder, configFolder }: HostFolders, scope: ConfigScope, project?: string): readonly HostFile[] {
  const folder = project ?? join(platform, platform === 'linux' ? configFolder : join(platform, homeFolder, '.config'), 'opencode');
  const suffix = scope === 'project' ? '-project' : '';
  const label = scope === 'project' ? 'OpenCode project' : 'OpenCode';
  const common = { client: 'opencode', scope, shape: 'opencode' } as const;
  return [
    { ...common, id: `opencode${suffix}`, label, path: join(platform, folder, 'opencode.json') },
    { ...common, id: `opencode${suffix}-jsonc`, label: `${label} (jsonc)`, path: join(platform, folder, 'opencode.jsonc') },
  ];
}

/**
 * F-9: where an import looks. Of several in one scope the first that exists counts; of a global and a project file both do, and the project's fields
 * win. Claude Desktop is looked for where each system keeps it.
 */
export function importFiles(kind: (typeof importKinds)[number], host: HostFolders, project: string | undefined): readonly HostFile[] {
  const { platform, homeFolder, appDataFolder } = host;
  const at = (folder: string, ...parts: readonly string[]) => join(platform, folder, ...parts);
  const global = (label: string, path: string, id: string = kind, shape: SourceShape = kind): HostFile => ({
    id, client: kind, label, scope: 'global', path, shape,
  });
  switch (kind) {
    case 'cursor':
      return [global('Cursor', at(homeFolder, '.cursor', 'mcp.json'))];
    case 'claude-code':
      return [
        global('Claude Code (.claude/mcp.json)', at(homeFolder, '.claude', 'mcp.json'), 'claude-code-mcp'),
        global('Claude Code', at(homeFolder, '.claude.json')),
        global('Claude Code (.claude)', at(homeFolder, '.claude', 'claude_desktop_config.json'), 'claude-code-desktop', 'claude-desktop'),
      ];
    case 'claude-desktop':
      return [global('Claude Desktop', at(appDataFolder, 'Claude', 'claude_desktop_config.json'))];
    case 'codex':
      return [global('Codex', at(homeFolder, '.codex', 'config.toml')), global('Codex (config.json)', at(homeFolder, '.codex', 'config.json'), 'codex-json')];
    case 'opencode':
      return [...opencodeFiles(host, 'global'), ...(project === undefined ? [] : opencodeFiles(host, 'project', project))];
    case 'windsurf':
      return [
        global('Windsurf (.windsurf)', at(homeFolder, '.windsurf', 'mcp.json'), 'windsurf-home'),
        global('Windsurf', at(homeFolder, '.codeium', 'windsurf', 'mcp_config.json')),
      ];
    case 'vscode':
      if (project === undefined) return [];
      return [{ id: 'vscode-project', client: kind, label: 'VS Code project', scope: 'project', path: at(project, '.vscode', 'mcp.json'), shape: kind }];
  }
}

function join(platform: Host['platform'], folder: string, ...parts: readonly string[]): string {
  const separator = platform === 'win32' ? '\\' : '/';
  const base = folder.endsWith(separator) ? folder.slice(0, -1) : folder;
  return [base, ...parts].join(separator);
}
