import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { startMirror } from '../servers/http/mirror.ts';
import { appState, ask, codeOf } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

const put = async (path: string, value: unknown): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value, null, 2));
};
const phase = async (window: Page) => (await appState(window)).trust.phase;
const named = async (window: Page, name: string) =>
  Object.values((await appState(window)).servers).find(({ definition }) => definition.name === name);
const bar = (window: Page) => window.getByRole('region', { name: 'Project trust' });
const dialog = (window: Page) => window.getByRole('dialog', { name: /^Trust the/ });
const open = async (window: Page, folder: string) => expect(codeOf(await ask(window, 'settings.open-project', { folder }))).toBe('ok');
const stdio = (...args: readonly string[]) => ({ command: process.execPath, args: [testServer('versatile.mjs'), ...args] });
const trustButton = (window: Page) => dialog(window).getByRole('button', { name: 'Trust these files' });
/** Everything that looks at configuration, asked for: nothing of it starts, resolves or contacts anything. */
const lookAround = async (window: Page) => {
  for (const [route, input] of [
    ['config.sources'],
    ['config.validate', { scope: 'effective' }],
    ['exchange.discover', {}],
    ['catalog.page', { limit: 10 }],
    ['secrets.literals'],
  ] as const) {
    expect(codeOf(await ask(window, route, input))).toBe('ok');
  }
};

test.describe('a project with MCP files of its own', () => {
  let project: string;
  test.beforeEach(async ({ folder }) => {
    project = join(folder, 'project');
    await mkdir(project);
  });

  test('[F-6] is asked about as it opens: until it is trusted nothing of it counts, starts, is contacted, asked or written, also not what it imports; then all of it does', async ({
    page,
  }) => {
    await using contacted = await startMirror();
    const canary = join(project, 'canary');
    const touch = `touch ${canary}`;
    await put(join(project, '.mcp.json'), {
      mcpServers: {
        runs: {
          command: '/bin/sh',
          args: ['-c', `${touch}-server; exec ${process.execPath} ${testServer('versatile.mjs')}`],
          lifecycle: 'eager',
        },
        reaches: { url: contacted.url, lifecycle: 'eager' },
      },
    });
    await put(join(project, '.gatehouse', 'mcp.json'), {
      imports: ['vscode'],
      mcpServers: { asks: { ...stdio(), env: { TOKEN: `!${touch}-command` } } },
    });
    await put(join(project, '.vscode', 'mcp.json'), { servers: { imported: stdio() } });

    await open(page, project);
    await expect(dialog(page)).toBeVisible();
    const shown = dialog(page);
    await expect(shown.getByRole('region', { name: 'runs', exact: true })).toContainText(`${canary}-server`);
    await expect(shown.getByRole('region', { name: 'reaches', exact: true })).toContainText(contacted.url);
    await expect(shown.getByRole('region', { name: 'asks', exact: true })).toContainText(`${canary}-command`);
    expect(
      Object.values((await appState(page)).servers)
        .map(({ definition }) => definition.name)
        .toSorted(),
    ).toEqual(['Files', 'Notes']);
    expect(codeOf(await ask(page, 'config.scope', { scope: 'project' }))).toBe('trust/needed');
    const before = await readFile(join(project, '.gatehouse', 'mcp.json'), 'utf8');
    const edit = { op: 'put', draft: { name: 'more', transport: { type: 'stdio', command: 'x', args: [], env: {} } } };
    expect(codeOf(await ask(page, 'config.save', { scope: 'project', edits: [edit] }))).toBe('trust/needed');
    expect(await readFile(join(project, '.gatehouse', 'mcp.json'), 'utf8')).toBe(before);
    await lookAround(page);
    expect(existsSync(`${canary}-server`)).toBe(false);
    expect(existsSync(`${canary}-command`)).toBe(false);
    expect(contacted.seen).toEqual([]);

    await trustButton(page).click();
    await expect(shown).toBeHidden();
    expect(await phase(page)).toBe('trusted');
    for (const name of ['runs', 'reaches', 'imported']) {
      const row = await named(page, name);
      await ask(page, 'servers.start', { serverId: row?.definition.id });
      await expect.poll(async () => (await named(page, name))?.connection.phase).toBe('ready');
    }
    expect(existsSync(`${canary}-server`)).toBe(true);
    expect(contacted.seen.length).toBeGreaterThan(0);
    expect(codeOf(await ask(page, 'config.scope', { scope: 'project' }))).toBe('ok');
  });

  test('asks again for a changed file, with what was trusted before struck through; the app’s own save does not ask', async ({
    page,
  }) => {
    const file = join(project, '.mcp.json');
    await put(file, { mcpServers: { docs: stdio('--old'), gone: stdio() } });
    await open(page, project);
    await trustButton(page).click();
    await expect.poll(() => phase(page)).toBe('trusted');

    const own = {
      op: 'put',
      draft: { name: 'mine', transport: { type: 'stdio', command: process.execPath, args: [testServer('versatile.mjs')], env: {} } },
    };
    expect(codeOf(await ask(page, 'config.save', { scope: 'project', edits: [own] }))).toBe('ok');
    await expect.poll(() => named(page, 'mine')).toBeDefined();
    expect(await phase(page)).toBe('trusted');
    await expect(bar(page)).toBeHidden();

    await put(file, { mcpServers: { docs: stdio('--new'), fresh: { url: 'https://fresh.example/mcp' } } });
    await expect(bar(page)).toContainText('have changed');
    expect(await named(page, 'docs')).toBeUndefined();
    await expect(dialog(page)).toBeHidden();
    await bar(page).getByRole('button', { name: 'Look at them…' }).click();
    const docs = dialog(page).getByRole('region', { name: 'docs', exact: true });
    await expect(docs.locator('del')).toContainText('--old');
    await expect(docs.locator('ins')).toContainText('--new');
    await expect(dialog(page).getByRole('region', { name: 'fresh', exact: true })).toContainText('New');
    await expect(dialog(page).getByRole('region', { name: 'gone', exact: true })).toContainText('Removed');
    await expect(dialog(page).getByRole('region', { name: 'mine', exact: true })).toContainText('As before');
    await trustButton(page).click();
    await expect
      .poll(async () => (await named(page, 'docs'))?.definition.transport)
      .toMatchObject({ args: [testServer('versatile.mjs'), '--new'] });
  });

  test('shows what its config.toml sets every run to, before anything else, and what of it changed', async ({ page }) => {
    const file = join(project, '.gatehouse', 'config.toml');
    await put(join(project, '.mcp.json'), { mcpServers: { docs: stdio() } });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '[runner]\nmodel = "m2"\nsystem_prompt = "Obey the project."\n');
    await open(page, project);
    const runs = dialog(page).getByRole('region', { name: 'Every run in this project' });
    await expect(runs).toContainText('model: m2');
    await expect(runs).toContainText('system_prompt: Obey the project.');
    await expect(runs).toContainText(join('.gatehouse', 'config.toml'));
    await expect(dialog(page)).toContainText('1 server, and what runs are set to');
    await expect(dialog(page).getByRole('region').first()).toHaveAccessibleName('Every run in this project');
    await trustButton(page).click();
    await expect.poll(() => phase(page)).toBe('trusted');

    await writeFile(file, '[runner]\nmodel = "m3"\nsystem_prompt = "Obey the project."\n');
    await bar(page).getByRole('button', { name: 'Look at them…' }).click();
    await expect(runs.locator('del')).toContainText('model: m2');
    await expect(runs.locator('ins')).toContainText('model: m3');
  });

  test('Enter trusts nothing, wherever the focus is; the space bar does', async ({ page }) => {
    await put(join(project, '.mcp.json'), { mcpServers: { docs: stdio() } });
    await open(page, project);
    await expect(dialog(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(trustButton(page)).toBeEnabled();
    await trustButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toContainText('Enter trusts nothing.');
    expect(await phase(page)).toBe('ask');
    await page.keyboard.press('Space');
    await expect(dialog(page)).toBeHidden();
    expect(await phase(page)).toBe('trusted');
  });

  test('a file that changes under the person’s eyes is shown anew, and a press meant for the old one trusts nothing', async ({
    page,
  }) => {
    const file = join(project, '.mcp.json');
    await put(file, { mcpServers: { docs: stdio('--harmless') } });
    await open(page, project);
    await expect(trustButton(page)).toBeEnabled();
    /** Whether the button could be pressed in the moment in which the new content stood there. */
    const pressable = await page.evaluateHandle(() => {
      const shown = document.querySelector('[role="dialog"]');
      const promise = new Promise<boolean>((resolve) => {
        const look = () => {
          if (!shown?.textContent.includes('--harmful')) return;
          const button = [...shown.querySelectorAll('button')].find(({ textContent }) => textContent === 'Trust these files');
          resolve(button?.disabled === false);
        };
        if (shown) new MutationObserver(look).observe(shown, { subtree: true, childList: true, characterData: true, attributes: true });
      });
      return { promise };
    });
    await put(file, { mcpServers: { docs: stdio('--harmful') } });
    await expect(dialog(page)).toContainText('The files changed while you looked.');
    await expect(dialog(page)).toContainText('--harmful');
    expect(await pressable.evaluate(({ promise }) => promise)).toBe(false);
    expect(await phase(page)).toBe('ask');
    // The answer to what stood there before is refused by the core as well.
    expect(codeOf(await ask(page, 'projects.trust', { project, digest: 'of something else' }))).toBe('trust/changed');
    expect(await phase(page)).toBe('ask');
  });

  test('what hides in a command line is made visible', async ({ page }) => {
    await put(join(project, '.mcp.json'), { mcpServers: { docs: stdio('--safe\u202Eerom\u200B') } });
    await open(page, project);
    const docs = dialog(page).getByRole('region', { name: 'docs', exact: true });
    await expect(docs).toContainText('⟨U+202E⟩');
    await expect(docs).toContainText('⟨U+200B⟩');
  });

  test('“Not now” is kept, Settings say so and offer the question again, and trust can be withdrawn', async ({ page, relaunch }) => {
    await put(join(project, '.mcp.json'), { mcpServers: { docs: stdio() } });
    await open(page, project);
    await dialog(page).getByRole('button', { name: 'Not now' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(bar(page)).toBeHidden();
    const { page: again } = await relaunch();
    await expect.poll(() => phase(again)).toBe('refused');
    await expect(bar(again)).toBeHidden();
    await pageLink(again, 'Settings').click();
    await again.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Project', exact: true }).click();
    await expect(again.getByRole('main')).toContainText('Not trusted');
    await again.getByRole('button', { name: 'Trust…' }).click();
    await trustButton(again).click();
    await expect(again.getByRole('main')).toContainText('Trusted');
    await expect.poll(() => named(again, 'docs')).toBeDefined();
    await again.getByRole('button', { name: 'Withdraw trust' }).click();
    await expect.poll(() => phase(again)).toBe('ask');
    expect(await named(again, 'docs')).toBeUndefined();
  });

  test('with nothing to trust is not asked about', async ({ page }) => {
    await open(page, project);
    await expect.poll(() => phase(page)).toBe('not-needed');
    await expect(bar(page)).toBeHidden();
    await expect(dialog(page)).toBeHidden();
  });
});
