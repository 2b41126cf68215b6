import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SecretKey } from '../../src/shared/model/config-value.ts';
import type { SecretQuestion } from '../../src/shared/model/secret-entry.ts';
import { serverFile } from './stdio-link.ts';
import { tempFolder } from './temp-folder.ts';
import { TestApp, type BuiltParts, type TestAppOptions } from './test-app.ts';

export const key = (text: string) => SecretKey.parse(text);
export const ref = (name: string, scope: 'global' | 'project' = 'global') => ({ secretRef: name, scope });
export const tells = serverFile('tells.mjs');

/** A person with a home, a project and servers that write down what they were started with. */
export function secretPlaces(parts: BuiltParts) {
  const person = tempFolder();
  const home = mkdtempSync(join(person, 'gatehouse-'));
  const project = join(person, 'shop');
  mkdirSync(project);
  const told = join(person, 'told');
  const mine = join(home, 'mcp.json');
  const write = (path: string, servers: Readonly<Record<string, unknown>>) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ mcpServers: servers }, null, 2));
  };
  const starts = (): readonly { readonly env: Readonly<Record<string, string>>; readonly args: readonly string[]; readonly cwd: string }[] =>
    existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : [];
  return {
    person, home, project, told, mine, write, starts,
    own: join(project, '.gatehouse', 'mcp.json'),
    open: (options: TestAppOptions = {}) => TestApp.open(parts, { home, person, ...options }),
    /** An entry for such a server. */
    server: (env: Readonly<Record<string, unknown>>, more: object = {}) => ({ command: process.execPath, args: [tells, told], env, ...more }),
  };
}
export const phase = (app: TestApp, name: string) => app.state.servers[app.server(name)]?.connection.phase;
export async function start(app: TestApp, name: string): Promise<void> {
  await app.ask('servers.start', { serverId: app.server(name) });
}
export async function question(app: TestApp): Promise<SecretQuestion> {
  await app.until((state) => state.secretQuestions.length > 0);
  const [first] = app.state.secretQuestions;
  if (!first) throw new Error('Nothing is asked');
  return first;
}
