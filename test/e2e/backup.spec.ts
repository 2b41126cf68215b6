import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { appState, ask, codeOf, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink } from './person.ts';

const VALUE = 'canary-83aa-value';
const PASSPHRASE = 'correct horse battery';
const chooseSave = (app: ElectronApplication, path: string) =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);
const chooseOpen = (app: ElectronApplication, path: string) =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
  }, path);
const toHome = async (window: Page) => {
  await pageLink(window, 'Settings').click();
  await window.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Home', exact: true }).click();
};
const names = async (window: Page) =>
  Object.values((await appState(window)).servers)
    .map(({ definition }) => definition.name)
    .toSorted();
const server = { name: 'Kept', enabled: false, transport: { type: 'stdio', command: 'kept', args: [], env: { KEY: { secret: VALUE } } } };
const inClear = (file: string): boolean => {
  try {
    execFileSync('grep', ['-a', '-q', VALUE, file]);
    return true;
  } catch {
    return false;
  }
};

test('the home is backed up to one private file and comes back at the next start, its secrets with the passphrase; the present home is kept', async ({
  app,
  page,
  folder,
  home,
  relaunch,
}) => {
  expect(codeOf(await ask(page, 'servers.add', server))).toBe('ok');
  const file = join(folder, 'saved.backup');
  await toHome(page);
  await page.getByRole('button', { name: 'Backup…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Passphrase for the secrets' }).fill(PASSPHRASE);
  await dialog.getByRole('textbox', { name: 'The same again' }).fill('something else');
  await dialog.getByRole('button', { name: 'Choose where…' }).click();
  await expect(dialog).toContainText('The two are not the same.');
  await dialog.getByRole('textbox', { name: 'The same again' }).fill(PASSPHRASE);
  await writeFile(file, 'mine');
  await chooseSave(app, file);
  await dialog.getByRole('button', { name: 'Choose where…' }).click();
  await expect(dialog).toContainText('There is a file of this name already.');
  const other = join(folder, 'other.backup');
  await chooseSave(app, other);
  await dialog.getByRole('button', { name: 'Choose where…' }).click();
  await expect(dialog).toContainText('1 secret');
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(statSync(other).mode & 0o777).toBe(0o600);
  expect(inClear(other)).toBe(false);

  const kept = Object.values((await appState(page)).servers).find(({ definition }) => definition.name === 'Kept');
  await give(page, 'servers.remove', { serverId: kept?.definition.id });
  await give(page, 'secrets.remove', { scope: 'global', key: 'mcp.Kept.env.KEY', force: true });
  await expect.poll(() => names(page)).toEqual(['Files', 'Notes']);

  await chooseOpen(app, file);
  await page.getByRole('button', { name: 'Restore…' }).click();
  await dialog.getByRole('button', { name: 'Check it' }).click();
  await expect(dialog).toContainText('This is no backup of Gatehouse.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await chooseOpen(app, other);
  await page.getByRole('button', { name: 'Restore…' }).click();
  await dialog.getByRole('textbox', { name: 'Its passphrase' }).fill('not the passphrase');
  await dialog.getByRole('button', { name: 'Check it' }).click();
  await expect(dialog).toContainText('That is not the passphrase of this backup.');
  await dialog.getByRole('textbox', { name: 'Its passphrase' }).fill(PASSPHRASE);
  await dialog.getByRole('button', { name: 'Check it' }).click();
  await expect(dialog).toContainText('It takes this home’s place when Gatehouse starts again.');
  expect(await names(page)).toEqual(['Files', 'Notes']);
  // Not the system's own way to start again: this test starts the app itself.
  const asked = join(folder, 'asked-to-start-again');
  await app.evaluate(({ app: electron }, path) => {
    electron.relaunch = () => process.getBuiltinModule('node:fs').writeFileSync(path, '');
  }, asked);
  const exited = new Promise((resolve) => app.process().once('exit', resolve));
  await dialog.getByRole('button', { name: 'Restart now' }).click();
  await exited;
  expect(existsSync(asked)).toBe(true);

  const { page: again } = await relaunch();
  await expect.poll(() => names(again)).toEqual(['Files', 'Kept', 'Notes']);
  const secrets = await give<readonly { readonly key: string; readonly missing: boolean }[]>(again, 'secrets.list');
  expect(secrets).toMatchObject([{ key: 'mcp.Kept.env.KEY', missing: false }]);
  const beside = readdirSync(folder).find((name) => name.startsWith('home.before-restore-'));
  expect(beside !== undefined && existsSync(join(folder, beside, 'mcp.json'))).toBe(true);
  expect(existsSync(join(home, 'mcp.json'))).toBe(true);
});
