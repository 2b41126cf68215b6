import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatId, ServerId } from '../../src/shared/ids.ts';
import type { ToolOutcome } from '../../src/shared/model/tool-call.ts';
import { tempFolder } from './temp-folder.ts';
import type { TestApp } from './test-app.ts';

/** What one of Gatehouse's own tools answered, taken apart. */
export interface OwnAnswer {
  readonly outcome: ToolOutcome;
  readonly text: string;
  /** Of a refusal (F-96). */
  readonly code: string | undefined;
  readonly data: unknown;
}

/** As the command line asks; in a chat, as a person in Direct mode does. */
export async function useOwnTool(test: TestApp, name: string, args: Record<string, unknown>, chatId?: ChatId): Promise<OwnAnswer> {
  const { outcome } = await test.ask('own-tools.run', { name, args, ...(chatId === undefined ? {} : { chatId }) }, chatId === undefined ? { kind: 'cli' } : undefined);
  return ownAnswer(outcome);
}
export const gateway = (test: TestApp, args: Record<string, unknown>, chatId?: ChatId): Promise<OwnAnswer> => useOwnTool(test, 'mcp', args, chatId);

export function ownAnswer(outcome: ToolOutcome): OwnAnswer {
  const result = outcome.kind === 'succeeded' || outcome.kind === 'tool-error' ? outcome.result : undefined;
  const data: unknown = result?.structured && 'json' in result.structured ? JSON.parse(result.structured.json) : undefined;
  const text = result?.parts.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('\n') ?? '';
  const error = typeof data === 'object' && data !== null && 'error' in data ? (data.error as { code?: string }) : undefined; // what a refusal holds
  return { outcome, text, code: outcome.kind === 'tool-error' ? error?.code : undefined, data };
}

const shelf = join(import.meta.dirname, '../servers/stdio/shelf.mjs');
export interface Shelf {
  readonly name: string;
  readonly tools?: readonly object[];
  readonly [part: string]: unknown;
}
/** A definition of a server that offers what is said here, and the file in which that stands. */
export function shelfEntry({ name, ...offer }: Shelf): { readonly file: string; readonly entry: Record<string, unknown> } {
  const file = join(tempFolder(), `${name}.json`);
  writeFileSync(file, JSON.stringify(offer));
  return { file, entry: { command: process.execPath, args: [shelf, file] } };
}
/** Servers that nobody has connected yet. */
export async function defineShelves(test: TestApp, shelves: readonly (Shelf & { readonly options?: Record<string, unknown> })[]): Promise<void> {
  const entries = shelves.map(({ options, ...one }) => [one.name, { ...shelfEntry(one).entry, ...options }]);
  writeFileSync(join(test.home, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  await test.until(({ servers }) => shelves.every(({ name }) => Object.values(servers).some(({ definition }) => definition.name === name)));
}
export async function connected(test: TestApp, name: string): Promise<ServerId> {
  const serverId = test.server(name);
  await test.ask('servers.start', { serverId });
  await test.until(({ servers }) => servers[serverId]?.counts !== undefined && servers[serverId].catalog?.from === 'live');
  return serverId;
}
export const objectTool = (name: string, description: string, properties: Record<string, unknown> = {}, more: object = {}): object => ({
  name, description, inputSchema: { type: 'object', properties, required: Object.keys(properties) }, ...more,
});
