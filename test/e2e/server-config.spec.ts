import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { appState, give } from './bridge.ts';
import { waitForApproval } from './busy.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

const canary = 'sk-canary-91f2c07be5d84a63';
const callsServer = { command: process.execPath, args: [testServer('calls.mjs')] };
const put = (file: string, servers: object): void => writeFileSync(file, `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`, { mode: 0o600 });
const entry = (file: string, name: string) => (JSON.parse(readFileSync(file, 'utf8')) as { readonly mcpServers: Readonly<Record<string, unknown>> }).mcpServers[name]; // this test's own file
const stateOf = async (page: Page, name: string) => Object.values((await appState(page)).servers).find((one) => one.definition.name === name);

async function edit(page: Page, name: string): Promise<Locator> {
  await pageLink(page, 'Servers').click();
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  return page.getByRole('form', { name: `Edit ${name}` });
}

test('text of a file that looks secret is never shown, stays where it is when something else changes, and goes to the vault at a press', async ({ launch, home }) => {
  const file = join(home, 'mcp.json');
  put(file, { docs: { command: 'true', args: ['--verbose', `--token=${canary}`], env: { API_KEY: canary, MODE: 'fast', HOST: '${HOST:-local}' } } });
  const { page } = await launch();
  const form = await edit(page, 'docs');
  await expect(form.getByText('in the file, hidden')).toHaveCount(2);
  await expect(form.getByLabel('Value of HOST')).toHaveValue('${HOST:-local}');
  await form.getByLabel('Value of MODE').fill('slow');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form).toBeHidden();
  expect(entry(file, 'docs')).toMatchObject({ args: ['--verbose', `--token=${canary}`], env: { API_KEY: canary, MODE: { plain: 'slow' }, HOST: '${HOST:-local}' } });

  const again = await edit(page, 'docs');
  await again.getByRole('button', { name: 'Move to vault: the value of API_KEY' }).click();
  await expect(again.getByRole('combobox', { name: 'Secret for API_KEY' })).toContainText('mcp.docs.env.API_KEY');
  expect(entry(file, 'docs')).toMatchObject({ env: { API_KEY: { secretRef: 'mcp.docs.env.API_KEY', scope: 'global' } } });
  await expect(page.locator('body')).not.toContainText(canary);
});

test('every option that is set under Advanced is saved by its name, and what cannot be is said at its field', async ({ launch, home }) => {
  const file = join(home, 'mcp.json');
  put(file, { docs: { url: 'http://127.0.0.1:9/mcp' } });
  const { page } = await launch();
  const form = await edit(page, 'docs');
  await form.getByRole('button', { name: 'Advanced' }).click();
  const choose = async (label: string, option: string) => {
    await form.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('How', 'A token');
  await form.getByRole('textbox', { name: 'Or the variable that holds it' }).fill('DOCS_TOKEN');
  await choose('When it runs', 'From its first use on, kept alive');
  await form.getByRole('textbox', { name: 'Sleep after' }).fill('99999');
  await form.getByRole('textbox', { name: 'Not these tools' }).fill('delete_*\ndrop');
  await choose('Always ask', 'For every tool');
  await choose('Trace', 'Yes');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByRole('textbox', { name: 'Sleep after' })).toHaveAccessibleDescription(/At most 10,080 minutes/);
  await form.getByRole('textbox', { name: 'Sleep after' }).fill('5');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form).toBeHidden();
  expect(entry(file, 'docs')).toMatchObject({
    url: 'http://127.0.0.1:9/mcp', auth: 'bearer', bearerTokenEnv: 'DOCS_TOKEN', lifecycle: 'lazy-keep-alive', idleTimeout: 5, excludeTools: ['delete_*', 'drop'],
    approveTools: true, trace: true,
  });
});

test('a tool is pinned on its server’s page, is so after a new start, and is unpinned again', async ({ launch, relaunch, home }) => {
  const file = join(home, 'mcp.json');
  put(file, { docs: callsServer });
  const { page } = await launch();
  const { definition } = (await stateOf(page, 'docs')) ?? {};
  await give(page, 'servers.start', { serverId: definition?.id });
  const open = async (window: Page) => {
    await pageLink(window, 'Servers').click();
    await window.getByRole('link', { name: 'docs', exact: true }).click();
    await window.getByRole('tabpanel').getByRole('button', { name: /^echo/ }).click();
  };
  await open(page);
  await page.getByRole('button', { name: 'Pin echo', exact: true }).click();
  await expect(page.getByText('1 tool pinned.')).toBeVisible();
  expect(entry(file, 'docs')).toEqual({ ...callsServer, directTools: ['echo'] });
  const { page: second } = await relaunch();
  await give(second, 'servers.start', { serverId: definition?.id });
  await open(second);
  await second.getByRole('button', { name: 'Unpin echo', exact: true }).click();
  await expect(second.getByText('None is pinned.')).toBeVisible();
  expect(entry(file, 'docs')).toEqual(callsServer);
});

test('entries that nobody trusted and entries with a mistake stand below the servers, with their place and the next step', async ({ launch, home, folder }) => {
  put(join(home, 'mcp.json'), { good: { command: 'true' }, bad: { command: 'true', args: 'not a list' } });
  const { page } = await launch();
  const project = join(folder, 'atlas');
  mkdirSync(project);
  put(join(project, '.mcp.json'), { waiting: { command: 'touch', args: [join(folder, 'canary-file')] } });
  await give(page, 'settings.open-project', { folder: project });
  // The question comes up by itself; it can wait.
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await pageLink(page, 'Servers').click();
  const unused = page.getByRole('region', { name: 'Configured and not in use' });
  await expect(unused.getByRole('listitem').filter({ hasText: 'bad' })).toContainText(/Invalid.*mcp\.json:\d+/);
  const waiting = unused.getByRole('listitem').filter({ hasText: 'waiting' });
  await expect(waiting).toContainText(/Not trusted.*\.mcp\.json:\d+/);
  await expect(waiting.getByRole('button', { name: 'Look at it…' })).toBeVisible();
  expect(Object.values((await appState(page)).servers).map(({ definition }) => definition.name).toSorted()).toEqual(['Files', 'Notes', 'good']);
});

test('a change that waits for the next run is had at once by a press', async ({ launch, home }) => {
  put(join(home, 'mcp.json'), { docs: callsServer });
  const { page } = await launch();
  await using _model = await waitForApproval(page);
  await give(page, 'config.save', { scope: 'global', edits: [{ op: 'put', draft: { name: 'docs', transport: { type: 'stdio', command: process.execPath, args: [testServer('calls.mjs'), '--other'], env: {} } }, previousName: 'docs' }] });
  await expect.poll(async () => (await stateOf(page, 'docs'))?.pending).toBe(true);
  await pageLink(page, 'Servers').click();
  await page.getByRole('link', { name: 'docs', exact: true }).click();
  await page.getByRole('button', { name: 'Apply now' }).click();
  await expect.poll(async () => (await stateOf(page, 'docs'))?.pending).toBeUndefined();
  expect((await stateOf(page, 'docs'))?.definition.transport).toMatchObject({ args: [testServer('calls.mjs'), '--other'] });
  await expect(page.getByRole('tab', { name: 'Where it comes from' })).toBeVisible();
});
