import { expect, type ElectronApplication, type Page } from '@playwright/test';
import type { ProviderKind } from '../../src/shared/model/settings.ts';
import type { ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';

/** What a person does in the window, by the names that are read out to them. */
export const composer = (page: Page) => page.getByRole('combobox', { name: 'What should a tool do?' }).or(page.getByRole('textbox', { name: /What should a tool do\?|Message/ }));
export const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
/** The card that asks, wherever it stands. */
export const question = (page: Page) => page.getByRole('region').filter({ hasText: 'Waiting for you' });

export async function openTool(page: Page, words: string, title: string): Promise<void> {
  await composer(page).fill(words);
  await page.getByRole('option', { name: title }).click();
  await expect(page.getByRole('region', { name: `Run ${title}` })).toBeVisible();
}

export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press('Enter');
}

/** A provider with its key in the vault, chosen for new chats. */
export async function useModel(page: Page, server: ModelServer, kind: ProviderKind, model: string): Promise<void> {
  const { providerId } = await give<{ readonly providerId: string }>(page, 'models.save-provider', {
    kind, name: 'Test provider', baseUrl: server.baseUrl(kind), key: 'sk-canary-0123456789', models: [model],
  });
  await give(page, 'settings.update', { model: { providerId, model } });
}

/** Opens this folder when the person is asked for one. */
export const chooseFolder = (app: ElectronApplication, folder: string) =>
  app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
  }, folder);

export async function addServer(page: Page, name: string, command: string, args: readonly string[]): Promise<string> {
  const { serverId } = await give<{ readonly serverId: string }>(page, 'servers.add', { name, transport: { type: 'stdio', command, args, env: {} } });
  await expect.poll(async () => Object.values((await appState(page)).servers).find((row) => row.definition.id === serverId)?.counts).toBeDefined();
  return serverId;
}
