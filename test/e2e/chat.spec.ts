import { execFileSync } from 'node:child_process';
import type { ProviderKind } from '../../src/shared/model/settings.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { conversation, question, send, useModel } from './person.ts';

/** A loop of two steps: one note is added, then all are listed, then the model has the last word. */
async function twoSteps(): Promise<ModelServer> {
  const server = await startModelServer({ chunkSize: 12 });
  server.on({ hasToolResult: false }, { text: 'I add it first.', calls: [{ name: 'mcp_notes_add_note', args: { title: 'Plums', text: 'Buy plums' }, id: 'call_1' }] });
  server.on({ toolCallId: 'call_1' }, { text: 'Now I look.', calls: [{ name: 'mcp_notes_list_notes', args: {}, id: 'call_2' }] });
  server.on({ toolCallId: 'call_2' }, { text: 'Your note is there.' });
  // Where a protocol does not carry our call ids, what came back tells the steps apart.
  server.on({ hasToolResult: true }, { text: 'Your note is there.' });
  return server;
}

const models: readonly (readonly [ProviderKind, string])[] = [['anthropic', 'claude-sonnet-4-5'], ['openai', 'gpt-5'], ['google', 'gemini-2.5-flash'], ['openai-compatible', 'llama3.2']];
for (const [kind, model] of models) {
  test(`a chat over the ${kind} protocol streams, asks before each call and goes on with what came back`, async ({ page, home }) => {
    await using server = await twoSteps();
    await useModel(page, server, kind, model);
    await send(page, 'Note that I need plums');
    const card = question(page);
    await expect(card).toContainText('Notes');
    await expect(card).toContainText('Buy plums');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await expect(question(page)).toContainText('list_notes');
    await question(page).getByRole('button', { name: /Allow for this chat/ }).click();
    await expect(conversation(page)).toContainText('Your note is there.');
    await expect(conversation(page)).toContainText('I add it first.');
    await expect.poll(async () => (await appState(page)).chats[0]?.activity).toBe('idle');
    expect(JSON.stringify(server.requests().at(-1)?.body)).toContain('Plums');
    // The key is in no file of the home.
    expect(() => execFileSync('grep', ['-r', '-l', 'sk-canary', home])).toThrow();
  });
}

test('a denial with a reason reaches the model, and nothing runs', async ({ page }) => {
  await using server = await twoSteps();
  server.on({}, { text: 'As you wish.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Note that I need plums');
  await question(page).getByRole('button', { name: /^Deny/ }).click();
  await page.getByRole('textbox', { name: 'Why not?' }).fill('not on Fridays');
  await page.getByRole('button', { name: /^Deny/ }).last().click();
  await expect.poll(() => JSON.stringify(server.requests().at(-1)?.body)).toContain('not on Fridays');
  await expect.poll(async () => (await appState(page)).approvals).toEqual([]);
});

test('Enter never approves, and Esc stops', async ({ page }) => {
  await using server = await twoSteps();
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Note that I need plums');
  await expect(question(page)).toBeVisible();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Enter');
  await expect(question(page)).toBeVisible();
  expect((await appState(page)).approvals).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await appState(page)).approvals).toEqual([]);
  await expect(conversation(page)).toContainText(/stopped/i);
});
