import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink } from './person.ts';

const write = (file: string, content: unknown): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2), { mode: 0o600 });
};
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { readonly mcpEnabled?: boolean; readonly imports?: unknown; readonly mcpServers?: Readonly<Record<string, unknown>> }; // this test's own file
const canary = 'sk-canary-5b1c9f0a7d3e4421';

async function open(page: Page): Promise<Locator> {
  await pageLink(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: /^Discovery/ }).click();
  const list = page.getByRole('list', { name: 'Servers of other programs' });
  await expect(list).toBeAttached();
  return list;
}
const item = (list: Locator, name: string): Locator => list.getByRole('listitem').filter({ has: list.page().getByRole('button', { name: new RegExp(`^Add ${name}\\b`) }) });
async function confirm(page: Page, button: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toBeHidden();
}

test('[U-56] what other programs have is a list to read; one without secrets is copied and its scope switched on, one with secrets is looked through first', async ({ launch, home, personHome }) => {
  const cursor = join(personHome, '.cursor', 'mcp.json');
  write(cursor, { mcpServers: { docs: { command: 'npx', args: ['-y', 'docs-mcp'] }, search: { command: 'npx', args: ['-y', 'search-mcp'], env: { SEARCH_API_KEY: canary } }, known: { command: 'true' } } });
  const cursorText = readFileSync(cursor, 'utf8');
  write(join(home, 'mcp.json'), { mcpEnabled: false, mcpServers: { known: { command: 'true' } } });
  const { page } = await launch();
  const list = await open(page);
  await expect(list).toContainText('Cursor');
  await expect(list).toContainText('.cursor/mcp.json');
  await expect(item(list, 'known')).toContainText('Configured');
  await expect(item(list, 'docs')).not.toContainText('Configured');
  await expect(item(list, 'search')).toContainText('Has secrets');
  await expect(page.locator('body')).not.toContainText(canary);
  // Inert: nothing of it is a server of this app.
  expect(Object.values((await appState(page)).servers).map(({ definition }) => definition.name).toSorted()).toEqual(['Files', 'Notes', 'known']);

  await item(list, 'docs').getByRole('button', { name: /^Add docs/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'What will be written' })).toContainText('docs-mcp');
  expect(read(join(home, 'mcp.json')).mcpServers).toEqual({ known: { command: 'true' } });
  await confirm(page, /^Add 1 server/);
  expect(read(join(home, 'mcp.json'))).toMatchObject({ mcpEnabled: true, mcpServers: { known: { command: 'true' }, docs: { command: 'npx', args: ['-y', 'docs-mcp'] } } });
  await expect(item(list, 'docs')).toContainText('Configured');

  await item(list, 'search').getByRole('button', { name: /^Add search/ }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name for search' })).toHaveValue('search');
  await dialog.getByRole('textbox', { name: 'Name in the vault for SEARCH_API_KEY' }).fill('search.key');
  await expect(dialog.getByRole('region', { name: 'What will be written' })).toContainText('search.key');
  await expect(page.locator('body')).not.toContainText(canary);
  await confirm(page, /^Add 1 server/);
  expect(read(join(home, 'mcp.json')).mcpServers?.['search']).toMatchObject({ env: { SEARCH_API_KEY: { secretRef: 'search.key', scope: 'global' } } });
  expect(readFileSync(cursor, 'utf8')).toBe(cursorText);
});

test('some are chosen over several programs and added at once; a program can be followed as it is', async ({ launch, home, personHome }) => {
  write(join(personHome, '.cursor', 'mcp.json'), { mcpServers: { docs: { command: 'true', args: ['a'] }, extra: { command: 'true', args: ['b'] } } });
  write(join(personHome, '.codeium', 'windsurf', 'mcp_config.json'), { mcpServers: { docs: { command: 'true', args: ['c'] } } });
  const { page } = await launch();
  const list = await open(page);
  const docs = list.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Add docs/ }) });
  await docs.nth(0).getByRole('checkbox').click();
  await docs.nth(1).getByRole('checkbox').click();
  await page.getByRole('group', { name: 'Chosen servers' }).getByRole('button', { name: 'Add 2 servers…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('One name is taken');
  await expect(dialog.getByRole('button', { name: /^Add 1 server/ })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'The name docs is taken' }).click();
  await page.getByRole('option', { name: /Call it/ }).click();
  await confirm(page, /^Add 2 servers/);
  expect(read(join(home, 'mcp.json')).mcpServers).toMatchObject({ docs: { args: ['a'] }, 'docs-2': { args: ['c'] } });

  await page.getByRole('switch', { name: 'Follow Cursor' }).click();
  await expect(page.getByRole('switch', { name: 'Follow Cursor' })).toBeChecked();
  expect(read(join(home, 'mcp.json')).imports).toEqual(['cursor']);
  await expect.poll(async () => Object.values((await appState(page)).servers).some(({ definition }) => definition.name === 'extra')).toBe(true);
});

test('[U-57] text that is pasted or comes from a file is imported; duplicates are refused until one decides; plain text becomes secrets and references', async ({ launch, home, folder }) => {
  write(join(home, 'mcp.json'), { mcpServers: { docs: { command: 'true' } } });
  const { page } = await launch();
  await open(page);
  const box = page.getByRole('textbox', { name: 'Text to import' });
  await box.fill(JSON.stringify({ mcpServers: { docs: { command: 'node', args: ['new.js'] }, paid: { url: 'https://paid.example.com/mcp', headers: { Authorization: `Bearer ${canary}` } } } }));
  await expect(page.getByText('2 servers', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('One name is taken');
  await expect(dialog.getByRole('button', { name: /^Add/ })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'The name docs is taken' }).click();
  await page.getByRole('option', { name: 'Leave it out' }).click();
  await confirm(page, /^Add 1 server/);
  const saved = read(join(home, 'mcp.json')).mcpServers;
  expect(saved?.['docs']).toEqual({ command: 'true' });
  expect(saved?.['paid']).toMatchObject({ headers: { Authorization: { secretRef: expect.any(String), scope: 'global' } } });
  expect(() => execFileSync('grep', ['-r', '-l', canary, home])).toThrow();
  expect((await give<readonly { readonly policy?: string }[]>(page, 'secrets.list')).map(({ policy }) => policy)).toEqual(['prompt']);

  const file = join(folder, 'servers.toml');
  write(file, '[mcp_servers.from-file]\ncommand = "uvx"\nargs = ["tool"]\n');
  await page.getByLabel('File to import').setInputFiles(file);
  await expect(page.getByText('1 server', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Review…' }).click();
  await confirm(page, /^Add 1 server/);
  expect(read(join(home, 'mcp.json')).mcpServers?.['from-file']).toEqual({ command: 'uvx', args: ['tool'] });
});

test('a file that is dropped anywhere on the page is read', async ({ page }) => {
  await open(page);
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['claude mcp add dropped -- npx -y dropped-mcp'], 'line.txt', { type: 'text/plain' }));
    return transfer;
  });
  const target = page.getByRole('heading', { name: 'Export' });
  await target.dispatchEvent('dragover', { dataTransfer: data });
  await expect(page.getByText('Drop the file to see what is in it')).toBeVisible();
  await target.dispatchEvent('drop', { dataTransfer: data });
  await expect(page.getByRole('textbox', { name: 'Text to import' })).toHaveValue('claude mcp add dropped -- npx -y dropped-mcp');
  await expect(page.getByText('line.txt')).toBeVisible();
});

test('[U-58] the export is text that can be selected and copied, and is saved as a file; no value of a secret is in it', async ({ launch, home, folder }) => {
  write(join(home, 'mcp.json'), { mcpServers: { docs: { command: 'npx', args: ['-y', 'docs-mcp'], env: { MODE: 'fast', API_KEY: canary } } } });
  const { app, page } = await launch();
  await open(page);
  await page.getByRole('heading', { name: 'Export' }).scrollIntoViewIfNeeded();
  const shown = page.getByLabel('json code');
  await expect(shown).toContainText('docs-mcp');
  await expect(shown).not.toContainText(canary);
  expect(await shown.evaluate((element) => getComputedStyle(element).userSelect)).toBe('text');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({ mcpServers: { docs: { command: 'npx' } } });

  const path = join(folder, 'out.json');
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async (_window: unknown, options?: { readonly defaultPath?: string }) => {
      Object.assign(globalThis, { proposed: options?.defaultPath });
      return { canceled: false, filePath: chosen };
    };
  }, path);
  await page.getByRole('button', { name: 'Save as gatehouse-mcp.json…' }).click();
  await expect(page.getByText(`Saved as ${path}.`)).toBeVisible();
  expect(await app.evaluate(() => (globalThis as { readonly proposed?: string }).proposed)).toMatch(/gatehouse-mcp\.json$/); // put there above
  expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(copied);
  await page.getByRole('radio', { name: 'VS Code' }).click();
  await expect(shown).toContainText('"servers"');
  await expect(shown).not.toContainText(canary);
});
