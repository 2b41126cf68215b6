import { join } from 'node:path';
import { expect, type ElectronApplication, type Locator, type Page } from '@playwright/test';
import type { ChatId, ServerId } from '../../src/shared/ids.ts';
import type { ProviderKind } from '../../src/shared/model/settings.ts';
import { emptyChatState, type ChatState } from '../../src/shared/state/chat-state.ts';
import type { ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';

/** What a person does in the window, by the names that are read out to them. */
export const composer = (page: Page) => page.getByRole('textbox', { name: /^(What should a tool do\?|Message)$/ });
export const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
/** The card that asks, wherever it stands. */
export const question = (page: Page) => page.getByRole('region').filter({ hasText: 'Waiting for you' });
export const page = (window: Page, name: string) =>
  window.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${name}`) });

/** Types what is wanted, takes the tool from the cards that appear, and gives its form. */
export async function openTool(window: Page, words: string, title: string): Promise<Locator> {
  await composer(window).fill(words);
  const card = window.getByRole('option').filter({ has: window.getByText(title, { exact: true }) });
  await card.click();
  const form = window.getByRole('region', { name: `Run ${title}`, exact: true });
  await expect(form).toBeVisible();
  return form;
}

/** A tool from words to its press of Run. The values are typed into the fields of these names. */
export async function runTool(window: Page, words: string, title: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
  const form = await openTool(window, words, title);
  for (const [name, value] of Object.entries(values)) await form.getByRole('textbox', { name, exact: true }).fill(value);
  await form.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(form).toBeHidden();
}

export async function send(window: Page, text: string): Promise<void> {
  await composer(window).fill(text);
  await composer(window).press('Enter');
}

export const newChat = (window: Page) => window.getByRole('button', { name: 'New chat' }).click();

/** The chat that was changed last, as main holds it; empty before there is one. */
export async function lastChat(window: Page): Promise<ChatState> {
  const [chat] = (await appState(window)).chats;
  return chat ? await chatState(window, chat.id) : emptyChatState;
}
export const chatState = async (window: Page, chatId: ChatId): Promise<ChatState> =>
  (await give<{ readonly state: ChatState }>(window, 'shell.follow', { topic: `chat/${chatId}` })).state;
export const activity = async (window: Page) => (await appState(window)).chats[0]?.activity;

/** How the calls of the last chat with this name ended, oldest first. */
export async function outcomes(window: Page, tool: string): Promise<readonly string[]> {
  const { calls } = await lastChat(window);
  const ended = Object.values(calls).filter((view) => view.call.ref.tool === tool);
  return ended.map((view) =>
    view.phase !== 'settled' ? view.phase : view.outcome.kind === 'failed' ? view.outcome.code : view.outcome.kind,
  );
}

const kindNames: Readonly<Record<ProviderKind, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible',
};

/** Adds a provider with its key in Settings, and chooses its model for new chats there. */
export async function addProvider(window: Page, server: ModelServer, kind: ProviderKind, model: string): Promise<void> {
  await page(window, 'Settings').click();
  await window.getByRole('button', { name: 'Add a provider' }).click();
  await window.getByRole('menuitem', { name: kindNames[kind], exact: true }).click();
  const dialog = window.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Test provider');
  await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill(server.baseUrl(kind));
  await dialog.getByLabel('Key', { exact: true }).fill('sk-canary-0123456789');
  await dialog.getByRole('textbox', { name: 'Models by hand', exact: true }).fill(model);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
  await window.getByRole('button', { name: /^Model: Direct mode/ }).click();
  await window.getByRole('option', { name: model, exact: true }).click();
  await expect(window.getByRole('button', { name: new RegExp(`^Model: ${model}`) })).toBeVisible();
  await window.keyboard.press('Control+n');
  await expect(composer(window)).toHaveAccessibleName('Message');
}

/** The same without the way through Settings; every tool is pinned, so that a model need not look for it. */
export async function useModel(window: Page, server: ModelServer, kind: ProviderKind, model: string): Promise<void> {
  const { providerId } = await give<{ readonly providerId: string }>(window, 'models.save-provider', {
    kind,
    name: 'Test provider',
    baseUrl: server.baseUrl(kind),
    key: 'sk-canary-0123456789',
    models: [model],
  });
  await give(window, 'settings.update', { model: { providerId, model }, directTools: true });
  await expect(composer(window)).toHaveAccessibleName('Message');
}

/** Opens this folder when the person is asked for one. */
export const chooseFolder = (app: ElectronApplication, folder: string) =>
  app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
  }, folder);

export const testServer = (file: string): string => join(import.meta.dirname, '../servers/stdio', file);

/** A stdio server that runs `node file …args`, connected, with its tools listed. */
export async function addServer(window: Page, name: string, file: string, args: readonly string[] = []): Promise<ServerId> {
  const { serverId } = await give<{ readonly serverId: ServerId }>(window, 'servers.add', {
    name,
    transport: { type: 'stdio', command: process.execPath, args: [testServer(file), ...args], env: {} },
  });
  await expect.poll(async () => (await appState(window)).servers[serverId]?.counts).toBeDefined();
  return serverId;
}
