import type { ClientKind } from '../../../shared/model/exchange.ts';

interface ClientWords {
  readonly name: string;
  /** Its file can be followed as it is (F-8). */
  readonly follow: boolean;
}
/** Other programs, as people call them. */
export const clientWords: Readonly<Record<ClientKind, ClientWords>> = {
  'claude-desktop': { name: 'Claude Desktop', follow: true },
  'claude-code': { name: 'Claude Code', follow: true },
  cursor: { name: 'Cursor', follow: true },
  windsurf: { name: 'Windsurf', follow: true },
  vscode: { name: 'VS Code', follow: true },
  codex: { name: 'Codex', follow: true },
  opencode: { name: 'OpenCode', follow: true },
  zed: { name: 'Zed', follow: false },
  'gemini-cli': { name: 'Gemini CLI', follow: false },
  cline: { name: 'Cline', follow: false },
  goose: { name: 'goose', follow: false },
  harnessd: { name: 'harnessd', follow: false },
  'fitch-mcp-adapter': { name: 'fitch-mcp-adapter', follow: false },
  fusion: { name: 'Fusion', follow: false },
};
