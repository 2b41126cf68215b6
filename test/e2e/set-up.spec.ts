import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { startMirror } from '../servers/http/mirror.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { composer, page as pageLink, testServer } from './person.ts';

const SECRET = 'ghp_canary0123456789canary0123456789abcd';
const put = async (path: string, value: unknown): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value, null, 2));
};
const names = async (window: Page) =>
  Object.values((await appState(window)).servers)
    .map(({ definition }) => definition.name)
    .toSorted();
const heading = (window: Page, name: string) => window.getByRole('heading', { name, exact: true });
const next = (window: Page) => window.getByRole('button', { name: 'Next', exact: true }).click();
const stdio = { command: process.execPath, args: [testServer('versatile.mjs')] };
const notice = (window: Page) => window.getByRole('region', { name: 'Shared files' });

test.describe('the first start', () => {
  test.use({ firstStart: true });

  test('leads from what other programs have, over servers that many use, to the composer; it writes what was shown, and starts or contacts nothing before', async ({
    launch,
    home,
    personHome,
    folder,
    relaunch,
  }) => {
    await using contacted = await startMirror();
    const canary = join(folder, 'canary');
    const cursor = join(personHome, '.cursor', 'mcp.json');
    await put(cursor, {
      mcpServers: {
        github: { ...stdio, env: { GITHUB_TOKEN: SECRET } },
        reaches: { url: contacted.url },
        touches: { command: '/bin/sh', args: ['-c', `touch ${canary}`] },
      },
    });
    await put(join(personHome, '.claude.json'), { mcpServers: { other: stdio } });
    await put(join(personHome, '.config', 'mcp', 'mcp.json'), { mcpServers: { shared: stdio } });
    const { page } = await launch();
    await expect(heading(page, 'Servers that are here already')).toBeVisible();
    await expect(page.getByRole('region', { name: 'In use already' })).toContainText('~/.config/mcp/mcp.json');
    const found = page.getByRole('region', { name: 'Cursor' });
    await expect(found.getByRole('checkbox')).toHaveCount(3);
    await expect(found).toContainText('Has secrets in the open');
    await expect(found).not.toContainText(SECRET);
    await found.getByRole('button', { name: 'Choose all 3' }).click();
    await page.getByRole('button', { name: 'Review 3 servers…' }).click();
    const review = page.getByRole('dialog');
    const diff = review.getByRole('region', { name: 'What changes in the file' });
    await expect(diff).toContainText('"reaches"');
    await expect(review).toContainText('mcp.github.env.GITHUB_TOKEN');
    await expect(review).not.toContainText(SECRET);
    expect(existsSync(join(home, 'mcp.json'))).toBe(false);
    expect(await names(page)).toEqual(['Files', 'Notes', 'shared']);
    const before = await readFile(cursor, 'utf8');
    await review.getByRole('button', { name: 'Add 3 servers' }).click();
    await expect(review).toBeHidden();
    await expect(page.getByRole('main')).toContainText('3 servers added.');
    await expect.poll(() => names(page)).toEqual(['Files', 'Notes', 'github', 'reaches', 'shared', 'touches']);
    expect(await readFile(join(home, 'mcp.json'), 'utf8')).not.toContain(SECRET);
    expect(await readFile(cursor, 'utf8')).toBe(before);
    await next(page);

    await expect(heading(page, 'Servers that many people use')).toBeVisible();
    const known = page.getByRole('list', { name: 'Known servers' });
    for (const name of ['DeepWiki', 'Context7', 'Notion', 'GitHub', 'Chrome DevTools']) await expect(known).toContainText(name);
    await expect(known.getByRole('listitem').filter({ hasText: 'GitHub' }).filter({ hasText: 'githubcopilot' })).toContainText(
      'Configured',
    );
    await known.getByRole('listitem').filter({ hasText: 'Chrome DevTools' }).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Review 1 server…' }).click();
    await expect(diff).toContainText('chrome-devtools-mcp@latest');
    await review.getByRole('button', { name: 'Add 1 server' }).click();
    await expect.poll(() => names(page)).toContain('Chrome DevTools');
    await next(page);

    await expect(heading(page, 'With a model, or without')).toBeVisible();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(composer(page)).toBeFocused();
    expect(existsSync(canary)).toBe(false);
    expect(contacted.seen).toEqual([]);

    const { page: again } = await relaunch();
    await expect(composer(again)).toBeVisible();
    await expect(notice(again)).toBeHidden();
  });

  test('can be skipped as a whole, does not come again, and is found in the palette, in Settings and in the menu', async ({
    launch,
    relaunch,
  }) => {
    const { page } = await launch();
    await page.getByRole('button', { name: 'Skip all of it' }).click();
    await expect(composer(page)).toBeFocused();
    const { app, page: again } = await relaunch();
    await expect(composer(again)).toBeVisible();
    await again.keyboard.press('Control+k');
    await again.getByRole('combobox').fill('set-up');
    await again.getByRole('option', { name: 'Set-up…' }).click();
    await expect(heading(again, 'Servers that are here already')).toBeVisible();
    await expect(again.getByRole('main')).toContainText('No other program on this computer');
    await pageLink(again, 'Chat').click();
    await expect(composer(again)).toBeVisible();
    await app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.items.flatMap((item) => item.submenu?.items ?? [])
        .find(({ label }) => label === 'Set-up…')
        ?.click(),
    );
    await expect(heading(again, 'Servers that are here already')).toBeVisible();
  });
});

test('[F-196] the set-up shows what was found, follows a program’s file or copies it, makes a minimal project file and adds known servers, each as a diff before it is written', async ({
  launch,
  home,
  folder,
  personHome,
}) => {
  const cursor = join(personHome, '.cursor', 'mcp.json');
  const project = join(folder, 'project');
  await mkdir(project);
  await put(cursor, { mcpServers: { followed: stdio } });
  await put(join(personHome, '.codeium', 'windsurf', 'mcp_config.json'), { mcpServers: { copied: stdio } });
  const { page } = await launch();
  await give(page, 'settings.open-project', { folder: project });
  // RepoPrompt is a program for the Mac.
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }));
  await page.reload();
  await page.evaluate(() => void (location.hash = '#/set-up'));
  const review = page.getByRole('dialog');
  const diff = review.getByRole('region', { name: 'What changes in the file' });
  const mcpFile = () => readFile(join(home, 'mcp.json'), 'utf8');

  const source = page.getByRole('region', { name: 'Cursor' });
  await expect(source).toContainText(cursor);
  await source.getByRole('button', { name: 'Follow the file of Cursor' }).click();
  await expect(diff).toContainText('"imports"');
  expect(existsSync(join(home, 'mcp.json'))).toBe(false);
  await review.getByRole('button', { name: 'Follow it' }).click();
  await expect(source).toContainText('Followed');
  await expect.poll(() => names(page)).toContain('followed');
  expect(JSON.parse(await mcpFile())).toMatchObject({ imports: ['cursor'] });

  await page
    .getByRole('region', { name: /^Windsurf/ })
    .getByRole('checkbox')
    .click();
  await page.getByRole('button', { name: 'Review 1 server…' }).click();
  await expect(diff).toContainText('"copied"');
  expect(await mcpFile()).not.toContain('copied');
  await review.getByRole('button', { name: 'Add 1 server' }).click();
  await expect.poll(mcpFile).toContain('copied');
  await next(page);

  await page.getByRole('region', { name: 'A file for this project' }).getByRole('button', { name: 'Make one…' }).click();
  await expect(diff).toContainText('"mcpServers": {}');
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
  await review.getByRole('button', { name: 'Make it' }).click();
  await expect(review).toBeHidden();
  await expect(page.getByRole('region', { name: 'A file for this project' })).toBeHidden();
  expect(JSON.parse(await readFile(join(project, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: {} });
  expect((await appState(page)).trust.phase).not.toBe('ask');

  const known = page.getByRole('list', { name: 'Known servers' }).getByRole('listitem');
  for (const name of ['DeepWiki', 'Context7', 'Notion', 'GitHub', 'Chrome DevTools', 'RepoPrompt'])
    await known
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByRole('checkbox')
      .click();
  await page.getByRole('button', { name: 'Review 6 servers…' }).click();
  for (const target of [
    'mcp.deepwiki.com',
    'mcp.context7.com',
    'mcp.notion.com',
    'api.githubcopilot.com',
    'chrome-devtools-mcp',
    'repoprompt_cli',
    '"auth": "oauth"',
  ])
    await expect(diff).toContainText(target);
  expect(await mcpFile()).not.toContain('deepwiki');
  await review.getByRole('button', { name: 'Cancel' }).click();
});

test('[F-197] the first opening with shared files says so once', async ({ launch, relaunch, personHome }) => {
  await put(join(personHome, '.agents', 'mcp.json'), { mcpServers: { shared: stdio } });
  const { page } = await launch();
  await expect(notice(page)).toContainText('~/.agents/mcp.json');
  await notice(page).getByRole('button', { name: 'Got it' }).click();
  await expect(notice(page)).toBeHidden();
  const { page: again } = await relaunch();
  await expect.poll(() => names(again)).toContain('shared');
  await expect(notice(again)).toBeHidden();
});

test('[F-198] the line at the foot is short with its mark by default; full, off and without the mark by choice', async ({ page }) => {
  const foot = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /connected|asleep/ });
  const notes = Object.values((await appState(page)).servers).find(({ definition }) => definition.name === 'Notes');
  await give(page, 'servers.start', { serverId: notes?.definition.id });
  await expect(foot).toHaveText('1 of 1 connected');
  await expect(foot.locator('svg')).toHaveCount(1);
  await pageLink(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Appearance', exact: true }).click();
  await page.getByRole('radio', { name: 'Full', exact: true }).click();
  await expect(foot).toHaveText('1 connected, 2 enabled');
  await page.getByRole('switch', { name: 'Its mark' }).click();
  await expect(foot.locator('svg')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Off', exact: true }).click();
  await expect(foot).toHaveCount(0);
});
