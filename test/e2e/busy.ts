import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { ChatId, ServerId } from '../../src/shared/ids.ts';
import type { CatalogTool, ServerCatalog } from '../../src/shared/model/catalog.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';

/** Adds a server over stdio that waits for ever when its tool `wait` is called, and answers with its tools by name. */
async function addWaitingServer(page: Page): Promise<ReadonlyMap<string, CatalogTool>> {
  const file = join(import.meta.dirname, '../servers/stdio/calls.mjs');
  const { serverId } = await give<{ readonly serverId: ServerId }>(page, 'servers.add', { name: 'Waiting', transport: { type: 'stdio', command: process.execPath, args: [file], env: {} } });
  await give(page, 'servers.start', { serverId });
  const catalog = await give<ServerCatalog>(page, 'servers.catalog', { serverId });
  return new Map(catalog.tools.map((tool) => [tool.ref.tool, tool]));
}

/** Begins `count` calls, as Direct mode does, that end only with the app. */
export async function beginCalls(page: Page, count: number): Promise<void> {
  const tool = (await addWaitingServer(page)).get('wait');
  const { chatId } = await give<{ readonly chatId: ChatId }>(page, 'chats.create', { model: null });
  for (let i = 0; i < count; i += 1) await give(page, 'chats.call-tool', { chatId, ref: tool?.ref, args: {} });
}

/** A chat whose model wants to keep a note, which waits for an approval. The note's text must never be seen outside the window. */
export async function waitForApproval(page: Page): Promise<ModelServer> {
  const model = await startModelServer();
  // The search wakes the server.
  const search = async () => (await give<{ readonly tools: readonly CatalogTool[] }>(page, 'catalog.search', { text: 'add note' })).tools.find(({ ref }) => ref.tool === 'add_note');
  await expect.poll(search, { timeout: 15_000 }).toBeDefined();
  const notes = await search();
  model.on({ hasToolResult: false }, { calls: [{ name: notes?.modelName ?? '', args: { title: 'Plan', text: 'hunter2' } }] });
  model.on({ hasToolResult: true }, { text: 'Done.' });
  const { providerId } = await give<{ readonly providerId: string }>(page, 'models.save-provider', { kind: 'openai-compatible', name: 'Model', baseUrl: model.baseUrl('openai-compatible'), models: ['m'] });
  // Otherwise the model would have to search first.
  await give(page, 'settings.update', { directTools: true });
  const { chatId } = await give<{ readonly chatId: ChatId }>(page, 'chats.create', { model: { providerId, model: 'm' } });
  await give(page, 'chats.send', { chatId, text: 'Keep a note' });
  await expect.poll(async () => (await appState(page)).approvals.length, { timeout: 15_000 }).toBe(1);
  return model;
}
