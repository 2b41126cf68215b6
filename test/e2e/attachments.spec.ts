import type { Page } from '@playwright/test';
import type { ChatId } from '../../src/shared/ids.ts';
import { startModelServer } from '../support/model-server.ts';
import { give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { addServer, composer, conversation, lastChat, page as pageLink, runTool, send, useModel } from './person.ts';

/** Opens the page of a server on one of its tabs. */
async function openTab(page: Page, server: string, tab: string): Promise<void> {
  await pageLink(page, 'Servers').click();
  await page.getByRole('main').getByRole('link', { name: server }).first().click();
  await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
}

test('resources and prompts of servers go into a chat: by @ and by /, with what the server suggests, and are sent with the message', async ({ page }) => {
  await using model = await startModelServer();
  model.on({}, { text: 'I have read them.' });
  await addServer(page, 'Library', 'library.mjs');
  await useModel(page, model, 'openai-compatible', 'llama3.2');
  const resources = page.getByRole('listbox', { name: 'Resources' });
  const chips = page.getByRole('list', { name: 'Attachments' });

  await test.step('@ finds what servers offer to read; choosing attaches it, and it can be looked at and removed', async () => {
    await composer(page).fill('What is in @gui');
    await expect(resources.getByRole('option').first()).toContainText('lib://guide');
    await composer(page).press('Enter');
    await expect(composer(page)).toHaveValue('What is in ');
    await expect(chips.getByRole('listitem')).toContainText('The guide');
    await expect(chips.getByRole('listitem')).toContainText('text/markdown');
    await chips.getByRole('button', { name: /^The guide/ }).click();
    await expect(page.getByRole('dialog')).toContainText('Edition 1');
    await page.keyboard.press('Escape');
    await chips.getByRole('button', { name: 'Remove The guide' }).click();
    await expect(chips).toBeHidden();
    await composer(page).fill('What is in @pictu');
    await resources.getByRole('option').first().click();
    await expect(chips.getByRole('listitem')).toContainText('image/png');
  });

  await test.step('a template asks for its variables, and the server suggests them', async () => {
    await page.getByRole('button', { name: 'Attach a resource' }).click();
    await composer(page).pressSequentially('chapter');
    await composer(page).press('Enter');
    const form = page.getByRole('region', { name: /^Attach chapter/ });
    await form.getByRole('combobox', { name: 'book' }).fill('pl');
    await form.getByRole('option', { name: 'plums' }).click();
    await form.getByRole('combobox', { name: 'number' }).fill('7');
    await expect(form).toContainText('lib://books/plums/chapter/7');
    await form.getByRole('button', { name: 'Attach', exact: true }).click();
    await expect(chips.getByRole('listitem')).toHaveCount(2);
  });

  await test.step('what is attached is sent with the message and stands beside it', async () => {
    await send(page, 'What is in these?');
    await expect(conversation(page)).toContainText('I have read them.');
    await expect(conversation(page).getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveCount(2);
    const body = JSON.stringify(model.requests().at(-1)?.body);
    expect(body).toContain('Chapter 7 of plums');
    expect(body).toContain('data:image/png;base64,');
    await expect(composer(page)).toHaveValue('');
  });

  await test.step('/ lists prompts; what is missing is told and nothing is sent; what is complete is sent', async () => {
    await composer(page).fill('/plan');
    const commands = page.getByRole('listbox', { name: 'Commands' });
    await expect(commands.getByRole('option')).toHaveText([/\/mcp__Library__create_plan/]);
    await composer(page).press('Enter');
    await expect(composer(page)).toHaveValue('/mcp__Library__create_plan ');
    const sent = model.requests().length;
    await page.getByRole('listbox', { name: 'Suggestions for goal' }).waitFor();
    await composer(page).press('Enter');
    await expect(page.getByRole('status', { name: 'About the prompt' })).toContainText('goal');
    expect(model.requests()).toHaveLength(sent);
    await page.keyboard.press('Escape');
    await composer(page).pressSequentially('pea');
    await expect(page.getByRole('option', { name: 'pears' })).toBeVisible();
    await composer(page).press('Tab');
    await expect(composer(page)).toHaveValue('/mcp__Library__create_plan pears ');
    await composer(page).press('Enter');
    await expect(conversation(page)).toContainText('Plan: pears');
    await expect.poll(async () => (await lastChat(page)).items.length).toBe(4);
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain('[user]\\nPlan: pears');
    await expect(composer(page)).toHaveValue('');
  });
});

test('a server’s page reads its resources, follows their changes and uses its prompts', async ({ page }, info) => {
  await addServer(page, 'Library', 'library.mjs');
  await openTab(page, 'Library', 'Resources');
  await page.getByRole('button', { name: 'Read The guide' }).click();
  const content = page.getByRole('region', { name: 'Content' });
  await expect(content.getByRole('heading', { name: 'Guide' })).toBeVisible();
  await expect(page.getByText('Changes are followed.')).toBeVisible();
  // What changes on the server is said, here and beside a message, until it is read again.
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  const { chatId } = await give<{ readonly chatId: ChatId }>(page, 'chats.create', {});
  const touch = () => give(page, 'own-tools.run', { name: 'mcp', args: { action: 'call', tool: 'touch', server: 'Library', args: { uri: 'lib://guide' } }, chatId });
  await touch();
  await expect(page.getByText('It changed on the server since it was read.')).toBeVisible();
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(content).toContainText('Edition 2');
  await expect(page.getByText('Changes are followed.')).toBeVisible();
  await page.getByRole('button', { name: 'Read picture' }).click();
  await expect(page.getByRole('img', { name: /image\/png/ })).toBeVisible();
  await page.getByRole('button', { name: 'Read chapter' }).click();
  await page.getByRole('combobox', { name: 'book' }).fill('plums');
  await page.getByRole('combobox', { name: 'number' }).fill('2');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(page.getByText('Chapter 2 of plums')).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await info.attach(`resources-${theme}`, { body: await page.screenshot(), contentType: 'image/png' });
  }
  await page.getByRole('button', { name: 'Attach to a new chat' }).first().click();
  const chips = page.getByRole('list', { name: 'Attachments' });
  await expect(chips).toContainText('The guide');
  await touch();
  await expect(chips).toContainText('changed on the server');
  await chips.getByRole('button', { name: 'Read The guide again' }).click();
  await expect(chips).not.toContainText('changed on the server');
  await chips.getByRole('button', { name: /^The guide/ }).click();
  await expect(page.getByRole('dialog')).toContainText('Edition 3');
  await page.keyboard.press('Escape');

  // A link in a result is read through the server that gave it.
  await runTool(page, 'link', 'link');
  await page.getByRole('button', { name: 'Read hidden one' }).click();
  await expect(page.getByRole('dialog')).toContainText('behind the link');
  await page.keyboard.press('Escape');

  await openTab(page, 'Library', 'Prompts');
  await page.getByRole('button', { name: 'Use create_plan' }).click();
  await page.getByRole('button', { name: 'Show the message' }).click();
  await expect(page.getByText('This is needed.')).toBeVisible();
  await page.getByRole('combobox', { name: 'goal' }).fill('plums');
  await page.getByRole('button', { name: 'Show the message' }).click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Plan: plums');
  await info.attach('prompts', { body: await page.screenshot(), contentType: 'image/png' });
  await page.getByRole('button', { name: 'Use in a new chat' }).click();
  await expect(composer(page)).toHaveValue(/Plan: plums/);
});
