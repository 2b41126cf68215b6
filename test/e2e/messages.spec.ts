import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';
import { addServer, conversation, page as pageLink, runTool } from './person.ts';

test('what goes between Gatehouse and a server is seen message by message, found, opened and saved', async ({ page, app, folder }) => {
  await addServer(page, 'Calls', 'broken.mjs', ['banner']);
  await runTool(page, 'echo', 'echo', { text: 'over the wire' });
  await expect(conversation(page)).toContainText('over the wire');
  await pageLink(page, 'Servers').click();
  await page.getByRole('main').getByRole('link', { name: 'Calls' }).click();
  await page.getByRole('tab', { name: 'Messages' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Messages' });
  const rows = panel.getByRole('list', { name: 'Messages' }).getByRole('button');
  const row = (text: RegExp) => rows.filter({ hasText: text });
  await expect(row(/Request initialize/)).toBeVisible();
  await expect(row(/Request tools\/call ?echo/)).toBeVisible();

  await test.step('a message is found by its words and its kind', async () => {
    await panel.getByRole('textbox', { name: 'Find a message' }).fill('call echo');
    await expect(rows).toHaveCount(2);
    await expect(panel).toContainText(/2 of \d+ messages/);
    await panel.getByRole('combobox', { name: 'Show messages of kind' }).click();
    await page.getByRole('option', { name: 'Answers' }).click();
    await expect(rows).toHaveCount(1);
    await panel.getByRole('combobox', { name: 'Show messages of kind' }).click();
    await page.getByRole('option', { name: 'All kinds' }).click();
  });

  await test.step('it opens with what it carried, and leads to its answer and by keys to the next', async () => {
    await row(/Request/).click();
    const detail = panel.getByRole('region', { name: 'The message' });
    await expect(detail.getByRole('heading')).toHaveText('tools/call');
    await expect(detail).toContainText('over the wire');
    await expect(detail).toContainText('stdio');
    await detail.getByRole('button', { name: 'Its answer' }).click();
    await expect(detail).toContainText('Answer');
    await expect(detail).toContainText('content');
    await row(/Answer/).press('ArrowUp');
    await expect(row(/Request/)).toBeFocused();
    await expect(detail.getByRole('button', { name: 'Its answer' })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  await test.step('what is shown is saved as a file', async () => {
    const file = join(folder, 'messages.json');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    }, file);
    await panel.getByRole('button', { name: 'Save these messages' }).click();
    await expect(panel.getByRole('status')).toContainText('Saved as');
    const saved: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(saved).toMatchObject({ server: 'Calls', leftOut: 0, messages: [{ method: 'tools/call', about: 'echo', payload: { params: { arguments: { text: 'over the wire' } } } }, { kind: 'response' }] });
  });

  await test.step('a pause holds the list still, and clearing empties it', async () => {
    await panel.getByRole('textbox', { name: 'Find a message' }).fill('');
    await panel.getByRole('button', { name: 'Pause' }).click();
    const before = await panel.getByText(/^\d+ messages$/).textContent();
    await page.getByRole('button', { name: /Restart/ }).first().click();
    await expect(panel.getByRole('button', { name: /^Go on: \d+ more/ })).toBeVisible();
    await expect(panel.getByText(/^\d+ messages$/)).toHaveText(before ?? '');
    await panel.getByRole('button', { name: /^Go on/ }).click();
    await expect(panel.getByText(/^\d+ messages$/)).not.toHaveText(before ?? '');
    await panel.getByRole('button', { name: 'Clear the list' }).click();
    await expect(panel).toContainText('No messages yet');
  });

  await test.step('the log is saved by hand too', async () => {
    await page.getByRole('tab', { name: 'Log' }).click();
    const log = page.getByRole('tabpanel', { name: 'Log' });
    const line = (await log.getByRole('log').textContent()) ?? '';
    expect(line).toContain('srv-a version');
    await log.getByRole('button', { name: 'Save these lines' }).click();
    await expect(log.getByRole('status')).toContainText('Saved as');
    expect(readFileSync(join(folder, 'messages.json'), 'utf8')).toContain('srv-a version');
  });
});
