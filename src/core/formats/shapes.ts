import type { ClientKind } from '../../shared/model/exchange.ts';

/** Whose file it is. `any`: pasted text, of which nothing is known. */
export type SourceShape = 'gatehouse' | 'environment' | 'gatehouse-toml' | ClientKind | 'any';
/** Those that are YAML, or may be. */
export type YamlShape = 'goose' | 'any';
export const mayBeYaml = (shape: SourceShape): shape is YamlShape => shape === 'goose' || shape === 'any';
/** Where a file keeps its servers: a key of its root; `bare` is a root that is the map itself, `projects` is Claude Code's list of folders. */
export type Container = (typeof everywhere)[number] | 'extensions' | 'projects' | 'bare';

const claudeLike = ['mcpServers', 'mcp-servers', 'servers'] as const;
const everywhere = [...claudeLike, 'mcp', 'mcp.servers', 'context_servers', 'mcp_servers'] as const;
export const containersOf: Readonly<Record<SourceShape, readonly Container[]>> = {
  gatehouse: [...everywhere, 'bare'],
  any: [...everywhere, 'projects', 'extensions', 'bare'],
  environment: [],
  'gatehouse-toml': ['mcp_servers'],
  harnessd: ['mcp_servers'],
  codex: ['mcp_servers', 'mcpServers'],
  'claude-desktop': claudeLike,
  'claude-code': ['mcpServers', 'projects'],
  cursor: claudeLike,
  windsurf: claudeLike,
  cline: claudeLike,
  vscode: ['servers', 'mcp', 'mcp.servers', 'mcpServers'],
  'gemini-cli': ['mcpServers'],
  opencode: ['mcp'],
  zed: ['context_servers'],
  goose: ['extensions'],
  'fitch-mcp-adapter': ['mcpServers', 'mcp-servers'],
  fusion: ['mcpServers', 'servers'],
};

/** Files that follow Gatehouse's rules to the letter; what other programs wrote is read with more patience. */
export const isStrict = (shape: SourceShape): boolean => strict.has(shape);
const strict: ReadonlySet<SourceShape> = new Set(['gatehouse', 'environment', 'gatehouse-toml', 'harnessd', 'fitch-mcp-adapter', 'fusion']);

/** Where an entry may say only some fields of a server that another file defines (decisions.md, section 2). */
export const allowsParts = (shape: SourceShape): boolean => partial.has(shape);
const partial: ReadonlySet<SourceShape> = new Set(['gatehouse', 'fitch-mcp-adapter', 'fusion', 'opencode']);
