import { createHook } from 'node:async_hooks';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Pick, type ClientKind } from '../../src/shared/model/exchange.ts';
import { tempFolder } from './temp-folder.ts';
import { TestApp, type BuiltParts } from './test-app.ts';

const fixtures = join(import.meta.dirname, '../fixtures/config');
/** Where each program keeps its servers on this system, and a real-shaped file of it. */
export const clients: readonly (readonly [ClientKind, string, string])[] = [
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'claude-desktop/basic.json'],
  ['claude-code', '.claude.json', 'claude-code/dot-claude.json'],
  ['cursor', '.cursor/mcp.json', 'cursor/remote-and-local.json'],
  ['windsurf', '.codeium/windsurf/mcp_config.json', 'windsurf/server-url.json'],
  ['windsurf', '.windsurf/mcp.json', 'windsurf/home.json'],
  ['vscode', '.config/Code/User/mcp.json', 'vscode/mcp.json'],
  ['vscode', '.config/Code/User/settings.json', 'vscode/settings.json'],
  ['codex', '.codex/config.toml', 'codex/config.toml'],
  ['codex', '.codex/config.json', 'codex/config.json'],
  ['opencode', '.config/opencode/opencode.json', 'opencode/local-and-remote.jsonc'],
  ['zed', '.config/zed/settings.json', 'zed/settings.json'],
  ['gemini-cli', '.gemini/settings.json', 'gemini-cli/settings.json'],
  ['cline', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', 'cline/cline_mcp_settings.json'],
  ['goose', '.config/goose/config.yaml', 'goose/config.yaml'],
  ['harnessd', '.harness/config.toml', 'harnessd/config.toml'],
  ['fitch-mcp-adapter', '.pi/agent/fitch-mcp-adapter/mcp.json', 'fitch-mcp-adapter/every-option.json'],
];

/** A person with programs, a home and a project. */
export function places(parts: () => BuiltParts) {
  const person = tempFolder();
  const home = mkdtempSync(join(person, 'gatehouse-'));
  const project = join(person, 'work');
  mkdirSync(project);
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  return {
    person, home, project, write,
    mine: join(home, 'mcp.json'),
    theirs: join(project, '.gatehouse', 'mcp.json'),
    cursor: (servers: Readonly<Record<string, unknown>>) => write(join(person, '.cursor', 'mcp.json'), { mcpServers: servers }),
    open: (env: Readonly<Record<string, string>> = {}) => TestApp.open(parts(), { home, person, env }),
    withEveryClient: () => {
      for (const [, path, fixture] of clients) {
        mkdirSync(dirname(join(person, path)), { recursive: true });
        copyFileSync(join(fixtures, fixture), join(person, path));
      }
    },
    /** Every byte of every file below, to see that nothing was touched. */
    snapshot: (folder: string) => JSON.stringify(filesIn(folder).map((file) => [file, readFileSync(file, 'base64'), statSync(file).mtimeMs])),
  };
}
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : [])).toSorted();
}
export const parsed = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: Record<string, Record<string, unknown>>; imports?: readonly string[]; settings?: Record<string, unknown> }; // what the test wrote or the app
export const pick = (source: string, name: string, more: Partial<Pick> = {}): Pick => Pick.parse({ source, name, ...more });
export const listed = (app: TestApp) => Object.values(app.state.servers).filter(({ definition }) => definition.owner !== 'built-in').map(({ definition }) => definition.name).toSorted();
export async function trusted(app: TestApp, folder: string): Promise<void> {
  await app.ask('settings.open-project', { folder });
  const { trust } = app.state;
  if (trust.phase === 'ask') await app.ask('projects.trust', { project: folder, digest: trust.question.digest });
}

/** Everything that the process opens towards the outside while `work` runs: programs, sockets, look-ups, threads. Seen below the libraries, so that none can hide it. */
export async function opened<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly outside: readonly string[] }> {
  const outside: string[] = [];
  const hook = createHook({
    init: (_id, type) => {
      if (/^(PROCESSWRAP|TCPWRAP|TCPCONNECTWRAP|PIPEWRAP|PIPECONNECTWRAP|UDPWRAP|UDPSENDWRAP|GETADDRINFOREQWRAP|GETNAMEINFOREQWRAP|QUERYWRAP|WORKER)$/.test(type)) outside.push(type);
    },
  }).enable();
  try {
    return { value: await work(), outside };
  } finally {
    hook.disable();
  }
}
/** A file of ours with comments on lines of their own. */
export const parsedWith = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));
