import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { startModelServer } from '../support/model-server.ts';
import { appState, ask, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { composer, conversation, page as pageLink, question, send, testServer, useModel } from './person.ts';

/** What axe finds that is serious or worse, in words. */
async function violations(page: Page): Promise<readonly string[]> {
  // Electron cannot open the second page that the legacy-less mode wants.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`));
}
const focused = (page: Page) =>
  page.evaluate(
    () =>
      document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label') || document.activeElement?.tagName,
  );

test('keys open the palette, a new chat and the settings', async ({ page }) => {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type('servers');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('heading', { level: 1, name: 'New chat' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
});

for (const theme of ['light', 'dark'] as const) {
  test(`no page has a serious fault of accessibility: ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    for (const name of ['Chat', 'Servers', 'Tools', 'Approvals', 'Settings']) {
      await pageLink(page, name).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await violations(page), name).toEqual([]);
    }
    for (const link of await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').all()) {
      await link.click();
      await expect(link).toHaveAttribute('aria-current', 'page');
      expect(await violations(page), `${await link.textContent()}`).toEqual([]);
    }
    await page.getByRole('link', { name: 'Global servers' }).click();
    await page.getByRole('button', { name: 'Add server' }).first().click();
    await page.getByRole('button', { name: 'Advanced' }).click();
    await expect(page.getByText('Sleep after')).toBeVisible();
    expect(await violations(page), 'the form of a server').toEqual([]);
  });
}

test('what asks for trust and for secrets, the set-up and the pages of secrets and home have no serious fault of accessibility', async ({ page, home, folder }) => {
  const project = join(folder, 'project');
  const projectFile = join(project, '.mcp.json');
  await mkdir(project);
  const named = { command: process.execPath, args: [testServer('versatile.mjs')], env: { KEY: { secretRef: 'a.token', scope: 'global' }, OTHER_TOKEN: 'sk-canary-0123456789abcdef' } };
  await writeFile(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { Named: named } }), { mode: 0o600 });
  await give(page, 'secrets.put', { scope: 'global', key: 'a.token', value: 'x' });
  await expect.poll(async () => Object.values((await appState(page)).servers).map(({ definition }) => definition.name)).toContain('Named');
  const server = Object.values((await appState(page)).servers).find(({ definition }) => definition.name === 'Named');
  // It waits for an answer that nobody gives, until the app ends.
  void ask(page, 'servers.start', { serverId: server?.definition.id }).catch(() => undefined);
  await expect.poll(async () => (await appState(page)).secretQuestions.length).toBe(1);
  await writeFile(projectFile, JSON.stringify({ mcpServers: { a: { command: 'a' }, b: { url: 'https://b.example/mcp' } } }));
  await give(page, 'settings.open-project', { folder: project });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Trust these files' }).click();
  await expect(dialog).toBeHidden();
  await writeFile(projectFile, JSON.stringify({ mcpServers: { a: { command: 'a', args: ['--new'] } } }));
  await page.getByRole('button', { name: 'Look at them…' }).click();
  await expect(dialog).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await violations(page), `trust, ${theme}`).toEqual([]);
  }
  await page.keyboard.press('Escape');
  for (const place of ['#/approvals', '#/set-up', '#/settings/secrets', '#/settings/home']) {
    await page.evaluate((hash) => void (location.hash = hash), place);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await violations(page), `${place}, ${theme}`).toEqual([]);
    }
  }
});

test('Enter never approves, Tab reaches everything on the card, the space bar allows, and Esc stops', async ({ page }) => {
  await using server = await startModelServer();
  server.on({ predicate: ({ messages }) => messages.at(-1)?.role === 'tool' }, { text: 'That was it.' });
  server.on({}, { calls: [{ name: 'mcp_notes_add_note', args: { title: 'Plums', text: 'Buy plums' } }] });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Note that I need plums');
  const card = question(page);
  const once = card.getByRole('button', { name: 'Allow once' });
  await expect(once).toBeEnabled();
  expect(await violations(page)).toEqual([]);
  // In the composer, where the person was typing, and on each thing of the card.
  await page.keyboard.press('Enter');
  await card.getByRole('button').first().focus();
  const reached: (string | null | undefined)[] = [];
  for (let press = 0; press < 6; press += 1) {
    reached.push(await focused(page));
    await page.keyboard.press('Tab');
  }
  expect(reached).toEqual(['Edit arguments…', 'Allow once', 'Allow for this chat', 'Always…', 'Deny with a reason…', 'Deny']);
  for (const name of ['Allow once', 'Allow for this chat']) {
    await card.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(card).toContainText('Enter allows nothing.');
  }
  expect((await appState(page)).approvals).toHaveLength(1);
  await once.focus();
  await page.keyboard.press('Space');
  await expect(conversation(page)).toContainText('That was it.');

  await send(page, 'And pears');
  await expect(card).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await appState(page)).approvals).toEqual([]);
  await expect(conversation(page)).toContainText('You stopped it here.');
});
