import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { composer, page as pageLink, testServer } from './person.ts';

const calls = (...more: readonly string[]) => ({ command: process.execPath, args: [testServer('calls.mjs'), ...more] });
const stateOf = async (page: Page, name: string) => Object.values((await appState(page)).servers).find(({ definition }) => definition.name === name)?.connection;
const phases = async (page: Page, names: readonly string[]) => Promise.all(names.map(async (name) => (await stateOf(page, name))?.phase));

test('[F-39] [O7] servers that run from the start connect while the window works; one that never answers holds up none of them', async ({ launch, home }) => {
  const quick = Array.from({ length: 14 }, (_, at) => `quick-${at}`);
  const servers = {
    ...Object.fromEntries(quick.map((name) => [name, { ...calls(name), lifecycle: 'eager' }])),
    silent: { ...calls('--silent'), lifecycle: 'eager', limits: { handshakeMs: 60_000 } },
    sleeping: calls(),
  };
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: servers }), { mode: 0o600 });
  const { page } = await launch();
  // The window is used at once, whatever starts.
  await expect(composer(page)).toBeFocused();
  await pageLink(page, 'Servers').click();
  await expect(page.getByText('quick-0', { exact: true })).toBeVisible();
  await expect.poll(() => phases(page, quick), { timeout: 60_000 }).toEqual(quick.map(() => 'ready'));
  expect(await phases(page, ['silent', 'sleeping'])).toEqual(['starting', 'stopped']);
});

test('[F-36] a server’s page says when it runs and when it stops, and the setting for all is changed in Settings', async ({ launch, home }) => {
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { docs: { ...calls(), lifecycle: 'eager', idleTimeout: 90 }, lazy: calls() } }), { mode: 0o600 });
  const { page } = await launch();
  await expect.poll(async () => (await stateOf(page, 'docs'))?.phase, { timeout: 30_000 }).toBe('ready');
  const open = async (name: string) => {
    await pageLink(page, 'Servers').click();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
  };
  await open('docs');
  await expect(page.getByText('With Gatehouse', { exact: true })).toBeVisible();
  await expect(page.getByText(/^After 1 h 30 min without use \(at .+, if nobody uses it\)$/)).toBeVisible();
  await pageLink(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'How servers run' }).click();
  const idle = page.getByLabel('Sleep after');
  await expect(idle).toHaveValue('10');
  await idle.fill('a while');
  await expect(page.getByText(/^Minutes from 0/)).toBeVisible();
  await idle.fill('2.5');
  await idle.press('Enter');
  await page.getByLabel('Silence in a request').fill('90');
  await page.getByLabel('Silence in a request').press('Enter');
  await expect.poll(async () => (await appState(page)).settings).toMatchObject({ idleTimeout: 2.5, requestTimeoutMs: 90_000 });
  await open('lazy');
  await expect(page.getByText('After 2 min 30 s without use', { exact: true })).toBeVisible();
  await expect(page.getByText('1 min 30 s', { exact: true })).toBeVisible();
});
