import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { page as pageLink } from './person.ts';

const section = async (page: Page, name: string): Promise<void> => {
  await pageLink(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click();
};

test('a setting of a file says so; what is chosen over it is taken back with a press', async ({ launch, home }, info) => {
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: {}, settings: { idleTimeout: 25, scriptMode: false, toolPrefix: 'server', elicitation: false, authRequiredMessage: 'Ask ${server}' } }));
  const { page } = await launch();
  await section(page, 'How servers run');
  const sleep = page.getByRole('textbox', { name: 'Sleep after' });
  await expect(sleep).toHaveValue('25');
  const from = page.getByText('From mcp.json', { exact: true });
  await expect(from).toHaveCount(3);
  await look(page, info, 'from-file');

  await sleep.fill('5');
  await sleep.press('Enter');
  await page.getByLabel('Let servers ask').click();
  await expect(from).toHaveCount(1);
  await page.setViewportSize({ width: 800, height: 600 });
  await look(page, info, 'chosen-here');
  await page.getByRole('button', { name: 'Follow the file: Sleep after' }).click();
  await expect(sleep).toHaveValue('25');
  await expect(from).toHaveCount(2);
  expect((await appState(page)).settings).toMatchObject({ idleTimeout: 25, elicitation: true });
});

test('what a file wants asked is told apart from what is asked for here, and stays', async ({ launch, home }, info) => {
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: {}, settings: { approveTools: ['delete_*', 'drop_table'] } }));
  const { page } = await launch();
  await pageLink(page, 'Approvals').click();
  await expect(page.getByText('mcp.json has these ask too: delete_*, drop_table')).toBeVisible();
  const field = page.getByLabel('Add a name or pattern');
  await field.fill('delete_*');
  await field.press('Enter');
  await expect(page.getByText('It is in the list already.')).toBeVisible();
  await field.fill('send_*');
  await field.press('Enter');
  await look(page, info, 'asks');
  expect((await appState(page)).settings.approveTools).toEqual(['delete_*', 'drop_table', 'send_*']);
  await page.getByRole('button', { name: 'Remove send_*' }).click();
  await expect.poll(async () => (await appState(page)).settings.approveTools).toEqual(['delete_*', 'drop_table']);

  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: {}, settings: { approveTools: true } }));
  await expect(page.getByLabel('For every tool')).toBeDisabled();
  await expect(page.getByText('So says mcp.json.')).toBeVisible();
});
