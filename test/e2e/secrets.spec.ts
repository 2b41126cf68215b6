import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { appState, ask, codeOf, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

const VALUE = 'canary-51d0-value';
const NEW_VALUE = 'canary-51d0-rotated';
const inClear = (folder: string, text: string): boolean => {
  try {
    execFileSync('grep', ['-r', '-q', text, folder]);
    return true;
  } catch {
    return false;
  }
};
const toSecrets = async (window: Page): Promise<Locator> => {
  await pageLink(window, 'Settings').click();
  await window.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Secrets', exact: true }).click();
  await expect(window.getByRole('heading', { name: 'Secrets', exact: true })).toBeVisible();
  return window.getByRole('main');
};
const rowOf = (window: Page, key: string) => window.getByRole('list', { name: 'Secrets' }).getByRole('listitem').filter({ hasText: key });
const row = async (window: Page, name: string) =>
  Object.values((await appState(window)).servers).find(({ definition }) => definition.name === name);
const phase = async (window: Page, name: string) => (await row(window, name))?.connection.phase;
const start = async (window: Page, name: string) =>
  // It waits for the person's answer, and may do so until the app ends.
  void ask(window, 'servers.start', { serverId: (await row(window, name))?.definition.id }).catch(() => undefined);
const questionCard = (window: Page) => window.getByRole('region', { name: /wants to read a secret/ });

/** A server whose file names a secret, and which writes down what it was started with. */
const naming = (folder: string, key: string, name = 'Keyed') => ({
  mcpServers: {
    [name]: {
      command: process.execPath,
      args: [testServer('tells.mjs'), join(folder, 'told')],
      env: { T_KEY: { secretRef: key, scope: 'global' } },
    },
  },
});
const mcpFile = (home: string) => join(home, 'mcp.json');
const told = async (folder: string): Promise<readonly unknown[]> =>
  (await readFile(join(folder, 'told'), 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).env.T_KEY);
const write = async (home: string, value: unknown) => await writeFile(mcpFile(home), JSON.stringify(value, null, 2), { mode: 0o600 });

test('a secret is made, given a new value, renamed with its references and deleted, and its value is shown nowhere', async ({
  page,
  home,
  folder,
}) => {
  const main = await toSecrets(page);
  await expect(main).toContainText('No secrets yet');
  await main.getByRole('button', { name: 'New secret…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('model.x.key');
  await dialog.getByRole('textbox', { name: 'Value' }).fill(VALUE);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toContainText('belong to the keys of models');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('keyed.token');
  await dialog.getByRole('combobox', { name: 'When a server wants to read it' }).click();
  await page.getByRole('option', { name: 'Give without asking' }).click();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, 'keyed.token')).toContainText('Used by no server, changed just now, never read');

  await write(home, naming(folder, 'keyed.token'));
  await expect(rowOf(page, 'keyed.token')).toContainText('Used by Keyed');
  await start(page, 'Keyed');
  await expect.poll(() => phase(page, 'Keyed')).toBe('ready');
  expect(await told(folder)).toEqual([VALUE]);

  await page.getByRole('button', { name: 'New value: keyed.token' }).click();
  await dialog.getByRole('textbox', { name: 'Value' }).fill(NEW_VALUE);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, 'keyed.token')).toContainText('last read by Keyed');
  await expect.poll(() => phase(page, 'Keyed')).toBe('stopped');
  await start(page, 'Keyed');
  await expect.poll(() => told(folder)).toEqual([VALUE, NEW_VALUE]);

  await page.getByRole('button', { name: 'More for keyed.token' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await dialog.getByRole('textbox', { name: 'New name' }).fill('renamed.token');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, 'renamed.token')).toContainText('Used by Keyed');
  await expect(rowOf(page, 'keyed.token')).toHaveCount(0);
  expect(await readFile(mcpFile(home), 'utf8')).toContain('"secretRef": "renamed.token"');

  await page.getByRole('button', { name: 'More for renamed.token' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await expect(dialog.getByRole('list', { name: 'Used by' })).toContainText('env.T_KEY');
  await dialog.getByRole('button', { name: 'Delete all the same' }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, 'renamed.token')).toContainText('No value');
  await expect(page.getByRole('button', { name: 'Enter it: renamed.token' })).toBeVisible();

  for (const value of [VALUE, NEW_VALUE]) {
    expect(await page.content()).not.toContain(value);
    expect(JSON.stringify(await appState(page))).not.toContain(value);
    expect(inClear(home, value)).toBe(false);
  }
});

test('a launch that wants a secret waits for the person: who, what and which; Enter allows nothing; once, always and never hold as they say', async ({
  page,
  home,
  folder,
  relaunch,
}) => {
  await give(page, 'secrets.put', { scope: 'global', key: 'keyed.token', value: VALUE });
  await write(home, naming(folder, 'keyed.token'));
  await expect.poll(() => row(page, 'Keyed')).toBeDefined();
  await start(page, 'Keyed');
  await expect.poll(() => phase(page, 'Keyed')).toBe('needs');
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Approvals/ })).toContainText('1');
  await pageLink(page, 'Approvals').click();
  const card = questionCard(page);
  await expect(card).toContainText('Keyed');
  await expect(card).toContainText('keyed.token');
  await expect(card).toContainText('tells.mjs');
  await expect(card).not.toContainText(VALUE);
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  for (const name of ['Allow once', 'Always allow']) {
    await card.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  }
  await expect(card).toContainText('Enter allows nothing.');
  expect(await phase(page, 'Keyed')).toBe('needs');
  expect(await told(folder)).toEqual([]);

  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => phase(page, 'Keyed')).toBe('ready');
  await expect(page.getByRole('main')).toContainText('Nothing waits for you');
  expect(await told(folder)).toEqual([VALUE]);

  const { page: again } = await relaunch();
  await expect.poll(() => row(again, 'Keyed')).toBeDefined();
  await start(again, 'Keyed');
  await pageLink(again, 'Approvals').click();
  await questionCard(again).getByRole('button', { name: 'Always allow' }).click();
  await expect.poll(() => phase(again, 'Keyed')).toBe('ready');

  const { page: third } = await relaunch();
  await expect.poll(() => row(third, 'Keyed')).toBeDefined();
  await start(third, 'Keyed');
  await expect.poll(() => phase(third, 'Keyed')).toBe('ready');
  expect((await appState(third)).secretQuestions).toEqual([]);

  // Another secret of the same server was never allowed.
  await give(third, 'secrets.put', { scope: 'global', key: 'other.token', value: NEW_VALUE });
  await write(home, naming(folder, 'other.token'));
  await expect.poll(async () => JSON.stringify((await row(third, 'Keyed'))?.definition)).toContain('other.token');
  await start(third, 'Keyed');
  await expect.poll(async () => (await appState(third)).secretQuestions.length).toBe(1);
  await pageLink(third, 'Approvals').click();
  await questionCard(third).getByRole('button', { name: 'Deny' }).click();
  await expect(questionCard(third)).toBeHidden();
  await expect.poll(async () => JSON.stringify((await row(third, 'Keyed'))?.connection)).toContain('other.token');
  expect((await told(folder)).includes(NEW_VALUE)).toBe(false);
});

test('a secret that is waited for while the window is hidden is notified and shown in the tray, by name alone', async ({
  app,
  page,
  home,
  folder,
  shell,
}) => {
  await give(page, 'secrets.put', { scope: 'global', key: 'keyed.token', value: VALUE });
  await write(home, naming(folder, 'keyed.token'));
  await expect.poll(() => row(page, 'Keyed')).toBeDefined();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await start(page, 'Keyed');
  await expect.poll(() => shell.notices.length).toBe(1);
  expect(shell.notices[0]).toMatchObject({ summary: 'Keyed waits for a secret' });
  expect(JSON.stringify(shell.notices)).not.toContain('tells.mjs');
  await expect.poll(async () => (await shell.menu()).map(({ label }) => label)).toContain('Gatehouse: 1 server waits for a secret');
  await (await shell.menu()).find(({ label }) => label.startsWith('Review keyed.token'))?.choose();
  await expect(questionCard(page)).toBeVisible();
  await questionCard(page).getByRole('button', { name: 'Deny' }).click();
  await expect.poll(() => shell.closed.length).toBe(1);
});

test('what stands in the open is found; one and all of it move to the vault, and what cannot says why', async ({
  page,
  home,
  personHome,
}) => {
  const values = [
    'sk-canary-0123456789abcdef',
    'canary-bearer-0123456789abcdef',
    'sk-canary-fedcba9876543210',
    'sk-canary-0011223344556677',
  ];
  await write(home, {
    mcpServers: {
      one: { command: 'one', env: { ONE_API_KEY: values[0] } },
      two: { url: 'https://two.example/mcp', headers: { Authorization: `Bearer ${values[1]}`, 'X-Api-Key': values[3] } },
      three: { command: 'three', args: ['--api-key', values[2]] },
    },
  });
  execFileSync('mkdir', ['-p', join(personHome, '.config', 'mcp')]);
  await writeFile(
    join(personHome, '.config', 'mcp', 'mcp.json'),
    JSON.stringify({ mcpServers: { four: { command: 'four', env: { FOUR_TOKEN: 'sk-canary-foreign-0123456789' } } } }),
  );
  await toSecrets(page);
  const open = page.getByRole('list', { name: 'In the open' }).getByRole('listitem');
  await expect(open).toHaveCount(5);
  await expect(open.filter({ hasText: 'three' })).toContainText('An argument is seen by every program');
  await expect(open.filter({ hasText: 'FOUR_TOKEN' })).toContainText('Gatehouse does not write this file');
  await page.getByRole('button', { name: 'Move to vault: one env.ONE_API_KEY' }).click();
  await expect(open).toHaveCount(4);
  await expect(rowOf(page, 'mcp.one.env.ONE_API_KEY')).toContainText('Used by one');
  const file = await readFile(mcpFile(home), 'utf8');
  expect(file).toContain('mcp.one.env.ONE_API_KEY');
  expect(file).not.toContain(values[0]);
  await page.getByRole('button', { name: 'Move all 2 to the vault' }).click();
  await expect(open).toHaveCount(2);
  for (const value of [values[1], values[3]]) expect(await readFile(mcpFile(home), 'utf8')).not.toContain(value);
  for (const value of [...values, 'sk-canary-foreign']) expect(await page.content()).not.toContain(value);
});

test('of two hundred secrets only those in sight are drawn, and one is found by its name', async ({ page }) => {
  await page.evaluate(async () => {
    for (let at = 0; at < 200; at += 1) {
      await globalThis.gatehouse.request({
        id: 2_000_000 + at,
        route: 'secrets.put',
        input: { scope: 'global', key: `many.${String(at).padStart(3, '0')}`, value: 'x' },
      });
    }
  });
  await toSecrets(page);
  await expect(page.getByRole('main')).toContainText('200 secrets');
  expect(await page.getByRole('button', { name: /^New value: / }).count()).toBeLessThanOrEqual(60);
  await page.getByRole('textbox', { name: 'Find a secret' }).fill('many.187');
  await expect(page.getByRole('button', { name: /^New value: / })).toHaveCount(1);
});

test.describe('without a keyring', () => {
  test.use({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' } });

  test('the page says why nothing can be kept, offers no new vault, and keeps secrets in memory when the person wants it', async ({
    page,
    home,
  }) => {
    const main = await toSecrets(page);
    await expect(main).toContainText('There is no keyring to keep secrets in.');
    await expect(main.getByRole('button', { name: 'Start it anew…' })).toHaveCount(0);
    await main.getByRole('button', { name: 'Keep secrets in memory until I quit' }).click();
    await expect(main).toContainText('Secrets are kept in memory only.');
    await main.getByRole('button', { name: 'New secret…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('kept.token');
    await dialog.getByRole('textbox', { name: 'Value' }).fill(VALUE);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(rowOf(page, 'kept.token')).toBeVisible();
    expect(inClear(home, VALUE)).toBe(false);
  });
});

test('a vault whose key is lost is started anew after the words were typed: names and policies stay, values are gone', async ({
  page,
  home,
  relaunch,
}) => {
  await give(page, 'secrets.put', { scope: 'global', key: 'lost.token', value: VALUE, policy: 'deny' });
  const file = join(home, 'vault', 'vault.json');
  const { page: again } = await relaunch();
  // As if the keyring had another key: the name of the one that it wants is changed.
  const content = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...content, kid: content.kid.replaceAll(/./g, '0') }));
  const main = await toSecrets(again);
  await expect(main).toContainText('The vault’s key is not in the keyring.');
  await main.getByRole('button', { name: 'Start it anew…' }).click();
  const dialog = again.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Forget all values' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('forget');
  await again.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox').fill('forget all values');
  await dialog.getByRole('button', { name: 'Forget all values' }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(again, 'lost.token')).toContainText('No value');
  await expect(again.getByRole('combobox', { name: 'Who may read lost.token' })).toContainText('Give to nobody');
  expect(codeOf(await ask(again, 'secrets.put', { scope: 'global', key: 'lost.token', value: NEW_VALUE }))).toBe('ok');
  await expect(rowOf(again, 'lost.token')).not.toContainText('No value');
});
