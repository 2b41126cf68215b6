import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { ElectronApplication, Page } from '@playwright/test';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { addServer, conversation, newChat, page as place, runTool } from './person.ts';

const run = async (page: Page, tool: string) => {
  await newChat(page);
  await runTool(page, tool.replaceAll('_', ' '), tool);
};
/** Where the person wants the next file. */
const chooseSave = (app: ElectronApplication, path: string) =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async (...asked: unknown[]) => {
      Object.assign(globalThis, { askedFor: JSON.stringify(asked.at(-1)) });
      return { canceled: false, filePath };
    };
  }, path);
const askedFor = (app: ElectronApplication) => app.evaluate(() => String(Reflect.get(globalThis, 'askedFor')));

test('[F-153] a text begins with its first three lines as they wrap, of at most 8,000 characters, and opens', async ({ page }) => {
  await addServer(page, 'Huge', 'broken.mjs', ['huge-frame']);
  const log = conversation(page);
  const say = async (text: string) => {
    await newChat(page);
    await runTool(page, 'echo', 'echo', { text });
  };
  await say('a short one');
  await expect(log).toContainText('a short one');
  await expect(log.getByRole('button', { name: /^Show all/ })).toBeHidden();
  // One line that wraps into many.
  await say(`${'wrapped words '.repeat(100)}END`);
  const open = log.getByRole('button', { name: /^Show all: 1,403 characters/ });
  await expect(open).toHaveAttribute('aria-expanded', 'false');
  const height = () => log.getByText('wrapped words').last().evaluate((element) => Math.round(element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight)));
  await expect.poll(height).toBe(3);
  await open.click();
  await expect(log.getByRole('region', { name: 'Whole text' })).toContainText('END');
  await expect.poll(height).toBeGreaterThan(3);
  await log.getByRole('button', { name: 'Show less' }).click();
  await expect.poll(height).toBe(3);
  await say('y'.repeat(20_000));
  const shown = log.getByText(/^y{4000}/);
  await expect(shown).toBeVisible();
  expect((await shown.textContent())?.length).toBeLessThanOrEqual(8_002);
});

test('what was too long for a model is said, opened and saved whole', async ({ app, page, folder }) => {
  await addServer(page, 'Results', 'broken.mjs', ['results']);
  await run(page, 'long_text');
  const log = conversation(page);
  await expect(log).toContainText('A model is given the beginning. The whole, 1 line and 318.0 kB, is kept out of its context');
  await log.getByRole('button', { name: /^Show this part/ }).click();
  await log.getByRole('button', { name: /^Show all: 1 line, 318.0 kB/ }).click();
  await expect(log.getByLabel('The whole text')).toContainText('0123456789');
  const path = join(folder, 'whole.json');
  await chooseSave(app, path);
  await log.getByRole('button', { name: 'Save whole result…' }).click();
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain('"content"');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ content: [{ type: 'text', text: '0123456789'.repeat(31_800) }] });
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id }) => id)).toEqual([]);
});

test('images, sounds and files are shown and saved under clean names; an SVG is a file', async ({ app, page, folder }) => {
  await addServer(page, 'Results', 'broken.mjs', ['results']);
  const log = conversation(page);
  await run(page, 'svg_image');
  await expect(log).toContainText('An image that cannot be shown here');
  await expect(log.getByRole('img', { name: /^Image/ })).toBeHidden();
  await chooseSave(app, join(folder, 'image.svg'));
  await log.getByRole('button', { name: 'Save…' }).click();
  await expect.poll(() => askedFor(app)).toContain('image.svg');
  expect(await page.evaluate(() => 'svgRan' in globalThis)).toBe(false);
  await run(page, 'blob_with_evil_name');
  await chooseSave(app, join(folder, 'evil'));
  await log.getByRole('button', { name: 'Save…' }).click();
  await expect.poll(() => askedFor(app)).toMatch(/\/evil\.sh"/);
  await expect.poll(() => readFile(join(folder, 'evil')).then((bytes) => bytes.length, () => 0)).toBe(3);
  await run(page, 'audio');
  await expect(log.getByLabel('Sound, audio/wav')).toBeVisible();
  await run(page, 'image');
  await log.getByRole('button', { name: /Show it larger/ }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Save…' })).toBeVisible();
});

test('how much is shown and how long it is kept is set in Settings', async ({ page }) => {
  await place(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Results' }).click();
  const lines = page.getByRole('textbox', { name: 'Lines, at most' });
  await expect(lines).toHaveValue('2000');
  await lines.fill('0');
  await expect(page.getByText('A whole number, 1 or more.')).toBeVisible();
  await lines.fill('300');
  await lines.press('Enter');
  await expect.poll(async () => (await appState(page)).settings.outputGuard).toEqual({ maxLines: 300 });
  await page.getByRole('button', { name: 'Back to 2,000' }).click();
  await expect.poll(async () => (await appState(page)).settings.outputGuard).toBe(true);
  await page.getByRole('combobox', { name: 'Keep them' }).click();
  await page.getByRole('option', { name: 'For 30 days' }).click();
  await expect.poll(async () => (await appState(page)).settings.contentDays).toBe(30);
  await page.getByRole('combobox', { name: 'Keep them' }).click();
  await page.getByRole('option', { name: 'As long as the chat' }).click();
  await expect.poll(async () => (await appState(page)).settings.contentDays).toBeUndefined();
  await page.getByRole('switch', { name: 'Cut long results' }).click();
  await expect.poll(async () => (await appState(page)).settings.outputGuard).toBe(false);
  await expect(lines).toBeHidden();
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id }) => id)).toEqual([]);
  await give(page, 'settings.update', { outputGuard: true });
});
