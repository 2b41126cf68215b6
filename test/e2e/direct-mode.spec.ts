import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { addServer, chooseFolder, composer, conversation, openTool } from './person.ts';

const broken = join(import.meta.dirname, '../servers/stdio/broken.mjs');

test('a first start has Notes ready in Direct mode, with no key, no account and nothing running yet', async ({ page }) => {
  const state = await appState(page);
  expect(Object.values(state.servers).map((row) => [row.definition.name, row.connection.phase])).toEqual([['Notes', 'stopped'], ['Files', 'needs']]);
  await openTool(page, 'add a note', 'Add a note');
  const form = page.getByRole('region', { name: 'Run Add a note' });
  await form.getByRole('textbox', { name: /title/i }).fill('Plums');
  await form.getByRole('textbox', { name: /text/i }).fill('Buy plums on Friday');
  await form.getByRole('button', { name: /^Run/ }).click();
  await expect(conversation(page)).toContainText('Add a note');
  await expect.poll(async () => (await appState(page)).chats[0]?.title).toContain('add_note');
  await openTool(page, 'find notes', 'Find notes');
  const find = page.getByRole('region', { name: 'Run Find notes' });
  await find.getByRole('textbox', { name: /query/i }).fill('friday');
  await find.getByRole('button', { name: /^Run/ }).click();
  await expect(conversation(page)).toContainText('Plums');
  expect((await appState(page)).approvals).toEqual([]);
});

test('Files is off until a folder is opened, and then reads that folder', async ({ app, page, folder }) => {
  await writeFile(join(folder, 'hello.txt'), 'a line in a file');
  await chooseFolder(app, folder);
  await page.getByRole('button', { name: 'Open a project folder' }).click();
  await expect.poll(async () => (await appState(page)).settings.project).toBe(folder);
  await openTool(page, 'list directory', 'List Directory');
  const form = page.getByRole('region', { name: 'Run List Directory' });
  await form.getByRole('textbox', { name: /path/i }).fill(folder);
  await form.getByRole('button', { name: /^Run/ }).click();
  await expect(conversation(page)).toContainText('hello.txt');
});

test('a form says what is wrong before anything runs, and a tool’s own error is shown in its words', async ({ page }) => {
  await openTool(page, 'delete a note', 'Delete a note');
  const form = page.getByRole('region', { name: 'Run Delete a note' });
  await form.getByRole('button', { name: /^Run/ }).click();
  await expect(form.getByRole('status')).toContainText(/field/);
  expect((await appState(page)).chats).toEqual([]);
  await form.getByRole('textbox', { name: /id/i }).fill('nosuchnote01');
  await form.getByRole('button', { name: /^Run/ }).click();
  await expect(conversation(page)).toContainText(/no note|not found|There is no/i);
});

test('a running call can be cancelled, and the server is told', async ({ page }) => {
  await addServer(page, 'slow', process.execPath, [broken, 'slow']);
  await openTool(page, 'wait', 'wait');
  const form = page.getByRole('region', { name: 'Run wait' });
  await form.getByRole('spinbutton', { name: /ms/i }).or(form.getByRole('textbox', { name: /ms/i })).first().fill('60000');
  await form.getByRole('button', { name: /^Run/ }).click();
  await expect.poll(async () => (await appState(page)).chats[0]?.activity).toBe('running');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await appState(page)).chats[0]?.activity).toBe('idle');
  await expect(conversation(page)).toContainText(/cancelled/i);
  await openTool(page, 'was cancelled', 'was_cancelled');
  await page.getByRole('region', { name: 'Run was_cancelled' }).getByRole('button', { name: /^Run/ }).click();
  await expect(conversation(page)).toContainText('true');
});

test('the composer takes a key at once and nothing of the page is in the way', async ({ page }) => {
  await expect(composer(page)).toBeFocused();
});
