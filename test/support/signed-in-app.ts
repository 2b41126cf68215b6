import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '../../src/core/ports.ts';
import type { ServerDraft } from '../../src/shared/model/server-definition.ts';
import type { SecuredServer } from '../servers/sign-in/secured-server.ts';
import { TestApp, type BuiltParts } from './test-app.ts';

/** In a test nothing opens a browser by itself. */
const noBrowser: Browser = { open: () => Promise.reject(new Error('A browser was opened')) };

/** An app whose own file holds one server, `docs`, with these options, as a person would write it. */
export class AppWithServer implements AsyncDisposable {
  readonly app: TestApp;
  readonly home: string;

  private constructor(app: TestApp, home: string) {
    this.app = app;
    this.home = home;
  }

  static async open(parts: BuiltParts, secured: Pick<SecuredServer, 'url'>, options: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}): Promise<AppWithServer> {
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
    writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { docs: { url: secured.url, ...options } } }), { mode: 0o600 });
    return new AppWithServer(await TestApp.open(parts, { home, env, browser: noBrowser }), home);
  }

  get id() {
    return this.app.server('docs');
  }
  get row() {
    return this.app.state.servers[this.id];
  }

  /** As the person lets the sign-in use these addresses of this machine. */
  async allow(...issuers: readonly string[]): Promise<void> {
    for (const issuer of issuers) await this.app.ask('auth.allow-host', { serverId: this.id, host: new URL(issuer).host });
  }

  /** As the person changes its `oauth` in the window. */
  async change(oauth: NonNullable<ServerDraft['options']>['oauth']): Promise<void> {
    const { definition } = this.row ?? {};
    if (!definition || (definition.transport.type !== 'streamable-http' && definition.transport.type !== 'sse')) throw new Error('It is not there');
    await this.app.ask('servers.update', { serverId: this.id, draft: { name: 'docs', transport: { type: definition.transport.type, url: definition.transport.url, headers: {} }, options: { oauth } } });
  }

  /** Until it is ready, or wants something, or fails. */
  async start(): Promise<void> {
    await this.app.ask('servers.start', { serverId: this.id }).catch(() => undefined);
    await this.app.until(() => ['ready', 'needs', 'failed'].includes(this.row?.connection.phase ?? ''));
  }

  /** What the home's files hold, except the file that the person wrote. */
  onDisk(): string {
    const textsOf = (folder: string): readonly string[] =>
      readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) return textsOf(path);
        return name === 'mcp.json' ? [] : [readFileSync(path, 'latin1')];
      });
    return textsOf(this.home).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    rmSync(this.home, { recursive: true, force: true });
  }
}
