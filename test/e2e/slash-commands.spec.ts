import { expect } from '@playwright/test';
import { appState } from './bridge.ts';
import { test } from './fixtures.ts';
import { addServer, composer } from './person.ts';

test('/mcp in the composer opens pages, says how servers are, and switches and reconnects them, with completion of their names', async ({ page }) => {
  await addServer(page, 'Echo One', 'calls.mjs');
  const commands = page.getByRole('listbox', { name: 'Commands' });

  await composer(page).fill('/');
  await expect(commands.getByRole('option')).toHaveCount(11);
  await composer(page).fill('/mcp st');
  await composer(page).press('Enter');
  const states = page.getByRole('region', { name: 'Servers' });
  await expect(states.getByRole('listitem').filter({ hasText: 'Echo One' })).toContainText('Connected');
  await expect(states.getByRole('listitem').filter({ hasText: 'Notes' })).toContainText('Sleeping');
  await composer(page).press('Escape');
  await expect(states).toBeHidden();

  await composer(page).fill('/mcp dis');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('/mcp disable ');
  await composer(page).pressSequentially('ec');
  await composer(page).press('Tab');
  await expect(composer(page)).toHaveValue('/mcp disable Echo One');
  await composer(page).press('Enter');
  const row = async () => Object.values((await appState(page)).servers).find(({ definition }) => definition.name === 'Echo One');
  await expect.poll(async () => (await row())?.definition.enabled).toBe(false);
  await expect(states.getByRole('listitem').filter({ hasText: 'Echo One' })).toContainText('Switched off');
  await composer(page).fill('/mcp enable Echo One');
  await composer(page).press('Enter');
  await expect.poll(async () => (await row())?.definition.enabled).toBe(true);

  await composer(page).fill('/mcp reconnect Echo One');
  await composer(page).press('Enter');
  await expect.poll(async () => (await row())?.connection.phase).toBe('ready');
  await composer(page).fill('/mcp tools');
  await composer(page).press('Enter');
  await expect(page).toHaveURL(/#\/tools/);
});
